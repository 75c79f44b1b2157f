/** Through what a document is seen; each has postings of its own (NI-4). */
export const HIDDEN = 0
export const FULL = 1
export const PREVIEW = 2
export const METADATA = 3
export type SurfaceCode = 0 | 1 | 2 | 3

/**
 * The documents of one segment that a caller may see, and through which surface. Whoever reads postings needs one, and
 * it is made from a decision only: reading past it cannot be written by accident.
 */
export class Mask {
  /** A surface code for each document. */
  readonly surfaces: Uint8Array
  /** The visible documents, ascending. */
  readonly documents: Uint32Array
  /** How many words the face of each visible document has. */
  readonly lengths: Uint32Array
  /** How many words the visible faces have together. */
  readonly words: number

  private constructor(surfaces: Uint8Array, documents: Uint32Array, lengths: Uint32Array, words: number) {
    this.surfaces = surfaces
    this.documents = documents
    this.lengths = lengths
    this.words = words
  }

  /** `surfaces` is what the gates decided of each document; `lengths` the words of each, by surface code. */
  static of(surfaces: Uint8Array, lengths: readonly Uint32Array[]): Mask {
    const documents = new Uint32Array(surfaces.length)
    let count = 0
    let lesser = false
    for (let document = 0; document < surfaces.length; document++) {
      const surface = surfaces[document] as SurfaceCode
      if (surface === HIDDEN) continue
      documents[count++] = document
      if (surface !== FULL) lesser = true
    }
    const visible = documents.slice(0, count)
    const own = lesser ? new Uint32Array(surfaces.length) : (lengths[FULL] as Uint32Array)
    if (lesser)
      for (const document of visible)
        own[document] = lengths[surfaces[document] as number]?.[document] as number
    return new Mask(surfaces, visible, own, sumOf(visible, own))
  }

  /** The same, without the documents that a condition of the question leaves out: never with more. */
  where(keeps: (document: number, surface: SurfaceCode) => boolean): Mask {
    const surfaces = new Uint8Array(this.surfaces.length)
    const documents = new Uint32Array(this.documents.length)
    let count = 0
    for (const document of this.documents) {
      const surface = this.surfaces[document] as SurfaceCode
      if (!keeps(document, surface)) continue
      surfaces[document] = surface
      documents[count++] = document
    }
    const kept = documents.slice(0, count)
    return new Mask(surfaces, kept, this.lengths, sumOf(kept, this.lengths))
  }
}

/** Whole numbers below 2^53, so the order of summing changes nothing (SC-1). */
function sumOf(documents: Uint32Array, lengths: Uint32Array): number {
  let sum = 0
  for (const document of documents) sum += lengths[document] as number
  return sum
}
