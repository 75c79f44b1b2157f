import PostalMime, { type Address, type Email } from 'postal-mime'
import { cleanAbout, cleanLine, cleanText } from './clean-text.js'
import { mendWindows1252 } from './decode-text.js'
import { type Extracted, type Heading, type ReadLimits, Unreadable } from './extracted.js'
import { htmlText } from './html.js'
import { splitMbox } from './mbox.js'

/**
 * A message as it is read: who wrote to whom and when, then its best body, so that it is found by either. Attachments are
 * named and not read, and the text says so.
 */
export async function readMail(bytes: Uint8Array, limits: ReadLimits): Promise<Extracted> {
  let mail: Email
  try {
    mail = await PostalMime.parse(bytes)
  } catch {
    throw new Unreadable('damaged', 'is not a whole message')
  }
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
  const about = cleanAbout({
    subject: mended(mail.subject),
    from: peopleOf(mail.from === undefined ? [] : [mail.from]),
    to: peopleOf(mail.to),
    cc: peopleOf(mail.cc),
    // As written: the zone it was sent from is lost in an instant.
    date: header('date'),
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo,
    attachments: mail.attachments.map(({ filename }) => mended(filename ?? 'unnamed')).join(', '),
  })
  const text = [headOf(about), bodyOf(mail, limits)].filter(part => part !== '').join('\n\n')
  if (text.length > limits.characters) throw new Unreadable('too_large', 'holds too much text')
  return {
    mediaType: 'message/rfc822',
    text,
    title: cleanLine(mended(mail.subject)),
    pages: [],
    headings: [],
    about,
    state: 'complete',
  }
}

/** The lines above a message, as mail programs print them. */
const headOf = (about: Readonly<Record<string, string>>): string =>
  Object.entries(HEAD)
    .flatMap(([name, title]) => (about[name] ? `${title}: ${about[name]}` : []))
    .join('\n')
const HEAD = { from: 'From', to: 'To', cc: 'Cc', date: 'Date', attachments: 'Attachments (not read)' }

/** A mailbox as one document: its messages one below the other, each under its subject. */
export async function readMailbox(bytes: Uint8Array, limits: ReadLimits): Promise<Extracted> {
  const headings: Heading[] = []
  let text = ''
  for await (const message of splitMbox(bytes)) {
    const { title, text: said } = await readMail(message.bytes, limits)
    if (text !== '') text += '\n\n'
    if (title !== null) {
      headings.push({ start: text.length, end: text.length + title.length, level: 1 })
      text += `${title}\n\n`
    }
    text += said
    if (text.length > limits.characters) throw new Unreadable('too_large', 'holds too much text')
  }
  return {
    mediaType: 'application/mbox',
    text,
    title: null,
    pages: [],
    headings,
    about: {},
    state: 'complete',
  }
}

function bodyOf(mail: Email, limits: ReadLimits): string {
  const plain = cleanText(mended(mail.text))
  if (plain.trim() !== '') return plain
  return htmlText(cleanText(mended(mail.html)), limits).text
}

const mended = (text: string | undefined | null) => mendWindows1252(text ?? '')

/** `Name <address>`, as mail programs show them. */
function peopleOf(addresses: readonly Address[] | undefined): string {
  return (addresses ?? [])
    .flatMap(address => (address.group === undefined ? [address] : address.group))
    .map(({ name, address }) => (name === '' || !address ? name || address : `${mended(name)} <${address}>`))
    .join(', ')
}
