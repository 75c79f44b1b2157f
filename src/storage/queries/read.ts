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
import { type Conversation, type Exposure, READ_EXPOSURES } from './exposures.js'
import { type EdgeRow, FETCH_EDGES } from './fetch-edges.js'
import { type FaceRow, FETCH_FACES } from './fetch-faces.js'
import { FETCH_RECORDS, type RecordRow } from './fetch-records.js'
import { type CallerRow, LOAD_CALLER } from './load-caller.js'
import { type ConsentRow, LOAD_CONSENTS } from './load-consents.js'
import { FIND_NAMED_TARGETS, type NamedTargetRow } from './named-targets.js'
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
  /** The conversation of which to return what an agent was shown in it, since a time. */
  readonly exposures?: Conversation & { readonly since: string }
  /** Targets of which to return those that tuples have to name. */
  readonly targets?: readonly string[]
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
  readonly exposures: readonly Exposure[]
  readonly named: readonly NamedTargetRow[]
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
  found_exposures json;
  found_named json;
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
  if asked ? 'exposures' then
    select json_agg(item) into found_exposures
    from (${withParams(READ_EXPOSURES, 'asked_tenant', `(asked #>> '{exposures,actorId}')::uuid`, `(asked #>> '{exposures,forId}')::uuid`, `(asked #>> '{exposures,session}')`, `(asked #>> '{exposures,since}')::timestamptz`)}) item;
  end if;
  if asked ? 'targets' then
    select json_agg(item) into found_named
    from (${withParams(FIND_NAMED_TARGETS, 'asked_tenant', `(array(select jsonb_array_elements_text(asked -> 'targets')))`)}) item;
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
    'reading', found_reading,
    'exposures', coalesce(found_exposures, '[]'),
    'named', coalesce(found_named, '[]'));
end
`

/** Reads as the caller, under every policy, in one snapshot. */
export const READ_FUNCTION = storedFunction('read', {
  owner: 'privity_app',
  volatility: 'stable',
  body: BODY,
})

const READ = `
  select
    (select json_agg(${READ_FUNCTION.name}(asked) order by at)
     from jsonb_array_elements($1::jsonb) with ordinality as question (asked, at)) as "reads",
    (select json_agg(${CHANGES_FUNCTION.name}(asked) order by at)
     from jsonb_array_elements($2::jsonb) with ordinality as question (asked, at)) as "changes"`
/** With what to do more than this, there is a better place. */
const MOST_CHANGES = 100

/** Sends one statement, in a transaction or as one of its own. */
export type Send = <Row>(sql: string, params: readonly Param[]) => Promise<Row[]>

/** One question, with the cells whose changes to return as well. */
export interface Reading {
  readonly question: ReadQuestion
  readonly since: Since
  /** A comment that says what the statement is for. */
  readonly mark: string
}

export type Answered = ReadAnswer & { readonly changes: SeenChanges | null }

/**
 * Answers some questions by one statement, so in one snapshot, each under the settings of its own caller. Questions of
 * one caller about records are asked as one.
 */
export async function readTogether(send: Send, readings: readonly Reading[]): Promise<Answered[]> {
  const groups = groupsOf(readings)
  const since = [...new Set(readings.flatMap(changesAsked))]
  const mark = readings.every(({ mark }) => mark === readings[0]?.mark) ? (readings[0]?.mark ?? '') : ''
  const [row] = await send<{ reads: ReadAnswer[]; changes: ChangesRow[] | null }>(
    mark === '' ? READ : `${mark}${READ}`,
    [JSON.stringify(groups.map(merged)), since.length === 0 ? null : `[${since.join(',')}]`],
  )
  const answers = new Map<Reading, ReadAnswer>()
  for (const [at, group] of groups.entries()) {
    const answer = row?.reads[at]
    if (answer === undefined) throw new Error('a function returned nothing')
    readTimes(answer)
    for (const one of group) answers.set(one, group.length === 1 ? answer : partOf(answer, one.question))
  }
  const changes = new Map(
    since.map((asked, at) => {
      const found = row?.changes?.[at]
      if (found === undefined) throw new Error('a function returned nothing')
      return [asked, readChanges(found)]
    }),
  )
  return readings.map(one => {
    const [asked] = changesAsked(one)
    return {
      ...(answers.get(one) as ReadAnswer),
      changes: asked === undefined ? null : (changes.get(asked) ?? null),
    }
  })
}

const changesAsked = ({ question, since }: Reading): string[] =>
  since.size === 0 ? [] : [askChanges(question.tenant, since, MOST_CHANGES)]

function groupsOf(readings: readonly Reading[]): Reading[][] {
  const groups = new Map<unknown, Reading[]>()
  for (const reading of readings) {
    const key = groupOf(reading)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [reading])
    else group.push(reading)
  }
  return [...groups.values()]
}

/** Questions of one group have the same caller under the same settings, and ask for nothing but records and faces. */
function groupOf(reading: Reading): unknown {
  const { settings, tenant, caller, evidence, reading: files, exposures, targets } = reading.question
  if ([evidence, files, exposures, targets].some(asked => asked !== undefined)) return reading
  return JSON.stringify([tenant, { ...settings, [NOW]: '' }, { ...caller, now: '' }])
}
const NOW = 'privity.now'

/** One question for all that a group asks, at the latest of their times: what has expired by then, nobody is shown. */
function merged(group: readonly Reading[]): ReadQuestion {
  const questions = group.map(({ question }) => question)
  const last = questions.reduce((a, b) => (a.caller.now < b.caller.now ? b : a))
  if (questions.length === 1) return last
  const all = (of: 'owners' | 'consents' | 'records' | 'faces') => [
    ...new Set(questions.flatMap(question => question[of] ?? [])),
  ]
  const asksFor = (of: 'records' | 'faces') => questions.some(question => question[of] !== undefined)
  return {
    ...last,
    owners: all('owners'),
    consents: all('consents'),
    ...(asksFor('records') && { records: all('records') }),
    ...(asksFor('faces') && { faces: all('faces') }),
  }
}

/** What one of a group asked for. Who the caller is and the facts about it are the same for all. */
function partOf(answer: ReadAnswer, { records = [], faces = [] }: ReadQuestion): ReadAnswer {
  const [ids, faceIds] = [new Set(records), new Set(faces)]
  return {
    ...answer,
    records: answer.records.filter(({ id }) => ids.has(id)),
    edges: answer.edges.filter(({ record }) => ids.has(record)),
    faces: answer.faces.filter(({ id }) => faceIds.has(id)),
  }
}

/** JSON has no times, so they come as texts. */
function readTimes({ records, faces, evidence: { cards, sources }, reading }: ReadAnswer): void {
  for (const record of records) for (const name of TIMES) readTime(record, name)
  for (const face of [...faces, ...cards, ...sources]) for (const name of FACE_TIMES) readTime(face, name)
  if (reading !== null) readTime(reading, 'waitingSince')
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

function readTime<Name extends string>(row: object, name: Name): void {
  const times = row as Record<Name, string | Date | null>
  const text = times[name]
  if (typeof text === 'string') times[name] = parseTimestamptz(text)
}
