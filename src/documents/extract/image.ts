import type { RecognisedPage } from '../../runtime/extraction.js'
import type { ExtractedText, MediaType, Page } from './extracted.js'
import { readPage, textsOf } from './page-texts.js'
import { pagesState } from './pdf.js'
import { requireImageSize } from './recognise.js'

/** Reads an image as one page, which has text once that is recognised. */
export function readImage(
  bytes: Uint8Array,
  mediaType: MediaType,
  [scan]: readonly RecognisedPage[] = [],
): ExtractedText {
  requireImageSize(bytes)
  const isRead = scan !== undefined && scan.failed !== true
  const [text = ''] = isRead ? textsOf([readPage(scan.items)]).texts : []
  const state = scan === undefined ? 'needs_ocr' : scan.failed ? 'failed' : text === '' ? 'empty' : 'text'
  const page: Page = {
    number: 1,
    start: 0,
    end: text.length,
    state,
    ...(isRead ? { confidence: scan.confidence } : {}),
  }
  return { mediaType, text, title: null, pages: [page], headings: [], about: {}, state: pagesState([page]) }
}
