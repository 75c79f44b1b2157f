import type { Domain, LaidText, Layout } from '../../runtime/domain.js'
import { type Chunk, cutIntoChunks } from './chunks.js'
import { plainLayout } from './plain-layout.js'

/** The structure of a document. Its parts, and its chunks, each partition the text: in order, no gaps, no overlap. */
export interface Structure extends Layout {
  readonly chunks: readonly Chunk[]
}

export interface StructureOptions {
  readonly timeZone: string
  readonly domain: Domain | null
}

/**
 * Finds the structure of a document: by the rules of its domain, or else as for any text.
 *
 * @example
 * structureOf({ text, title: null, pages: [], headings: [], about: {} }, { timeZone: 'America/New_York' })
 */
export function structureOf(
  extracted: LaidText,
  { timeZone, domain }: { readonly timeZone: string; readonly domain?: Domain | null },
): Structure {
  const layout = domain == null ? plainLayout(extracted, timeZone) : domain.layoutOf(extracted, { timeZone })
  return { ...layout, chunks: cutIntoChunks(extracted.text, layout.parts, extracted) }
}
