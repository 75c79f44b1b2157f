import { declaredEncoding, mendWindows1252 } from '../documents/extract/decode-text.js'
import { PrivityError } from '../errors.js'
import type { Bytes } from './item.js'

/** A part of a source, as it is: nothing is copied. */
export const bufferOf = (chunk: Uint8Array | string): Buffer =>
  typeof chunk === 'string'
    ? Buffer.from(chunk)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)

/** A decoder that refuses what is not of its encoding. */
export function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new PrivityError('invalid_input', 'encoding: is not known')
  }
}

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
