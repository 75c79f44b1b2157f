import type { PolicyTuple, RecordTimes } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'

/** An edge of a record, with enough of the record at its other end to decide whether it may be named. */
export interface EdgeRow {
  readonly record: string
  readonly type: string
  readonly direction: 'out' | 'in'
  readonly other: string
  readonly tuple: PolicyTuple
  readonly times: RecordTimes
}

/** Edges of records, as far as row-level security shows their other ends. */
export function fetchEdges(tx: Transaction, tenant: string, ids: readonly string[]): Promise<EdgeRow[]> {
  return tx.query<EdgeRow>(FETCH_EDGES, [tenant, ids])
}

const side = (type: string, direction: 'out' | 'in', table: string, here: string, there: string) => `
    select ${here} as "record", ${type} as "type", '${direction}' as "direction", ${there} as "other"
    from privity.${table}
    where tenant_id = $1
      and ${here} = any ($2::uuid[])`

// One join with the records, not one a side: every mention of them costs the planner all their policies again.
const FETCH_EDGES = `
  select
    edge.*,
    c.tuple,
    jsonb_build_object(
      'createdAt', extract(epoch from r.created_at) * 1000,
      'expiresAt', extract(epoch from r.expires_at) * 1000) as "times"
  from (
    ${side('type', 'out', 'relations', 'from_id', 'to_id')}
    union all
    ${side('type', 'in', 'relations', 'to_id', 'from_id')}
    union all
    ${side(`'derived_from'`, 'out', 'derivations', 'record_id', 'source_id')}
    union all
    ${side(`'derived_from'`, 'in', 'derivations', 'source_id', 'record_id')}
  ) edge
  join privity.records r on r.tenant_id = $1 and r.record_id = edge."other"
  join privity.compartments c using (tenant_id, compartment_id)
  order by "record", "type", "direction", "other"`
