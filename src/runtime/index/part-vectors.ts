import type { Segment } from '../../search/segment.js'
import { decodeVector, type VectorColumn, VectorStore } from '../../search/vectors.js'
import type { VectorRow } from '../../storage/queries/embeddings.js'

/** A document waits for its vector, or has nothing that could be embedded. */
export const WAITS = -1
export const NOTHING_TO_EMBED = -2

/** The vectors of one model in one part: the row of each document, or why it has none. */
export interface PartColumn {
  readonly rows: Int32Array
  /** Null while no document has a vector. */
  readonly store: VectorStore | null
}

/** By model. A model that is not there has no vectors yet. */
export type PartVectors = ReadonlyMap<string, PartColumn>

export const NO_VECTORS: PartVectors = new Map()

/** The same vectors with some more, of documents of this segment. What was handed out before stays as it was. */
export function withVectors(
  segment: Segment,
  vectors: PartVectors,
  added: readonly VectorRow[],
): PartVectors {
  const placed = added
    .map(row => ({ ...row, document: segment.find(row.id) }))
    .filter(({ document }) => document >= 0)
    // In the order of documents: that is how they are scanned.
    .sort((a, b) => a.document - b.document)
  if (placed.length === 0) return vectors
  const result = new Map(vectors)
  for (const model of new Set(placed.map(row => row.model))) {
    const before = result.get(model)
    const rows = before?.rows.slice() ?? new Int32Array(segment.size).fill(WAITS)
    let store = before?.store ?? null
    const own = placed.filter(row => row.model === model)
    for (const { document, vector } of own) {
      if (rows[document] !== WAITS) continue
      if (vector.length === 0) rows[document] = NOTHING_TO_EMBED
      else {
        store ??= new VectorStore(vector.length / 2, undefined, segment.size)
        // One of another size is none of this model: it is as if it were not there.
        if (vector.length === store.dimension * 2) rows[document] = store.add(decodeVector(vector))
      }
    }
    result.set(model, { rows, store })
  }
  return result
}

/** The vectors of a segment that was made of several: `moved` says where each document of each went. */
export function mergeVectors(
  parts: readonly { readonly segment: Segment; readonly vectors: PartVectors }[],
  segment: Segment,
  moved: readonly Uint32Array[],
): PartVectors {
  const result = new Map<string, PartColumn>()
  for (const model of new Set(parts.flatMap(({ vectors }) => [...vectors.keys()]))) {
    const columns = parts.map(({ vectors }) => vectors.get(model))
    const from = new Int32Array(segment.size).fill(-1)
    const rows = new Int32Array(segment.size).fill(WAITS)
    for (const [part, column] of columns.entries())
      for (const [document, row] of column?.rows.entries() ?? []) {
        const place = moved[part]?.[document] as number
        if (place >= rows.length) continue
        rows[place] = row
        from[place] = part
      }
    const stores = columns.flatMap(column => column?.store ?? [])
    const dimension = stores[0]?.dimension
    const store = dimension === undefined ? null : new VectorStore(dimension, undefined, segment.size)
    for (const [document, row] of rows.entries()) {
      if (row < 0) continue
      const source = columns[from[document] as number]?.store ?? null
      const fits = store !== null && source?.dimension === store.dimension
      rows[document] = fits ? store.copy(source, row) : WAITS
    }
    result.set(model, { rows, store })
  }
  return result
}

/** The column as a search with a question of this size reads it; null where it has nothing to compare. */
export function columnFor(vectors: PartVectors, model: string, dimension: number): VectorColumn | null {
  const column = vectors.get(model)
  if (column?.store?.dimension !== dimension) return null
  return { store: column.store, rows: column.rows }
}

export function bytesOf(vectors: PartVectors): number {
  let bytes = 0
  for (const { rows, store } of vectors.values()) bytes += rows.byteLength + (store?.bytes ?? 0)
  return bytes
}
