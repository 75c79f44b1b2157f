import type { PolicyTuple, RecordTimes } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'

/** The names of an entity, with enough of it to decide who may know them. */
export interface EntityRow {
  readonly id: string
  readonly title: string | null
  /** Unvalidated: whatever the writer stored. */
  readonly aliases: unknown
  readonly tuple: PolicyTuple
  readonly times: RecordTimes
}

/** The entities of some owners, under row-level security. */
export function fetchEntities(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
): Promise<EntityRow[]> {
  return tx.query<EntityRow>(FETCH_ENTITIES, [tenant, owners])
}

const FETCH_ENTITIES = `
  select
    r.record_id as "id",
    r.title,
    r.fields -> 'aliases' as "aliases",
    c.tuple,
    jsonb_build_object(
      'createdAt', extract(epoch from r.created_at) * 1000,
      'expiresAt', extract(epoch from r.expires_at) * 1000) as "times"
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.vessel = 'user'
    and r.owner = any ($2::text[])
    and r.kind = 'entity'
  order by r.record_id`
