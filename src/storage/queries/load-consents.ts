import type { Transaction } from '../database.js'

export interface ConsentRow {
  readonly consentRecordId: string
  readonly decision: string
  readonly revoked: boolean
  readonly active: boolean
}

/** The consent records to which some compartments refer. */
export function loadConsents(tx: Transaction, tenant: string, ids: readonly string[]): Promise<ConsentRow[]> {
  return tx.query<ConsentRow>(LOAD_CONSENTS, [tenant, ids])
}

export const LOAD_CONSENTS = `
  select
    consent_record_id as "consentRecordId",
    decision,
    revoked_at is not null as "revoked",
    consent_active as "active"
  from privity.consent_records
  where tenant_id = $1
    and consent_record_id = any ($2::uuid[])`
