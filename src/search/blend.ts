import { normalise } from './bm25.js'
import type { Matches } from './match.js'
import type { Similarity } from './similarity.js'

/** The contribution of semantic similarity under one embedding model to a score. */
export interface BlendedMeaning {
  readonly model: string
  readonly similarity: Similarity
  /** The model's share of a score, from 0 to 1. */
  readonly weight: number
}

/** A value from 0 to 1 that a document has regardless of the question, such as its recency or salience. */
export interface Prior {
  readonly name: string
  readonly weight: number
  of(part: number, document: number): number
}

/** The weights by which a score is combined. The combination is convex, so scores stay between 0 and 1. */
export interface Blend {
  /** False if only semantic similarity counts and keywords do not. */
  readonly words: boolean
  readonly meanings: readonly BlendedMeaning[]
  readonly priors: readonly Prior[]
}

export const WORDS_ALONE: Blend = { words: true, meanings: [], priors: [] }

/** One component of a score, before and after normalising over the visible set, with its weight in the total. */
export interface ScorePart {
  readonly part: string
  readonly raw: number | null
  readonly normalised: number
  readonly weight: number
}

/** Combines the components of each score. */
export class Blender {
  readonly #blend: Blend
  readonly #matches: Matches
  /** The weights of keywords and of each embedding model, after the priors have taken their share. */
  readonly #words: number
  readonly #meanings: readonly number[]

  constructor(blend: Blend, matches: Matches) {
    this.#blend = blend
    this.#matches = matches
    const asked = 1 - sumOf(blend.priors)
    const shares = sharesOf(blend)
    this.#words = blend.words ? asked * (1 - shares.reduce((sum, share) => sum + share, 0)) : 0
    this.#meanings = shares.map(share => asked * share)
  }

  /** Whether scores can be computed without reading full vectors. */
  get isExact(): boolean {
    return this.#blend.meanings.length === 0
  }

  exact(part: number, document: number, text: number): number {
    return this.#sum(part, document, text, 'exact')
  }
  /** A lower and an upper bound of the exact score, computed without reading full vectors. */
  lower(part: number, document: number, text: number): number {
    return this.#sum(part, document, text, 'lower')
  }
  upper(part: number, document: number, text: number): number {
    return this.#sum(part, document, text, 'upper')
  }

  #sum(part: number, document: number, text: number, by: 'exact' | 'lower' | 'upper'): number {
    const { meanings, priors } = this.#blend
    const { lowest, highest } = this.#matches
    let score = this.#words * normalise(text, lowest, highest)
    for (let at = 0; at < meanings.length; at++)
      score +=
        (this.#meanings[at] as number) * (meanings[at] as BlendedMeaning).similarity[by](part, document)
    for (const { weight, of } of priors) score += weight * of(part, document)
    return score
  }

  /** Lists the components of one score, to explain a result. */
  explain(part: number, document: number, text: number): ScorePart[] {
    const { words, meanings, priors } = this.#blend
    const { lowest, highest } = this.#matches
    const normalised = normalise(text, lowest, highest)
    return [
      ...(words ? [{ part: 'text', raw: text, normalised, weight: this.#words }] : []),
      ...meanings.map(({ model, similarity }, at) => ({
        part: `vector:${model}`,
        raw: similarity.cosine(part, document),
        normalised: similarity.exact(part, document),
        weight: this.#meanings[at] as number,
      })),
      ...priors.map(({ name, weight, of }) => {
        const value = of(part, document)
        return { part: name, raw: value, normalised: value, weight }
      }),
    ]
  }
}

const sumOf = (parts: readonly { readonly weight: number }[]) =>
  parts.reduce((sum, { weight }) => sum + weight, 0)

/**
 * The share of each embedding model. Shares are scaled down if they exceed 1 together, and scaled to 1 if keywords do
 * not count.
 */
function sharesOf({ words, meanings }: Blend): number[] {
  const wanted = sumOf(meanings)
  if (!words && wanted === 0) return meanings.map(() => 1 / meanings.length)
  const scale = wanted > 1 || !words ? 1 / wanted : 1
  return meanings.map(({ weight }) => weight * scale)
}
