import { type Caption, captionOf } from './caption.js'
import { headEnd, readCaptionBlock } from './caption-block.js'
import { type Part, partsOf } from './parts.js'
import { type DocumentSegment, segmentsOf } from './segments.js'

/** What the structure of a document is read from. */
export interface ExtractedText {
  readonly text: string
  readonly title: string | null
  readonly pages: readonly { readonly number: number; readonly start: number; readonly end: number }[]
  readonly headings: readonly { readonly start: number; readonly end: number; readonly level: number }[]
  readonly about: Readonly<Record<string, string>>
}

/** The parts and the segments each partition the text: in order, without a gap, without overlap. */
export interface Structure {
  readonly parts: readonly Part[]
  readonly segments: readonly DocumentSegment[]
  readonly caption: Caption
  /** What a filing calls itself below its caption. */
  readonly title: string | null
}

/**
 * Reads how a document is built. Dates are of the zone of the court it names, else of `timeZone`.
 *
 * @example
 * structureOf({ text, title: null, pages: [], headings: [], about: {} }, { timeZone: 'America/New_York' })
 */
export function structureOf(extracted: ExtractedText, options: { readonly timeZone: string }): Structure {
  const { text, pages } = extracted
  const head = headEnd(text, pages)
  const block = readCaptionBlock(text, 0, head)
  const parts = partsOf(extracted)
  const body = parts
    .filter(({ kind }) => kind === 'lead_argument')
    .map(({ start, end }) => text.slice(start, end))
    .join('\n')
  return {
    parts,
    segments: segmentsOf(text, parts, extracted),
    caption: captionOf(extracted, block, { head: text.slice(0, head), body }, options),
    title: block.end === null ? null : block.title,
  }
}
