import { parseTimestamptz } from '../column-types.js'
import type { Param } from '../database.js'
import { MAKE_SETTINGS, storedFunction, withParams } from '../stored-function.js'
import {
  askChanges,
  CHANGES_FUNCTION,
  type ChangesRow,
  readChanges,
  type SeenChanges,
  type Since,
} from './changes-since.js'
import { type CardOf, FETCH_CARDS_OF } from './chunks.js'
import { type EdgeRow, FETCH_EDGES } from './fetch-edges.js'
import { type FaceRow, FETCH_FACES } from './fetch-faces.js'
import { FETCH_RECORDS, type RecordRow } from './fetch-records.js'
import { type CallerRow, LOAD_CALLER } from './load-caller.js'
import { type ConsentRow, LOAD_CONSENTS } from './load-consents.js'
import { type FilesInQuestion, READING_OF, type ReadingProgress } from './reading-progress.js'
import { FIND_FILE_STATES, type StoredFileState } from './sources.js'
import { rangesOf, type SpanSource, spanSourcesIn } from './span-sources.js'

/** What a request asks of the store at once. Who the caller is comes with every answer. */
export interface ReadQuestion {
  /** For row-level security; left out inside of a transaction, which has its own. */
  readonly settings?: Readonly<Record<string, string>>
  readonly tenant: string
  readonly caller: {
    readonly principal: string
    readonly key: string | null
    readonly profile: string | null
    readonly now: string
  }
  /** Whose generations to return, besides those that the records cite. */
  readonly owners: readonly string[]
  /** Which consents to return, besides those that the records cite. */
  readonly consents: readonly string[]
  /** Records to return with their edges. */
  readonly records?: readonly string[]
  /** Records of which to return only what their faces are made from. */
  readonly faces?: readonly string[]
  /** To return what bears the records out as well, with so many characters around each place. */
  readonly evidence?: { readonly reach: number }
  /** Files of which to say how far they have been read. */
  readonly reading?: FilesInQuestion
}

/** What bears records out: the cards of chunks, what holds the places they speak of, and the files of documents. */
export interface Evidence {
  readonly cards: readonly CardOf[]
  readonly sources: readonly SpanSource[]
  readonly files: readonly StoredFileState[]
}

/** What one snapshot holds of it. */
export interface ReadAnswer {
  readonly caller: CallerRow
  /** By owner; null for an owner who never had facts. */
  readonly generations: Readonly<Record<string, string | null>>
  readonly consents: readonly ConsentRow[]
  readonly records: readonly RecordRow[]
  readonly edges: readonly EdgeRow[]
  readonly faces: readonly FaceRow[]
  readonly evidence: Evidence
  /** Null unless it was asked for. */
  readonly reading: ReadingProgress | null
}

const REACH = `(asked #>> '{evidence,reach}')::int`

/** An array of texts in the question; null if there is none. */
const textsOf = (path: string) =>
  `(case jsonb_typeof(asked #> '${path}') when 'array' then array(select jsonb_array_elements_text(asked #> '${path}')) end)`

const BODY = `
declare
  asked_tenant constant text := asked ->> 'tenant';
  asked_records constant uuid[] := array(select jsonb_array_elements_text(asked -> 'records'));
  owners text[] := array(select jsonb_array_elements_text(asked -> 'owners'));
  consents uuid[] := array(select jsonb_array_elements_text(asked -> 'consents'));
  found_caller json;
  found_records json;
  found_edges json;
  found_faces json;
  found_cards json;
  found_sources json;
  found_files json;
  found_reading json;
  found_documents uuid[];
  found_ranges jsonb;
  files_owners text[];
  files_corpora text[];
  files_units text[];
  tuples jsonb[] := '{}';
  more_tuples jsonb[];
begin${MAKE_SETTINGS}
  select row_to_json(item) into found_caller
  from (${withParams(LOAD_CALLER, 'asked_tenant', `(asked #>> '{caller,principal}')`, `(asked #>> '{caller,key}')`, `(asked #>> '{caller,now}')::timestamptz`, `(asked #>> '{caller,profile}')`)}) item;
  if asked ? 'evidence' then
    with item as materialized (${withParams(FETCH_RECORDS, 'asked_tenant', 'asked_records')}),
    range as (${rangesOf('item', REACH)})
    select
      (select json_agg(item) from item),
      (select coalesce(array_agg(item.tuple), '{}') from item),
      (select array_agg(item.id) from item where item.tuple ->> 'kind' = 'document'),
      (select jsonb_agg(range) from range)
    into found_records, tuples, found_documents, found_ranges;
    select json_agg(item), found_documents || array_agg(item.id) into found_cards, found_documents
    from (${withParams(FETCH_CARDS_OF, 'asked_tenant', 'asked_records')}) item;
    select json_agg(item) into found_sources
    from (${withParams(spanSourcesIn('jsonb_to_recordset(found_ranges) as a (owner text, document text, first numeric, beyond numeric)'), 'asked_tenant')}) item;
    select json_agg(item) into found_files
    from (${withParams(FIND_FILE_STATES, 'asked_tenant', 'found_documents')}) item;
  elsif asked ? 'records' then
    select json_agg(item), coalesce(array_agg(item.tuple), '{}') into found_records, tuples
    from (${withParams(FETCH_RECORDS, 'asked_tenant', 'asked_records')}) item;
  end if;
  if asked ? 'records' then
    select json_agg(item), coalesce(array_agg(item.tuple), '{}') into found_edges, more_tuples
    from (${withParams(FETCH_EDGES, 'asked_tenant', 'asked_records')}) item;
    tuples := tuples || more_tuples;
    -- What a decision about them rests on. A key of a person or a target says whose it is.
    owners := owners || array(
      select key::jsonb ->> 1
      from unnest(tuples) as cited (tuple)
      cross join lateral (
        select jsonb_array_elements_text(cited.tuple -> 'participants')
        union all
        select jsonb_array_elements_text(cited.tuple -> 'overlayTargets')
      ) as keys (key));
    consents := consents || array(
      select cites.id::uuid
      from unnest(tuples) as cited (tuple)
      cross join lateral (
        select cited.tuple ->> 'consentRecord'
        union all
        select jsonb_array_elements_text(cited.tuple -> 'inputConsents')
      ) as cites (id)
      where cites.id is not null);
  end if;
  if asked ? 'faces' then
    select json_agg(item) into found_faces
    from (${withParams(FETCH_FACES, 'asked_tenant', `(array(select jsonb_array_elements_text(asked -> 'faces')))`)}) item;
  end if;
  if asked ? 'reading' then
    files_owners := ${textsOf('{reading,owners}')};
    files_corpora := ${textsOf('{reading,corpora}')};
    files_units := ${textsOf('{reading,filingUnits}')};
    select row_to_json(item) into found_reading
    from (${withParams(READING_OF, 'asked_tenant', 'files_owners', 'files_corpora', 'files_units')}) item;
  end if;
  return json_build_object(
    'caller', found_caller,
    'generations', (
      select coalesce(json_object_agg(item.owner, item.generation), '{}')
      from (
        select named.owner, g.generation
        from (select distinct unnest(owners)) as named (owner)
        left join privity.generations g on g.tenant_id = asked_tenant and g.owner = named.owner
      ) item),
    'consents', case when cardinality(consents) = 0 then '[]' else (
      select coalesce(json_agg(item), '[]')
      from (${withParams(LOAD_CONSENTS, 'asked_tenant', 'consents')}) item) end,
    'records', coalesce(found_records, '[]'),
    'edges', coalesce(found_edges, '[]'),
    'faces', coalesce(found_faces, '[]'),
    'evidence', json_build_object(
      'cards', coalesce(found_cards, '[]'),
      'sources', coalesce(found_sources, '[]'),
      'files', coalesce(found_files, '[]')),
    'reading', found_reading);
end
`

/** Reads as the caller, under every policy, in one snapshot. */
export const READ_FUNCTION = storedFunction('read', {
  owner: 'privity_app',
  volatility: 'stable',
  body: BODY,
})

const READ = `select ${READ_FUNCTION.name}($1::jsonb) as "read", ${CHANGES_FUNCTION.name}($2::jsonb) as "changes"`
/** With what to do more than this, there is a better place. */
const MOST_CHANGES = 100

/** Sends one statement, in a transaction or as one of its own. */
export type Send = <Row>(sql: string, params: readonly Param[]) => Promise<Row[]>

/** Asks one question, by one statement, and what has changed in some cells. */
export async function read(
  send: Send,
  question: ReadQuestion,
  since: Since,
  mark = '',
): Promise<ReadAnswer & { readonly changes: SeenChanges | null }> {
  const [row] = await send<{ read: ReadAnswer; changes: ChangesRow | null }>(
    mark === '' ? READ : `${mark}\n  ${READ}`,
    [JSON.stringify(question), since.size === 0 ? null : askChanges(question.tenant, since, MOST_CHANGES)],
  )
  if (row === undefined) throw new Error('a function returned nothing')
  for (const record of row.read.records) for (const name of TIMES) readTime(record, name)
  for (const face of row.read.faces) for (const name of FACE_TIMES) readTime(face, name)
  const { cards, sources } = row.read.evidence
  for (const one of [...cards, ...sources]) for (const name of FACE_TIMES) readTime(one, name)
  if (row.read.reading !== null) readTime(row.read.reading, 'waitingSince')
  return { ...row.read, changes: row.changes === null ? null : readChanges(row.changes) }
}

const FACE_TIMES = ['expiresAt', 'createdAt'] as const satisfies readonly (keyof FaceRow)[]
const TIMES = [
  'salienceAt',
  'occurredAt',
  'validFrom',
  'validTo',
  'expiresAt',
  'createdAt',
  'updatedAt',
  'metadataUpdatedAt',
  'previewUpdatedAt',
] as const satisfies readonly (keyof RecordRow)[]

/** JSON has no times, so they come as texts. */
function readTime<Name extends string>(row: object, name: Name): void {
  const times = row as Record<Name, string | Date | null>
  const text = times[name]
  if (typeof text === 'string') times[name] = parseTimestamptz(text)
}
