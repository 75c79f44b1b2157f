import type { Kind } from './vocabulary.js'

/** Days in which a record of a kind loses half of its salience; a kind that is not here keeps it. */
export const HALF_LIFE_DAYS: Readonly<Partial<Record<Kind, number>>> = {
  working: 1,
  episodic: 30,
  plan_graph: 90,
  entity: 365,
  semantic: 365,
  competence: 365,
}

/** Days by kind, in place of the above; `never` keeps what would fade. */
export type HalfLives = Readonly<Partial<Record<Kind, number | 'never'>>>

const DAY_MS = 86_400_000

/** The half-life of each kind in milliseconds. A kind that is not known does not fade. */
export function halfLifeOf(changed: HalfLives = {}): (kind: string) => number {
  const days = new Map<string, number | 'never'>(Object.entries({ ...HALF_LIFE_DAYS, ...changed }))
  return kind => {
    const found = days.get(kind) ?? 'never'
    return found === 'never' ? Number.POSITIVE_INFINITY : found * DAY_MS
  }
}
