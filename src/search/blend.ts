import { normalise } from './bm25.js'
import type { Matches } from './match.js'
import type { Similarity } from './similarity.js'

/** What a question's meaning to one model adds to a score. */
export interface BlendedMeaning {
  readonly model: string
  readonly similarity: Similarity
  /** Its share of a score, 0 to 1. */
  readonly weight: number
}

/** Something known of a document whatever is asked, 0 to 1: how recent it is, how salient. */
export interface Prior {
  readonly name: string
  readonly weight: number
  of(part: number, document: number): number
}

/** How the parts of a score are put together: a convex combination, so that scores stay between 0 and 1. */
export interface Blend {
  /** Whether words count, or meaning alone. */
  readonly words: boolean
  readonly meanings: readonly BlendedMeaning[]
  readonly priors: readonly Prior[]
}

export const WORDS_ALONE: Blend = { words: true, meanings: [], priors: [] }

/** One part of a score, before and after normalising over the visible set, and its share of the whole. */
export interface ScorePart {
  readonly part: string
  readonly raw: number | null
  readonly normalised: number
  readonly weight: number
}

/** Puts the parts of scores together. */
export class Blender {
  readonly #blend: Blend
  readonly #matches: Matches
  /** What is left of a score when priors have had their share: for words, and for each meaning. */
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

  /** Whether a score can be told without looking at vectors exactly. */
  get isExact(): boolean {
    return this.#blend.meanings.length === 0
  }

  exact(part: number, document: number, text: number): number {
    return this.#sum(part, document, text, 'exact')
  }
  /** No more than the exact score, and no less: told without reading vectors exactly. */
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

  /** The parts of one score, for whoever wants to know. */
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

/** What each meaning has of the whole. Several may ask for more than there is; without words they have all of it. */
function sharesOf({ words, meanings }: Blend): number[] {
  const wanted = sumOf(meanings)
  if (!words && wanted === 0) return meanings.map(() => 1 / meanings.length)
  const scale = wanted > 1 || !words ? 1 / wanted : 1
  return meanings.map(({ weight }) => weight * scale)
}
