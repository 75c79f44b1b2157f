import { VISIBILITY_CLASSES } from '../../policy/vocabulary.js'
import { QUERY_INTENTS } from '../../runtime/search/router/intent.js'
import { FILING_CONTENT_SCOPES, POSTURES } from '../../runtime/search/router/posture.js'
import { DATE_FIELDS, TIMEZONE_BASES } from '../../runtime/search/router/scope.js'
import { FUSION_STRATEGIES } from '../../search/fuse.js'
import {
  CASES,
  DAYS,
  DOCUMENT_CORPORA,
  DOCUMENTS,
  type DocumentViewer,
  FORMS,
  FREQUENT_WORDS,
  RARE_WORDS,
  UNITS,
  VAULT,
  type WatchEvent,
} from './documents-world.js'
import { type Random, randomOf } from './random.js'
import type { Request } from './requests.js'
import { idOf, maybe } from './world.js'

/** Names and ids that a viewer may know. */
export interface DocumentKnowledge {
  /** Records, visible or not. */
  readonly records: readonly string[]
  /** Cards of files, visible or not. */
  readonly cards: readonly string[]
  /** Words that occur in only one text, visible or not. */
  readonly marks: readonly string[]
  /** Watches, the viewer's own first, and their events. */
  readonly bindings: readonly string[]
  readonly events: readonly WatchEvent[]
  /** Whether some of the requests search by meaning. */
  readonly meaning: boolean
  readonly key: string
}

const misspelt = (word: string) => `${word.slice(0, 3)}${word.slice(4)}`

/** A query: words, citations and statutes in any form, words with a letter missing, words of a single text. */
function query(rng: Random, { marks }: DocumentKnowledge): string {
  const law = rng.pick(rng.pick(FORMS))
  const word = rng.pick(FREQUENT_WORDS)
  const rare = rng.pick(RARE_WORDS)
  return rng.pick([
    `${law} ${word}`,
    law,
    law,
    `${word} ${rng.pick(FREQUENT_WORDS)}`,
    `${misspelt(rare)} ${word}`,
    misspelt(rare),
    rare,
    `${rng.pick(marks)} ${word}`,
    `Find oppositions that argue ${law} falls short on scienter`,
    `Which briefs cite ${law}?`,
    `Themes about ${word} across these briefs`,
    `Show me my notes on ${rare}`,
    `Quote what the brief said about ${law}`,
  ])
}

/** Scopes that name something visible, hidden or nonexistent. */
function scope(rng: Random): Record<string, unknown> {
  const temporalScope = () => {
    const [start, end] = [rng.pick([null, ...DAYS]), rng.pick([null, ...DAYS])]
    return {
      dateField: rng.pick(DATE_FIELDS),
      start,
      end: start !== null && end !== null && end < start ? start : end,
      inclusiveEndpoints: rng.chance(0.7),
      timezoneBasis: rng.pick(TIMEZONE_BASES),
    }
  }
  return rng.pick<() => Record<string, unknown>>([
    () => ({}),
    () => ({ temporalScope: temporalScope() }),
    () => ({ temporalScope: temporalScope() }),
    () => ({ caseScope: [rng.pick([...CASES, '9:99-cv-09999'])] }),
    () => ({ corpusScope: [rng.pick([...DOCUMENT_CORPORA, 'attic'])] }),
    () => ({ filingUnitScope: [rng.pick([...UNITS, 'unit-9'])] }),
    () => ({ filingUnitScope: [rng.pick(UNITS)] }),
    () => ({ visibilityClassScope: [rng.pick(VISIBILITY_CLASSES)] }),
    () => ({
      corpusScope: [rng.pick([...DOCUMENT_CORPORA, 'attic'])],
      filingUnitScope: [rng.pick([...UNITS, 'unit-9'])],
    }),
  ])()
}

const question = (rng: Random, heard: DocumentKnowledge): Record<string, unknown> => ({
  query: query(rng, heard),
  mode: 'text',
  ...maybe(rng, 0.5, { posture: rng.pick(POSTURES) }),
  ...maybe(rng, 0.2, { intent: rng.pick(QUERY_INTENTS) }),
  ...maybe(rng, 0.25, { filingContentScope: rng.pick(FILING_CONTENT_SCOPES) }),
  ...maybe(rng, 0.6, { scope: scope(rng) }),
  ...maybe(rng, 0.3, { fusion: rng.pick(FUSION_STRATEGIES) }),
  ...maybe(rng, 0.15, { citations: false }),
  ...maybe(rng, 0.15, { legalTerms: false }),
  ...maybe(rng, 0.15, { stemming: false }),
  ...maybe(rng, 0.2, {
    synonyms: [
      {
        of: 'scienter',
        terms: [rng.pick([...RARE_WORDS, ...FREQUENT_WORDS])],
        corpus: rng.pick([...DOCUMENT_CORPORA, VAULT]),
      },
    ],
  }),
})

type Ask = (rng: Random, heard: DocumentKnowledge) => Request['input']

const ANYBODY: Readonly<Record<string, Ask>> = {
  'search.plan': question,
  'search.execute': (rng, heard) => ({
    ...question(rng, heard),
    limit: rng.pick([2, 4, 50, 50]),
    ...maybe(rng, 0.6, { context: rng.pick([40, 400, 2_000]) }),
  }),
  'search.expand': question,
  'search.bundle': (rng, heard) => ({
    ...question(rng, heard),
    tokenBudget: rng.pick([300, 4_000]),
    context: rng.pick([0, 300, 2_000]),
  }),
  'document_view.list': rng => ({
    limit: rng.pick([2, 50]),
    ...maybe(rng, 0.3, { corpus: rng.pick(DOCUMENT_CORPORA) }),
  }),
}

const PRIVATELY: Readonly<Record<string, Ask>> = {
  'memory.search': (rng, heard) => ({
    query: query(rng, heard),
    mode: 'text',
    limit: rng.pick([2, 50]),
    ...maybe(rng, 0.3, { corpus: rng.pick(DOCUMENT_CORPORA) }),
    ...maybe(rng, 0.3, { fields: { caseNumber: rng.pick(CASES) } }),
  }),
  'documents.list': rng => ({
    limit: rng.pick([4, 50]),
    ...maybe(rng, 0.4, { corpus: rng.pick(DOCUMENT_CORPORA) }),
    ...maybe(rng, 0.2, { state: 'complete' }),
  }),
  'documents.fields': rng => ({
    document: rng.pick([...DOCUMENTS, 'wait-hana.txt', 'wait-hugo.txt', 'p.pdf', 'none.txt']),
    ...maybe(rng, 0.3, { owner: rng.pick(['hana', 'hugo']) }),
  }),
  'documents.sources': rng => ({
    limit: rng.pick([1, 50]),
    ...maybe(rng, 0.5, { corpus: rng.pick([...DOCUMENT_CORPORA, 'attic']) }),
  }),
}

/** Requests about one record, with every operation that names one. */
function about(rng: Random, id: string, isRecipient: boolean): [string, Request['input']][] {
  const opened: [string, Request['input']][] = [['document_view.open', { document: id }]]
  if (isRecipient) return opened
  const from = rng.below(3_000)
  return [
    ...opened,
    ['documents.get', { id }],
    ['documents.read', rng.pick<Request['input']>([{ id }, { id, from, to: from + 700 }])],
    ['documents.fields', { id }],
    ['documents.original', { id }],
    ['memory.get', { record: id }],
  ]
}

/** How often each operation is requested, besides those that name records. */
const TIMES: Readonly<Record<string, number>> = {
  'search.plan': 6,
  'search.execute': 18,
  'search.expand': 7,
  'search.bundle': 5,
  'document_view.list': 2,
  'memory.search': 4,
  'documents.list': 3,
  'documents.fields': 5,
  'documents.sources': 2,
}

/** Requests about watched folders and feeds. */
const WATCHED: Readonly<Record<string, Ask>> = {
  'bindings.list': () => ({}),
  'bindings.outcome': ofEvent,
  'bindings.manifest': ofEvent,
  // A single page only: its cursor holds the id of an outcome, which no answer shows.
  'bindings.outcomes': (rng, heard) =>
    rng.pick([
      { targetKind: 'document', targetRef: rng.pick(DOCUMENTS) },
      { targetKind: 'document', targetRef: rng.pick(DOCUMENTS), owner: rng.pick(['hana', 'hugo']) },
      { targetKind: 'card', targetRef: rng.pick(heard.cards) },
    ]),
  'bindings.contributions': (rng, heard) => ({
    binding: anyWatch(rng, heard),
    limit: rng.pick([1, 2, 50]),
  }),
  'bindings.health': (rng, heard) => ({ binding: anyWatch(rng, heard) }),
  'bindings.rejected': (rng, heard) => ({ binding: anyWatch(rng, heard), sha256: ['0'.repeat(64)] }),
}

const WATCHED_TIMES: Readonly<Record<string, number>> = {
  'bindings.outcome': 2,
  'bindings.manifest': 4,
  'bindings.outcomes': 2,
  'bindings.contributions': 2,
  'bindings.health': 2,
}

function anyWatch(rng: Random, { bindings, key }: DocumentKnowledge): string {
  return rng.pick([...bindings.slice(0, 2), ...bindings, idOf(key, 'made up')])
}

function ofEvent(rng: Random, heard: DocumentKnowledge): Request['input'] {
  const event = rng.pick(heard.events)
  return rng.chance(0.9) ? { ...event } : { ...event, binding: anyWatch(rng, heard) }
}

function watchedRequests(isRecipient: boolean, heard: DocumentKnowledge): DrawnRequest[] {
  return Object.entries(WATCHED).flatMap(([operation, ask]) =>
    draw(heard, operation, isRecipient ? 1 : (WATCHED_TIMES[operation] ?? 1), ask),
  )
}

/** A request, and the generator that its input was drawn from. */
interface DrawnRequest {
  readonly request: Request
  readonly rng: Random
}

/** The requests of one operation. They depend on its name, and on no other operation. */
function draw(heard: DocumentKnowledge, operation: string, times: number, ask: Ask): DrawnRequest[] {
  return Array.from({ length: times }, (_, at) => {
    const key = `${heard.key}:${operation}:${at}`
    const rng = randomOf(key)
    return { rng, request: { operation, input: ask(rng, { ...heard, key }), traced: true } }
  })
}

/** Search operations that can search by meaning. */
const BY_MEANING: ReadonlySet<string> = new Set([
  'search.plan',
  'search.execute',
  'search.expand',
  'search.bundle',
  'memory.search',
])

/** What an owner may ask about besides documents, and acts that need sight of what they act on (NI-10, NI-11). */
const NARROWED: Readonly<Record<string, Ask>> = {
  'people.list': () => ({}),
  'people.get': ({ pick }) => ({ person: pick(['kim', 'lee']) }),
  'people.consent': ({ pick }) => ({ person: pick(['kim', 'nobody']), status: 'granted' }),
  'overlays.list': () => ({}),
  'overlays.remove': (_, { key }) => ({ overlay: idOf(key, 'made up') }),
  'grants.list': () => ({}),
  'groups.list': () => ({}),
  'keys.list': () => ({}),
  'searches.list': () => ({}),
  'receipts.list': () => ({}),
  'consents.list': () => ({}),
  'profiles.list': () => ({}),
  'views.list': () => ({}),
  'links.list': () => ({}),
  'agents.list': () => ({}),
  'bindings.list': () => ({}),
  'notifications.list': () => ({}),
  'documents.sources': () => ({}),
  'audit.list': () => ({ limit: 200 }),
  'memory.forget': ({ pick }, { records, cards }) => ({ records: [pick([...records, ...cards])] }),
  'documents.remove': ({ pick }, { key }) => ({ document: pick([...DOCUMENTS, `${key}.txt`]) }),
}

/** The requests of a viewer, in random order. */
export function documentRequests(viewer: DocumentViewer, heard: DocumentKnowledge): Request[] {
  const isRecipient = viewer === 'live' || viewer === 'snapshot'
  const asks = { ...ANYBODY, ...PRIVATELY }
  const asked = Object.entries(TIMES).flatMap(([operation, times]) =>
    draw(
      heard,
      operation,
      isRecipient && operation in PRIVATELY ? 1 : times,
      asks[operation] ?? (() => ({})),
    ),
  )
  const rng = randomOf(heard.key)
  const ids = [
    ...Array.from({ length: 4 }, () => rng.pick(heard.records)),
    ...heard.cards,
    idOf(heard.key, 'made up'),
  ]
  const named = ids.flatMap((id, at) =>
    about(randomOf(heard.key, id), id, isRecipient).map(([operation, input]) => ({
      rng: randomOf(heard.key, id, operation, `${at}`),
      request: { operation, input, traced: true },
    })),
  )
  // Meaningful words without a scope, because a scope leaves few records that could be similar.
  const meant = ['vector', 'hybrid'].flatMap(mode =>
    draw({ ...heard, key: `${heard.key}:${mode}` }, 'search.execute', 1, ({ pick }) => ({
      query: `fraud ${pick(FREQUENT_WORDS)} ${pick(RARE_WORDS)}`,
      mode,
      limit: 50,
    })),
  )
  const drawn = [
    ...[...asked, ...named].map(one => (heard.meaning ? inSomeMode(one) : one)),
    ...(heard.meaning ? meant : []),
    ...watchedRequests(isRecipient, heard),
    ...(viewer === 'narrow'
      ? Object.entries(NARROWED).flatMap(([operation, ask]) => draw(heard, operation, 1, ask))
      : []),
  ]
  const mixed = drawn
    .map(({ request, rng }) => ({ request, place: rng.below(2 ** 30) }))
    .sort((a, b) => a.place - b.place)
    .map(({ request }) => request)
  // The first request loads the index, and the statements for that do not depend on the query.
  return [{ operation: 'search.execute', input: { query: 'the', mode: 'text' }, traced: false }, ...mixed]
}

/** A search by words, by meaning or by both. */
const inSomeMode = ({ request, rng }: DrawnRequest): DrawnRequest => ({
  rng,
  request: BY_MEANING.has(request.operation)
    ? { ...request, input: { ...request.input, mode: rng.pick(['text', 'hybrid', 'hybrid', 'vector']) } }
    : request,
})
