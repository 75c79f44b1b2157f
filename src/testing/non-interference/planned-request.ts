import { type Random, randomOf } from './random.js'
import type { Request } from './requests.js'

/** A request, the key by which it is asked, and when. */
export interface PlannedRequest {
  readonly key: string
  readonly at: number
  readonly request: Request
}

/** Requests that belong together: the beginning of their keys, and the time in which they are asked. */
export interface Plan {
  readonly key: string
  readonly start: number
  /** In milliseconds. */
  readonly span: number
}

/**
 * Plans a request. Its key, its time and what its generator draws depend on its name alone, so a new operation changes
 * none of the other requests.
 */
export function planRequest(
  { key, start, span }: Plan,
  name: string,
  ask: (rng: Random, key: string) => Request,
): PlannedRequest {
  const own = plannedKey(key, name)
  const rng = randomOf(own)
  return { key: own, at: start + rng.below(span), request: ask(rng, own) }
}

/** The key of the request with this name. */
export const plannedKey = (script: string, name: string) => `${script}:${name}`

/** By the time they are asked. */
export const ordered = (planned: readonly PlannedRequest[]): PlannedRequest[] =>
  [...planned].sort((a, b) => a.at - b.at)

/** Numbers equal names: `memory.get#0`, `memory.get#1`. */
export function numbered(names: readonly string[]): { name: string; label: string }[] {
  const counts = new Map<string, number>()
  return names.map(name => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return { name, label: `${name}#${count}` }
  })
}
