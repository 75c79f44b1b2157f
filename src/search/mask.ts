/** How much of a document is seen; each level has postings of its own (NI-4). */
export const HIDDEN_LEVEL = 0
export const FULL_LEVEL = 1
export const PREVIEW_LEVEL = 2
export const METADATA_LEVEL = 3
export type MaskLevel = 0 | 1 | 2 | 3

/**
 * The documents of one segment that a caller may see, and at which level. Whoever reads postings needs one, and
 * it is made from a decision only: reading past it cannot be written by accident.
 */
export class Mask {
  /** A level for each document. */
  readonly levels: Uint8Array
  /** The visible documents, ascending. */
  readonly documents: Uint32Array
  /** How many words the face of each visible document has. */
  readonly lengths: Uint32Array
  /** How many words the visible faces have together. */
  readonly words: number

  private constructor(levels: Uint8Array, documents: Uint32Array, lengths: Uint32Array, words: number) {
    this.levels = levels
    this.documents = documents
    this.lengths = lengths
    this.words = words
  }

  /** `levels` is what the gates decided of each document; `lengths` the words of each, by level. */
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

  /** The same, without the documents that a condition of the question leaves out: never with more. */
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

/** Whole numbers below 2^53, so the order of summing changes nothing (SC-1). */
function sumOf(documents: Uint32Array, lengths: Uint32Array): number {
  let sum = 0
  for (const document of documents) sum += lengths[document] as number
  return sum
}
