import type { Domain, LaidText, Layout } from '../../runtime/domain.js'
import { type Chunk, cutIntoChunks } from './chunks.js'
import { plainLayout } from './plain-layout.js'

/** The parts and the chunks each partition the text: in order, without a gap, without overlap. */
export interface Structure extends Layout {
  readonly chunks: readonly Chunk[]
}

/**
 * Reads how a document is built: as its domain has it, or as any text is.
 *
 * @example
 * structureOf({ text, title: null, pages: [], headings: [], about: {} }, { timeZone: 'America/New_York' })
 */
export function structureOf(
  extracted: LaidText,
  { timeZone, domain = null }: { readonly timeZone: string; readonly domain?: Domain | null },
): Structure {
  const layout = domain === null ? plainLayout(extracted, timeZone) : domain.layoutOf(extracted, { timeZone })
  return { ...layout, chunks: cutIntoChunks(extracted.text, layout.parts, extracted) }
}
