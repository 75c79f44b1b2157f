import PostalMime, { type Address } from 'postal-mime'
import { mendWindows1252 } from '../decode.js'
import type { Bytes, Item } from '../item.js'
import { byteLines } from '../lines.js'
import { cleanName, cleanNames, cleanText, present, wellFormed } from '../names.js'
import { textOfHtml } from './html-text.js'

/** With its attachments; one that is larger is reported. */
const MOST_MESSAGE_BYTES = 64 * 1_048_576
const NEWLINE = Buffer.from('\n')

/** Reads a mailbox: a record a message. Only one message is in memory at a time. */
export async function* readMbox(source: Bytes): AsyncGenerator<Item> {
  let count = 0
  for await (const { line, bytes } of messagesIn(source)) {
    count++
    const where = `message ${count} (line ${line})`
    if (bytes === null)
      yield { kind: 'problem', where, problem: `is larger than ${MOST_MESSAGE_BYTES} bytes` }
    else yield await readMessage(where, bytes)
  }
}

interface Message {
  /** Where it begins. */
  readonly line: number
  readonly bytes: Buffer | null
}

async function* messagesIn(source: Bytes): AsyncGenerator<Message | { line: number; bytes: null }> {
  let line = 0
  let begun = 0
  let parts: Buffer[] = []
  let length = 0
  let blank = true
  const take = (): Message => ({
    line: begun,
    bytes: length > MOST_MESSAGE_BYTES ? null : Buffer.concat(parts),
  })
  for await (const bytes of byteLines(source, MOST_MESSAGE_BYTES)) {
    line++
    const separates = blank && bytes !== null && isSeparator(bytes, line)
    if (separates || (line === 1 && bytes !== null)) {
      if (begun > 0) yield take()
      begun = line
      parts = []
      length = 0
    }
    blank = bytes?.length === 0
    if (separates) continue
    const part = bytes === null ? null : unescaped(bytes)
    length += part === null ? MOST_MESSAGE_BYTES + 1 : part.length + 1
    if (part !== null && length <= MOST_MESSAGE_BYTES) parts.push(part, NEWLINE)
    else parts = []
  }
  if (begun > 0) yield take()
}

/** `From someone Mon Jan  1 00:00:00 2024`: a sentence that begins with From has no time of day and year. */
function isSeparator(bytes: Buffer, line: number): boolean {
  if (bytes.length > 1_000 || bytes.subarray(0, 5).toString('latin1') !== 'From ') return false
  return line === 1 || /\d{1,2}:\d{2}.*\b\d{4}\b/.test(bytes.toString('latin1'))
}

/** Lines of a message that begin with From were quoted with one more `>`. */
function unescaped(bytes: Buffer): Buffer {
  if (bytes[0] !== GREATER) return bytes
  const start = bytes.subarray(0, 100).toString('latin1')
  return /^>+From /.test(start) ? bytes.subarray(1) : bytes
}
const GREATER = 0x3e

async function readMessage(where: string, bytes: Buffer): Promise<Item> {
  let mail: Awaited<ReturnType<typeof PostalMime.parse>>
  try {
    mail = await PostalMime.parse(bytes)
  } catch {
    return { kind: 'problem', where, problem: 'is not a message' }
  }
  if (mail.headers.length === 0) return { kind: 'problem', where, problem: 'has no headers' }
  const plain = cleaned(mail.text)
  const text = plain === '' ? textOfHtml(cleaned(mail.html)) : plain
  const subject = cleaned(mail.subject)
  if (text === '' && subject === '') return { kind: 'skipped', where, why: 'holds no text' }
  const people = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(namesOf)
  const uri = uriOf(mail.messageId)
  return {
    kind: 'record',
    where,
    ...(uri === undefined ? {} : { identity: uri }),
    draft: present({
      kind: 'document',
      title: subject === '' ? undefined : wellFormed(subject.replace(/\s+/g, ' ').slice(0, 500)),
      text: text === '' ? subject : text,
      occurredAt: momentOf(mail.date),
      participants: cleanNames(people).slice(0, 1_000),
      tags: ['mail'],
      provenance: present({ source: 'mail', uri }),
    }),
  }
}

const cleaned = (text: string | undefined) => mendWindows1252(cleanText(text ?? '')).trim()

/** By name, and where there is none, by address. */
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
  const id = cleanText(messageId ?? '')
    .replace(/^<|>$/g, '')
    .trim()
  return id === '' || id.length > 900 ? undefined : `mid:${encodeURI(id)}`
}
