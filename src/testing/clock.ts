import { createHash } from 'node:crypto'
import type { Clock } from '../runtime/clock.js'

/** A clock that stands until it is moved, and ids that can be made again. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void
  /** From here on, ids follow from this text: equal texts give equal ids. */
  seed(text: string): void
}

export function testClock(start = '2026-01-01T00:00:00.000Z'): TestClock {
  let at = Date.parse(start)
  let seed = 'ids'
  let count = 0
  return {
    now: () => new Date(at),
    advance(milliseconds) {
      at += milliseconds
    },
    seed(text) {
      seed = text
      count = 0
    },
    newId() {
      const hex = createHash('sha256').update(JSON.stringify([seed, count++])).digest('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    },
  }
}
