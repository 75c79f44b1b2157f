import { isSeparator } from './sniff.js'

const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x3e
const NEWLINE = Buffer.from('\n')

/** One message of a mailbox: the line at which it begins, and its bytes, or null if it is too large. */
export interface MailboxMessage {
  readonly line: number
  readonly bytes: Buffer | null
}

/** Splits a mailbox that is in memory into messages, named by their position in it. */
export async function* splitMbox(
  bytes: Uint8Array,
): AsyncGenerator<{ readonly name: string; readonly bytes: Uint8Array }> {
  let count = 0
  for await (const message of messagesIn(linesOf(bytes), Number.POSITIVE_INFINITY))
    if (message.bytes !== null)
      yield { name: `${String(++count).padStart(6, '0')}.eml`, bytes: message.bytes }
}

/**
 * Splits the lines of a mailbox, passed without LF, into messages. Only one message is in memory at a time. A line is
 * null if it was too long to hold. The first line always begins a message, whatever it says.
 */
export async function* messagesIn(
  lines: AsyncIterable<Buffer | null> | Iterable<Buffer | null>,
  mostBytes: number,
): AsyncGenerator<MailboxMessage> {
  let line = 0
  let begun = 0
  let parts: Buffer[] = []
  let length = 0
  let blank = true
  const take = (): MailboxMessage => ({
    line: begun,
    bytes: length > mostBytes ? null : Buffer.concat(parts),
  })
  for await (const bytes of lines) {
    line++
    const separates = blank && bytes !== null && begins(bytes, line)
    if (separates || (line === 1 && bytes !== null)) {
      if (begun > 0) yield take()
      begun = line
      parts = []
      length = 0
    }
    blank = bytes !== null && (bytes.length === 0 || (bytes.length === 1 && bytes[0] === CR))
    if (separates) continue
    const part = bytes === null ? null : unquoted(bytes)
    length += part === null ? mostBytes + 1 : part.length + 1
    if (part !== null && length <= mostBytes) parts.push(part, NEWLINE)
    else parts = []
  }
  if (begun > 0) yield take()
}

/** Lines without their LF. A CR before it is kept, so that messages come out byte for byte. */
function* linesOf(bytes: Uint8Array): Generator<Buffer> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let start = 0; start < all.length; ) {
    const found = all.indexOf(LF, start)
    const end = found < 0 ? all.length : found
    yield all.subarray(start, end)
    start = end + 1
  }
}

function begins(bytes: Buffer, line: number): boolean {
  if (bytes.length > 1_000) return false
  const text = bytes.toString('latin1')
  return line === 1 ? text.startsWith('From ') : isSeparator(text)
}

/** Removes the `>` that the mbox format puts before lines of a message that begin with `From `. */
function unquoted(bytes: Buffer): Buffer {
  if (bytes[0] !== QUOTE) return bytes
  return /^>+From /.test(bytes.subarray(0, 100).toString('latin1')) ? bytes.subarray(1) : bytes
}
