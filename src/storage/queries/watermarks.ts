import type { Transaction } from '../database.js'

/** One number of the registry. */
export interface WatermarkRow {
  readonly number: string
  readonly linkId: string
  readonly profileId: string
  /** The download it was made for; null if it is on everything that the session displays. */
  readonly downloadId: string | null
  readonly recordId: string | null
  readonly kind: string
  readonly visibility: string
  readonly at: Date
}

export async function insertWatermark(tx: Transaction, tenant: string, row: WatermarkRow): Promise<void> {
  const { number, linkId, profileId, downloadId, recordId, kind, visibility, at } = row
  await tx.query(INSERT_WATERMARK, [
    tenant,
    number,
    linkId,
    profileId,
    downloadId,
    recordId,
    kind,
    visibility,
    at,
  ])
}

const INSERT_WATERMARK = `
  insert into privity.watermarks
    (tenant_id, number, link_id, profile_id, download_id, record_id, kind, visibility, at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

/** The number of what a session displays, and since when. */
export async function findDisplayNumber(
  tx: Transaction,
  tenant: string,
  profileId: string,
): Promise<{ number: string; at: Date } | undefined> {
  const [row] = await tx.query<{ number: string; at: Date }>(FIND_DISPLAY, [tenant, profileId])
  return row
}

const FIND_DISPLAY = `
  select number, at
  from privity.watermarks
  where tenant_id = $1
    and profile_id = $2
    and download_id is null`

/** A number with the link and the session that it came from. */
export interface KnownWatermark extends WatermarkRow {
  readonly invalidAt: Date | null
  readonly linkName: string
  readonly linkRevokedAt: Date | null
  /** The addresses that the link is bound to and that the session proved, sealed. */
  readonly linkEmail: string | null
  readonly ownEmail: string | null
  readonly recipientName: string | null
}

/** Those of some numbers that came from links of these owners, oldest first. */
export function findWatermarks(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  numbers: readonly string[],
): Promise<KnownWatermark[]> {
  return tx.query(FIND_WATERMARKS, [tenant, owners, numbers])
}

const FIND_WATERMARKS = `
  select
    w.number,
    w.link_id as "linkId",
    w.profile_id as "profileId",
    w.download_id as "downloadId",
    w.record_id as "recordId",
    w.kind,
    w.visibility,
    w.at,
    w.invalid_at as "invalidAt",
    l.name as "linkName",
    l.revoked_at as "linkRevokedAt",
    l.recipient_email as "linkEmail",
    p.recipient_email as "ownEmail",
    p.recipient_name as "recipientName"
  from privity.watermarks w
  join privity.share_links l using (tenant_id, link_id)
  join privity.profiles p using (tenant_id, profile_id)
  where w.tenant_id = $1
    and l.owner = any ($2::text[])
    and w.number = any ($3::text[])
  order by w.at, w.number`

/** Marks every number of a link as invalid, because the deletion of its copies was asked for. */
export async function invalidateWatermarks(
  tx: Transaction,
  tenant: string,
  linkId: string,
  at: Date,
): Promise<void> {
  await tx.query(INVALIDATE_WATERMARKS, [tenant, linkId, at])
}

const INVALIDATE_WATERMARKS = `
  update privity.watermarks
  set invalid_at = $3
  where tenant_id = $1
    and link_id = $2
    and invalid_at is null`
