import type { Transaction } from '../database.js'
import type { TimeKey } from './time-key.js'

/** An audit entry about what a profile from a link did. */
export interface AccessRow {
  readonly id: string
  readonly createdAt: Date
  /** Null for an attempt that was refused. */
  readonly profileId: string | null
  readonly recipientName: string | null
  /** The address that the session proved, sealed. */
  readonly ownEmail: string | null
  readonly operation: string
  readonly outcome: string
  readonly reason: string | null
  readonly refs: readonly string[]
  /** Whether its answer held the text of documents. */
  readonly viewed: boolean
}

/** Whether an entry is of a request that read the text of documents, and took no copy (NI-12). */
const IS_VIEW = `(
      e.outcome = 'ok'
      and e.operation <> 'document_download.fetch'
      and coalesce((e.counts ->> 'views')::int, 0) > 0)`

/** The entries of all profiles of a link, including refused attempts to open it, or of one profile; newest first. */
export function listAccesses(
  tx: Transaction,
  tenant: string,
  of: { readonly link: string | null; readonly profile: string | null },
  before: TimeKey | null,
  limit: number,
): Promise<AccessRow[]> {
  return tx.query(LIST_ACCESSES, [
    tenant,
    of.link,
    of.profile,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

// A refused attempt has no profile; its actor is the link itself.
const LIST_ACCESSES = `
  select
    e.entry_id as "id",
    e.at as "createdAt",
    s.profile_id as "profileId",
    s.recipient_name as "recipientName",
    s.recipient_email as "ownEmail",
    e.operation,
    e.outcome,
    e.reason,
    e.refs,
    ${IS_VIEW} as "viewed"
  from (
    select p.profile_id, p.actor, p.recipient_name, p.recipient_email
    from privity.profiles p
    where p.tenant_id = $1
      and ($2::uuid is null or p.link_id = $2)
      and ($3::uuid is null or p.profile_id = $3)
      and p.link_id is not null
    union all
    select null, 'link:' || $2::text, null, null
  ) as s
  join privity.actors a on a.tenant_id = $1 and a.actor = s.actor
  join privity.audit_entries e on e.tenant_id = $1 and e.for_id = a.actor_id
  where (s.profile_id is not null or (e.operation = 'links.redeem' and e.outcome <> 'ok'))
    and ($4::timestamptz is null or (e.at, e.entry_id) < ($4, $5::uuid))
  order by e.at desc, e.entry_id desc
  limit $6`

/** The titles of an owner's own records, even if they have ended since. Runs as privity_writer. */
export function loadOwnTitles(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  ids: readonly string[],
): Promise<{ id: string; title: string | null }[]> {
  return tx.query(LOAD_OWN_TITLES, [tenant, owners, ids])
}

const LOAD_OWN_TITLES = `
  select record_id as "id", title
  from privity.records
  where tenant_id = $1
    and owner = any ($2::text[])
    and record_id = any ($3::uuid[])`

/** Counts the operations of a link's profiles, the profiles themselves and the refusals. */
export async function countAccesses(
  tx: Transaction,
  tenant: string,
  link: string,
): Promise<{ sessions: number; searches: number; views: number; downloads: number; refused: number }> {
  const [row] = await tx.query<{
    sessions: number
    searches: number
    views: number
    downloads: number
    refused: number
  }>(COUNT_ACCESSES, [tenant, link])
  return row ?? { sessions: 0, searches: 0, views: 0, downloads: 0, refused: 0 }
}

const COUNT_ACCESSES = `
  select
    count(distinct s.profile_id)::int as "sessions",
    count(*) filter (where e.operation in ('search.execute', 'search.bundle') and e.outcome = 'ok')::int as "searches",
    count(*) filter (where ${IS_VIEW})::int as "views",
    count(*) filter (where e.operation = 'document_download.fetch' and e.outcome = 'ok')::int as "downloads",
    count(*) filter (where e.outcome <> 'ok')::int as "refused"
  from (
    select p.profile_id, p.actor
    from privity.profiles p
    where p.tenant_id = $1
      and p.link_id = $2
    union all
    select null, 'link:' || $2::text
  ) as s
  left join privity.actors a on a.tenant_id = $1 and a.actor = s.actor
  left join privity.audit_entries e on e.tenant_id = $1 and e.for_id = a.actor_id`
