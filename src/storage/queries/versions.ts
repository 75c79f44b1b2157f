import type { Transaction } from '../database.js'
import { RECORD_COLUMNS, type RecordRow } from './fetch-records.js'

/** How many versions of a record are looked at in one direction. */
const MOST_STEPS = 200

/**
 * A record with those that it replaced and those that replaced it, oldest first, whatever became of them. Read as
 * privity_writer, and decided by the caller before anything of it is shown.
 *
 * A successor is derived from what it replaced and was written at the moment when that ended.
 */
export function loadVersions(tx: Transaction, tenant: string, id: string): Promise<RecordRow[]> {
  return tx.query<RecordRow>(LOAD_VERSIONS, [tenant, id])
}

const SUCCEEDS = `
    join privity.derivations d
      on d.tenant_id = $1
    join privity.records newer
      on newer.tenant_id = $1
      and newer.record_id = d.record_id
    join privity.records older
      on older.tenant_id = $1
      and older.record_id = d.source_id
      and older.lifecycle = 'superseded'
      and older.ended_at = newer.created_at
      and older.owner = newer.owner`

const LOAD_VERSIONS = `
  with recursive earlier (id, step) as (
    select $2::uuid, 0
    union
    select older.record_id, step + 1
    from earlier
    ${SUCCEEDS}
    where newer.record_id = earlier.id
      and step < ${MOST_STEPS}
  ),
  later (id, step) as (
    select $2::uuid, 0
    union
    select newer.record_id, step + 1
    from later
    ${SUCCEEDS}
    where older.record_id = later.id
      and step < ${MOST_STEPS}
  )
  select ${RECORD_COLUMNS}
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.record_id in (select id from earlier union select id from later)
  order by r.created_at, r.record_id`
