import type { Attachment } from 'postal-mime'
import { cleanLine } from './clean-text.js'
import { mendWindows1252 } from './decode-text.js'
import {
  type AttachedFile,
  type ExtractedText,
  type Heading,
  isFailure,
  type ReadFailure,
  type ReadLimits,
  type UnreadFile,
} from './extracted.js'

/**
 * Reads a file of any type. The mail reader takes it as a parameter because an attachment may be a message itself.
 */
export type ReadAny = (
  bytes: Uint8Array,
  name: string,
  limits: ReadLimits,
) => Promise<ExtractedText | ReadFailure>

/** The attachments of a message, as they are appended to its text. Offsets count from the start of `text`. */
export interface Attachments {
  readonly names: readonly string[]
  readonly text: string
  readonly headings: readonly Heading[]
  readonly attached: readonly AttachedFile[]
  readonly notRead: readonly UnreadFile[]
  readonly state: ExtractedText['state']
}

/** Separates a message from its attachments, and the attachments from each other. */
export const ATTACHMENT_GAP = '\n\n'

/**
 * Reads the attachments of a message, each under its name. One that cannot be read is reported and the others are
 * still read. Attachments of an attached message count towards the same limit. Together they share the limits of one
 * file.
 */
export async function readAttachments(
  attachments: readonly Attachment[],
  limits: ReadLimits,
  readAny: ReadAny,
): Promise<Attachments> {
  const names: string[] = []
  const headings: Heading[] = []
  const attached: AttachedFile[] = []
  const notRead: UnreadFile[] = []
  const states = new Set<ExtractedText['state']>()
  let text = ''
  let left = limits.attachments
  for (const attachment of attachments) {
    const name = nameOf(attachment)
    names.push(name)
    const start = text === '' ? 0 : text.length + ATTACHMENT_GAP.length
    const head = `Attachment: ${name}${ATTACHMENT_GAP}`
    const within: ReadLimits = {
      ...limits,
      characters: limits.characters - start - head.length,
      attachments: left - 1,
      mailDepth: limits.mailDepth - 1,
    }
    const read = await readOne(attachment, name, within, readAny)
    left--
    if (isFailure(read)) {
      // Nobody misses an image that is embedded in the text of a message.
      if (attachment.related && read.problem === 'unknown_type') continue
      notRead.push({ name, problem: read.problem, message: read.message })
      if (read.problem !== 'unknown_type') states.add('partial')
      continue
    }
    const moved = start + head.length
    const inner = read.attached ?? []
    left -= inner.length
    text += `${start === 0 ? '' : ATTACHMENT_GAP}${head}${read.text}`
    headings.push(...shiftRanges(read.headings, moved))
    // The text before the first inner attachment is the attached message itself.
    attached.push(
      { name, start, end: inner[0] === undefined ? text.length : moved + inner[0].start },
      ...shiftRanges(inner, moved).map(one => ({ ...one, name: `${name}/${one.name}` })),
    )
    notRead.push(...(read.notRead ?? []).map(one => ({ ...one, name: `${name}/${one.name}` })))
    states.add(read.state)
  }
  const state = states.has('partial') ? 'partial' : states.has('needs_ocr') ? 'needs_ocr' : 'complete'
  return { names, text, headings, attached, notRead, state }
}

async function readOne(
  { content, mimeType }: Attachment,
  name: string,
  limits: ReadLimits,
  readAny: ReadAny,
): Promise<ExtractedText | ReadFailure> {
  if (limits.attachments < 0)
    return { problem: 'too_large', message: 'is beyond what is read of one message' }
  if (limits.mailDepth < 0) return { problem: 'too_large', message: 'is attached too deep' }
  if (SIGNATURE.test(mimeType)) return { problem: 'unknown_type', message: 'is a signature' }
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
  return await readAny(bytes, name, limits)
}
const SIGNATURE = /^application\/(?:x-)?(?:pgp|pkcs7)-signature$/i

/** The file name without folders, because a slash separates a message from its attachment. */
const nameOf = ({ filename, mimeType }: Attachment): string =>
  cleanLine(mendWindows1252(filename ?? '').replace(/^.*[/\\]/s, '')) ??
  (mimeType === 'message/rfc822' ? 'message.eml' : 'unnamed')

/** Moves ranges by an offset. */
export const shiftRanges = <Range extends { readonly start: number; readonly end: number }>(
  ranges: readonly Range[],
  by: number,
): Range[] => ranges.map(range => ({ ...range, start: range.start + by, end: range.end + by }))
