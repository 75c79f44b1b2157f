import { normalise } from './bm25.js'
import { type Estimates, NO_ESTIMATES } from './estimates.js'
import type { Mask } from './mask.js'
import { VectorQuery } from './vector-query.js'
import type { VectorColumn } from './vectors.js'

/** The mask of a segment, and its vectors; null if it has none of this model. */
export interface VectorPart {
  readonly mask: Mask
  readonly column: VectorColumn | null
}

export interface Neighbour {
  readonly part: number
  readonly document: number
  readonly cosine: number
}

/** Compares the visible documents with a question vector, which `quantise` must have made. */
export function similarityOf(parts: readonly VectorPart[], question: Int16Array): Similarity {
  return new Similarity(parts, new VectorQuery(question))
}

/**
 * The similarity of the visible documents to a question, computed over exactly these (NI-2). Results are exact,
 * because what the scan leaves undecided is compared in full. The bounds `lower` and `upper` serve to skip documents
 * that cannot matter.
 */
export class Similarity {
  /** How many visible documents have a vector. */
  readonly count: number
  /** The lowest and the highest cosine of these; both are 0 if there are none. */
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

  /** A lower bound of the normalised similarity; exactly 0 without a vector (SC-4). */
  lower(part: number, document: number): number {
    const { lower, upper } = this.#estimates[part] as Estimates
    const cosine = lower[document] as number
    if (!(cosine < (upper[document] as number))) return 0
    return Math.max(0, normalise(cosine, this.lowest, this.highest))
  }

  /** An upper bound of the normalised similarity; exactly 0 without a vector (SC-4). */
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

  /** The cosine, or null if the document has no vector or is not seen in full. */
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

  /** The lowest and the highest cosine. Only documents whose bounds leave it possible are compared in full. */
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

  /** The cosine of a document that is known to have one. */
  #cosineOf(part: number, document: number): number {
    return this.cosine(part, document) as number
  }
}

/** Orders by part and document, as the default. */
const byPlace = (a: Neighbour, b: Neighbour): number => a.part - b.part || a.document - b.document

/** A lower bound of the highest cosine, and an upper bound of the lowest. */
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

/** A cosine that at least `most` documents reach. A document that cannot reach it is not among the best `most`. */
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

/** Inserts a number into a descending list and drops the last one. */
function insert(list: Float32Array, value: number): void {
  let place = list.length - 1
  for (; place > 0 && (list[place - 1] as number) < value; place--) list[place] = list[place - 1] as number
  list[place] = value
}
