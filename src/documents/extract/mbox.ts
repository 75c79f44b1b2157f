import { isSeparator } from './sniff.js'

const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x3e
const NEWLINE = Buffer.from('\n')

/** One message of a mailbox: the line it begins at, and its bytes; null where there are too many. */
export interface MailboxMessage {
  readonly line: number
  readonly bytes: Buffer | null
}

/** The messages of a mailbox that is all there, named by their places in it. */
export async function* splitMbox(
  bytes: Uint8Array,
): AsyncGenerator<{ readonly name: string; readonly bytes: Uint8Array }> {
  let count = 0
  for await (const message of messagesIn(linesOf(bytes), Number.POSITIVE_INFINITY))
    if (message.bytes !== null)
      yield { name: `${String(++count).padStart(6, '0')}.eml`, bytes: message.bytes }
}

/**
 * Cuts the lines of a mailbox, without LF, into messages; only one is in memory at a time. A line is null where it
 * is too long to be held. Whatever the first line says, it begins a message.
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

/** Without LF; a CR before it stays, so that a message comes out as it is. */
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

/** Lines of a message that begin with From were quoted with one more `>`. */
function unquoted(bytes: Buffer): Buffer {
  if (bytes[0] !== QUOTE) return bytes
  return /^>+From /.test(bytes.subarray(0, 100).toString('latin1')) ? bytes.subarray(1) : bytes
}
