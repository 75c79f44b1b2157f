import { captionOf } from '../documents/structure/caption.js'
import { headEnd, readCaptionBlock } from '../documents/structure/caption-block.js'
import { type FilingPart, partsOf } from '../documents/structure/parts.js'
import { withAttached } from '../documents/structure/with-attached.js'
import type { Domain, LaidText, Layout } from '../runtime/domain.js'

/** Finds the layout of a filing. Dates are in the time zone of the court that it names, else in `timeZone`. */
export const layoutOf: Domain['layoutOf'] = (extracted, options): Layout => {
  const { text, pages, attached = [] } = extracted
  // Attachments say nothing about the message itself.
  const own = attached[0]?.start ?? text.length
  const head = Math.min(headEnd(text, pages), own)
  const block = readCaptionBlock(text, 0, head)
  const parts = partsOfFiling(extracted)
  const body = parts
    .filter(({ kind }) => kind === 'lead_argument')
    .map(({ start, end }) => text.slice(start, end))
    .join('\n')
  return {
    parts,
    caption: captionOf(
      extracted,
      block,
      { head: text.slice(0, head), body, stamp: pages.find(({ stamp }) => stamp !== undefined)?.stamp },
      options,
    ),
    title: block.end === null ? null : block.title,
  }
}

/** The parts of a filing or a message. Attachments of a message are exhibits. */
function partsOfFiling(extracted: LaidText): FilingPart[] {
  const { text, headings, attached = [] } = extracted
  const [first] = attached
  if (first === undefined) return partsOf(extracted)
  const own = headings.filter(({ end }) => end <= first.start)
  const parts = partsOf({ text: text.slice(0, first.start), pages: [], headings: own })
  return withAttached(text, parts, attached, { attachment: 'exhibit', message: 'lead_argument' })
}
