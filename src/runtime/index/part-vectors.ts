import type { Segment } from '../../search/segment.js'
import { decodeVector, type VectorColumn, VectorStore } from '../../search/vectors.js'
import type { VectorRow } from '../../storage/queries/embeddings.js'

/** The vectors of one model in one part. */
export interface ModelVectors {
  /** Documents without anything that could be embedded. */
  readonly nothing: ReadonlySet<number>
  /** Columns by vector size, because a model may have changed its size and documents are embedded independently. */
  readonly bySize: ReadonlyMap<number, VectorColumn>
}

/** Vectors by model. A model that is missing has no vectors yet. */
export type PartVectors = ReadonlyMap<string, ModelVectors>

export const NO_VECTORS: PartVectors = new Map()

/** The row of a document that has no vector. */
const NONE = -1

/** Adds vectors of documents of this segment. It returns a copy; the given vectors stay unchanged. */
export function withVectors(
  segment: Segment,
  vectors: PartVectors,
  added: readonly VectorRow[],
): PartVectors {
  const placed = added
    .map(row => ({ ...row, document: segment.find(row.id) }))
    .filter(({ document }) => document >= 0)
    // Sorted by document, because that is the order of a scan.
    .sort((a, b) => a.document - b.document)
  if (placed.length === 0) return vectors
  const drafts = new Drafts(segment.size, vectors)
  for (const { document, model, vector } of placed) {
    if (vector.length === 0) drafts.nothing(model).add(document)
    else {
      const { store, rows } = drafts.column(model, vector.length / 2)
      if (rows[document] === NONE) rows[document] = store.add(decodeVector(vector))
    }
  }
  return drafts.vectors
}

/** The number of vectors that are copied between two pauses. */
const COPIED_AT_ONCE = 4_096

/**
 * The vectors of a merged segment; `moved` says where each document of each part went. It is a generator, so that the
 * caller can do other work between two steps.
 */
export function* mergeVectorsInSteps(
  parts: readonly { readonly vectors: PartVectors }[],
  segment: Segment,
  moved: readonly Uint32Array[],
): Generator<void, PartVectors> {
  const drafts = new Drafts(segment.size, NO_VECTORS)
  const to = (part: number, document: number) => moved[part]?.[document] as number
  for (const [part, { vectors }] of parts.entries())
    for (const [model, { nothing }] of vectors)
      for (const document of nothing)
        if (to(part, document) < segment.size) drafts.nothing(model).add(to(part, document))
  for (const [model, size] of columnsIn(parts)) {
    // The part each document comes from, so that rows are copied in document order.
    const from = new Int32Array(segment.size).fill(NONE)
    const before = new Int32Array(segment.size).fill(NONE)
    const columns = parts.map(({ vectors }) => vectors.get(model)?.bySize.get(size))
    for (const [part, column] of columns.entries())
      for (const [document, row] of column?.rows.entries() ?? []) {
        const place = to(part, document)
        if (row === NONE || place >= segment.size) continue
        from[place] = part
        before[place] = row
      }
    const { store, rows } = drafts.column(model, size)
    for (const [document, part] of from.entries()) {
      if (document % COPIED_AT_ONCE === COPIED_AT_ONCE - 1) yield
      const column = columns[part]
      if (column !== undefined) rows[document] = store.copy(column.store, before[document] as number)
    }
  }
  return drafts.vectors
}

/** Merges vectors without pauses. */
export function mergeVectors(
  parts: readonly { readonly vectors: PartVectors }[],
  segment: Segment,
  moved: readonly Uint32Array[],
): PartVectors {
  const run = mergeVectorsInSteps(parts, segment, moved)
  for (;;) {
    const step = run.next()
    if (step.done) return step.value
  }
}

/** The column that a search with a query vector of this size compares; null if there is none. */
export function columnFor(vectors: PartVectors, model: string, size: number): VectorColumn | null {
  return vectors.get(model)?.bySize.get(size) ?? null
}

/** Whether a document has no vector of this size but should get one. */
export function awaitsVector(vectors: PartVectors, model: string, size: number, document: number): boolean {
  const own = vectors.get(model)
  return own === undefined || !(hasVector(own, size, document) || own.nothing.has(document))
}

const hasVector = ({ bySize }: ModelVectors, size: number, document: number) =>
  (bySize.get(size)?.rows[document] ?? NONE) !== NONE

export function bytesOf(vectors: PartVectors): number {
  let bytes = 0
  for (const { nothing, bySize } of vectors.values()) {
    bytes += nothing.size * 8
    for (const { rows, store } of bySize.values()) bytes += rows.byteLength + store.bytes
  }
  return bytes
}

/** A copy-on-write builder for vectors. */
class Drafts {
  readonly vectors: Map<string, { nothing: Set<number>; bySize: Map<number, VectorColumn> }>
  readonly #size: number
  readonly #own = new Set<VectorColumn>()

  constructor(size: number, vectors: PartVectors) {
    this.#size = size
    this.vectors = new Map(
      [...vectors].map(([model, { nothing, bySize }]) => [
        model,
        { nothing: new Set(nothing), bySize: new Map(bySize) },
      ]),
    )
  }

  nothing(model: string): Set<number> {
    return this.#of(model).nothing
  }

  column(model: string, size: number): VectorColumn {
    const { bySize } = this.#of(model)
    const known = bySize.get(size)
    if (known !== undefined && this.#own.has(known)) return known
    // A store only grows, so it can be shared with those who hold the earlier rows.
    const column = {
      store: known?.store ?? new VectorStore(size, undefined, this.#size),
      rows: known?.rows.slice() ?? new Int32Array(this.#size).fill(NONE),
    }
    this.#own.add(column)
    bySize.set(size, column)
    return column
  }

  #of(model: string) {
    const known = this.vectors.get(model) ?? { nothing: new Set(), bySize: new Map() }
    this.vectors.set(model, known)
    return known
  }
}

function columnsIn(parts: readonly { readonly vectors: PartVectors }[]): [string, number][] {
  const found = new Map<string, [string, number]>()
  for (const { vectors } of parts)
    for (const [model, { bySize }] of vectors)
      for (const size of bySize.keys()) found.set(JSON.stringify([model, size]), [model, size])
  return [...found.values()]
}
