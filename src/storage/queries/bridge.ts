import type { Transaction } from '../database.js'

/** A request to a person to share something. */
export interface BridgeRequestRow {
  readonly requestId: string
  readonly sessionId: string
  readonly owner: string
  readonly contentType: string
  readonly contentDescription: string
  readonly transformedPreview: string
  readonly originalId: string
  /** The original text in the owner's vessel. */
  readonly originalText: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly consentRecordId: string | null
}

export type NewBridgeRequest = Omit<BridgeRequestRow, 'originalText' | 'consentRecordId'>

/** Adds requests and returns the ids of the new ones. A request that is already open is not changed. */
export async function insertBridgeRequests(
  tx: Transaction,
  tenant: string,
  requests: readonly NewBridgeRequest[],
): Promise<string[]> {
  if (requests.length === 0) return []
  const rows = requests.map(request => ({
    request_id: request.requestId,
    session_id: request.sessionId,
    owner: request.owner,
    content_type: request.contentType,
    content_description: request.contentDescription,
    transformed_preview: request.transformedPreview,
    original_id: request.originalId,
    created_at: request.createdAt.toISOString(),
    expires_at: request.expiresAt.toISOString(),
  }))
  const made = await tx.query<{ requestId: string }>(INSERT_REQUESTS, [tenant, JSON.stringify(rows)])
  return made.map(row => row.requestId)
}

const COLUMNS =
  'request_id, session_id, owner, content_type, content_description, transformed_preview, original_id, created_at, expires_at'

const INSERT_REQUESTS = `
  insert into privity.bridge_requests (tenant_id, ${COLUMNS})
  select $1, ${COLUMNS}
  from json_to_recordset($2::json) as row (
    request_id uuid, session_id text, owner text, content_type text, content_description text,
    transformed_preview text, original_id uuid, created_at timestamptz, expires_at timestamptz)
  on conflict (tenant_id, session_id, original_id, content_type) where consent_record_id is null and closed_at is null
  do nothing
  returning request_id as "requestId"`

const SELECT_REQUESTS = `
  select
    b.request_id as "requestId",
    b.session_id as "sessionId",
    b.owner,
    b.content_type as "contentType",
    b.content_description as "contentDescription",
    b.transformed_preview as "transformedPreview",
    b.original_id as "originalId",
    r.text as "originalText",
    b.created_at as "createdAt",
    b.expires_at as "expiresAt",
    b.consent_record_id as "consentRecordId"
  from privity.bridge_requests b
  join privity.records r on r.tenant_id = b.tenant_id and r.record_id = b.original_id
  where b.tenant_id = $1
    and b.session_id = $2
    and b.owner = $3`

/** One request to this owner, whether or not it is decided. */
export async function loadBridgeRequest(
  tx: Transaction,
  tenant: string,
  session: string,
  owner: string,
  requestId: string,
): Promise<BridgeRequestRow | undefined> {
  const [row] = await tx.query<BridgeRequestRow>(LOAD_REQUEST, [tenant, session, owner, requestId])
  return row
}

const LOAD_REQUEST = `${SELECT_REQUESTS}
    and b.request_id = $4::uuid`

/** The requests that an owner has not decided yet, oldest first. */
export function listOpenRequests(
  tx: Transaction,
  tenant: string,
  session: string,
  owner: string,
  now: Date,
  limit: number,
): Promise<BridgeRequestRow[]> {
  return tx.query<BridgeRequestRow>(LIST_OPEN, [tenant, session, owner, now, limit])
}

const LIST_OPEN = `${SELECT_REQUESTS}
    and b.consent_record_id is null
    and b.closed_at is null
    and b.expires_at > $4
  order by b.created_at, b.request_id
  limit $5`

/** Which of these originals have a request that is not closed, whether or not it is decided. */
export async function findRequestedOriginals(
  tx: Transaction,
  tenant: string,
  session: string,
  originals: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(ASKED_ABOUT, [tenant, session, originals])
  return new Set(rows.map(row => row.id))
}

const ASKED_ABOUT = `
  select distinct original_id as "id"
  from privity.bridge_requests
  where tenant_id = $1
    and session_id = $2
    and original_id = any ($3::uuid[])
    and closed_at is null`

/**
 * Closes requests that were not decided in time, so that they can be made again. Deciding one then reports this
 * (CB-5).
 */
export async function closeExpiredRequests(
  tx: Transaction,
  tenant: string,
  session: string,
  owner: string,
  now: Date,
): Promise<void> {
  await tx.query(CLOSE_EXPIRED, [tenant, session, owner, now])
}

const CLOSE_EXPIRED = `
  update privity.bridge_requests
  set closed_at = $4
  where tenant_id = $1
    and session_id = $2
    and owner = $3
    and consent_record_id is null
    and closed_at is null
    and expires_at <= $4`

/** A decision about a request, and its result. */
export interface ConsentRecordRow {
  readonly consentRecordId: string
  readonly sessionId: string
  readonly owner: string
  readonly contentType: string
  readonly decision: 'GRANTED' | 'DENIED'
  readonly decidedAt: Date
  readonly revokedAt: Date | null
  readonly contentDescription: string
  readonly originalId: string | null
  readonly contentId: string | null
}

export async function insertConsentRecord(
  tx: Transaction,
  tenant: string,
  record: Omit<ConsentRecordRow, 'revokedAt'>,
): Promise<void> {
  await tx.query(INSERT_RECORD, [
    tenant,
    record.consentRecordId,
    record.sessionId,
    record.owner,
    record.contentType,
    record.decision,
    record.decidedAt,
    record.contentDescription,
    record.originalId,
    record.contentId,
  ])
}

const INSERT_RECORD = `
  insert into privity.consent_records
    (tenant_id, consent_record_id, session_id, owner, content_type, decision, decided_at, content_description,
     original_id, content_id, consent_active)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::uuid, $10::uuid, $6 = 'GRANTED')`

/** Stores what a decision shared. */
export async function setConsentContent(
  tx: Transaction,
  tenant: string,
  consentRecordId: string,
  contentId: string,
): Promise<void> {
  await tx.query(SET_CONTENT, [tenant, consentRecordId, contentId])
}

const SET_CONTENT = `
  update privity.consent_records
  set content_id = $3::uuid
  where tenant_id = $1
    and consent_record_id = $2::uuid`

/** Marks a request as decided. */
export async function closeBridgeRequest(
  tx: Transaction,
  tenant: string,
  requestId: string,
  consentRecordId: string,
): Promise<void> {
  await tx.query(CLOSE_REQUEST, [tenant, requestId, consentRecordId])
}

const CLOSE_REQUEST = `
  update privity.bridge_requests
  set consent_record_id = $3::uuid
  where tenant_id = $1
    and request_id = $2::uuid
    and consent_record_id is null`

const SELECT_RECORDS = `
  select
    consent_record_id as "consentRecordId",
    session_id as "sessionId",
    owner,
    content_type as "contentType",
    decision,
    decided_at as "decidedAt",
    revoked_at as "revokedAt",
    content_description as "contentDescription",
    original_id as "originalId",
    content_id as "contentId"
  from privity.consent_records
  where tenant_id = $1
    and session_id = $2
    and owner = $3`

export async function loadConsentRecord(
  tx: Transaction,
  tenant: string,
  session: string,
  owner: string,
  consentRecordId: string,
): Promise<ConsentRecordRow | undefined> {
  const [row] = await tx.query<ConsentRecordRow>(LOAD_RECORD, [tenant, session, owner, consentRecordId])
  return row
}

/** The time at which the owner last refused to share this content. */
export async function loadLastDenial(
  tx: Transaction,
  tenant: string,
  original: string,
): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date | null }>(LAST_DENIAL, [tenant, original])
  return row?.at ?? null
}

const LAST_DENIAL = `
  select max(decided_at) as "at"
  from privity.consent_records
  where tenant_id = $1
    and original_id = $2::uuid
    and decision = 'DENIED'`

const LOAD_RECORD = `${SELECT_RECORDS}
    and consent_record_id = $4::uuid`

/** All decisions of an owner in a session, newest first. */
export function listConsentRecords(
  tx: Transaction,
  tenant: string,
  session: string,
  owner: string,
  limit: number,
): Promise<ConsentRecordRow[]> {
  return tx.query<ConsentRecordRow>(LIST_RECORDS, [tenant, session, owner, limit])
}

const LIST_RECORDS = `${SELECT_RECORDS}
  order by decided_at desc, consent_record_id desc
  limit $4`

/** Revokes consents. One that was revoked before keeps its time. */
export async function revokeConsents(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(REVOKE, [tenant, ids, now])
}

const REVOKE = `
  update privity.consent_records
  set revoked_at = coalesce(revoked_at, $3), consent_active = false
  where tenant_id = $1
    and consent_record_id = any ($2::uuid[])`

/**
 * Revokes the consents of an owner to share records in which a person takes part; returns the consents and their
 * sessions.
 */
export function revokeConsentsNaming(
  tx: Transaction,
  tenant: string,
  owner: string,
  personId: string,
  now: Date,
): Promise<{ id: string; session: string }[]> {
  return tx.query(REVOKE_NAMING, [tenant, owner, personId, now])
}

const REVOKE_NAMING = `
  update privity.consent_records c
  set revoked_at = $4, consent_active = false
  from privity.records original
  where c.tenant_id = $1
    and c.owner = $2
    and c.decision = 'GRANTED'
    and c.revoked_at is null
    and original.tenant_id = $1
    and original.record_id = c.original_id
    and $3::uuid = any (original.participants)
  returning c.consent_record_id as "id", c.session_id as "session"`

/** The granted consents of a session that are in force: of one owner, or of everybody. */
export async function listStandingConsents(
  tx: Transaction,
  tenant: string,
  session: string,
  owner: string | null,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(STANDING, [tenant, session, owner])
  return rows.map(row => row.id)
}

const STANDING = `
  select consent_record_id as "id"
  from privity.consent_records
  where tenant_id = $1
    and session_id = $2
    and ($3::text is null or owner = $3)
    and decision = 'GRANTED'
    and revoked_at is null
  order by consent_record_id`
