import type { RecognisedPage } from '../../runtime/extraction.js'
import { readDocx } from './docx.js'
import { type ExtractedText, type ReadFailure, type ReadLimits, UnreadableFile } from './extracted.js'
import { readHtml } from './html.js'
import { readImage } from './image.js'
import { isJpeg, isPng } from './image-size.js'
import { readMail, readMailbox } from './mail.js'
import { readMarkdown } from './markdown.js'
import { readOdt } from './odt.js'
import { readPdf } from './pdf.js'
import { readPlainText } from './plain-text.js'
import { readPptx } from './pptx.js'
import { readRtf } from './rtf.js'
import { sniff } from './sniff.js'
import { readXlsx } from './xlsx.js'

/** Reads a file of any type in this process. Call it only in a process that may be killed: see `Extractor`. */
export async function readAnyFormat(
  bytes: Uint8Array,
  name: string,
  limits: ReadLimits,
  recognised: readonly RecognisedPage[] = [],
): Promise<ExtractedText | ReadFailure> {
  try {
    return await read(bytes, name, limits, recognised)
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) return { problem: thrown.problem, message: thrown.message }
    // The parser's own message may quote the file, so it is not passed on.
    return { problem: 'damaged', message: 'cannot be read' }
  }
}

/** Reads an attachment. Images are left out: most are logos and signatures, and nobody recognises text in them. */
const readAttached: typeof readAnyFormat = async (bytes, name, limits) =>
  isPng(bytes) || isJpeg(bytes)
    ? { problem: 'unknown_type', message: 'is of a type that is not read' }
    : readAnyFormat(bytes, name, limits)

async function read(
  bytes: Uint8Array,
  name: string,
  limits: ReadLimits,
  recognised: readonly RecognisedPage[],
): Promise<ExtractedText> {
  if (bytes.length > limits.bytes) throw new UnreadableFile('too_large', 'is too large')
  const mediaType = sniff(bytes, name)
  switch (mediaType) {
    case 'application/pdf':
      return await readPdf(bytes, limits, recognised)
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
      return readDocx(bytes, limits)
    case 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet':
      return readXlsx(bytes, limits)
    case 'application/vnd.openxmlformats-officedocument.presentationml.presentation':
      return readPptx(bytes, limits)
    case 'application/vnd.oasis.opendocument.text':
      return readOdt(bytes, limits)
    case 'application/rtf':
      return readRtf(bytes, limits)
    case 'text/html':
      return readHtml(bytes, limits)
    case 'text/markdown':
      return readMarkdown(bytes, limits)
    case 'text/plain':
      return readPlainText(bytes, limits)
    case 'message/rfc822':
      return await readMail(bytes, limits, readAttached)
    case 'application/mbox':
      return await readMailbox(bytes, limits, readAttached)
    case 'image/png':
    case 'image/jpeg':
      return readImage(bytes, mediaType, recognised)
  }
}
