import { randomUUID } from 'node:crypto'

/** The two things a test may replace. Ids must be random: nothing may be told from one (NI-6). */
export interface Clock {
  readonly now: () => Date
  readonly newId: () => string
}

export const SYSTEM_CLOCK: Clock = { now: () => new Date(), newId: randomUUID }
