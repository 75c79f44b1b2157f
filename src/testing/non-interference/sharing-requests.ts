import { OPERATIONS } from '../../operations.js'
import type { Random } from './random.js'
import { type Request, sampleOf } from './requests.js'
import { marksOf, SHARED_CORPORA, SHARING_HOST, SHARING_PEOPLE } from './sharing-world.js'
import { idOf, maybe, TAGS, WORDS } from './world.js'

/** Ids that the recipient may know. */
export interface RecipientKnowledge {
  /** Records, visible or not. */
  readonly records: readonly string[]
  /** Ids that belong to others. */
  readonly others: readonly string[]
  /** Keys of its own earlier requests, and of other people's. */
  readonly before: readonly string[]
  readonly key: string
}

type Ask = (rng: Random, heard: RecipientKnowledge) => Request['input']

const anyRecord = (rng: Random, heard: RecipientKnowledge) =>
  rng.chance(0.93) && heard.records.length > 0 ? rng.pick(heard.records) : idOf(heard.key, 'made up')
const anyRun = (rng: Random, heard: RecipientKnowledge) =>
  idOf(rng.pick([...heard.before, heard.key]), 'search', rng.pick([0, 1]))

/** A word as people type it: correct, cut short or misspelt; from a text, from tags, or from a single record. */
function typed(rng: Random, heard: RecipientKnowledge): string {
  const word = rng.pick(WORDS)
  if (rng.chance(0.1)) return `${word.slice(0, 3)}*`
  if (rng.chance(0.15)) return `${word.slice(0, -2)}x${word.slice(-1)}`
  if (rng.chance(0.1)) return rng.pick([...TAGS, ...SHARING_PEOPLE])
  if (rng.chance(0.25)) {
    const marks = marksOf(anyRecord(rng, heard))
    return rng.pick(Object.values(marks))
  }
  return word
}

/** Corpora that are shared, not shared, or nonexistent. */
const corpusOf = (rng: Random) => maybe(rng, 0.25, { corpus: rng.pick([...SHARED_CORPORA, 'nowhere']) })

const search: Ask = (rng, heard) => {
  const words = Array.from({ length: 1 + rng.below(3) }, () => typed(rng, heard))
  const more = [
    ...(rng.chance(0.15) ? [`"${rng.pick(WORDS)} ${rng.pick(WORDS)}"`] : []),
    ...(rng.chance(0.15) ? [`-${rng.pick(WORDS)}`] : []),
  ]
  return {
    query: [...words, ...more].join(' '),
    ...maybe(rng, 0.25, { scope: { corpusScope: [rng.pick([...SHARED_CORPORA, 'nowhere'])] } }),
    limit: rng.pick([1, 2, 3, 50]),
    ...maybe(rng, 0.6, { mode: rng.pick(['text', 'text', 'hybrid', 'vector']) }),
    ...maybe(rng, 0.2, { stemming: false }),
  }
}

/** A question without the options for pages of results. */
const question: Ask = (rng, heard) => {
  const { limit: _, ...asked } = search(rng, heard) as Record<string, unknown>
  return asked
}

const pages = (rng: Random) => ({ limit: rng.pick([1, 2, 3, 50]) })

/** Operations that a recipient may use. */
const ALLOWED: Readonly<Record<string, Ask>> = {
  'search.execute': search,
  'search.plan': question,
  'search.expand': question,
  'search.bundle': (rng, heard) => ({
    ...question(rng, heard),
    ...maybe(rng, 0.5, { tokenBudget: rng.pick([100, 400, 4_000]) }),
  }),
  'search.complete': (rng, heard) => ({
    text: (rng.chance(0.3) ? typed(rng, heard) : rng.pick(WORDS)).slice(0, 1 + rng.below(6)),
    ...corpusOf(rng),
  }),
  'document_view.list': rng => ({ ...pages(rng), ...corpusOf(rng) }),
  'document_view.open': (rng, heard) => ({ document: anyRecord(rng, heard) }),
  'document_download.fetch': (rng, heard) => ({ document: anyRecord(rng, heard) }),
  'profiles.current': () => ({}),
  'views.changes': pages,
  'profiles.log': pages,
  'receipts.get': (rng, heard) => ({ searchRun: anyRun(rng, heard) }),
  'requests.why_refused': (rng, heard) => ({
    requestId: idOf(rng.pick([...heard.before, heard.key]), 'entry'),
  }),
  'capabilities.check': rng => ({ capability: rng.pick(['search.execute', 'memory.get', 'no.such']) }),
  'signals.record': (rng, heard) => ({
    ...rng.pick([{ kind: 'explicit_helpful' }, { kind: 'click_dwell', dwellMs: 900 }]),
    ...maybe(rng, 0.8, { record: anyRecord(rng, heard) }),
    ...maybe(rng, 0.4, { searchRun: anyRun(rng, heard) }),
  }),
  'agents.spawn': () => ({ agent: 'helper', maxSensitivity: 'low' }),
}

/** Operations for hosts only, about the viewer's own ids or somebody else's. */
const HOSTLY: Readonly<Record<string, Ask>> = {
  'links.list': pages,
  'links.get': (rng, heard) => ({ link: other(rng, heard) }),
  'links.access_log': (rng, heard) => ({ link: other(rng, heard) }),
  'links.revoke': (rng, heard) => ({ link: other(rng, heard), reason: 'enough' }),
  'links.requests': pages,
  'views.list': pages,
  'views.get': (rng, heard) => ({ view: other(rng, heard) }),
  'views.effective': (rng, heard) => ({ views: [other(rng, heard)] }),
  'views.delete': (rng, heard) => ({ view: other(rng, heard) }),
  'views.create': rng => ({ corpus: rng.pick(SHARED_CORPORA), owner: SHARING_HOST.actor }),
  'profiles.list': pages,
  'profiles.get': (rng, heard) => ({ profile: other(rng, heard) }),
  'profiles.suspend': (rng, heard) => ({ profile: other(rng, heard) }),
  'profiles.bind': (rng, heard) => ({ profile: other(rng, heard) }),
  'profiles.policies': () => ({}),
  'capabilities.who': rng => ({ of: rng.pick(['search', 'agents.spawn']), ...pages(rng) }),
}
const other = (rng: Random, heard: RecipientKnowledge): string =>
  rng.pick([...heard.others, idOf(heard.key, 'made up')])

/** Operations whose statements depend on which parts of the index are in memory. */
const UNTRACED: ReadonlySet<string> = new Set([
  'search.execute',
  'search.plan',
  'search.expand',
  'search.bundle',
  'search.complete',
  'receipts.get',
  'profiles.current',
])

const OFTEN = [
  'search.execute',
  'search.execute',
  'search.execute',
  'search.bundle',
  'search.complete',
  'document_view.list',
  'document_view.open',
  'profiles.current',
  'views.changes',
] as const

function request(rng: Random, heard: RecipientKnowledge, operation: string): Request {
  const known = { records: heard.records, others: heard.others, key: heard.key }
  const input = (ALLOWED[operation] ?? HOSTLY[operation])?.(rng, heard) ?? sampleOf(operation, rng, known)
  return { operation, input, traced: !UNTRACED.has(operation) }
}

/** A request of the recipient between two steps. */
export function makeRecipientRequest(rng: Random, heard: RecipientKnowledge): Request {
  const pool = rng.chance(0.6) ? OFTEN : [...Object.keys(ALLOWED), ...Object.keys(HOSTLY)]
  return request(rng, heard, rng.pick(pool))
}

/** The last requests: each record once, allowed operations several times, and any other operation now and then. */
export function makeRecipientRequests(rng: Random, heard: RecipientKnowledge): Request[] {
  const open = rng.some(heard.records, 0.6).map(document => ({
    operation: rng.chance(0.7) ? 'document_view.open' : 'document_download.fetch',
    input: { document },
    traced: true,
  }))
  const found = heard.records.flatMap(id => {
    if (rng.chance(0.6)) return []
    const { early, late, tag, field, title } = marksOf(id)
    return [
      {
        operation: 'search.execute',
        input: { query: rng.pick([early, late, tag, field, title]), mode: 'text' },
        traced: false,
      },
    ]
  })
  const names = [
    ...Object.keys(ALLOWED),
    ...OFTEN,
    ...OPERATIONS.map(({ name }) => name as string).filter(
      name => !ENDS.has(name) && !(name in ALLOWED) && rng.chance(0.06),
    ),
  ]
  const asked = names.map((name, at) => request(rng, { ...heard, key: `${heard.key}:${at}` }, name))
  const whole: Request[] = [
    { operation: 'document_view.list', input: { limit: 2 }, traced: true },
    { operation: 'profiles.current', input: {}, traced: false },
    { operation: 'search.execute', input: { query: 'the and of', limit: 2 }, traced: false },
  ]
  const mixed = [...open, ...found, ...asked, ...whole]
    .map(one => ({ one, at: rng.below(2 ** 30) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
  return [
    ...mixed,
    { operation: 'profiles.leave', input: {}, traced: false },
    { operation: 'document_view.list', input: {}, traced: true },
  ]
}
/** Redeeming needs a token, and leaving comes last. */
const ENDS: ReadonlySet<string> = new Set(['links.redeem', 'profiles.leave'])
