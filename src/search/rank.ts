import { type Blend, Blender, type ScorePart, WORDS_ALONE } from './blend.js'
import { roundScore } from './bm25.js'
import type { Matches, VisiblePart } from './match.js'

/** The position of a result in the order: everything that a cursor needs. */
export interface RankKey {
  readonly score: number
  readonly layer: number
  readonly id: string
}

export interface RankedDocument extends RankKey {
  readonly part: number
  readonly document: number
  /** The text score: the sum of what the words of the question add. */
  readonly text: number
}

/** Orders by descending score, then by layer, then by id (TR-5). */
export function compareRank(a: RankKey, b: RankKey): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.layer !== b.layer) return a.layer - b.layer
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/**
 * Returns the best matches in order. Scores rest on the visible set and not on the page, and are rounded before sorting,
 * so that pages of any size belong to the same order (SC-4, SC-5). `checkDeadline` is called from time to time and may throw to
 * stop the ranking.
 */
export function rankMatches(
  parts: readonly VisiblePart[],
  matches: Matches,
  layerOf: (part: number, compartment: number) => number,
  most: number,
  blend: Blend = WORDS_ALONE,
  checkDeadline: () => void = () => {},
): RankedDocument[] {
  const blender = blenderOf(parts, matches, blend)
  const least = leastOfTheBest(matches, most, blender)
  const best = new BestFew(most)
  for (const [part, { documents, scores }] of matches.parts.entries()) {
    const { segment } = parts[part] as VisiblePart
    for (let at = 0; at < documents.length; at++) {
      if (at % CHECKED_EVERY === 0) checkDeadline()
      const document = documents[at] as number
      const text = scores[at] as number
      if (!blender.isExact && blender.upper(part, document, text) < least) continue
      const score = roundScore(blender.exact(part, document, text))
      if (!best.mayTake(score)) continue
      const layer = layerOf(part, segment.data.compartments[document] as number)
      best.take({ score, layer, id: segment.id(document), part, document, text: roundScore(text) })
    }
  }
  return best.inOrder()
}

/** The number of documents that are processed between two checks of the deadline. */
const CHECKED_EVERY = 4_096

/** The components of a result's score. */
export function explainRank(
  parts: readonly VisiblePart[],
  matches: Matches,
  blend: Blend,
  { part, document }: RankedDocument,
): ScorePart[] {
  const { documents, scores } = matches.parts[part] as Matches['parts'][number]
  const text = scores[documents.indexOf(document)] ?? 0
  return blenderOf(parts, matches, blend).explain(part, document, text)
}

const blenderOf = (parts: readonly VisiblePart[], matches: Matches, blend: Blend) =>
  new Blender(
    blend,
    matches,
    parts.map(({ segment }) => segment.size),
  )

/** Rounding moves a score by at most half a step, so scores that are closer than this may still change places. */
const ROUNDING = 2 ** -20

/**
 * A score that the best `most` documents reach for certain, because that many reach it with the lower bounds of their
 * vectors. A document whose upper bound is below it is not among the best, so its vector need not be compared exactly
 * (SC-3).
 */
function leastOfTheBest(matches: Matches, most: number, blender: Blender): number {
  if (blender.isExact || matches.count <= most) return Number.NEGATIVE_INFINITY
  const highest = new HighestFew(most)
  for (const [part, { documents, scores }] of matches.parts.entries())
    for (let at = 0; at < documents.length; at++)
      highest.take(blender.lower(part, documents[at] as number, scores[at] as number))
  return highest.least - ROUNDING
}

/** Keeps the highest of many numbers: a heap with the lowest of them on top. */
class HighestFew {
  readonly #heap: Float64Array
  #size = 0

  constructor(most: number) {
    this.#heap = new Float64Array(most)
  }

  get least(): number {
    return this.#size < this.#heap.length ? Number.NEGATIVE_INFINITY : (this.#heap[0] as number)
  }

  take(value: number): void {
    const heap = this.#heap
    if (this.#size < heap.length) {
      let at = this.#size++
      for (; at > 0 && (heap[(at - 1) >> 1] as number) > value; at = (at - 1) >> 1)
        heap[at] = heap[(at - 1) >> 1] as number
      heap[at] = value
      return
    }
    if (value <= (heap[0] as number)) return
    let at = 0
    for (;;) {
      let below = at * 2 + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && (heap[below + 1] as number) < (heap[below] as number)) below++
      if ((heap[below] as number) >= value) break
      heap[at] = heap[below] as number
      at = below
    }
    heap[at] = value
  }
}

/** Keeps the first few of an order: a heap with the last of them on top. */
class BestFew {
  readonly #most: number
  readonly #heap: RankedDocument[] = []

  constructor(most: number) {
    this.#most = most
  }

  mayTake(score: number): boolean {
    const last = this.#heap[0]
    return this.#heap.length < this.#most || (last !== undefined && score >= last.score)
  }

  take(item: RankedDocument): void {
    const heap = this.#heap
    if (heap.length < this.#most) {
      heap.push(item)
      this.#rise(heap.length - 1)
    } else if (compareRank(item, heap[0] as RankedDocument) < 0) {
      heap[0] = item
      this.#sink(0)
    }
  }

  inOrder(): RankedDocument[] {
    return [...this.#heap].sort(compareRank)
  }

  #rise(from: number): void {
    const heap = this.#heap
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (compareRank(heap[at] as RankedDocument, heap[above] as RankedDocument) <= 0) return
      this.#swap(at, above)
      at = above
    }
  }

  #sink(from: number): void {
    const heap = this.#heap
    let at = from
    for (;;) {
      let last = at
      for (const below of [at * 2 + 1, at * 2 + 2])
        if (
          below < heap.length &&
          compareRank(heap[below] as RankedDocument, heap[last] as RankedDocument) > 0
        )
          last = below
      if (last === at) return
      this.#swap(at, last)
      at = last
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const item = heap[a] as RankedDocument
    heap[a] = heap[b] as RankedDocument
    heap[b] = item
  }
}
