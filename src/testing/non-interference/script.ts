import type { Random } from './random.js'
import type { Request } from './requests.js'
import type { Who, World } from './world.js'

/** What happens while a viewer asks. */
export type Event =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'revocation'; readonly by: Who; readonly request: Request }

/** Inserts some revocations by others between the requests, so that earlier decisions must not be reused. */
export function withRevocations(rng: Random, world: World, requests: readonly Request[]): Event[] {
  return requests.flatMap((request): Event[] => {
    const event: Event = { kind: 'request', request }
    if (!rng.chance(0.12)) return [event]
    const owner = rng.pick(['ana', 'ben', world.group])
    const by = { actor: owner === 'ana' ? 'ana' : 'ben' }
    // An owner's own actions appear in its audit in both histories.
    const person = rng.pick(world.people)
    const operation = 'people.consent'
    return [
      {
        kind: 'revocation',
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
export function withReplay({ viewer }: World, events: readonly Event[]): Event[] {
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
  const half = Math.floor(events.length / 2)
  return [
    { kind: 'request', request },
    ...events.slice(0, half),
    { kind: 'revocation', by: { actor: self }, request: withdrawn },
    { kind: 'request', request },
    ...events.slice(half),
  ]
}
