import { OPERATIONS, operationNamed } from '../../operations.js'
import { QUERY_SOURCES, QUERY_TARGETS, QUERY_TYPES } from '../../policy/retrieval-contract.js'
import type { Operation } from '../../runtime/operation.js'
import { ANA, TURNS, worldWords } from './mediation-world.js'
import { ordered, type Plan, type PlannedRequest, plannedKey, planRequest } from './planned-request.js'
import { pickName, type Random, randomOf } from './random.js'
import type { Request } from './requests.js'
import { sampleWorld } from './sample-world.js'
import { idOf, maybe } from './world.js'

/** Ids that ana may know, in whatever way. */
export interface PartnerKnowledge {
  readonly sessions: readonly string[]
  /** Her own records and those shared with her. */
  readonly open: readonly string[]
  /** Ben's private records. */
  readonly hidden: readonly string[]
  /** Ids of consent requests that ben may have received. */
  readonly requests: readonly string[]
  readonly key: string
}

type Ask = (rng: Random, heard: PartnerKnowledge) => Request['input']

/** Mostly her own session; sometimes one that she takes no part in. */
const session = (rng: Random, { sessions, key }: PartnerKnowledge): string =>
  rng.chance(0.85) ? (sessions.at(0) ?? key) : rng.pick([...sessions, idOf(key, 'made up')])
const latest = (rng: Random, heard: PartnerKnowledge): { session: string } => ({
  session: session(rng, heard),
})

const hiddenId = (rng: Random, { hidden, key }: PartnerKnowledge): string =>
  rng.chance(0.9) && hidden.length > 0 ? rng.pick(hidden.slice(-40)) : idOf(key, 'made up')
const anyId = (rng: Random, heard: PartnerKnowledge): string =>
  rng.chance(0.5) && heard.open.length > 0 ? rng.pick(heard.open) : hiddenId(rng, heard)

/** Every query that the schema allows, including ones that the contract forbids. */
const ALL_QUERIES = QUERY_TYPES.flatMap(type => {
  const { vessel } = QUERY_TARGETS[type]
  const at = type === 'session_outcomes' || vessel === null ? {} : { vessel }
  const consent = type === 'consented_content' ? { consentActive: true } : {}
  const users = vessel === 'user' ? [{ userId: ANA.actor }, { userId: 'ben' }] : [{}]
  return QUERY_SOURCES.flatMap(source => users.map(user => ({ type, source, ...at, ...consent, ...user })))
})
const SAYINGS = ['What did we agree on?', 'What do you know of us?', 'I feel calm when we plan the week.']

/** Requests that change nothing except ana's own records. */
const HARMLESS: Readonly<Record<string, Ask>> = {
  'sessions.get': latest,
  'sessions.list': rng => ({ limit: rng.pick([1, 50]) }),
  'stages.get': latest,
  'vessel.list': (rng, heard) => ({ ...latest(rng, heard), limit: rng.pick([1, 3, 50]) }),
  'bridge.pending': latest,
  'bridge.history': latest,
  'strategies.pool': latest,
  'agreements.list': (rng, heard) => ({
    ...latest(rng, heard),
    proposed: rng.chance(0.5),
    prior: rng.chance(0.5),
  }),
  'shared.list': (rng, heard) => ({ ...latest(rng, heard), limit: rng.pick([1, 2, 50]) }),
  'turns.context': (rng, heard) => ({
    ...latest(rng, heard),
    message: rng.chance(0.5) ? rng.pick(SAYINGS) : worldWords(rng, 3),
    // The turn is always named: a generated id would depend on how often the request waited for the index.
    turn: rng.chance(0.4) ? rng.pick(TURNS) : heard.key,
    ...maybe(rng, 0.1, { emotionalIntensity: 1 + rng.below(10) }),
    ...maybe(rng, 0.7, {
      queries: rng.chance(0.5) ? ALL_QUERIES : ALL_QUERIES.filter(({ source }) => source !== 'vector'),
    }),
    ...maybe(rng, 0.3, { tokenBudget: rng.pick([400, 700]) }),
  }),
  'turns.list': (rng, heard) => ({ ...latest(rng, heard), limit: rng.pick([1, 50]) }),
  // The mediator, which has read ben's vessel, also sends this: no label from there may carry over.
  'vessel.write': (rng, heard) => ({
    ...latest(rng, heard),
    items: [{ type: rng.pick(['user_event', 'boundary']), text: worldWords(rng, 6) }],
  }),
}

/** Requests that are refused, because they name something that is not hers. */
const REFUSED: Readonly<Record<string, Ask>> = {
  'vessel.write': (rng, heard) => ({
    ...latest(rng, heard),
    items: [{ type: 'user_event', text: worldWords(rng, 4), derivedFrom: [hiddenId(rng, heard)] }],
  }),
  'vessel.confirm_needs': (rng, heard) => ({ ...latest(rng, heard), needs: [hiddenId(rng, heard)] }),
  'bridge.request': (rng, heard) => ({
    ...latest(rng, heard),
    content: hiddenId(rng, heard),
    contentType: rng.pick(['EVENT_SUMMARY', 'EMOTIONAL_PATTERN', 'IDENTIFIED_NEED', 'BOUNDARY']),
  }),
  'bridge.screen': (rng, heard) => ({
    ...latest(rng, heard),
    consentRequestId: hiddenId(rng, { ...heard, hidden: heard.requests.slice(-16) }),
    editedContent: worldWords(rng, 5),
  }),
  'bridge.decide': (rng, heard) => ({
    ...latest(rng, heard),
    consentRequestId: hiddenId(rng, { ...heard, hidden: heard.requests.slice(-16) }),
    decision: rng.pick(['GRANTED', 'DENIED']),
  }),
  'bridge.revoke': (rng, heard) => ({ ...latest(rng, heard), consentRecordId: hiddenId(rng, heard) }),
  'empathy.draft': (rng, heard) => ({
    ...latest(rng, heard),
    text: worldWords(rng, 4),
    draft: hiddenId(rng, heard),
  }),
  'empathy.share': (rng, heard) => ({
    ...latest(rng, heard),
    draft: hiddenId(rng, heard),
    content: 'I imagine that evenings feel long to you.',
  }),
  'empathy.validate': (rng, heard) => ({
    ...latest(rng, heard),
    attempt: hiddenId(rng, heard),
    validated: true,
  }),
  'common_ground.confirm': (rng, heard) => ({ ...latest(rng, heard), commonGround: hiddenId(rng, heard) }),
  'strategies.submit': (rng, heard) => ({
    ...latest(rng, heard),
    content: 'We could walk together.',
    commonGround: [hiddenId(rng, heard)],
  }),
  'strategies.rank': (rng, heard) => ({ ...latest(rng, heard), proposals: [hiddenId(rng, heard)] }),
  'agreements.propose': (rng, heard) => ({
    ...latest(rng, heard),
    text: 'We could walk together.',
    proposals: [hiddenId(rng, heard)],
  }),
  'agreements.agree': (rng, heard) => ({ ...latest(rng, heard), agreement: hiddenId(rng, heard) }),
  'agreements.close': (rng, heard) => ({
    ...latest(rng, heard),
    agreement: hiddenId(rng, heard),
    status: 'ABANDONED',
  }),
  'experiments.add': (rng, heard) => ({
    ...latest(rng, heard),
    text: 'We could walk together.',
    agreement: hiddenId(rng, heard),
  }),
  'experiments.report': (rng, heard) => ({
    ...latest(rng, heard),
    experiment: hiddenId(rng, heard),
    status: 'DONE',
    outcome: 'I feel calm.',
  }),
  'sessions.join': (rng, heard) => ({ session: hiddenSession(rng, heard) }),
  'sessions.decline': (rng, heard) => ({ session: hiddenSession(rng, heard) }),
  'sessions.invite': (rng, heard) => ({ session: hiddenSession(rng, heard) }),
  'sessions.leave': (rng, heard) => ({ session: hiddenSession(rng, heard) }),
  'notifications.read': (rng, heard) => ({ notifications: [hiddenId(rng, heard)] }),
}
const hiddenSession = (rng: Random, { sessions, hidden, key }: PartnerKnowledge): string =>
  rng.pick([idOf(key, 'made up'), ...sessions.filter(each => hidden.includes(each))])

/** Requests with effects, which run at the end, when nothing depends on them any more. */
const LAST: Readonly<Record<string, Ask>> = {
  'sessions.set_state': (rng, heard) => ({ ...latest(rng, heard), state: rng.pick(['PAUSED', 'RESOLVED']) }),
  'sessions.leave': (rng, heard) => ({ ...latest(rng, heard), erase: rng.chance(0.5) }),
  'sessions.delete': latest,
  'sessions.erase_person': rng => ({ person: rng.pick(['ana', 'ben', 'nobody']) }),
  'stages.sign_compact': latest,
  'stages.confirm_heard': latest,
  'stages.advance': latest,
  'common_ground.find': latest,
  ...Object.fromEntries(
    Object.entries(REFUSED).map(([name, ask]): [string, Ask] => [
      name,
      (rng, heard) => ask(rng, { ...heard, hidden: [anyId(rng, heard)] }),
    ]),
  ),
}

/** Reads of everything else, in which nothing of a mediation may show. */
const isReadInPassing = ({ name, access, callers }: Operation) =>
  access === 'read' && callers !== 'host' && !(name in HARMLESS)

function makeRequest(
  rng: Random,
  heard: PartnerKnowledge,
  operation: Operation,
  ask: Ask | undefined,
  script = heard.key,
): Request {
  const known = { records: [...heard.open, ...heard.hidden], others: heard.hidden, key: heard.key, script }
  const input = ask?.(rng, heard) ?? operation.sample(sampleWorld(rng, known))
  return { operation: operation.name, input, traced: !asksByMeaning(operation.name, input) }
}

/** A search by meaning loads the vectors that are not in memory. */
const asksByMeaning = (operation: string, { queries }: Request['input']) =>
  operation === 'turns.context' &&
  (queries === undefined || (queries as { source: string }[]).some(({ source }) => source === 'vector'))

/** Requests by ana in the middle of a mediation, mostly one. They do not advance anybody. */
export function makeRequestsInBetween(
  at: number,
  heard: PartnerKnowledge,
  operations: readonly Operation[] = OPERATIONS,
): PlannedRequest[] {
  const rng = randomOf(heard.key)
  const [asks, often] = rng.chance(0.75) ? [HARMLESS, rng.chance(0.3)] : [REFUSED, false]
  const name = often ? 'turns.context' : pickName(heard.key, Object.keys(asks))
  const first = { key: heard.key, at, request: makeRequest(rng, heard, operationNamed(name), asks[name]) }
  const inPassing = operations.filter(isReadInPassing).flatMap(operation => {
    const key = plannedKey(heard.key, operation.name)
    const own = randomOf(key)
    if (!own.chance(operation.name.startsWith('memory.') ? 0.02 : 0.003)) return []
    return [{ key, at, request: makeRequest(own, { ...heard, key }, operation, undefined, heard.key) }]
  })
  return [first, ...inPassing]
}

/** Every request about a mediation once, and some others, in random order. Requests that end a session come last. */
export function makeAllRequests(
  plan: Plan,
  heard: PartnerKnowledge,
  operations: readonly Operation[] = OPERATIONS,
): PlannedRequest[] {
  const ends = (name: string) => name.startsWith('sessions.') && name in LAST
  const planned = operations
    .filter(({ name }) => name in LAST || name in HARMLESS || randomOf(plan.key, name).chance(0.3))
    .map(operation => {
      const { name } = operation
      const later = ends(name) ? { ...plan, start: plan.start + plan.span } : plan
      return planRequest(later, name, (rng, key) =>
        makeRequest(rng, { ...heard, key }, operation, LAST[name] ?? HARMLESS[name], plan.key),
      )
    })
  return ordered(planned)
}
