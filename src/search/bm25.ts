/** Term-frequency saturation (BM25 k1). */
export const K1 = 1.5
/**
 * Length normalisation: longer texts score lower. This many words are added to every length (instead of BM25's b), so
 * that a few words more or less make little difference.
 */
export const EVEN = 60

/**
 * Inverse document frequency (BM25 idf): `frequency` of the `documents` visible documents have the term. Always
 * positive.
 */
export function weightOf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}

/** The BM25 score of one term in one document. */
export function scoreOf(weight: number, frequency: number, length: number, averageLength: number): number {
  return (weight * frequency * (K1 + 1)) / (frequency + (K1 * (length + EVEN)) / (averageLength + EVEN))
}

const STEP = 2 ** 20

/** Rounds final scores to multiples of 2^-20, so that scores that should be equal compare as equal (SC-5). */
export const roundScore = (score: number): number => Math.round(score * STEP) / STEP

/** The relevance that makes half a score. A record of average length with every word of a question once has about 1. */
const HALF = 0.5

/**
 * The score of a relevance from 0 up, between 0 and 1. It rests on nothing but the relevance, so that it means the same
 * from question to question (SC-7).
 */
export const scoreOfRelevance = (relevance: number): number => relevance / (relevance + HALF)
