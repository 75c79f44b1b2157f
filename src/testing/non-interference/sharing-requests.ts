import { OPERATIONS, operationNamed } from '../../operations.js'
import type { Operation } from '../../runtime/operation.js'
import { numbered, ordered, type Plan, type PlannedRequest, planRequest } from './planned-request.js'
import { pickName, type Random, randomOf } from './random.js'
import type { Request } from './requests.js'
import { sampleWorld } from './sample-world.js'
import { marksOf, SENT_FILE, SHARED_CORPORA, SHARING_HOST, SHARING_PEOPLE } from './sharing-world.js'
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
  'document_view.reading': (rng, heard) => ({
    document: anyRecord(rng, heard),
    pages: [{ page: 1, seconds: 1 + rng.below(40) }],
  }),
  'upload.send': () => SENT_FILE,
  'upload.list': pages,
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

function makeRequest(
  rng: Random,
  heard: RecipientKnowledge,
  operation: Operation,
  script = heard.key,
): Request {
  const { name } = operation
  const known = { records: heard.records, others: heard.others, key: heard.key, script }
  const ask = ALLOWED[name] ?? HOSTLY[name]
  const input = ask?.(rng, heard) ?? operation.sample(sampleWorld(rng, known))
  return { operation: name, input, traced: true }
}

/** A request of the recipient between two steps. */
export function makeRecipientRequest(heard: RecipientKnowledge): Request {
  const rng = randomOf(heard.key)
  const name = rng.chance(0.6)
    ? rng.pick(OFTEN)
    : pickName(heard.key, [...Object.keys(ALLOWED), ...Object.keys(HOSTLY)])
  return makeRequest(rng, heard, operationNamed(name))
}

/** The last requests: each record once, allowed operations several times, and any other operation now and then. */
export function makeRecipientRequests(
  plan: Plan,
  heard: RecipientKnowledge,
  operations: readonly Operation[] = OPERATIONS,
): PlannedRequest[] {
  const draw = randomOf(plan.key)
  const open = draw.some(heard.records, 0.6).map(document =>
    planRequest(plan, `open ${document}`, rng => ({
      operation: rng.chance(0.7) ? 'document_view.open' : 'document_download.fetch',
      input: { document },
      traced: true,
    })),
  )
  const found = draw.some(heard.records, 0.4).map(id =>
    planRequest(plan, `find ${id}`, rng => {
      const { early, late, tag, field, title } = marksOf(id)
      const query = rng.pick([early, late, tag, field, title])
      return {
        operation: 'search.execute',
        input: { query, mode: 'text' },
        traced: true,
      }
    }),
  )
  const now = operations
    .filter(({ name }) => !ENDS.has(name) && (name in ALLOWED || randomOf(plan.key, name).chance(0.06)))
    .map(operation => ({ operation, label: operation.name as string }))
  const often = numbered(OFTEN).map(({ name, label }) => ({ operation: operationNamed(name), label }))
  const asked = [...now, ...often].map(({ operation, label }) =>
    planRequest(plan, label, (rng, key) => makeRequest(rng, { ...heard, key }, operation, plan.key)),
  )
  const always = (label: string, operation: string, input: Request['input']) =>
    planRequest(plan, label, () => ({
      operation,
      input,
      traced: true,
    }))
  const whole = [
    always('whole list', 'document_view.list', { limit: 2 }),
    always('whole profile', 'profiles.current', {}),
    always('whole search', 'search.execute', { query: 'the and of', limit: 2 }),
  ]
  const end = plan.start + plan.span
  return [
    ...ordered([...open, ...found, ...asked, ...whole]),
    { ...always('leave', 'profiles.leave', {}), at: end },
    { ...always('after', 'document_view.list', {}), at: end },
  ]
}
/** Redeeming needs a token, and leaving comes last. */
const ENDS: ReadonlySet<string> = new Set(['links.redeem', 'profiles.leave'])
