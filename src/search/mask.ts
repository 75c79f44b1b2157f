/** The level at which a document is visible. Each level has its own postings (NI-4). */
export const HIDDEN_LEVEL = 0
export const FULL_LEVEL = 1
export const PREVIEW_LEVEL = 2
export const METADATA_LEVEL = 3
export type MaskLevel = 0 | 1 | 2 | 3

/**
 * The documents of one segment that a caller may see, and at which level. Reading postings requires a mask, and a
 * mask can only be made from a decision, so code cannot bypass it by accident.
 */
export class Mask {
  /** The level of each document. */
  readonly levels: Uint8Array
  /** The visible documents in ascending order. */
  readonly documents: Uint32Array
  /** The number of words in the visible face of each document. */
  readonly lengths: Uint32Array
  /** The total number of words in the visible faces. */
  readonly words: number

  private constructor(levels: Uint8Array, documents: Uint32Array, lengths: Uint32Array, words: number) {
    this.levels = levels
    this.documents = documents
    this.lengths = lengths
    this.words = words
  }

  /** Makes a mask from the level that the gates decided for each document, and from the word counts of each level. */
  static of(levels: Uint8Array, lengths: readonly Uint32Array[]): Mask {
    const documents = new Uint32Array(levels.length)
    let count = 0
    let lesser = false
    for (let document = 0; document < levels.length; document++) {
      const level = levels[document] as MaskLevel
      if (level === HIDDEN_LEVEL) continue
      documents[count++] = document
      if (level !== FULL_LEVEL) lesser = true
    }
    const visible = documents.slice(0, count)
    const own = lesser ? new Uint32Array(levels.length) : (lengths[FULL_LEVEL] as Uint32Array)
    if (lesser)
      for (const document of visible)
        own[document] = lengths[levels[document] as number]?.[document] as number
    return new Mask(levels, visible, own, sumOf(visible, own))
  }

  /** Where a document stands among the visible ones, or -1. */
  placeOf(document: number): number {
    if (this.levels[document] === HIDDEN_LEVEL) return -1
    let low = 0
    let high = this.documents.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.documents[middle] as number) < document) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns a mask without the documents that a condition of the question excludes. It never adds any. */
  where(keeps: (document: number, level: MaskLevel) => boolean): Mask {
    const levels = new Uint8Array(this.levels.length)
    const documents = new Uint32Array(this.documents.length)
    let count = 0
    for (const document of this.documents) {
      const level = this.levels[document] as MaskLevel
      if (!keeps(document, level)) continue
      levels[document] = level
      documents[count++] = document
    }
    const kept = documents.slice(0, count)
    return new Mask(levels, kept, this.lengths, sumOf(kept, this.lengths))
  }
}

/** The values are integers and the sum stays below 2^53, so the order of summing does not matter (SC-1). */
function sumOf(documents: Uint32Array, lengths: Uint32Array): number {
  let sum = 0
  for (const document of documents) sum += lengths[document] as number
  return sum
}
