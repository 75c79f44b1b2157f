import type { Transaction } from '../database.js'
import { Snapshot } from '../snapshot.js'
import { storedFunction } from '../stored-function.js'
import { KEPT_BY_GENERATION } from './kept-by-generation.js'

/** A record that a transaction wrote, and the cell whose index must read it again. */
export interface Change {
  readonly cell: string
  readonly xid: bigint
  readonly id: string
  /** Whether only a vector was added. */
  readonly vector: boolean
}

/** The changes that a snapshot sees. */
export interface SeenChanges {
  readonly snapshot: Snapshot
  readonly changes: readonly Change[]
}

/** For each cell the transaction id below which everything has been read. */
export type Since = ReadonlyMap<string, bigint>

/**
 * The changes of some cells that are visible in this snapshot, at most `most` per cell. A row may be returned twice, so
 * it must be applied idempotently. No row is missed if `since` is at most the xmin of an earlier snapshot.
 */
export async function changesSince(
  tx: Transaction,
  tenant: string,
  since: Since,
  most: number,
): Promise<SeenChanges> {
  const [row] = await tx.query<{ changes: ChangesRow }>(CHANGES_SINCE, [askChanges(tenant, since, most)])
  if (row === undefined) throw new Error('no snapshot')
  return readChanges(row.changes)
}

/** The parameter of the function of changes. */
export const askChanges = (tenant: string, since: Since, most: number): string =>
  JSON.stringify({ tenant, most, cells: [...since].map(([cell, xid]) => ({ cell, since: String(xid) })) })

export interface ChangesRow {
  readonly snapshot: string
  readonly changes: readonly (readonly [cell: string, xid: string, id: string, vector: boolean])[]
}

export function readChanges({ snapshot, changes }: ChangesRow): SeenChanges {
  return {
    snapshot: new Snapshot(snapshot),
    changes: changes.map(([cell, xid, id, vector]) => ({ cell, xid: BigInt(xid), id, vector })),
  }
}

// Nothing from xmax on is visible, but such rows may exist: a restored dump keeps the transaction ids of another
// server. The query goes cell by cell and in order, so that the primary key is used whatever the planner assumes
// about the table.
const CHANGES_BODY = `
begin
  perform set_config('privity.tenant', asked ->> 'tenant', true);
  return json_build_object(
    'snapshot', pg_current_snapshot()::text,
    'changes', coalesce(
      (select json_agg(json_build_array(wanted.cell, seen.xid::text, seen.record_id, seen.vector))
       from jsonb_to_recordset(asked -> 'cells') as wanted (cell text, since text)
       cross join lateral (
         select c.xid, c.record_id, c.vector
         from privity.changes c
         where c.tenant_id = asked ->> 'tenant'
           and c.cell = wanted.cell
           and c.xid >= wanted.since::xid8
           and c.xid < pg_snapshot_xmax(pg_current_snapshot())
         order by c.xid, c.record_id
         limit (asked ->> 'most')::int
       ) seen),
      '[]'));
end
`

/** Ids of what changed, never what it says: the role that feeds the index reads them. */
export const CHANGES_FUNCTION = storedFunction('changes', {
  owner: 'privity_index',
  volatility: 'stable',
  body: CHANGES_BODY,
})

const CHANGES_SINCE = `
  ${KEPT_BY_GENERATION}
  select ${CHANGES_FUNCTION.name}($1::jsonb) as "changes"`
