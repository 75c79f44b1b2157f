import { PrivityError } from '../errors.js'

/** The JSON body of a request, at most `limit` bytes of it; undefined when there is none. */
export async function readBody(request: Request, limit: number): Promise<unknown> {
  if (request.body === null) return undefined
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const bytes = await readBytes(request.body, limit)
  if (bytes.length === 0) return undefined
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new PrivityError('invalid_input', 'the body must be of type application/json')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new PrivityError('invalid_input', 'the body is not JSON in UTF-8')
  }
}

async function readBytes(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (limit: number) => new PrivityError('too_large', `the body must be at most ${limit} bytes`)
