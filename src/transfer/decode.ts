import { declaredEncoding, mendWindows1252 } from '../documents/extract/decode-text.js'
import { PrivityError } from '../errors.js'
import type { Bytes } from './item.js'

/** A chunk of a source as a buffer, without copying bytes. */
export const bufferOf = (chunk: Uint8Array | string): Buffer =>
  typeof chunk === 'string'
    ? Buffer.from(chunk)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)

/** A decoder that rejects bytes that are invalid in its encoding. */
export function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new PrivityError(
      'invalid_input',
      'encoding: is unknown; use a name such as utf-8, latin1 or windows-1252',
    )
  }
}

/**
 * Converts bytes to UTF-8. Bytes that are UTF-8 already pass unchanged and are validated when they are split into
 * lines.
 */
export async function* asUtf8(source: Bytes, encoding?: string): AsyncGenerator<Buffer> {
  let decoder: Decoder | undefined
  let first = true
  for await (const chunk of source) {
    const bytes = bufferOf(chunk)
    if (first && bytes.length > 0) {
      const found = encoding ?? declaredEncoding(bytes) ?? 'utf-8'
      // Undecodable bytes become U+FFFD, because a stream has no line yet to report them with.
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
