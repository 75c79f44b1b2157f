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
  FORMS,
  FREQUENT_WORDS,
  RARE_WORDS,
  UNITS,
  VAULT,
  type Viewer,
  type WatchEvent,
} from './documents-world.js'
import { type Random, random } from './random.js'
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

function watchedRequests(rng: Random, isRecipient: boolean, heard: DocumentKnowledge): Request[] {
  return Object.entries(WATCHED).flatMap(([operation, ask]) =>
    Array.from({ length: isRecipient ? 1 : (WATCHED_TIMES[operation] ?? 1) }, () => ({
      operation,
      input: ask(rng, heard),
      traced: true,
    })),
  )
}

/** Search operations that can search by meaning. */
const BY_MEANING: ReadonlySet<string> = new Set([
  'search.plan',
  'search.execute',
  'search.expand',
  'search.bundle',
  'memory.search',
])

/** The requests of a viewer, in random order. */
export function documentRequests(rng: Random, viewer: Viewer, heard: DocumentKnowledge): Request[] {
  const requests = byWords(rng, viewer, heard)
  // These have a random generator of their own, so that the keyword requests stay the same.
  const other = random(Number.parseInt(idOf(heard.key, 'watched and meant').slice(0, 8), 16))
  const asked = requests.map(one =>
    heard.meaning && BY_MEANING.has(one.operation)
      ? { ...one, input: { ...one.input, mode: other.pick(['text', 'hybrid', 'hybrid', 'vector']) } }
      : one,
  )
  // Meaningful words without a scope, because a scope leaves few records that could be similar.
  const meant = (mode: string): Request => ({
    operation: 'search.execute',
    input: { query: `fraud ${other.pick(FREQUENT_WORDS)} ${other.pick(RARE_WORDS)}`, mode, limit: 50 },
    traced: true,
  })
  if (heard.meaning) asked.push(meant('vector'), meant('hybrid'))
  for (const one of watchedRequests(other, viewer === 'live' || viewer === 'snapshot', heard))
    asked.splice(1 + other.below(asked.length), 0, one)
  return asked
}

function byWords(rng: Random, viewer: Viewer, heard: DocumentKnowledge): Request[] {
  const isRecipient = viewer === 'live' || viewer === 'snapshot'
  const asks = { ...ANYBODY, ...PRIVATELY }
  const asked = Object.entries(TIMES).flatMap(([operation, times]) => {
    const count = isRecipient && operation in PRIVATELY ? 1 : times
    return Array.from({ length: count }, (_, at): Request => {
      const input = asks[operation]?.(rng, { ...heard, key: `${heard.key}:${operation}:${at}` }) ?? {}
      return { operation, input, traced: true }
    })
  })
  const ids = [
    ...Array.from({ length: 4 }, () => rng.pick(heard.records)),
    ...heard.cards,
    idOf(heard.key, 'made up'),
  ]
  const named = ids.flatMap(id =>
    about(rng, id, isRecipient).map(([operation, input]): Request => ({ operation, input, traced: true })),
  )
  const mixed = [...asked, ...named]
    .map(one => ({ one, at: rng.below(2 ** 30) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
  // The first request loads the index, and the statements for that do not depend on the query.
  return [{ operation: 'search.execute', input: { query: 'the', mode: 'text' }, traced: false }, ...mixed]
}
