import { normalise } from './bm25.js'
import type { Matches } from './match.js'
import type { Similarity } from './similarity.js'

/** What a question's meaning to one model adds to a score. */
export interface BlendedMeaning {
  readonly model: string
  readonly similarity: Similarity
  /** Its share of the score of a text with so many words, 0 to 1. */
  weight(words: number): number
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
  /** What is left of a score when priors have had their share. */
  readonly #asked: number

  constructor(blend: Blend, matches: Matches) {
    this.#blend = blend
    this.#matches = matches
    this.#asked = 1 - blend.priors.reduce((sum, { weight }) => sum + weight, 0)
  }

  /** Whether a score can be told without looking at vectors exactly. */
  get isExact(): boolean {
    return this.#blend.meanings.length === 0
  }

  exact(part: number, document: number, text: number, words: number): number {
    return this.#sum(part, document, text, words, 'exact')
  }
  /** No more than the exact score, and no less: told without reading vectors exactly. */
  lower(part: number, document: number, text: number, words: number): number {
    return this.#sum(part, document, text, words, 'lower')
  }
  upper(part: number, document: number, text: number, words: number): number {
    return this.#sum(part, document, text, words, 'upper')
  }

  #sum(part: number, document: number, text: number, words: number, by: 'exact' | 'lower' | 'upper'): number {
    const { meanings, priors } = this.#blend
    const { lowest, highest } = this.#matches
    let share = 0
    let meant = 0
    for (const { similarity, weight } of meanings) {
      const own = weight(words)
      share += own
      meant += own * similarity[by](part, document)
    }
    // Several models may ask for more than there is: they share it.
    if (share > 1) {
      meant /= share
      share = 1
    }
    const score = this.#blend.words
      ? (1 - share) * normalise(text, lowest, highest) + meant
      : share > 0
        ? meant / share
        : 0
    let whole = this.#asked * score
    for (const { weight, of } of priors) whole += weight * of(part, document)
    return whole
  }

  /** The parts of one score, for whoever wants to know. */
  explain(part: number, document: number, text: number, words: number): ScorePart[] {
    const { meanings, priors } = this.#blend
    const { lowest, highest } = this.#matches
    const shares = meanings.map(({ weight }) => weight(words))
    const asked = shares.reduce((sum, own) => sum + own, 0)
    const scale = asked > 1 || (!this.#blend.words && asked > 0) ? 1 / asked : 1
    const share = asked * scale
    return [
      ...(this.#blend.words
        ? [
            {
              part: 'text',
              raw: text,
              normalised: normalise(text, lowest, highest),
              weight: this.#asked * (1 - share),
            },
          ]
        : []),
      ...meanings.map(({ model, similarity }, at) => ({
        part: `vector:${model}`,
        raw: similarity.cosine(part, document),
        normalised: similarity.exact(part, document),
        weight: this.#asked * (shares[at] as number) * scale,
      })),
      ...priors.map(({ name, weight, of }) => {
        const value = of(part, document)
        return { part: name, raw: value, normalised: value, weight }
      }),
    ]
  }
}
