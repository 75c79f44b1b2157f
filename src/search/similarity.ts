import { normalise } from './bm25.js'
import { type Estimates, NO_ESTIMATES } from './estimates.js'
import type { Mask } from './mask.js'
import { VectorQuery } from './vector-query.js'
import type { VectorColumn } from './vectors.js'

/** What may be seen of a segment, and its vectors: null where it has none of this model. */
export interface VectorPart {
  readonly mask: Mask
  readonly column: VectorColumn | null
}

export interface Neighbour {
  readonly part: number
  readonly document: number
  readonly cosine: number
}

/** How similar what may be seen is to a question that `quantise` made. */
export function similarityOf(parts: readonly VectorPart[], question: Int16Array): Similarity {
  return new Similarity(parts, new VectorQuery(question))
}

/**
 * How similar the visible documents are to a question, over exactly the visible ones (NI-2). Whatever it says is exact:
 * what the scan leaves open is compared in full. `lower` and `upper` are there to leave out what cannot matter.
 */
export class Similarity {
  /** How many visible documents have a vector. */
  readonly count: number
  /** The least and the greatest cosine of those; both 0 without any. */
  readonly lowest: number
  readonly highest: number
  readonly #parts: readonly VectorPart[]
  readonly #query: VectorQuery
  readonly #estimates: readonly Estimates[]

  constructor(parts: readonly VectorPart[], query: VectorQuery) {
    this.#parts = parts
    this.#query = query
    this.#estimates = parts.map(({ mask, column }) =>
      column === null ? NO_ESTIMATES : column.store.estimate(mask, column.rows, query),
    )
    this.count = this.#estimates.reduce((sum, { documents }) => sum + documents.length, 0)
    const [lowest, highest] = this.count === 0 ? [0, 0] : this.#extremes()
    this.lowest = lowest
    this.highest = highest
  }

  /** What the normalised similarity is at least; exactly 0 without a vector (SC-4). */
  lower(part: number, document: number): number {
    const { lower, upper } = this.#estimates[part] as Estimates
    const cosine = lower[document] as number
    if (!(cosine < (upper[document] as number))) return 0
    return Math.max(0, normalise(cosine, this.lowest, this.highest))
  }

  /** What the normalised similarity is at most; exactly 0 without a vector (SC-4). */
  upper(part: number, document: number): number {
    const { lower, upper } = this.#estimates[part] as Estimates
    const cosine = upper[document] as number
    if (!(cosine > (lower[document] as number))) return 0
    return Math.min(1, normalise(cosine, this.lowest, this.highest))
  }

  /** The similarity, normalised over the whole visible set; 0 without a vector (SC-4). */
  exact(part: number, document: number): number {
    const cosine = this.cosine(part, document)
    return cosine === null ? 0 : normalise(cosine, this.lowest, this.highest)
  }

  /** The cosine, or null where no vector may be seen. */
  cosine(part: number, document: number): number | null {
    const { mask, column } = this.#parts[part] as VectorPart
    return column === null ? null : column.store.cosine(mask, column.rows, this.#query, document)
  }

  /** The documents of a part with a cosine of at least `floor`, ascending. */
  near(part: number, floor: number): Uint32Array {
    const { documents, lower, upper } = this.#estimates[part] as Estimates
    const found: number[] = []
    for (let place = 0; place < documents.length; place++) {
      const document = documents[place] as number
      if ((upper[document] as number) < floor) continue
      if ((lower[document] as number) >= floor || this.#cosineOf(part, document) >= floor)
        found.push(document)
    }
    return Uint32Array.from(found)
  }

  /** The most similar documents, best first; `compare` orders those that are equally similar. */
  nearest(most: number, compare = byPlace): Neighbour[] {
    const floor = reachedBy(this.#estimates, most)
    const found: Neighbour[] = []
    for (const [part, { documents, upper }] of this.#estimates.entries())
      for (let place = 0; place < documents.length; place++) {
        const document = documents[place] as number
        if ((upper[document] as number) >= floor)
          found.push({ part, document, cosine: this.#cosineOf(part, document) })
      }
    return found.sort((a, b) => b.cosine - a.cosine || compare(a, b)).slice(0, most)
  }

  /** Compares in full whatever bounds do not exclude from being the least or the greatest. */
  #extremes(): [lowest: number, highest: number] {
    const { floor, ceiling } = innerRange(this.#estimates)
    let lowest = Number.POSITIVE_INFINITY
    let highest = Number.NEGATIVE_INFINITY
    for (const [part, { documents, lower, upper }] of this.#estimates.entries())
      for (let place = 0; place < documents.length; place++) {
        const document = documents[place] as number
        if ((lower[document] as number) <= ceiling) lowest = Math.min(lowest, this.#cosineOf(part, document))
        if ((upper[document] as number) >= floor) highest = Math.max(highest, this.#cosineOf(part, document))
      }
    return [lowest, highest]
  }

  /** Of a document that has one. */
  #cosineOf(part: number, document: number): number {
    return this.cosine(part, document) as number
  }
}

/** By part and document: some order, where no other is asked for. */
const byPlace = (a: Neighbour, b: Neighbour): number => a.part - b.part || a.document - b.document

/** What the greatest cosine is sure to reach, and what the least is sure not to exceed. */
function innerRange(estimates: readonly Estimates[]): { floor: number; ceiling: number } {
  let floor = Number.NEGATIVE_INFINITY
  let ceiling = Number.POSITIVE_INFINITY
  for (const { documents, lower, upper } of estimates)
    for (let place = 0; place < documents.length; place++) {
      const document = documents[place] as number
      if ((lower[document] as number) > floor) floor = lower[document] as number
      if ((upper[document] as number) < ceiling) ceiling = upper[document] as number
    }
  return { floor, ceiling }
}

/** What so many documents are sure to reach: one that cannot is not among the first so many. */
function reachedBy(estimates: readonly Estimates[], most: number): number {
  const greatest = new Float32Array(most).fill(Number.NEGATIVE_INFINITY)
  let floor = greatest[most - 1] ?? Number.POSITIVE_INFINITY
  for (const { documents, lower } of estimates)
    for (let place = 0; place < documents.length; place++) {
      const cosine = lower[documents[place] as number] as number
      if (!(cosine > floor)) continue
      insert(greatest, cosine)
      floor = greatest[most - 1] as number
    }
  return floor
}

/** Puts a number into its place in a descending list, and drops the last. */
function insert(list: Float32Array, value: number): void {
  let place = list.length - 1
  for (; place > 0 && (list[place - 1] as number) < value; place--) list[place] = list[place - 1] as number
  list[place] = value
}
