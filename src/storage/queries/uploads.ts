import type { Transaction } from '../database.js'
import type { TimeKey } from './time-key.js'

/** A file that a recipient sent in, without its bytes. */
export interface UploadRow {
  readonly id: string
  readonly owner: string
  readonly linkId: string
  readonly profileId: string
  readonly name: string
  readonly declaredType: string | null
  readonly mediaType: string
  readonly message: string
  readonly size: number
  readonly sha256: Uint8Array
  readonly state: string
  readonly failure: string | null
  readonly warnings: readonly string[]
  readonly recordId: string | null
  readonly createdAt: Date
  readonly decidedAt: Date | null
}

const COLUMNS = `
    u.upload_id as "id",
    u.owner,
    u.link_id as "linkId",
    u.profile_id as "profileId",
    u.name,
    u.declared_type as "declaredType",
    u.media_type as "mediaType",
    u.message,
    u.size,
    u.sha256,
    u.state,
    u.failure,
    u.warnings,
    u.record_id as "recordId",
    u.created_at as "createdAt",
    u.decided_at as "decidedAt"`

export async function insertUpload(
  tx: Transaction,
  tenant: string,
  row: Omit<UploadRow, 'recordId' | 'decidedAt'>,
  bytes: Uint8Array,
): Promise<void> {
  await tx.query(INSERT_UPLOAD, [
    tenant,
    row.id,
    row.owner,
    row.linkId,
    row.profileId,
    row.name,
    row.declaredType,
    row.mediaType,
    row.message,
    row.size,
    row.sha256,
    bytes,
    row.state,
    row.failure,
    row.warnings,
    row.createdAt,
  ])
}

const INSERT_UPLOAD = `
  insert into privity.uploads
    (tenant_id, upload_id, owner, link_id, profile_id, name, declared_type, media_type, message, size, sha256, bytes,
     state, failure, warnings, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::text[], $16)`

/** The cards of an owner's files with these bytes, for the caller's sight to be decided on. */
export async function findCardsOfBytes(
  tx: Transaction,
  tenant: string,
  owner: string,
  sha256: Uint8Array,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(FIND_CARDS_OF_BYTES, [tenant, owner, sha256])
  return rows.map(({ id }) => id)
}

const FIND_CARDS_OF_BYTES = `
  select record_id as "id"
  from privity.sources
  where tenant_id = $1
    and owner = $2
    and sha256 = $3
    and record_id is not null
  order by record_id`

/** Whether a session has sent these bytes before. */
export async function wasSentBefore(
  tx: Transaction,
  tenant: string,
  profileId: string,
  sha256: Uint8Array,
): Promise<boolean> {
  const rows = await tx.query(FIND_SENT, [tenant, profileId, sha256])
  return rows.length > 0
}

const FIND_SENT = `
  select 1
  from privity.uploads
  where tenant_id = $1
    and profile_id = $2
    and sha256 = $3
  limit 1`

export interface UploadFilter {
  readonly owners: readonly string[] | null
  readonly profile: string | null
  readonly link: string | null
  readonly state: string | null
}

/** Files that were sent in to these owners or by this session, newest first. */
export function listUploads(
  tx: Transaction,
  tenant: string,
  { owners, profile, link, state }: UploadFilter,
  before: TimeKey | null,
  limit: number,
): Promise<UploadRow[]> {
  return tx.query(LIST_UPLOADS, [
    tenant,
    owners,
    profile,
    link,
    state,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

const LIST_UPLOADS = `
  select ${COLUMNS}
  from privity.uploads u
  where u.tenant_id = $1
    and ($2::text[] is null or u.owner = any ($2))
    and ($3::uuid is null or u.profile_id = $3)
    and ($4::uuid is null or u.link_id = $4)
    and ($5::text is null or u.state = $5)
    and ($6::timestamptz is null or (u.created_at, u.upload_id) < ($6, $7::uuid))
  order by u.created_at desc, u.upload_id desc
  limit $8`

/** A file of these owners with its bytes; locked if it is about to change. Runs only as privity_writer. */
export async function loadUpload(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  uploadId: string,
  options: { readonly lock?: boolean } = {},
): Promise<(UploadRow & { readonly bytes: Uint8Array | null }) | undefined> {
  const [row] = await tx.query<UploadRow & { bytes: Uint8Array | null }>(
    options.lock ? LOCK_UPLOAD : LOAD_UPLOAD,
    [tenant, owners, uploadId],
  )
  return row
}

const LOAD_UPLOAD = `
  select ${COLUMNS}, u.bytes
  from privity.uploads u
  where u.tenant_id = $1
    and u.owner = any ($2::text[])
    and u.upload_id = $3`
const LOCK_UPLOAD = `${LOAD_UPLOAD}
  for update`

/** Notes what became of a file. Its bytes go unless it still waits. */
export async function saveUploadState(
  tx: Transaction,
  tenant: string,
  uploadId: string,
  { state, recordId = null, at }: { state: string; recordId?: string | null; at: Date },
): Promise<void> {
  await tx.query(SAVE_STATE, [tenant, uploadId, state, recordId, at])
}

const SAVE_STATE = `
  update privity.uploads
  set
    state = $3,
    record_id = $4,
    decided_at = $5,
    bytes = case when $3 = 'received' then bytes end
  where tenant_id = $1
    and upload_id = $2`
