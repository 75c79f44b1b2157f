import type { Transaction } from '../database.js'
import { RECORD_COLUMNS, type RecordRow } from './fetch-records.js'

/**
 * The records of one kind in the shared vessel of a session whose consents are all granted and not revoked. It
 * requires a role that sees what any participant shared, and serves what the runtime makes from all of it.
 */
export function loadStandingShared(
  tx: Transaction,
  tenant: string,
  session: string,
  kind: string,
  now: Date,
): Promise<RecordRow[]> {
  return tx.query<RecordRow>(LOAD_STANDING, [tenant, session, kind, now])
}

const LOAD_STANDING = `
  select ${RECORD_COLUMNS}
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.vessel = 'shared'
    and r.session = $2
    and r.kind = $3
    and r.lifecycle = 'active'
    and (r.expires_at is null or r.expires_at > $4)
    and not exists (
      select 1
      from unnest(r.input_consents || r.consent_record) as needed (id)
      where needed.id is not null
        and not exists (
          select 1
          from privity.consent_records standing
          where standing.tenant_id = r.tenant_id
            and standing.consent_record_id = needed.id
            and standing.decision = 'GRANTED'
            and standing.revoked_at is null
            and standing.consent_active))
  order by r.created_at, r.record_id`
