import PostalMime, { type Address, type Email } from 'postal-mime'
import { cleanAbout, cleanLine, cleanText } from './clean-text.js'
import { mendWindows1252 } from './decode-text.js'
import { type Extracted, type ReadLimits, Unreadable } from './extracted.js'
import { htmlText } from './html.js'

/** The best body of a message. Its headers are in `about`; attachments are named there and not read. */
export async function readMail(bytes: Uint8Array, limits: ReadLimits): Promise<Extracted> {
  let mail: Email
  try {
    mail = await PostalMime.parse(bytes)
  } catch {
    throw new Unreadable('damaged', 'is not a whole message')
  }
  const text = bodyOf(mail, limits)
  if (text.length > limits.characters) throw new Unreadable('too_large', 'holds too much text')
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
  return {
    mediaType: 'message/rfc822',
    text,
    title: cleanLine(mended(mail.subject)),
    pages: [],
    headings: [],
    about: cleanAbout({
      subject: mended(mail.subject),
      from: peopleOf(mail.from === undefined ? [] : [mail.from]),
      to: peopleOf(mail.to),
      cc: peopleOf(mail.cc),
      // As written: the zone it was sent from is lost in an instant.
      date: header('date'),
      messageId: mail.messageId,
      inReplyTo: mail.inReplyTo,
      attachments: mail.attachments.map(({ filename }) => mended(filename ?? 'unnamed')).join(', '),
    }),
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
