import { PrivityError } from '../errors.js'
import type { Bytes } from './item.js'

/** A part of a source, as it is: nothing is copied. */
export const bufferOf = (chunk: Uint8Array | string): Buffer =>
  typeof chunk === 'string'
    ? Buffer.from(chunk)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)

const BOMS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

/** The encoding that the first bytes of a text declare. */
export function declaredEncoding(start: Uint8Array): string | undefined {
  return BOMS.find(({ mark }) => mark.every((byte, at) => start[at] === byte))?.encoding
}

/** A decoder that refuses what is not of its encoding. */
export function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new PrivityError('invalid_input', 'encoding: is not known')
  }
}

const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Node before 23 reads windows-1252 as ISO 8859-1, which has control characters where there should be quotes. */
export const mendWindows1252 = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, character => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? character)

/** Bytes as UTF-8 whatever they were in: UTF-8 passes as it is, and is checked where it is cut into texts. */
export async function* asUtf8(source: Bytes, encoding?: string): AsyncGenerator<Buffer> {
  let decoder: Decoder | undefined
  let first = true
  for await (const chunk of source) {
    const bytes = bufferOf(chunk)
    if (first && bytes.length > 0) {
      const found = encoding ?? declaredEncoding(bytes) ?? 'utf-8'
      // What cannot be decoded comes through as U+FFFD: a stream has no line yet to report it with.
      if (!/^utf-?8$/i.test(found)) decoder = new TextDecoder(decoderOf(found).encoding)
      first = false
    }
    yield decoder === undefined ? bytes : Buffer.from(decoded(decoder, bytes))
  }
  if (decoder !== undefined) yield Buffer.from(decoder.decode())
}

type Decoder = ReturnType<typeof decoderOf>

const decoded = (decoder: Decoder, bytes: Uint8Array): string => {
  const text = decoder.decode(bytes, { stream: true })
  return decoder.encoding === 'windows-1252' ? mendWindows1252(text) : text
}
