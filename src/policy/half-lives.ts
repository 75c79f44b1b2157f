import type { Kind } from './vocabulary.js'

/** The salience half-life of each kind in days. A kind that is not listed keeps its salience. */
export const HALF_LIFE_DAYS: Readonly<Partial<Record<Kind, number>>> = {
  working: 1,
  episodic: 30,
  plan_graph: 90,
  entity: 365,
  semantic: 365,
  competence: 365,
}

/** Overrides of the half-lives in days, by kind; `never` means that a kind does not fade. */
export type HalfLives = Readonly<Partial<Record<Kind, number | 'never'>>>

const DAY_MS = 86_400_000

/** Returns the half-life of a kind in milliseconds. An unknown kind does not fade. */
export function halfLifeOf(changed: HalfLives = {}): (kind: string) => number {
  const days = new Map<string, number | 'never'>(Object.entries({ ...HALF_LIFE_DAYS, ...changed }))
  return kind => {
    const found = days.get(kind) ?? 'never'
    return found === 'never' ? Number.POSITIVE_INFINITY : found * DAY_MS
  }
}
