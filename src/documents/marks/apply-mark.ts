import { type Mark, markText } from '../../policy/watermark.js'
import { decodeText } from '../extract/decode-text.js'
import { UnreadableFile } from '../extract/extracted.js'
import { sniff } from '../extract/sniff.js'
import { CannotMark } from './cannot-mark.js'
import { markDocx } from './docx.js'
import { findNumbersIn } from './find-numbers.js'
import { markHtml } from './html.js'
import { markImage } from './image/mark-image.js'
import { markPdf } from './pdf.js'

/**
 * Puts a mark on a copy of a file, or throws CannotMark: a copy never leaves unmarked (ST-4). Call it only in a process
 * that may be killed: see `Extractor`.
 */
export async function applyMark(bytes: Uint8Array, name: string, mark: Mark): Promise<Uint8Array> {
  const marked = await apply(bytes, name, mark)
  if (!(await findNumbersIn(marked, name)).includes(mark.number))
    throw new CannotMark('does not keep a watermark')
  return marked
}

async function apply(bytes: Uint8Array, name: string, mark: Mark): Promise<Uint8Array> {
  const type = typeOf(bytes, name)
  switch (type) {
    case 'application/pdf':
      return await markPdf(bytes, mark)
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
      return markDocx(bytes, mark)
    case 'image/png':
    case 'image/jpeg':
      return markImage(bytes, mark)
    case 'text/html':
      return Buffer.from(markHtml(asText(bytes), mark))
    case 'text/markdown':
    case 'text/plain':
      return Buffer.from(markText(asText(bytes), mark))
    case 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet':
    case 'application/vnd.openxmlformats-officedocument.presentationml.presentation':
    case 'application/vnd.oasis.opendocument.text':
    case 'application/rtf':
      throw new CannotMark('is of a type that cannot carry a watermark')
    case 'message/rfc822':
    case 'application/mbox':
      throw new CannotMark('is mail, which cannot carry a watermark')
  }
}

function typeOf(bytes: Uint8Array, name: string) {
  try {
    return sniff(bytes, name)
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) throw new CannotMark(thrown.message)
    throw thrown
  }
}

/** The text of a file. A copy of it is written as UTF-8, whatever it was. */
function asText(bytes: Uint8Array): string {
  const text = decodeText(bytes)
  if (text === null) throw new CannotMark('is not text')
  return text
}
