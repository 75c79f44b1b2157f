/**
 * How important a record is: its salience at the time `since`, in milliseconds, and whether it is pinned and never
 * fades.
 */
export interface Salience {
  readonly salience: number
  readonly since: number
  readonly pinned: boolean
}

/** The salience of a new record if its writer does not set one. */
export const DEFAULT_SALIENCE = 0.5

/**
 * The salience at `now`. It is computed from the stored value, which does not change as time passes, so reading often
 * does not make it fade faster. It stays the same if the half-life is Infinity or `since` is in the future.
 */
export function salienceNow({ salience, since, pinned }: Salience, halfLifeMs: number, now: number): number {
  const age = now - since
  return pinned || age <= 0 ? salience : salience * 2 ** (-age / halfLifeMs)
}

/** Raises the salience by a fraction of its distance from 1. */
export const raiseSalience = (salience: number, by: number): number =>
  Math.min(1, salience + by * (1 - salience))

/** Lowers the salience by a fraction of itself. */
export const lowerSalience = (salience: number, by: number): number => salience * (1 - by)
