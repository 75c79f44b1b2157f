import { FULL_LEVEL, type Mask } from './mask.js'

/** The documents that were compared, in ascending order, with a lower and an upper bound of the cosine of each. */
export interface Estimates {
  readonly documents: Uint32Array
  /** Indexed by document. `lower` is below `upper` for a document that was compared; otherwise both are 0. */
  readonly lower: Float32Array
  readonly upper: Float32Array
}

export const NO_ESTIMATES: Estimates = {
  documents: new Uint32Array(0),
  lower: new Float32Array(0),
  upper: new Float32Array(0),
}

/** The most rows that the kernel takes in one call. */
export const BATCH = 1_024

/** Collects the next visible documents that have a vector, with their rows, and returns how many there are. */
export function gather(
  { levels, documents }: Mask,
  from: number,
  rows: Int32Array,
  size: number,
  batch: Uint32Array,
  wanted: Uint32Array,
): number {
  const to = Math.min(from + wanted.length, documents.length)
  let count = 0
  for (let place = from; place < to; place++) {
    const document = documents[place] as number
    const row = rows[document] as number
    if (levels[document] !== FULL_LEVEL || row < 0) continue
    if (row >= size) throw new RangeError('no such row of vectors')
    batch[count] = document
    wanted[count++] = row
  }
  return count
}

/** Copies bounds to the places of their documents. */
export function scatter(
  found: Float32Array,
  batch: Uint32Array,
  count: number,
  lower: Float32Array,
  upper: Float32Array,
): void {
  const first = batch[0] as number
  const half = found.length / 2
  // If the documents are consecutive, which is common, one copy is faster than many.
  if (batch[count - 1] === first + count - 1) {
    lower.set(found.subarray(0, count), first)
    upper.set(found.subarray(half, half + count), first)
    return
  }
  for (let at = 0; at < count; at++) {
    const document = batch[at] as number
    lower[document] = found[at] as number
    upper[document] = found[half + at] as number
  }
}
