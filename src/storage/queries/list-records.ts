import type { Transaction } from '../database.js'
import { isChunkOf } from './chunks.js'
import { RECORD_COLUMNS, type RecordRow } from './fetch-records.js'
import { IS_SEEN, IS_SEEN_IN_FULL } from './seen-rows.js'

export interface ListFilter {
  readonly kinds: readonly string[] | null
  readonly tags: readonly string[] | null
  readonly createdAfter: Date | null
  readonly createdBefore: Date | null
  // Only a full face shows these, so filters on them find only what is seen in full (NI-4).
  readonly owner: string | null
  readonly corpus: string | null
  readonly fields: Readonly<Record<string, unknown>> | null
  /** When records have to hold, as far as the caller sees when they do (TR-9). */
  readonly asOf: Date | null
}

/** A position in the order of a list. */
export interface ListKey {
  readonly createdAt: Date
  readonly id: string
}

/**
 * The next records by creation time, under row-level security. It returns exactly what the caller sees, so that one
 * statement fills a page. Keyset pagination: records that are added later do not shift pages.
 */
export function listRecords(
  tx: Transaction,
  tenant: string,
  filter: ListFilter,
  order: 'newest' | 'oldest',
  after: ListKey | null,
  limit: number,
): Promise<RecordRow[]> {
  return tx.query<RecordRow>(
    order === 'newest' ? LIST_NEWEST : LIST_OLDEST,
    paramsOf(tenant, filter, after, limit),
  )
}

/**
 * Like `listRecords`, but newest first and without chunks whose card is visible, since those are read by the card.
 * Whoever is bound by views knows the corpus of each document, whatever its face: `knowsCorpora`.
 */
export function listWithoutChunks(
  tx: Transaction,
  tenant: string,
  filter: ListFilter,
  after: ListKey | null,
  limit: number,
  knowsCorpora = false,
): Promise<RecordRow[]> {
  const sql = knowsCorpora ? LIST_OF_KNOWN_CORPORA : LIST_WITHOUT_CHUNKS
  return tx.query<RecordRow>(sql, paramsOf(tenant, filter, after, limit))
}

/** A corpus, and the time from which additions to it count. */
export interface CorpusSince {
  readonly owner: string
  readonly corpus: string
  readonly since: Date
}

/** The records that were added to corpora, newest first, like `listRecords`. */
export function listAdded(
  tx: Transaction,
  tenant: string,
  corpora: readonly CorpusSince[],
  after: ListKey | null,
  limit: number,
): Promise<RecordRow[]> {
  return tx.query<RecordRow>(LIST_ADDED, [
    ...paramsOf(tenant, NO_FILTER, after, limit),
    JSON.stringify(corpora),
  ])
}

/** A filter that excludes nothing. */
export const NO_FILTER: ListFilter = {
  kinds: null,
  tags: null,
  createdAfter: null,
  createdBefore: null,
  owner: null,
  corpus: null,
  fields: null,
  asOf: null,
}

function paramsOf(tenant: string, filter: ListFilter, after: ListKey | null, limit: number) {
  return [
    tenant,
    filter.kinds,
    filter.tags,
    filter.createdAfter,
    filter.createdBefore,
    filter.owner,
    filter.corpus,
    filter.fields === null ? null : JSON.stringify(filter.fields),
    after?.createdAt ?? null,
    after?.id ?? null,
    limit,
    filter.asOf,
  ]
}

const list = (beyond: '<' | '>', direction: 'desc' | 'asc', but = '', knowsCorpora = false) => `
  select ${RECORD_COLUMNS}
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and ${IS_SEEN}
    and ($2::text[] is null or r.kind = any ($2))
    and ($3::text[] is null or r.tags @> $3)
    and ($4::timestamptz is null or r.created_at >= $4)
    and ($5::timestamptz is null or r.created_at < $5)
    and (($6::text is null and ${knowsCorpora ? 'true' : '$7::text is null'} and $8::jsonb is null) or ${IS_SEEN_IN_FULL})
    and ($6::text is null or r.owner = $6)
    and ($7::text is null or r.corpus = $7)
    and ($8::jsonb is null or r.fields @> $8)
    and (
      $12::timestamptz is null
      or (r.valid_from is null and r.valid_to is null)
      or (coalesce(r.valid_from <= $12, true) and coalesce(r.valid_to > $12, true))
      or not ${IS_SEEN_IN_FULL})
    and ($9::timestamptz is null or (r.created_at, r.record_id) ${beyond} ($9, $10::uuid))${but}
  order by r.created_at ${direction}, r.record_id ${direction}
  limit $11`

const LIST_NEWEST = list('<', 'desc')
const LIST_OLDEST = list('>', 'asc')
const BUT_CHUNKS = `
    and not (
      r.kind = 'segment'
      and exists (
        select 1
        from privity.derivations d
        join privity.records card on card.tenant_id = $1 and card.record_id = d.source_id
        where d.tenant_id = $1
          and d.record_id = r.record_id
          and ${isChunkOf('card')}))`
const LIST_WITHOUT_CHUNKS = list('<', 'desc', BUT_CHUNKS)
const LIST_OF_KNOWN_CORPORA = list('<', 'desc', BUT_CHUNKS, true)
const LIST_ADDED = list(
  '<',
  'desc',
  `${BUT_CHUNKS}
    and exists (
      select 1
      from jsonb_to_recordset($13::jsonb) as added (owner text, corpus text, since timestamptz)
      where added.owner = r.owner
        and added.corpus = r.corpus
        and added.since <= r.created_at)`,
)
