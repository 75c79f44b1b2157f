import type { Random } from './random.js'
import type { Request } from './requests.js'
import type { Who, World } from './world.js'

/** What happens while a viewer asks. */
export type Event =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'revocation'; readonly by: Who; readonly request: Request }

/** Puts a few revocations of others between the requests, so that what was decided before must not be used after. */
export function withRevocations(rng: Random, world: World, requests: readonly Request[]): Event[] {
  return requests.flatMap((request): Event[] => {
    const event: Event = { kind: 'request', request }
    if (!rng.chance(0.12)) return [event]
    const owner = rng.pick(['ana', 'ben', world.group])
    const by = { actor: owner === 'ana' ? 'ana' : 'ben' }
    // An owner's own acts stand in its audit in both histories alike.
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

/** Writes about the person it works for, under a key; that person withdraws; then repeats itself (NI-7). */
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
