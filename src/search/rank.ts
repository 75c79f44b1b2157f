import { normalise, roundScore } from './bm25.js'
import type { Matches, VisiblePart } from './match.js'

/** A place in the order of results: all that a cursor holds. */
export interface RankKey {
  readonly score: number
  readonly layer: number
  readonly id: string
}

export interface Ranked extends RankKey {
  readonly part: number
  readonly document: number
  /** The text score as it was before normalising. */
  readonly text: number
}

/** Highest score first; equal scores by layer, then by id (TR-5). */
export function compareRank(a: RankKey, b: RankKey): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.layer !== b.layer) return a.layer - b.layer
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/**
 * The best of all matches, in order. Scores are normalised over the whole visible set and rounded before they order
 * anything, so a page is part of one order whatever its size (SC-4, SC-5).
 */
export function rank(
  parts: readonly VisiblePart[],
  matches: Matches,
  layerOf: (part: number, compartment: number) => number,
  most: number,
): Ranked[] {
  const { lowest, highest } = matches
  const best = new BestFew(most)
  for (const [part, { documents, scores }] of matches.parts.entries()) {
    const { segment } = parts[part] as VisiblePart
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at] as number
      const text = scores[at] as number
      const score = roundScore(normalise(text, lowest, highest))
      if (!best.mayTake(score)) continue
      const layer = layerOf(part, segment.data.compartments[document] as number)
      best.take({ score, layer, id: segment.id(document), part, document, text: roundScore(text) })
    }
  }
  return best.inOrder()
}

/** Keeps the first few of an order: a heap with the last of them on top. */
class BestFew {
  readonly #most: number
  readonly #heap: Ranked[] = []

  constructor(most: number) {
    this.#most = most
  }

  mayTake(score: number): boolean {
    const last = this.#heap[0]
    return this.#heap.length < this.#most || (last !== undefined && score >= last.score)
  }

  take(item: Ranked): void {
    const heap = this.#heap
    if (heap.length < this.#most) {
      heap.push(item)
      this.#rise(heap.length - 1)
    } else if (compareRank(item, heap[0] as Ranked) < 0) {
      heap[0] = item
      this.#sink(0)
    }
  }

  inOrder(): Ranked[] {
    return [...this.#heap].sort(compareRank)
  }

  #rise(from: number): void {
    const heap = this.#heap
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (compareRank(heap[at] as Ranked, heap[above] as Ranked) <= 0) return
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
        if (below < heap.length && compareRank(heap[below] as Ranked, heap[last] as Ranked) > 0) last = below
      if (last === at) return
      this.#swap(at, last)
      at = last
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const item = heap[a] as Ranked
    heap[a] = heap[b] as Ranked
    heap[b] = item
  }
}
