import type { EmbeddingProvider } from '../../embedding/provider.js'
import { isKeptLocal } from '../../policy/labels.js'
import type { Blend, BlendedMeaning, Prior } from '../../search/blend.js'
import type { Hint } from '../../search/hints.js'
import { FULL_LEVEL } from '../../search/mask.js'
import { measureVisible } from '../../search/match.js'
import { salienceNow } from '../../search/salience.js'
import { similarityOf } from '../../search/similarity.js'
import { type Meaning, NO_MEANING } from '../embedding/embeddings.js'
import { awaitsVector, columnFor } from '../index/part-vectors.js'
import type { VisibleSegment } from '../index/visible-set.js'
import type { ReadRequest } from '../request.js'
import type { ValidPlan } from './plan.js'
import type { ParsedQuestion, Question } from './question.js'

/** How a model took part in a search. */
export interface ModelUse {
  readonly model: string
  /** `partial` if visible records still wait for their vectors. */
  readonly state: 'used' | 'partial' | 'not_understood' | 'timeout' | 'unavailable'
  /** Visible records whose vectors were compared. */
  readonly covered: number
  /** Visible records that wait for their vectors. */
  readonly waiting: number
  /** The creation time of the oldest waiting record; null if none waits. */
  readonly waitingSince: number | null
}

/** The result of comparing a question's meaning with what a caller may see. */
export interface MeaningMatches {
  readonly blend: Blend
  /** The documents of each part that are similar in meaning. */
  readonly near: readonly Uint32Array[]
  readonly uses: readonly ModelUse[]
  /** Some visible records that wait for their vectors; they are embedded next. */
  readonly waiting: readonly string[]
}

/** The maximum number of waiting records that a search asks to be embedded. */
const MOST_WAITING_NAMED = 1_000

/** The meaning of a question. If it was not embedded before the snapshot, the request runs again after it was. */
export const meaningFor = ({ parts: { meanings } }: ReadRequest, { meaning }: ParsedQuestion): Meaning =>
  meaning === null ? NO_MEANING : meanings.of(meaning)

/**
 * Compares the meaning of a question with what the caller may see, model by model. If a provider does not answer,
 * only keywords count, and the receipt says so.
 */
export function compareMeanings(
  plan: ValidPlan,
  visible: readonly VisibleSegment[],
  { models }: Meaning,
  { priors, hint, contentWords }: Asked,
): MeaningMatches {
  const { mode, maxDistance } = plan.question
  const meanings: BlendedMeaning[] = []
  const near: Uint32Array[][] = visible.map(() => [])
  const uses: ModelUse[] = []
  const waiting: string[] = []
  for (const { provider, answer } of mode === 'text' ? [] : models) {
    const { model } = provider
    const unused = { model, waiting: 0, covered: 0, waitingSince: null }
    if (!answer.ok) uses.push({ ...unused, state: answer.failure })
    else if (answer.vector === null) uses.push({ ...unused, state: 'not_understood' })
    else {
      const { vector } = answer
      const similarity = similarityOf(
        visible.map(({ mask, vectors }) => ({ mask, column: columnFor(vectors, model, vector.length) })),
        vector,
      )
      meanings.push({
        model,
        similarity,
        weight: shareOf(provider.weight(averageWords(visible)) * shortness(contentWords)),
      })
      // A search by meaning alone wants the nearest records, however far they are.
      const floor =
        maxDistance !== undefined ? cosineWithin(maxDistance) : mode === 'vector' ? -1 : provider.near
      for (const [part, found] of near.entries()) found.push(similarity.near(part, floor))
      uses.push({
        ...waitingFor(provider, vector.length, visible, waiting),
        model,
        covered: similarity.count,
      })
    }
  }
  const words = mode !== 'vector' || meanings.length === 0
  return {
    blend: { words, meanings, priors, hint },
    near: near.map(united),
    uses,
    waiting: waiting.slice(0, MOST_WAITING_NAMED),
  }
}

/** What a question says about how its answers are scored. */
interface Asked {
  readonly priors: readonly Prior[]
  readonly hint: Hint | null
  /** How many of its words are no function words. */
  readonly contentWords: number
}

/** From this many words on, a question says more by its words than by the sum of their meanings. */
const LONG_QUESTION = 10
const shortness = (contentWords: number) => Math.min(1, LONG_QUESTION / Math.max(1, contentWords))

/** Providers may be written by anybody, so their weight is clamped to a number from 0 to 1. */
const shareOf = (weight: number) => (weight > 0 ? Math.min(1, weight) : 0)

/**
 * The average length in words. A whole search uses one weight, because scores with different weights cannot be
 * compared.
 */
function averageWords(visible: readonly VisibleSegment[]): number {
  const { documents, words } = measureVisible(visible)
  return documents === 0 ? 0 : words / documents
}

/** The lowest cosine whose distance, as computed in floating point, is below this one. */
export function cosineWithin(distance: number): number {
  const cosine = 1 - distance
  if (1 - cosine < distance) return cosine
  // No cosine exceeds 1, so no distance is below 0.
  return cosine < 1 ? cosine + 2 ** -52 : 2
}

function united(lists: readonly Uint32Array[]): Uint32Array {
  const [first = new Uint32Array(0)] = lists
  return lists.length <= 1 ? first : Uint32Array.from(new Set(lists.flatMap(list => [...list]))).sort()
}

/** Counts the visible records that wait for a vector; the receipt mentions no others (NI-9). */
function waitingFor(
  { model, local }: EmbeddingProvider,
  dimension: number,
  visible: readonly VisibleSegment[],
  names: string[],
): Pick<ModelUse, 'state' | 'waiting' | 'waitingSince'> {
  let waiting = 0
  let since = Number.POSITIVE_INFINITY
  for (const { segment, mask, vectors, table } of visible) {
    for (const document of mask.documents) {
      if (mask.levels[document] !== FULL_LEVEL || !awaitsVector(vectors, model, dimension, document)) continue
      const compartment = segment.data.compartments[document] as number
      // Records that must not be sent to this model are not waiting for it.
      if (!local && isKeptLocal(table.value('visibilityClass', compartment))) continue
      waiting++
      since = Math.min(since, segment.data.createdAt[document] as number)
      if (names.length < MOST_WAITING_NAMED) names.push(segment.id(document))
    }
  }
  return {
    state: waiting === 0 ? 'used' : 'partial',
    waiting,
    waitingSince: waiting === 0 ? null : since,
  }
}

/** The parts of a score that do not depend on the query. Recency is relative to the time of the first page (SC-5). */
export function priorsOf(
  { recency, salience }: Question,
  visible: readonly VisibleSegment[],
  asOf: number,
  halfLifeOf: (kind: string) => number,
): Prior[] {
  const priors: Prior[] = []
  if (recency !== undefined) {
    const halfLife = recency.halfLifeDays * 86_400_000
    priors.push({
      name: 'recency',
      weight: recency.weight,
      of: (part, document) => {
        const age = asOf - ((visible[part] as VisibleSegment).segment.data.createdAt[document] as number)
        return 2 ** (-Math.max(0, age) / halfLife)
      },
    })
  }
  if (salience !== undefined)
    priors.push({
      name: 'salience',
      weight: salience.weight,
      of: (part, document) => {
        const { segment, table } = visible[part] as VisibleSegment
        const kind = table.value('kind', segment.data.compartments[document] as number)
        return salienceNow(segment.salienceOf(document), halfLifeOf(kind), asOf)
      },
    })
  return priors
}
