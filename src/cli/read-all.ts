import { PrivityError } from '../errors.js'

/** Far above the size of a record, so that larger input is refused before it fills the memory. */
const MOST_BYTES = 64 * 1_048_576

/** Reads a whole stream as text. */
export async function readAll(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    const part = Buffer.from(chunk as Uint8Array)
    bytes += part.length
    if (bytes > MOST_BYTES)
      throw new PrivityError('too_large', `the input must be at most ${MOST_BYTES} bytes`)
    chunks.push(part)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new PrivityError('invalid_input', 'the input must be UTF-8; use --encoding for other encodings')
  }
}
