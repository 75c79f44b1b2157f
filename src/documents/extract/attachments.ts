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

/** Reads a file of any type; messages are given it, as what is attached to them may be one again. */
export type ReadAny = (
  bytes: Uint8Array,
  name: string,
  limits: ReadLimits,
) => Promise<ExtractedText | ReadFailure>

/** What is attached to a message, as it is put below it. Places are counted from the start of `text`. */
export interface Attachments {
  readonly names: readonly string[]
  readonly text: string
  readonly headings: readonly Heading[]
  readonly attached: readonly AttachedFile[]
  readonly notRead: readonly UnreadFile[]
  readonly state: ExtractedText['state']
}

/** Between what stands in a message and what is attached to it, and between attachments. */
export const ATTACHMENT_GAP = '\n\n'

/**
 * Reads what is attached to a message, each under its name. One that cannot be read is told of and the rest goes on; what is
 * attached to an attached message counts with it. All of them together hold to the limits of one file.
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
      // A picture in the text of a message is no document that somebody would miss.
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
    // What stands before the first that is attached to it is the message itself.
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

/** A name without folders: a slash stands between a message and what is attached to it. */
const nameOf = ({ filename, mimeType }: Attachment): string =>
  cleanLine(mendWindows1252(filename ?? '').replace(/^.*[/\\]/s, '')) ??
  (mimeType === 'message/rfc822' ? 'message.eml' : 'unnamed')

/** Places further on in a text. */
export const shiftRanges = <Range extends { readonly start: number; readonly end: number }>(
  ranges: readonly Range[],
  by: number,
): Range[] => ranges.map(range => ({ ...range, start: range.start + by, end: range.end + by }))
