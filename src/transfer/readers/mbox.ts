import PostalMime, { type Address } from 'postal-mime'
import { cleanExtractedText } from '../../documents/extract/clean-text.js'
import { mendWindows1252 } from '../../documents/extract/decode-text.js'
import { READ_LIMITS, UnreadableFile } from '../../documents/extract/extracted.js'
import { htmlText } from '../../documents/extract/html.js'
import { messagesIn } from '../../documents/extract/mbox.js'
import type { Bytes, Item } from '../item.js'
import { byteLines } from '../lines.js'
import { cleanName, cleanNames, omitEmpty, wellFormed } from '../names.js'

/** Size limit of a message including attachments; larger ones are reported. */
const MOST_MESSAGE_BYTES = 64 * 1_048_576

/** Reads a mailbox, one record per message. Only one message is in memory at a time. */
export async function* readMbox(source: Bytes): AsyncGenerator<Item> {
  let count = 0
  for await (const { line, bytes } of messagesIn(byteLines(source, MOST_MESSAGE_BYTES), MOST_MESSAGE_BYTES)) {
    count++
    const where = `message ${count} (line ${line})`
    if (bytes === null)
      yield { kind: 'problem', where, problem: `is larger than ${MOST_MESSAGE_BYTES} bytes` }
    else yield await readMessage(where, bytes)
  }
}

async function readMessage(where: string, bytes: Buffer): Promise<Item> {
  let mail: Awaited<ReturnType<typeof PostalMime.parse>>
  try {
    mail = await PostalMime.parse(bytes)
  } catch {
    return { kind: 'problem', where, problem: 'is not a message' }
  }
  if (mail.headers.length === 0) return { kind: 'problem', where, problem: 'has no headers' }
  let text = cleaned(mail.text)
  try {
    if (text === '') text = htmlText(cleaned(mail.html), READ_LIMITS).text.trim()
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: 'problem', where, problem: error.message }
    throw error
  }
  const subject = cleaned(mail.subject)
  if (text === '' && subject === '') return { kind: 'skipped', where, why: 'holds no text' }
  const people = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(namesOf)
  const uri = uriOf(mail.messageId)
  return {
    kind: 'record',
    where,
    ...(uri === undefined ? {} : { identity: uri }),
    draft: omitEmpty({
      kind: 'document',
      title: subject === '' ? undefined : wellFormed(subject.replace(/\s+/g, ' ').slice(0, 500)),
      text: text === '' ? subject : text,
      occurredAt: momentOf(mail.date),
      participants: cleanNames(people).slice(0, 1_000),
      tags: ['mail'],
      provenance: omitEmpty({ source: 'mail', uri }),
    }),
  }
}

const cleaned = (text: string | undefined) => mendWindows1252(cleanExtractedText(text ?? '')).trim()

/** The names of an address or group; the address itself if it has no name. */
function namesOf(address: Address | undefined): string[] {
  if (address === undefined) return []
  if (address.group !== undefined) return address.group.flatMap(namesOf)
  return [cleanName(mendWindows1252(address.name)) ?? address.address]
}

function momentOf(date: string | undefined): string | undefined {
  const at = new Date(date ?? Number.NaN)
  const year = at.getUTCFullYear()
  return year >= 1 && year <= 9_999 ? at.toISOString() : undefined
}

function uriOf(messageId: string | undefined): string | undefined {
  const id = cleanExtractedText(messageId ?? '')
    .replace(/^<|>$/g, '')
    .trim()
  return id === '' || id.length > 900 ? undefined : `mid:${encodeURI(id)}`
}
