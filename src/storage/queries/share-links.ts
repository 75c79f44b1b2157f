import type { HostNotices } from '../../policy/host-notices.js'
import type { MarkingPolicy } from '../../policy/watermark.js'
import type { Transaction } from '../database.js'
import type { TimeKey } from './time-key.js'

/** A link as its host reads it, without the secrets that open it. */
export interface LinkRow {
  readonly linkId: string
  readonly owner: string
  /** The actor who granted it. */
  readonly createdBy: string
  readonly name: string
  readonly ownerSessionRef: string | null
  readonly viewIds: readonly string[]
  readonly documentAccessPolicyRef: string | null
  readonly allowedActions: readonly unknown[]
  readonly recipientIdentityMode: string
  /** The email address, sealed. */
  readonly recipientEmail: string | null
  readonly approvedName: string | null
  readonly maxSensitivity: string
  readonly sessionSeconds: number
  readonly rateLimits: RateLimits
  readonly watermarkDownloads: boolean
  /** How copies are marked; null if they are not. */
  readonly watermarkPolicy: MarkingPolicy | null
  readonly auditVisibility: string
  /** The typed policies of its profiles, by the field that refers to them. */
  readonly policyRefs: Readonly<Record<string, string>>
  /** After how many seconds without use its sessions end; null if they do not. */
  readonly sessionIdleSeconds: number | null
  /** What recipients agree to before they are let in. */
  readonly agreement: string | null
  /** Addresses and domains that are let in or kept out, sealed. */
  readonly addressRules: string | null
  /** What its host is told of; the address in it is sealed. */
  readonly notices: Partial<HostNotices>
  /** The link whose terms it has. */
  readonly copyOf: string | null
  /** What a link asks for that only takes files in; null for one that shares views. */
  readonly fileRequest: FileRequestTerms | null
  readonly asksPasscode: boolean
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly revokedAt: Date | null
  readonly revokeReason: string | null
  readonly revocation: Readonly<Record<string, unknown>> | null
}

/** What the host of a link asks for, and where that is filed. */
export interface FileRequestTerms {
  readonly message: string
  readonly corpus: string
  readonly folder: string | null
}

export interface RateLimits {
  readonly maxQueriesPerHour: number
  readonly maxDocumentViewsPerHour: number
  readonly maxUploadsPerDay: number
  readonly maxRecipientSessionsConcurrent: number
}

const COLUMNS = `
    l.link_id as "linkId",
    l.owner,
    l.created_by as "createdBy",
    l.name,
    l.owner_session as "ownerSessionRef",
    l.view_ids as "viewIds",
    l.document_access_policy as "documentAccessPolicyRef",
    l.allowed_actions as "allowedActions",
    l.recipient_identity_mode as "recipientIdentityMode",
    l.recipient_email as "recipientEmail",
    l.approved_name as "approvedName",
    l.max_sensitivity as "maxSensitivity",
    l.session_seconds as "sessionSeconds",
    l.rate_limits as "rateLimits",
    l.watermark_downloads as "watermarkDownloads",
    l.watermark_policy as "watermarkPolicy",
    l.audit_visibility as "auditVisibility",
    l.policy_refs as "policyRefs",
    l.session_idle_seconds as "sessionIdleSeconds",
    l.agreement,
    l.address_rules as "addressRules",
    l.notices,
    l.copy_of as "copyOf",
    l.file_request as "fileRequest",
    l.asks_passcode as "asksPasscode",
    l.expires_at as "expiresAt",
    l.created_at as "createdAt",
    l.revoked_at as "revokedAt",
    l.revoke_reason as "revokeReason",
    l.revocation`

export async function insertLink(
  tx: Transaction,
  tenant: string,
  row: Omit<LinkRow, 'revokedAt' | 'revokeReason' | 'revocation' | 'asksPasscode'>,
  secrets: { readonly tokenHash: Uint8Array; readonly passcodeHash: string | null },
): Promise<void> {
  await tx.query(INSERT_LINK, [
    tenant,
    row.linkId,
    row.owner,
    row.name,
    row.ownerSessionRef,
    secrets.tokenHash,
    row.viewIds,
    JSON.stringify(row.allowedActions),
    row.recipientIdentityMode,
    row.recipientEmail,
    secrets.passcodeHash,
    row.approvedName,
    row.maxSensitivity,
    row.sessionSeconds,
    JSON.stringify(row.rateLimits),
    row.watermarkDownloads,
    row.auditVisibility,
    row.expiresAt,
    row.createdAt,
    row.createdBy,
    row.documentAccessPolicyRef,
    JSON.stringify(row.policyRefs),
    row.watermarkPolicy === null ? null : JSON.stringify(row.watermarkPolicy),
    row.sessionIdleSeconds,
    row.agreement,
    row.addressRules,
    JSON.stringify(row.notices),
    row.copyOf,
    row.fileRequest === null ? null : JSON.stringify(row.fileRequest),
  ])
}

const INSERT_LINK = `
  insert into privity.share_links
    (tenant_id, link_id, owner, name, owner_session, token_hash, view_ids, allowed_actions, recipient_identity_mode,
     recipient_email, passcode_hash, approved_name, max_sensitivity, session_seconds, rate_limits, watermark_downloads,
     audit_visibility, expires_at, created_at, created_by, document_access_policy, policy_refs,
     watermark_policy, session_idle_seconds, agreement, address_rules, notices, copy_of,
     file_request)
  values
    ($1, $2, $3, $4, $5, $6, $7::uuid[], $8::jsonb, $9, $10, $11, $12, $13, $14, $15::jsonb, $16, $17, $18, $19, $20,
     $21, $22::jsonb, $23::jsonb, $24, $25, $26, $27::jsonb, $28, $29::jsonb)`

/** Those of some links that belong to these owners, sorted by id. */
export function findLinks(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  ids: readonly string[],
): Promise<LinkRow[]> {
  return tx.query(FIND_LINKS, [tenant, owners, ids])
}

const FIND_LINKS = `
  select ${COLUMNS}
  from privity.share_links l
  where l.tenant_id = $1
    and l.owner = any ($2::text[])
    and l.link_id = any ($3::uuid[])
  order by l.link_id`

/** Lists links, newest first. */
export function listLinks(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  before: TimeKey | null,
  limit: number,
): Promise<LinkRow[]> {
  return tx.query(LIST_LINKS, [tenant, owners, before?.createdAt ?? null, before?.id ?? null, limit])
}

const LIST_LINKS = `
  select ${COLUMNS}
  from privity.share_links l
  where l.tenant_id = $1
    and l.owner = any ($2::text[])
    and ($3::timestamptz is null or (l.created_at, l.link_id) < ($3, $4::uuid))
  order by l.created_at desc, l.link_id desc
  limit $5`

/** A link with the hashes of the secrets that open it. Only for managing links, never for a reader. */
export interface OpenableLink extends LinkRow {
  readonly tokenHash: Uint8Array
  readonly passcodeHash: string | null
  readonly failures: number
  readonly lockedUntil: Date | null
}

const OPENABLE = `${COLUMNS},
    l.token_hash as "tokenHash",
    l.passcode_hash as "passcodeHash",
    l.failures,
    l.locked_until as "lockedUntil"`

/** A link by its id, whoever owns it; locked if it is about to change. Runs only as privity_writer. */
export async function loadOpenableLink(
  tx: Transaction,
  tenant: string,
  linkId: string,
  options: { readonly lock?: boolean } = {},
): Promise<OpenableLink | undefined> {
  const [row] = await tx.query<OpenableLink>(options.lock ? LOCK_OPENABLE : LOAD_OPENABLE, [tenant, linkId])
  return row
}

const LOAD_OPENABLE = `
  select ${OPENABLE}
  from privity.share_links l
  where l.tenant_id = $1
    and l.link_id = $2`
const LOCK_OPENABLE = `${LOAD_OPENABLE}
  for update`

/** Saves how often a wrong passcode was given, and until when none is looked at. */
export async function saveAttempts(
  tx: Transaction,
  tenant: string,
  linkId: string,
  { failures, lockedUntil }: Pick<OpenableLink, 'failures' | 'lockedUntil'>,
): Promise<void> {
  await tx.query(SAVE_ATTEMPTS, [tenant, linkId, failures, lockedUntil])
}

const SAVE_ATTEMPTS = `
  update privity.share_links
  set failures = $3, locked_until = $4
  where tenant_id = $1
    and link_id = $2`

/** What of a link can change after it was handed out. */
export type LinkTerms = Pick<
  LinkRow,
  | 'name'
  | 'expiresAt'
  | 'allowedActions'
  | 'rateLimits'
  | 'viewIds'
  | 'sessionIdleSeconds'
  | 'addressRules'
  | 'notices'
>

export async function saveTerms(
  tx: Transaction,
  tenant: string,
  linkId: string,
  row: LinkTerms,
): Promise<void> {
  await tx.query(SAVE_TERMS, [
    tenant,
    linkId,
    row.name,
    row.expiresAt,
    JSON.stringify(row.allowedActions),
    JSON.stringify(row.rateLimits),
    row.viewIds,
    row.sessionIdleSeconds,
    row.addressRules,
    JSON.stringify(row.notices),
  ])
}

const SAVE_TERMS = `
  update privity.share_links
  set
    name = $3,
    expires_at = $4,
    allowed_actions = $5::jsonb,
    rate_limits = $6::jsonb,
    view_ids = $7::uuid[],
    session_idle_seconds = $8,
    address_rules = $9,
    notices = $10::jsonb
  where tenant_id = $1
    and link_id = $2`

export async function saveRevocation(
  tx: Transaction,
  tenant: string,
  linkId: string,
  revokedAt: Date,
  revocation: { readonly revokeReason: string },
): Promise<void> {
  const { revokeReason } = revocation
  await tx.query(SAVE_REVOCATION, [tenant, linkId, revokedAt, revokeReason, JSON.stringify(revocation)])
}

const SAVE_REVOCATION = `
  update privity.share_links
  set revoked_at = $3, revoke_reason = $4, revocation = $5::jsonb
  where tenant_id = $1
    and link_id = $2`

/** A request to open a link, which waits for the host's decision. */
export interface LinkRequestRow {
  readonly requestId: string
  readonly linkId: string
  readonly name: string
  readonly state: string
  readonly createdAt: Date
  readonly decidedAt: Date | null
  /** The profile that was opened by the request. */
  readonly profileId: string | null
}

const REQUEST_COLUMNS = `
    r.request_id as "requestId",
    r.link_id as "linkId",
    r.name,
    r.state,
    r.created_at as "createdAt",
    r.decided_at as "decidedAt",
    (select p.profile_id
     from privity.profiles p
     where p.tenant_id = r.tenant_id
       and p.link_id = r.link_id
       and p.link_request = r.request_id) as "profileId"`

export async function insertLinkRequest(
  tx: Transaction,
  tenant: string,
  row: Omit<LinkRequestRow, 'decidedAt' | 'profileId'> & { readonly ticketHash: Uint8Array },
): Promise<void> {
  const { requestId, linkId, name, ticketHash, state, createdAt } = row
  await tx.query(INSERT_REQUEST, [tenant, requestId, linkId, name, ticketHash, state, createdAt])
}

const INSERT_REQUEST = `
  insert into privity.link_requests (tenant_id, request_id, link_id, name, ticket_hash, state, created_at)
  values ($1, $2, $3, $4, $5, $6, $7)`

/** The number of requests at a link since a given time. */
export async function countWaiting(
  tx: Transaction,
  tenant: string,
  linkId: string,
  since: Date,
): Promise<number> {
  const [row] = await tx.query<{ waiting: number }>(COUNT_WAITING, [tenant, linkId, since])
  return row?.waiting ?? 0
}

const COUNT_WAITING = `
  select count(*)::int as "waiting"
  from privity.link_requests
  where tenant_id = $1
    and link_id = $2
    and created_at > $3
    and state = 'pending'`

/** A request at a link by its ticket, locked. Runs only as privity_writer. */
export async function lockRequestByTicket(
  tx: Transaction,
  tenant: string,
  linkId: string,
  ticketHash: Uint8Array,
): Promise<LinkRequestRow | undefined> {
  const [row] = await tx.query<LinkRequestRow>(LOCK_BY_TICKET, [tenant, linkId, ticketHash])
  return row
}

const LOCK_BY_TICKET = `
  select ${REQUEST_COLUMNS}
  from privity.link_requests r
  where r.tenant_id = $1
    and r.link_id = $2
    and r.ticket_hash = $3
  for update`

/** A request at a link of one of these owners, locked. */
export async function lockRequest(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  requestId: string,
): Promise<LinkRequestRow | undefined> {
  const [row] = await tx.query<LinkRequestRow>(LOCK_REQUEST, [tenant, owners, requestId])
  return row
}

const LOCK_REQUEST = `
  select ${REQUEST_COLUMNS}
  from privity.link_requests r
  join privity.share_links l using (tenant_id, link_id)
  where r.tenant_id = $1
    and l.owner = any ($2::text[])
    and r.request_id = $3
  for update of r`

export async function saveRequestState(
  tx: Transaction,
  tenant: string,
  requestId: string,
  state: string,
  at: Date,
): Promise<void> {
  await tx.query(SAVE_REQUEST, [tenant, requestId, state, at])
}

const SAVE_REQUEST = `
  update privity.link_requests
  set state = $3, decided_at = coalesce(decided_at, $4)
  where tenant_id = $1
    and request_id = $2`

/** Requests at links of these owners, newest first. */
export function listRequests(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  { link, state }: { readonly link: string | null; readonly state: string | null },
  before: TimeKey | null,
  limit: number,
): Promise<LinkRequestRow[]> {
  return tx.query(LIST_REQUESTS, [
    tenant,
    owners,
    link,
    state,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

const LIST_REQUESTS = `
  select ${REQUEST_COLUMNS}
  from privity.link_requests r
  join privity.share_links l using (tenant_id, link_id)
  where r.tenant_id = $1
    and l.owner = any ($2::text[])
    and ($3::uuid is null or r.link_id = $3)
    and ($4::text is null or r.state = $4)
    and ($5::timestamptz is null or (r.created_at, r.request_id) < ($5, $6::uuid))
  order by r.created_at desc, r.request_id desc
  limit $7`

export interface DownloadRow {
  readonly downloadId: string
  readonly profileId: string
  readonly linkId: string | null
  readonly recordId: string
  readonly bytes: number
  readonly at: Date
}

/** Records a download. */
export async function insertDownload(tx: Transaction, tenant: string, row: DownloadRow): Promise<void> {
  const { downloadId, profileId, linkId, recordId, bytes, at } = row
  await tx.query(INSERT_DOWNLOAD, [tenant, downloadId, profileId, linkId, recordId, bytes, at])
}

const INSERT_DOWNLOAD = `
  insert into privity.downloads (tenant_id, download_id, profile_id, link_id, record_id, bytes, at)
  values ($1, $2, $3, $4, $5, $6, $7)`

/** The number of downloads through a link, and of distinct files. */
export async function countDownloads(
  tx: Transaction,
  tenant: string,
  linkId: string,
): Promise<{ downloads: number; files: number }> {
  const [row] = await tx.query<{ downloads: number; files: number }>(COUNT_DOWNLOADS, [tenant, linkId])
  return row ?? { downloads: 0, files: 0 }
}

const COUNT_DOWNLOADS = `
  select count(*)::int as "downloads", count(distinct record_id)::int as "files"
  from privity.downloads
  where tenant_id = $1
    and link_id = $2`

/** A session that took copies, and the address that it proved, sealed. */
export interface DownloaderRow {
  readonly profileId: string
  readonly ownEmail: string | null
  readonly records: readonly string[]
}

/** Who took copies by a link, and of what. */
export function listDownloaders(tx: Transaction, tenant: string, linkId: string): Promise<DownloaderRow[]> {
  return tx.query(LIST_DOWNLOADERS, [tenant, linkId])
}

const LIST_DOWNLOADERS = `
  select
    p.profile_id as "profileId",
    p.recipient_email as "ownEmail",
    array_agg(distinct d.record_id) as "records"
  from privity.downloads d
  join privity.profiles p using (tenant_id, profile_id)
  where d.tenant_id = $1
    and d.link_id = $2
  group by p.profile_id, p.recipient_email
  order by p.profile_id`
