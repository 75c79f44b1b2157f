import type { Transaction } from '../database.js'

/**
 * The records written by transactions that were not all finished at the last read. `since` is what the last call
 * returned ('0' at first). Rows may come twice and must be applied idempotently; none is ever missed: a transaction
 * still running now has an id at or above the returned `next`.
 */
export async function changesSince(
  tx: Transaction,
  tenant: string,
  since: string,
): Promise<{ changed: string[]; next: string }> {
  const [horizon] = await tx.query<{ next: string }>(READ_HORIZON)
  const rows = await tx.query<{ id: string }>(CHANGES_SINCE, [tenant, since])
  return { changed: rows.map(row => row.id), next: horizon?.next ?? since }
}

const READ_HORIZON = `select pg_snapshot_xmin(pg_current_snapshot())::text as "next"`

const CHANGES_SINCE = `
  select distinct record_id as "id"
  from privity.changes
  where tenant_id = $1
    and xid >= $2::xid8
  order by record_id`
