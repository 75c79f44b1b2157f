import type { Transaction } from '../database.js'
import { RECORD_COLUMNS, type RecordRow } from './fetch-records.js'
import { IS_SEEN, IS_SEEN_IN_FULL } from './seen-rows.js'
import type { TimeKey } from './time-key.js'

/** One version of a file, without its bytes. */
export interface SourceRow {
  readonly sourceId: string
  readonly owner: string
  readonly document: string
  readonly version: number
  readonly recordId: string | null
  readonly follows: string | null
  readonly asFollowed: boolean
  readonly targets: readonly string[]
  readonly corpus: string
  readonly filingUnit: string | null
  readonly versionKind: string | null
  readonly mediaType: string | null
  readonly sha256: Uint8Array
  readonly size: number
  readonly state: string
  readonly problem: string | null
  readonly pages: number | null
  readonly characters: number | null
  readonly segments: number | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly found: Readonly<Record<string, unknown>> | null
  readonly asked: Readonly<Record<string, unknown>>
  readonly bindingId: string | null
  readonly createdAt: Date
  readonly extractedAt: Date | null
}

const COLUMNS = [
  ['source_id', 'sourceId', 'uuid'],
  ['owner', 'owner', 'text'],
  ['document', 'document', 'text'],
  ['version', 'version', 'int'],
  ['record_id', 'recordId', 'uuid'],
  ['follows', 'follows', 'uuid'],
  ['as_followed', 'asFollowed', 'boolean'],
  ['targets', 'targets', 'text[]'],
  ['corpus', 'corpus', 'text'],
  ['filing_unit', 'filingUnit', 'text'],
  ['version_kind', 'versionKind', 'text'],
  ['media_type', 'mediaType', 'text'],
  ['sha256', 'sha256', 'bytea'],
  ['size', 'size', 'int'],
  ['state', 'state', 'text'],
  ['problem', 'problem', 'text'],
  ['pages', 'pages', 'int'],
  ['characters', 'characters', 'int'],
  ['segments', 'segments', 'int'],
  ['metadata', 'metadata', 'jsonb'],
  ['found', 'found', 'jsonb'],
  ['asked', 'asked', 'jsonb'],
  ['binding_id', 'bindingId', 'uuid'],
  ['created_at', 'createdAt', 'timestamptz'],
  ['extracted_at', 'extractedAt', 'timestamptz'],
] as const satisfies readonly [string, keyof SourceRow, string][]

const SELECTED = COLUMNS.map(([column, key]) => `s.${column} as "${key}"`).join(', ')

/** Locks a file, so that only one writer at a time makes versions of it. */
export async function lockDocument(
  tx: Transaction,
  tenant: string,
  owner: string,
  document: string,
): Promise<void> {
  await tx.query(LOCK_DOCUMENT, [JSON.stringify([tenant, owner, document])])
}

const LOCK_DOCUMENT = `select pg_advisory_xact_lock(hashtextextended($1, 16))`

/**
 * The current cards of a file, under row-level security. There is one, unless someone who could not see it made
 * another.
 */
export function findCards(
  tx: Transaction,
  tenant: string,
  owner: string,
  document: string,
): Promise<RecordRow[]> {
  return tx.query<RecordRow>(FIND_CARDS, [tenant, owner, document])
}

const FIND_CARDS = `
  select ${RECORD_COLUMNS}
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.owner = $2
    and r.document = $3
    and r.kind = 'document'
    and r.vessel = 'user'
    and r.lifecycle in ('active', 'contested')
    and exists (
      select 1
      from privity.sources s
      where s.tenant_id = $1
        and s.record_id = r.record_id)
  order by r.record_id`

/** All versions of a file, newest first. */
export function findSources(
  tx: Transaction,
  tenant: string,
  owner: string,
  document: string,
): Promise<SourceRow[]> {
  return tx.query<SourceRow>(FIND_SOURCES, [tenant, owner, document])
}

const FIND_SOURCES = `
  select ${SELECTED}
  from privity.sources s
  where s.tenant_id = $1
    and s.owner = $2
    and s.document = $3
  order by s.version desc, s.created_at desc, s.source_id`

/** The files from which cards were made, and those that wait to replace them. */
export function findSourcesOf(
  tx: Transaction,
  tenant: string,
  cards: readonly string[],
): Promise<SourceRow[]> {
  return tx.query<SourceRow>(FIND_SOURCES_OF, [tenant, cards])
}

const sourcesOfCards = (columns: string) => `
  select ${columns}
  from privity.sources s
  where s.tenant_id = $1
    and (s.record_id = any ($2::uuid[]) or (s.record_id is null and s.follows = any ($2::uuid[])))
  order by s.version desc, s.created_at desc, s.source_id`

const FIND_SOURCES_OF = sourcesOfCards(SELECTED)

/** What a card's framing rests on. */
export type StoredFileState = Pick<SourceRow, 'recordId' | 'follows' | 'state'>

export const FIND_FILE_STATES = sourcesOfCards(
  `s.record_id as "recordId", s.follows as "follows", s.state as "state"`,
)

/** Files by their ids. */
export function fetchSources(tx: Transaction, tenant: string, ids: readonly string[]): Promise<SourceRow[]> {
  return tx.query<SourceRow>(FETCH_SOURCES, [tenant, ids])
}

const FETCH_SOURCES = `
  select ${SELECTED}
  from privity.sources s
  where s.tenant_id = $1
    and s.source_id = any ($2::uuid[])
  order by s.source_id`

export interface SourceFilter {
  readonly state: string | null
  readonly corpus: string | null
}

/**
 * Lists files, newest first, under row-level security. The file of a card that is not seen in full is left out,
 * because it would say more than the card shows.
 */
export function listSources(
  tx: Transaction,
  tenant: string,
  filter: SourceFilter,
  before: TimeKey | null,
  limit: number,
): Promise<SourceRow[]> {
  return tx.query<SourceRow>(LIST_SOURCES, [
    tenant,
    filter.state,
    filter.corpus,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

const LIST_SOURCES = `
  select ${SELECTED}
  from privity.sources s
  where s.tenant_id = $1
    and ($2::text is null or s.state = $2)
    and ($3::text is null or s.corpus = $3)
    and (
      s.record_id is null
      or exists (
        select 1
        from privity.records r
        where r.tenant_id = $1
          and r.record_id = s.record_id
          and ${IS_SEEN}
          and ${IS_SEEN_IN_FULL}))
    and ($4::timestamptz is null or (s.created_at, s.source_id) < ($4, $5::uuid))
  order by s.created_at desc, s.source_id desc
  limit $6`

/** What is compared with a file that may have been taken in before. */
export type StoredBytes = Pick<SourceRow, 'document' | 'sha256' | 'state'>

/** The newest versions of files by their names, under row-level security, as far as their cards are seen in full. */
export function findNewest(
  tx: Transaction,
  tenant: string,
  owner: string,
  corpus: string,
  documents: readonly string[],
): Promise<StoredBytes[]> {
  return tx.query<StoredBytes>(FIND_NEWEST, [tenant, owner, corpus, documents])
}

const FIND_NEWEST = `
  select distinct on (s.document)
    s.document as "document",
    s.sha256 as "sha256",
    s.state as "state"
  from privity.sources s
  where s.tenant_id = $1
    and s.owner = $2
    and s.corpus = $3
    and s.document = any ($4::text[])
    and (
      s.record_id is null
      or exists (
        select 1
        from privity.records r
        where r.tenant_id = $1
          and r.record_id = s.record_id
          and ${IS_SEEN}
          and ${IS_SEEN_IN_FULL}))
  order by s.document, s.version desc, s.created_at desc, s.source_id`

/** Stores a file. Without bytes, it is another version of a file whose bytes are moved to it. */
export async function insertSource(
  tx: Transaction,
  tenant: string,
  row: SourceRow,
  bytes: Uint8Array | null,
): Promise<void> {
  await tx.query(INSERT_SOURCE, [tenant, ...COLUMNS.map(([, key, type]) => paramOf(row[key], type))])
  if (bytes !== null) await tx.query(INSERT_CONTENT, [tenant, row.sourceId, bytes])
}

const paramOf = (value: SourceRow[keyof SourceRow], type: string) =>
  type === 'jsonb' && value !== null ? JSON.stringify(value) : (value as string | null)

const INSERT_SOURCE = `
  insert into privity.sources (tenant_id, ${COLUMNS.map(([column]) => column).join(', ')})
  values ($1, ${COLUMNS.map(([, , type], at) => `$${at + 2}::${type}`).join(', ')})`

const INSERT_CONTENT = `
  insert into privity.source_contents (tenant_id, source_id, bytes)
  values ($1, $2, $3)`

/** The result of reading a file. */
export type SourceReading = Pick<
  SourceRow,
  | 'sourceId'
  | 'recordId'
  | 'mediaType'
  | 'state'
  | 'problem'
  | 'pages'
  | 'characters'
  | 'segments'
  | 'found'
  | 'extractedAt'
>

export async function updateReading(tx: Transaction, tenant: string, row: SourceReading): Promise<void> {
  await tx.query(UPDATE_READING, [
    tenant,
    row.sourceId,
    row.recordId,
    row.mediaType,
    row.state,
    row.problem,
    row.pages,
    row.characters,
    row.segments,
    row.found === null ? null : JSON.stringify(row.found),
    row.extractedAt,
  ])
}

const UPDATE_READING = `
  update privity.sources
  set
    record_id = $3,
    media_type = $4,
    state = $5,
    problem = $6,
    pages = $7,
    characters = $8,
    segments = $9,
    found = $10::jsonb,
    extracted_at = $11
  where tenant_id = $1
    and source_id = $2`

/** Reads the bytes of a file. */
export async function readContent(
  tx: Transaction,
  tenant: string,
  sourceId: string,
): Promise<Uint8Array | null> {
  const [row] = await tx.query<{ bytes: Uint8Array }>(READ_CONTENT, [tenant, sourceId])
  return row?.bytes ?? null
}

const READ_CONTENT = `
  select bytes
  from privity.source_contents
  where tenant_id = $1
    and source_id = $2`

/** Deletes files that have no card, with their bytes. A file with a card is deleted with the card. */
export async function deleteUnread(tx: Transaction, tenant: string, ids: readonly string[]): Promise<void> {
  await tx.query(DELETE_UNREAD, [tenant, ids])
}

const DELETE_UNREAD = `
  delete from privity.sources
  where tenant_id = $1
    and source_id = any ($2::uuid[])
    and record_id is null`

/** Hides files that wait to replace a card from those who see the card. */
export async function detachWaitingFiles(tx: Transaction, tenant: string, card: string): Promise<void> {
  await tx.query(SEPARATE_FOLLOWERS, [tenant, card])
}

const SEPARATE_FOLLOWERS = `
  update privity.sources
  set as_followed = false
  where tenant_id = $1
    and follows = $2
    and record_id is null`
