import type { Transaction } from '../database.js'
import { Snapshot } from '../snapshot.js'
import { KEPT_BY_GENERATION } from './kept-by-generation.js'

/** A record that a transaction wrote, and the cell whose index must read it again. */
export interface Change {
  readonly cell: string
  readonly xid: bigint
  readonly id: string
  /** Whether only a vector was added. */
  readonly vector: boolean
}

/**
 * The changes of some cells that are visible in this snapshot, at most `most` per cell. `since` says for each cell
 * below which transaction id everything has been read. A row may be returned twice, so it must be applied
 * idempotently. No row is missed if `since` is at most the xmin of an earlier snapshot.
 */
export async function changesSince(
  tx: Transaction,
  tenant: string,
  since: ReadonlyMap<string, bigint>,
  most: number,
): Promise<{ snapshot: Snapshot; changes: Change[] }> {
  const cells = [...since.keys()]
  const from = cells.map(cell => String(since.get(cell)))
  const [row] = await tx.query<{ snapshot: string; changes: [string, string, string, boolean][] }>(
    CHANGES_SINCE,
    [tenant, cells, from, most],
  )
  if (row === undefined) throw new Error('no snapshot')
  const changes = row.changes.map(([cell, xid, id, vector]) => ({ cell, xid: BigInt(xid), id, vector }))
  return { snapshot: new Snapshot(row.snapshot), changes }
}

// Nothing from xmax on is visible, but such rows may exist: a restored dump keeps the transaction ids of another
// server. The query goes cell by cell and in order, so that the primary key is used whatever the planner assumes
// about the table.
const CHANGES_SINCE = `
  ${KEPT_BY_GENERATION}
  select
    pg_current_snapshot()::text as "snapshot",
    coalesce(
      (select jsonb_agg(jsonb_build_array(wanted.cell, found.xid::text, found.record_id, found.vector))
       from unnest($2::text[], $3::text[]) as wanted (cell, since)
       cross join lateral (
         select c.xid, c.record_id, c.vector
         from privity.changes c
         where c.tenant_id = $1
           and c.cell = wanted.cell
           and c.xid >= wanted.since::xid8
           and c.xid < pg_snapshot_xmax(pg_current_snapshot())
         order by c.xid, c.record_id
         limit $4
       ) found),
      '[]'
    ) as "changes"`
