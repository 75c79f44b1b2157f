import type { Plan, PlannedRequest } from './planned-request.js'
import { randomOf } from './random.js'
import type { Request } from './requests.js'
import type { Who, World } from './world.js'

/** What happens while a viewer asks. */
export type Event = PlannedRequest &
  ({ readonly kind: 'request' } | { readonly kind: 'revocation'; readonly by: Who })

/** Inserts some revocations by others between the requests, so that earlier decisions must not be reused. */
export function withRevocations(world: World, requests: readonly PlannedRequest[]): Event[] {
  return requests.flatMap((planned): Event[] => {
    const event: Event = { kind: 'request', ...planned }
    const key = `${planned.key}:revoked`
    const rng = randomOf(key)
    if (!rng.chance(0.12)) return [event]
    const owner = rng.pick(['ana', 'ben', world.group])
    const by = { actor: owner === 'ana' ? 'ana' : 'ben' }
    // An owner's own actions appear in its audit in both histories.
    const person = rng.pick(world.people)
    const operation = 'people.consent'
    return [
      {
        kind: 'revocation',
        key,
        at: planned.at,
        by,
        request: { operation, input: { person, status: 'revoked', owner }, traced: false },
      },
      event,
    ]
  })
}

/**
 * The viewer writes about the person it works for, that person withdraws consent, and the viewer repeats the request
 * (NI-7).
 */
export function withReplay({ viewer }: World, { key, start, span }: Plan, events: readonly Event[]): Event[] {
  const self = viewer.for ?? viewer.actor
  const request: Request = {
    operation: 'memory.remember',
    input: {
      records: [{ kind: 'semantic', text: 'about you', sensitivity: 'public', participants: [self] }],
    },
    options: { idempotencyKey: 'once' },
    traced: false,
  }
  const withdrawn: Request = {
    operation: 'people.consent',
    input: { person: self, status: 'revoked' },
    traced: false,
  }
  const half = start + span / 2
  return [
    { kind: 'request', key: `${key}:once`, at: start, request },
    ...events.filter(({ at }) => at < half),
    { kind: 'revocation', key: `${key}:withdrawn`, at: half, by: { actor: self }, request: withdrawn },
    { kind: 'request', key: `${key}:again`, at: half, request },
    ...events.filter(({ at }) => at >= half),
  ]
}

/** Names of somebody whom only a namesake of the viewer knows, one of them in another spelling (`deedsOf`). */
const GUESSED = ['zz', 'Zed']

/** In the end a viewer that has a namesake writes names which that one knows, and asks for them (NI-10). */
export function withGuesses({ steps }: World, { key, start, span }: Plan, events: readonly Event[]): Event[] {
  if (!steps.some(({ isAside }) => isAside)) return [...events]
  const record = {
    kind: 'semantic',
    text: 'somebody new',
    sensitivity: 'public',
    visibilityClass: 'public_open',
  }
  const requests: Request[] = [
    {
      operation: 'memory.remember',
      input: { records: GUESSED.map(name => ({ ...record, participants: [name] })) },
      traced: false,
    },
    { operation: 'memory.list', input: { people: ['ZZ'] }, traced: true },
    {
      operation: 'memory.search',
      input: { query: 'somebody', people: ['zed'], facets: ['person'] },
      traced: true,
    },
    { operation: 'people.get', input: { person: 'zz' }, traced: true },
  ]
  return [
    ...events,
    ...requests.map((request, at) => ({
      kind: 'request' as const,
      key: `${key}:guess ${at}`,
      at: start + span,
      request,
    })),
  ]
}
