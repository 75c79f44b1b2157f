import { scoreOfRelevance } from './bm25.js'
import type { Hint } from './hints.js'
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
  /** What the question gives away about its answer; null if nothing. */
  readonly hint: Hint | null
}

export const WORDS_ALONE: Blend = { words: true, meanings: [], priors: [], hint: null }

/** One component of a score: as it was computed, as it counts, and its weight in the total. */
export interface ScorePart {
  readonly part: string
  readonly raw: number | null
  readonly normalised: number
  readonly weight: number
}

/** How a score is computed: exactly, or as a bound that needs no full vectors. */
type By = 'exact' | 'lower' | 'upper'

/**
 * Combines the components of each score. The relevance of a document is the convex sum of its keywords and its
 * similarity, with what it takes over from the turns around it, times the hints that the question gives. Every step
 * grows with what it is made of, so that bounds of similarities give bounds of scores (SC-3).
 */
export class Blender {
  readonly #blend: Blend
  readonly #matches: Matches
  /** The weights of keywords and of each embedding model in the relevance. */
  readonly #words: number
  readonly #meanings: readonly number[]
  /** What the priors leave to the relevance. */
  readonly #asked: number
  /** The text scores of all documents of each part; empty if there are no conversations. */
  readonly #texts: readonly Float64Array[]

  constructor(blend: Blend, matches: Matches, sizes: readonly number[] = []) {
    this.#blend = blend
    this.#matches = matches
    this.#asked = 1 - sumOf(blend.priors)
    const shares = sharesOf(blend)
    this.#words = blend.words ? 1 - shares.reduce((sum, share) => sum + share, 0) : 0
    this.#meanings = shares
    this.#texts = matches.conversations === null ? [] : matches.parts.map(spread(sizes))
  }

  /** Whether scores can be computed without reading full vectors. */
  get isExact(): boolean {
    return this.#blend.meanings.length === 0
  }

  exact(part: number, document: number, text: number): number {
    return this.#score(part, document, text, 'exact')
  }
  /** A lower and an upper bound of the exact score, computed without reading full vectors. */
  lower(part: number, document: number, text: number): number {
    return this.#score(part, document, text, 'lower')
  }
  upper(part: number, document: number, text: number): number {
    return this.#score(part, document, text, 'upper')
  }

  #score(part: number, document: number, text: number, by: By): number {
    const { hint, priors } = this.#blend
    const relevance = this.#own(part, document, text, by) + this.#taken(part, document, by)
    let score = this.#asked * scoreOfRelevance(relevance * (hint?.(part, document) ?? 1))
    for (const { weight, of } of priors) score += weight * of(part, document)
    return score
  }

  /** The relevance of a document by itself. */
  #own(part: number, document: number, text: number, by: By): number {
    const { meanings } = this.#blend
    let relevance = this.#words * this.#shareOf(text)
    for (let at = 0; at < meanings.length; at++)
      relevance +=
        (this.#meanings[at] as number) * (meanings[at] as BlendedMeaning).similarity[by](part, document)
    return relevance
  }

  /** What a turn takes over from the visible turns around it (SC-8). */
  #taken(part: number, document: number, by: By): number {
    const { conversations } = this.#matches
    if (conversations === null) return 0
    return conversations.taken(part, document, (part, document) =>
      this.#own(part, document, this.#texts[part]?.[document] ?? 0, by),
    )
  }

  /** How much of the question's words a document has. */
  #shareOf(text: number): number {
    return text === 0 ? 0 : text / this.#matches.whole
  }

  /** Lists the components of one score, to explain a result. */
  explain(part: number, document: number, text: number): ScorePart[] {
    const { words, meanings, priors, hint } = this.#blend
    const taken = this.#taken(part, document, 'exact')
    const factor = hint?.(part, document) ?? 1
    return [
      ...(words ? [{ part: 'text', raw: text, normalised: this.#shareOf(text), weight: this.#words }] : []),
      ...meanings.map(({ model, similarity }, at) => ({
        part: `vector:${model}`,
        raw: similarity.cosine(part, document),
        normalised: similarity.exact(part, document),
        weight: this.#meanings[at] as number,
      })),
      ...(taken === 0 ? [] : [{ part: 'conversation', raw: taken, normalised: taken, weight: 1 }]),
      ...(factor === 1 ? [] : [{ part: 'hints', raw: factor, normalised: factor, weight: 1 }]),
      ...priors.map(({ name, weight, of }) => {
        const value = of(part, document)
        return { part: name, raw: value, normalised: value, weight }
      }),
    ]
  }
}

/** The text scores of matches by document, 0 for all others. */
const spread =
  (sizes: readonly number[]) =>
  ({ documents, scores }: Matches['parts'][number], part: number): Float64Array => {
    const spread = new Float64Array(sizes[part] ?? 0)
    for (let place = 0; place < documents.length; place++)
      spread[documents[place] as number] = scores[place] as number
    return spread
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
