import type { PolicyTuple, RecordTimes } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'

export interface EdgeRow {
  readonly record: string
  readonly type: string
  readonly direction: 'out' | 'in'
  readonly other: string
}

/**
 * Edges of records that the caller sees in full. The other ends are bare ids here and may be of hidden records: none
 * may leave before `fetchEnds` and the gates have let it.
 */
export function fetchEdges(tx: Transaction, tenant: string, ids: readonly string[]): Promise<EdgeRow[]> {
  return tx.query<EdgeRow>(FETCH_EDGES, [tenant, ids])
}

const side = (type: string, direction: 'out' | 'in', table: string, here: string, there: string) => `
  select ${here} as "record", ${type} as "type", '${direction}' as "direction", ${there} as "other"
  from privity.${table}
  where tenant_id = $1
    and ${here} = any ($2::uuid[])`

const FETCH_EDGES = `
  ${side('type', 'out', 'relations', 'from_id', 'to_id')}
  union all
  ${side('type', 'in', 'relations', 'to_id', 'from_id')}
  union all
  ${side(`'derived_from'`, 'out', 'derivations', 'record_id', 'source_id')}
  union all
  ${side(`'derived_from'`, 'in', 'derivations', 'source_id', 'record_id')}
  order by "record", "type", "direction", "other"`

export interface EndRow {
  readonly id: string
  readonly tuple: PolicyTuple
  readonly times: RecordTimes
}

/** Enough of the records at the other ends to decide on them, under row-level security. */
export function fetchEnds(tx: Transaction, tenant: string, ids: readonly string[]): Promise<EndRow[]> {
  return tx.query<EndRow>(FETCH_ENDS, [tenant, ids])
}

const FETCH_ENDS = `
  select
    r.record_id as "id",
    c.tuple,
    jsonb_build_object(
      'createdAt', extract(epoch from r.created_at) * 1000,
      'expiresAt', extract(epoch from r.expires_at) * 1000) as "times"
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.record_id = any ($2::uuid[])`
