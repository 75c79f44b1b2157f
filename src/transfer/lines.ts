import { asUtf8, bufferOf } from './decode.js'
import type { Bytes } from './item.js'

/** One line, or the problem with it. */
export type InputLine =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly problem: string }

export interface LineOptions {
  /** Longer lines are dropped while they are read, so that they are never in memory. */
  readonly mostBytes: number
  readonly encoding?: string | undefined
}

/** Splits bytes into lines at LF or CRLF; `null` stands for a line that was too long. */
export async function* byteLines(source: Bytes, mostBytes: number): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = []
  let length = 0
  const end = (): Buffer | null => {
    const line = length > mostBytes ? null : Buffer.concat(parts)
    parts = []
    length = 0
    return line?.at(-1) === CR ? line.subarray(0, -1) : line
  }
  const add = (part: Buffer) => {
    length += part.length
    if (length <= mostBytes) parts.push(part)
    else parts = []
  }
  for await (const chunk of source) {
    const bytes = bufferOf(chunk)
    let start = 0
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, start)) {
      add(bytes.subarray(start, at))
      yield end()
      start = at + 1
    }
    if (start < bytes.length) add(bytes.subarray(start))
  }
  if (length > 0) yield end()
}
const LF = 0x0a
const CR = 0x0d

/** Decodes lines of text, one at a time, and removes a byte order mark from the first. */
export async function* readLines(
  source: Bytes,
  { mostBytes, encoding }: LineOptions,
): AsyncGenerator<InputLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let number = 0
  for await (const bytes of byteLines(asUtf8(source, encoding), mostBytes)) {
    number++
    if (bytes === null) {
      yield { number, problem: `is longer than ${mostBytes} bytes` }
      continue
    }
    try {
      const text = decoder.decode(bytes)
      yield { number, text: number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text }
    } catch {
      yield { number, problem: 'is not UTF-8' }
    }
  }
}
