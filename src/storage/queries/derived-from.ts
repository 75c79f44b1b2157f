import type { Transaction } from '../database.js'

/** The records that were made directly from these. Whoever reads them must still be decided on. */
export async function derivedFrom(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
  most: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(DERIVED_FROM, [tenant, ids, most])
  return rows.map(row => row.id)
}

const DERIVED_FROM = `
  select distinct record_id as "id"
  from privity.derivations
  where tenant_id = $1
    and source_id = any ($2::uuid[])
  order by record_id
  limit $3`
