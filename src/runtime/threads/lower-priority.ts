import { getPriority, setPriority } from 'node:os'

/** Enough that requests come first; more would let work that somebody waits for stand still on a busy machine. */
export const LOWER_BY = 5

/**
 * Lets the thread, or the process of one thread, that calls this wait while others need the core: the answers of other
 * requests come first (OP-8).
 */
export function lowerPriority(): void {
  try {
    setPriority(Math.min(19, getPriority() + LOWER_BY))
  } catch {
    // A system that does not allow this shares its cores evenly.
  }
}
