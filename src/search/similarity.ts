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
  }

  /** A lower bound of the similarity; exactly 0 without a vector (SC-4). */
  lower(part: number, document: number): number {
    return Math.max(0, (this.#estimates[part] as Estimates).lower[document] ?? 0)
  }

  /** An upper bound of the similarity; exactly 0 without a vector (SC-4). */
  upper(part: number, document: number): number {
    return Math.min(1, Math.max(0, (this.#estimates[part] as Estimates).upper[document] ?? 0))
  }

  /**
   * The cosine, or 0 where it is below 0 or there is no vector: what is unlike is no less than unrelated (SC-4). That
   * of equal vectors may be above 1 by rounding.
   */
  exact(part: number, document: number): number {
    return Math.min(1, Math.max(0, this.cosine(part, document) ?? 0))
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

  /** The cosine of a document that is known to have one. */
  #cosineOf(part: number, document: number): number {
    return this.cosine(part, document) as number
  }
}

/** Orders by part and document, as the default. */
const byPlace = (a: Neighbour, b: Neighbour): number => a.part - b.part || a.document - b.document

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
