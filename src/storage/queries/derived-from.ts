import type { Transaction } from '../database.js'
import { IS_SEEN } from './seen-rows.js'

/**
 * The records that were made directly from these, but for some that are known, under row-level security: the limit
 * counts what the caller sees and nothing else (NI-4).
 */
export async function derivedFrom(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
  known: readonly string[],
  most: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(DERIVED_FROM, [tenant, ids, known, most])
  return rows.map(row => row.id)
}

const DERIVED_FROM = `
  select r.record_id as "id"
  from privity.records r
  where r.tenant_id = $1
    and ${IS_SEEN}
    and r.record_id in (
      select record_id
      from privity.derivations
      where tenant_id = $1
        and source_id = any ($2::uuid[]))
    and r.record_id <> all ($3::uuid[])
  order by r.record_id
  limit $4`
