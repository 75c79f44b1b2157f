import { decodeText } from './decode-text.js'
import { type MediaType, UnreadableFile } from './extracted.js'
import { isJpeg, isPng } from './image-size.js'
import { DOCX_BODY, ODF_BODY, PPTX_BODY, XLSX_BODY, zipNames } from './zip.js'

const HEAD = 1_024
const PDF = '%PDF-'
/** Signature of an OLE compound file: Word with a password, and every Word document before 2007. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/**
 * Detects the type of a file from its bytes; the name serves only to tell Markdown from other text. Throws if
 * unknown.
 */
export function sniff(bytes: Uint8Array, name: string): MediaType {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD)).toString('latin1')
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head)) return 'application/pdf'
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return zipType(bytes)
  if (COMPOUND_FILE.every((byte, at) => bytes[at] === byte)) throw compoundFile(bytes)
  if (isPng(bytes)) return 'image/png'
  if (isJpeg(bytes)) return 'image/jpeg'
  if (head.startsWith('{\\rtf')) return 'application/rtf'
  if (isMailbox(head)) return 'application/mbox'
  // The parts of a message may have any encoding, so the message as a whole need not be text.
  if (isMail(head)) return 'message/rfc822'
  const text = decodeText(bytes.subarray(0, SAMPLE))
  if (text === null) {
    if (head.includes(PDF)) return 'application/pdf'
    throw new UnreadableFile('unknown_type', 'is of a type that is not read')
  }
  const isMarkdown = /\.(?:md|markdown|mdown|mkd)$/i.test(name)
  const start = text.slice(0, SAMPLE)
  if (HTML.test(start) || (!isMarkdown && HTML_PART.test(start))) return 'text/html'
  if (/^%PDF-\d/m.test(head)) return 'application/pdf'
  return isMarkdown ? 'text/markdown' : 'text/plain'
}
/** An even number, so that a UTF-16 character is not cut in half. */
const SAMPLE = 65_536

/** What may precede the first HTML element. */
const BEFORE = String.raw`^\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--(?:[^-]|-(?!->)){0,2000}-->\s*){0,20}`
const HTML = new RegExp(String.raw`${BEFORE}<(?:!doctype\s+html|(?:html|head|body)[\s>])`, 'i')
const HTML_PART = new RegExp(
  String.raw`${BEFORE}<(?:title|meta|h[1-6]|div|p|table|section|article|main|font|span|br|ul|ol|blockquote|style|script)[\s/>]`,
  'i',
)

function zipType(bytes: Uint8Array): MediaType {
  const names = zipNames(bytes)
  for (const [body, mediaType] of OFFICE_TYPES) if (names.has(body)) return mediaType
  if (names.has(ODF_BODY) && isOpenText(bytes)) return 'application/vnd.oasis.opendocument.text'
  // The zip directory itself may be damaged. A zip of Word files starts with a different entry name.
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (OFFICE_START.test(all.toString('latin1', 30, 60)) && all.includes(DOCX_BODY))
    throw new UnreadableFile('damaged', 'is a damaged Word file')
  throw new UnreadableFile('unknown_type', 'is a zip file that holds no document')
}
/** Office files are told apart by their main part. */
const OFFICE_TYPES: readonly (readonly [string, MediaType])[] = [
  [DOCX_BODY, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  [XLSX_BODY, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  [PPTX_BODY, 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
]

/** An OpenDocument file says its type first, uncompressed; spreadsheets and drawings are not read. */
const isOpenText = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200))
    .toString('latin1')
    .includes('mimetypeapplication/vnd.oasis.opendocument.text')

const OFFICE_START = /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|word\/)/

function compoundFile(bytes: Uint8Array): UnreadableFile {
  const encrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
    Buffer.from('EncryptedPackage', 'utf16le'),
  )
  return encrypted
    ? new UnreadableFile('encrypted', 'needs a password')
    : new UnreadableFile('unknown_type', 'is an Office file of before 2007')
}

/** Matches `From someone Mon Jan  1 00:00:00 2024`. A sentence that begins with From has no time of day and year. */
export const isSeparator = (line: string): boolean =>
  line.startsWith('From ') && /\d{1,2}:\d{2}.{0,40}\b\d{4}\b/.test(line.slice(0, 1_000))

const isMailbox = (head: string) => isSeparator(head.slice(0, lineEnd(head)))
const lineEnd = (head: string) => {
  const at = head.search(/[\r\n]/)
  return at < 0 ? head.length : at
}

/** A memo has From, To and Date too. A message also has transport headers, or a date with a time and a time zone. */
function isMail(head: string): boolean {
  const lines = head.split(/\r?\n/)
  const fields = new Set<string>()
  let dated = false
  for (const line of lines) {
    if (/^[ \t]/.test(line) && fields.size > 0) continue
    const field = /^([!-9;-~]{1,76}):(.*)/.exec(line)
    if (field === null) break
    const name = (field[1] ?? '').toLowerCase()
    fields.add(name)
    if (name === 'date' && /\d:\d\d(?::\d\d)?\s+(?:[+-]\d{4}|[A-Z]{2,4}\b)/.test(field[2] ?? '')) dated = true
  }
  const known = [...fields].filter(name => MAIL_FIELDS.has(name)).length
  return known >= 2 && (dated || [...fields].some(name => TRANSPORT_FIELDS.has(name)))
}
const TRANSPORT_FIELDS = new Set([
  'message-id',
  'mime-version',
  'received',
  'return-path',
  'delivered-to',
  'content-type',
  'content-transfer-encoding',
  'dkim-signature',
  'arc-seal',
])
const MAIL_FIELDS = new Set([
  ...TRANSPORT_FIELDS,
  'from',
  'to',
  'cc',
  'bcc',
  'date',
  'subject',
  'sender',
  'reply-to',
  'in-reply-to',
  'references',
])
