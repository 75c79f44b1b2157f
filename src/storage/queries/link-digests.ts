import type { Transaction } from '../database.js'

/** Begins a digest of a link, unless one is being collected already. */
export async function beginDigest(
  tx: Transaction,
  tenant: string,
  linkId: string,
  now: Date,
  milliseconds: number,
): Promise<void> {
  await tx.query(BEGIN, [tenant, linkId, now, new Date(now.getTime() + milliseconds)])
}

const BEGIN = `
  update privity.share_links
  set digest_from = $3, digest_at = $4
  where tenant_id = $1
    and link_id = $2
    and digest_at is null`

/** A digest that is due. */
export interface DueDigest {
  readonly linkId: string
  readonly since: Date
}

/** Takes the digests that are due, so that no other process sends them. */
export function takeDueDigests(tx: Transaction, tenant: string, now: Date): Promise<DueDigest[]> {
  return tx.query(TAKE_DUE, [tenant, now])
}

const TAKE_DUE = `
  with due as (
    select link_id, digest_from
    from privity.share_links
    where tenant_id = $1
      and digest_at <= $2
    order by digest_at
    limit 100
    for update skip locked
  )
  update privity.share_links l
  set digest_from = null, digest_at = null
  from due
  where l.tenant_id = $1
    and l.link_id = due.link_id
  returning l.link_id as "linkId", due.digest_from as "since"`

/** What happened at a link. */
export interface DigestCounts {
  readonly opened: number
  readonly downloaded: number
  readonly uploaded: number
  readonly refused: number
  readonly locked: number
  readonly full: number
}

export async function countSince(
  tx: Transaction,
  tenant: string,
  linkId: string,
  since: Date,
): Promise<DigestCounts> {
  const [row] = await tx.query<DigestCounts>(COUNT_SINCE, [tenant, linkId, since])
  return row ?? { opened: 0, downloaded: 0, uploaded: 0, refused: 0, locked: 0, full: 0 }
}

const told = (type: string) => `
    (select count(*)::int
     from privity.notifications n
     join privity.share_links l on l.tenant_id = n.tenant_id and l.link_id = $2
     where n.tenant_id = $1
       and n.recipient = l.created_by
       and n.created_at >= $3
       and n.type = '${type}'
       and n.refs ->> 'link' = $2::text)`
const COUNT_SINCE = `
  select
    (select count(*)::int
     from privity.profiles
     where tenant_id = $1
       and link_id = $2
       and identity_mode <> 'host_user'
       and created_at >= $3) as "opened",
    (select count(*)::int
     from privity.downloads
     where tenant_id = $1
       and link_id = $2
       and at >= $3) as "downloaded",
    (select count(*)::int
     from privity.uploads
     where tenant_id = $1
       and link_id = $2
       and created_at >= $3) as "uploaded",${told('share.refused')} as "refused",${told('share.locked')} as "locked",${told('share.full')} as "full"`
