import type { PolicyTuple, RecordTimes } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'

/**
 * One record that an edge cites: its other end, or a record that asserts the edge. The row contains enough of that
 * record to decide whether the edge may be shown.
 */
export interface EdgeRow {
  readonly record: string
  readonly type: string
  readonly direction: 'out' | 'in'
  readonly other: string
  /** The records that together assert the edge. An edge may be asserted several times. */
  readonly sources: readonly string[]
  readonly cited: string
  readonly tuple: PolicyTuple
  readonly times: RecordTimes
}

/** The edges of some records: one row for each record that an edge cites, as far as row-level security shows it. */
export function fetchEdges(tx: Transaction, tenant: string, ids: readonly string[]): Promise<EdgeRow[]> {
  return tx.query<EdgeRow>(FETCH_EDGES, [tenant, ids])
}

const side = (
  type: string,
  direction: 'out' | 'in',
  table: string,
  here: string,
  there: string,
  sources: string,
) => `
    select
      ${here} as "record",
      ${type} as "type",
      '${direction}' as "direction",
      ${there} as "other",
      ${sources} as "sources"
    from privity.${table}
    where tenant_id = $1
      and ${here} = any ($2::uuid[])`

// Joins the records once rather than once per side, because each mention of the table makes the planner process all
// its policies again. `offset 0` keeps the join a lookup of each cited record; without statistics the planner would
// otherwise read every record of the tenant first.
export const FETCH_EDGES = `
  select
    edge.*,
    cites.record_id as "cited",
    r.tuple,
    r.times
  from (
    ${side('type', 'out', 'relations', 'from_id', 'to_id', 'sources')}
    union all
    ${side('type', 'in', 'relations', 'to_id', 'from_id', 'sources')}
    union all
    ${side(`'derived_from'`, 'out', 'derivations', 'record_id', 'source_id', `'{}'::uuid[]`)}
    union all
    ${side(`'derived_from'`, 'in', 'derivations', 'source_id', 'record_id', `'{}'::uuid[]`)}
  ) edge
  cross join lateral unnest(edge."sources" || edge."other") cites (record_id)
  cross join lateral (
    select
      c.tuple,
      jsonb_build_object(
        'createdAt', extract(epoch from r.created_at) * 1000,
        'expiresAt', extract(epoch from r.expires_at) * 1000) as "times"
    from privity.records r
    join privity.compartments c using (tenant_id, compartment_id)
    where r.tenant_id = $1
      and r.record_id = cites.record_id
    offset 0
  ) r
  order by "record", "type", "direction", "other", "sources", "cited"`
