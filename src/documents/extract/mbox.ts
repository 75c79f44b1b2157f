import { isSeparator } from './sniff.js'

const LF = 0x0a
const CR = 0x0d

/** One message each, named by its place in the mailbox. A line that was quoted as `>From ` is given back its start. */
export async function* splitMbox(
  bytes: Uint8Array,
): AsyncGenerator<{ readonly name: string; readonly bytes: Uint8Array }> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  let start: number | null = null
  for (const { from, to } of separatorsIn(all)) {
    if (start !== null) yield message(++count, all.subarray(start, from))
    start = to
  }
  if (start !== null) yield message(++count, all.subarray(start))
}

const message = (count: number, bytes: Buffer) => ({
  name: `${String(count).padStart(6, '0')}.eml`,
  bytes: unquoted(bytes),
})

/** Lines that begin a message: at the start, or after an empty line. */
function* separatorsIn(all: Buffer): Generator<{ from: number; to: number }> {
  for (let at = all.indexOf('From '); at >= 0; at = all.indexOf('From ', at + 1)) {
    if (at > 0 && !isAfterEmptyLine(all, at)) continue
    const found = all.indexOf(LF, at)
    const to = found < 0 ? all.length : found + 1
    if (isSeparator(all.subarray(at, Math.min(to, at + 1_000)).toString('latin1'))) yield { from: at, to }
  }
}

function isAfterEmptyLine(all: Buffer, at: number): boolean {
  if (all[at - 1] !== LF) return false
  const before = all[at - 2] === CR ? at - 3 : at - 2
  return before < 0 || all[before] === LF
}

function unquoted(bytes: Buffer): Uint8Array {
  const pieces: Buffer[] = []
  let kept = 0
  for (let at = bytes.indexOf('>From '); at >= 0; at = bytes.indexOf('>From ', at + 1)) {
    let line = at
    while (line > 0 && bytes[line - 1] === QUOTE) line--
    if (line > 0 && bytes[line - 1] !== LF) continue
    pieces.push(bytes.subarray(kept, line))
    kept = line + 1
  }
  return pieces.length === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(kept)])
}
const QUOTE = 0x3e
