import { createHash } from 'node:crypto'
import type { Clock, IdPurpose } from '../runtime/clock.js'

/**
 * A clock that stands still until it is moved, with reproducible ids. It may be set back, which a real one may not.
 */
export interface TestClock extends Clock {
  advance(milliseconds: number): void
  set(at: string | number): void
  /** From now on, ids are derived from this text and their purpose: equal texts give equal ids. */
  seed(text: string): void
}

export function testClock(start = '2026-01-01T00:00:00.000Z'): TestClock {
  let at = Date.parse(start)
  let seed = 'ids'
  let counts = new Map<IdPurpose, number>()
  const newId = (purpose: IdPurpose) => {
    const count = counts.get(purpose) ?? 0
    counts.set(purpose, count + 1)
    return idFrom(JSON.stringify([seed, purpose, count]))
  }
  return {
    now: () => new Date(at),
    mayGoBack: true,
    random: () => 0.5,
    advance(milliseconds) {
      at += milliseconds
    },
    set(to) {
      at = new Date(to).getTime()
    },
    seed(text) {
      seed = text
      counts = new Map()
    },
    newId,
    newSecret: bytes => createHash('shake256', { outputLength: bytes }).update(newId('key')).digest(),
  }
}

/** An id that looks random but is derived from a text. */
export function idFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
