/** How much a record matters: what it was at a moment, in milliseconds, and whether it stays at that. */
export interface Salience {
  readonly salience: number
  readonly since: number
  readonly pinned: boolean
}

/** Where a record starts whose writer says nothing of it. */
export const DEFAULT_SALIENCE = 0.5

/**
 * What is left of it now. Always worked out from what is stored and never stored because time has passed, so looking
 * often makes nothing fade sooner. A half-life of Infinity keeps it as it is; so does a moment that is yet to come.
 */
export function salienceNow({ salience, since, pinned }: Salience, halfLifeMs: number, now: number): number {
  const age = now - since
  return pinned || age <= 0 ? salience : salience * 2 ** (-age / halfLifeMs)
}

/** Stronger by a part of what is missing to 1. */
export const raiseSalience = (salience: number, by: number): number =>
  Math.min(1, salience + by * (1 - salience))

/** Weaker by a part of what there is. */
export const lowerSalience = (salience: number, by: number): number => salience * (1 - by)
