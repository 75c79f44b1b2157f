import type { Transaction } from '../database.js'
import { isChunkOf } from './chunks.js'
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
  /** The search that was kept, with its question sealed; null if the policy of the session keeps none. */
  readonly searchRunId: string | null
  readonly question: string | null
  /** The numbers on the copies that were taken. */
  readonly watermarks: readonly string[]
}

/** What a page does by itself, without telling anything of a document. It is in the audit, and is no line of the log. */
const HOUSEKEEPING = [
  'profiles.current',
  'profiles.log',
  'upload.list',
  'search.complete',
  'document_view.reading',
  'capabilities.check',
]

/**
 * Whether an entry is a line of its own. Whoever reads a document gets its text and then, in the same minutes, its
 * pages: that is one read.
 */
const IS_LINE = `(
      (e.outcome <> 'ok' or e.operation <> all (array[${HOUSEKEEPING.map(name => `'${name}'`).join(', ')}]))
      and not (
        e.operation = 'document_view.file'
        and e.outcome = 'ok'
        and exists (
          select 1
          from privity.audit_entries o
          where o.tenant_id = $1
            and o.for_id = e.for_id
            and o.operation = 'document_view.open'
            and o.outcome = 'ok'
            and o.at between e.at - interval '30 minutes' and e.at
            and o.refs && e.refs)))`

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
    ${IS_VIEW} as "viewed",
    q.search_run_id as "searchRunId",
    q.question,
    array(
      select w.number
      from privity.downloads d
      join privity.watermarks w using (tenant_id, download_id)
      where d.tenant_id = $1
        and d.profile_id = s.profile_id
        and d.at = e.at
        and e.operation like 'document_download.%'
      order by w.number) as "watermarks"
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
  left join lateral (
    select r.search_run_id, r.question
    from privity.search_runs r
    where r.tenant_id = $1
      and r.for_id = e.for_id
      and r.at = e.at
      and r.retention_class <> 'ephemeral_session_lifetime'
      and e.operation like 'search.%'
    limit 1
  ) q on true
  where ${IS_LINE}
    and (s.profile_id is not null or (e.operation = 'links.redeem' and e.outcome <> 'ok'))
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

/** The cards of chunks, by the chunk. Runs as privity_writer, for ids that somebody was shown. */
export function loadCards(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<{ chunk: string; card: string }[]> {
  return tx.query(LOAD_CARDS, [tenant, ids])
}

const LOAD_CARDS = `
  select r.record_id as "chunk", card.record_id as "card"
  from privity.records r
  join privity.derivations d on d.tenant_id = $1 and d.record_id = r.record_id
  join privity.records card on card.tenant_id = $1 and card.record_id = d.source_id and ${isChunkOf('card')}
  where r.tenant_id = $1
    and r.record_id = any ($2::uuid[])`

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
    count(*) filter (where ${IS_VIEW} and ${IS_LINE})::int as "views",
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
