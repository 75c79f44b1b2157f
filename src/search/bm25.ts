/** How soon more occurrences stop to count. */
export const K1 = 1.5
/** A long text is held back, but a few words more or less say nothing: so many are added to every length. */
export const EVEN = 60

/** How much a term tells that `frequency` of `documents` visible documents have. Always above zero. */
export function weightOf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}

/** The score of one term in one document. */
export function scoreOf(weight: number, frequency: number, length: number, averageLength: number): number {
  return (weight * frequency * (K1 + 1)) / (frequency + (K1 * (length + EVEN)) / (averageLength + EVEN))
}

const STEP = 2 ** 20

/** Final scores are steps of 2^-20, so that equal is equal (SC-5). */
export const roundScore = (score: number): number => Math.round(score * STEP) / STEP

/** Into 0..1 over the whole visible set; nothing to tell apart gives 0 (SC-4). */
export function normalise(score: number, lowest: number, highest: number): number {
  return highest > lowest ? (score - lowest) / (highest - lowest) : 0
}
