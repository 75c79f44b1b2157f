import { type Caption, captionOf } from './caption.js'
import { headEnd, readCaptionBlock } from './caption-block.js'
import { skipSpace, tidy } from './lines.js'
import { type Part, partsOf } from './parts.js'
import { type DocumentSegment, segmentsOf } from './segments.js'

/** What the structure of a document is read from. */
export interface ExtractedText {
  readonly text: string
  readonly title: string | null
  readonly pages: readonly { readonly number: number; readonly start: number; readonly end: number }[]
  readonly headings: readonly { readonly start: number; readonly end: number; readonly level: number }[]
  readonly about: Readonly<Record<string, string>>
  /** Of messages: where files stand that are attached to them, in order. */
  readonly attached?: readonly { readonly name: string; readonly start: number; readonly end: number }[]
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
  const { text, pages, attached = [] } = extracted
  // What is attached to a message says nothing of the message.
  const own = attached[0]?.start ?? text.length
  const head = Math.min(headEnd(text, pages), own)
  const block = readCaptionBlock(text, 0, head)
  const parts = own === text.length ? partsOf(extracted) : partsWithAttached(extracted, attached)
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

/** The parts of a message, and below them an exhibit for each file that is attached; of a mailbox, again and again. */
function partsWithAttached(
  { text, headings }: ExtractedText,
  attached: NonNullable<ExtractedText['attached']>,
): Part[] {
  const first = attached[0]?.start ?? text.length
  const own = headings.filter(({ end }) => end <= first)
  const parts = partsOf({ text: text.slice(0, first), pages: [], headings: own })
  for (const [at, { name, start, end }] of attached.entries()) {
    const next = attached[at + 1]?.start ?? text.length
    // White space belongs to what is before it.
    const ends = skipSpace(text, end, next)
    parts.push({ kind: 'exhibit', title: tidy(name), start, end: ends })
    if (ends < next) parts.push({ kind: 'lead_argument', title: null, start: ends, end: next })
  }
  return parts
}
