import PostalMime, { type Address, type Email } from 'postal-mime'
import { ATTACHMENT_GAP, type ReadAny, readAttachments, shiftRanges } from './attachments.js'
import { cleanAbout, cleanExtractedText, cleanLine } from './clean-text.js'
import { mendWindows1252 } from './decode-text.js'
import {
  type AttachedFile,
  type ExtractedText,
  type Heading,
  type ReadLimits,
  UnreadableFile,
  type UnreadFile,
} from './extracted.js'
import { htmlText } from './html.js'
import { splitMbox } from './mbox.js'

/**
 * Reads a message: first sender, recipients and date, then its best body, so that search finds it by either, then its
 * attachments. The text names attachments that could not be read and says why.
 */
export async function readMail(
  bytes: Uint8Array,
  limits: ReadLimits,
  readAny: ReadAny,
): Promise<ExtractedText> {
  let mail: Email
  try {
    // An attached message is treated like any other attached file.
    mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true })
  } catch {
    throw new UnreadableFile('damaged', 'is not a whole message')
  }
  const body = bodyOf(mail, limits)
  if (body.length > limits.characters) throw tooMuch()
  const files = await readAttachments(
    mail.attachments,
    { ...limits, characters: limits.characters - body.length },
    readAny,
  )
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
  const about = cleanAbout({
    subject: mended(mail.subject),
    from: peopleOf(mail.from === undefined ? [] : [mail.from]),
    to: peopleOf(mail.to),
    cc: peopleOf(mail.cc),
    // The header as written, because an instant would lose the sender's time zone.
    date: header('date'),
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo,
    attachments: files.names.join(', '),
    notRead: files.notRead.map(({ name, message }) => `${name} (${message})`).join(', '),
  })
  const said = [headOf(about), body].filter(part => part !== '').join(ATTACHMENT_GAP)
  const below = said === '' ? 0 : said.length + ATTACHMENT_GAP.length
  const text = files.text === '' ? said : `${said}${below === 0 ? '' : ATTACHMENT_GAP}${files.text}`
  if (text.length > limits.characters) {
    if (files.text === '') throw tooMuch()
    return readMail(bytes, { ...limits, attachments: 0 }, readAny)
  }
  return {
    mediaType: 'message/rfc822',
    text,
    title: cleanLine(mended(mail.subject)),
    pages: [],
    headings: shiftRanges(files.headings, below),
    about,
    attached: shiftRanges(files.attached, below),
    notRead: files.notRead,
    state: files.state,
  }
}

const tooMuch = () => new UnreadableFile('too_large', 'holds too much text')

/** The header lines above a message, as mail programs print them. */
const headOf = (about: Readonly<Record<string, string>>): string =>
  Object.entries(HEAD)
    .flatMap(([name, title]) => (about[name] ? `${title}: ${about[name]}` : []))
    .join('\n')
const HEAD = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  date: 'Date',
  attachments: 'Attachments',
  notRead: 'Not read',
}

/** Reads a mailbox as one document: its messages one after another, each under its subject. */
export async function readMailbox(
  bytes: Uint8Array,
  limits: ReadLimits,
  readAny: ReadAny,
): Promise<ExtractedText> {
  const headings: Heading[] = []
  const attached: AttachedFile[] = []
  const notRead: UnreadFile[] = []
  const states = new Set<ExtractedText['state']>()
  let text = ''
  for await (const message of splitMbox(bytes)) {
    const left = { ...limits, attachments: limits.attachments - attached.length }
    const { title, text: said, ...read } = await readMail(message.bytes, left, readAny)
    if (text !== '') text += '\n\n'
    if (title !== null) {
      headings.push({ start: text.length, end: text.length + title.length, level: 1 })
      text += `${title}\n\n`
    }
    headings.push(...shiftRanges(read.headings, text.length))
    attached.push(...shiftRanges(read.attached ?? [], text.length))
    notRead.push(...(read.notRead ?? []))
    states.add(read.state)
    text += said
    if (text.length > limits.characters) throw tooMuch()
  }
  return {
    mediaType: 'application/mbox',
    text,
    title: null,
    pages: [],
    headings,
    about: {},
    attached,
    notRead,
    state: states.has('partial') ? 'partial' : states.has('needs_ocr') ? 'needs_ocr' : 'complete',
  }
}

function bodyOf(mail: Email, limits: ReadLimits): string {
  const plain = cleanExtractedText(mended(mail.text))
  if (plain.trim() !== '') return plain
  return htmlText(cleanExtractedText(mended(mail.html)), limits).text
}

const mended = (text: string | undefined | null) => mendWindows1252(text ?? '')

/** Addresses as `Name <address>`, as mail programs show them. */
function peopleOf(addresses: readonly Address[] | undefined): string {
  return (addresses ?? [])
    .flatMap(address => (address.group === undefined ? [address] : address.group))
    .map(({ name, address }) => (name === '' || !address ? name || address : `${mended(name)} <${address}>`))
    .join(', ')
}
