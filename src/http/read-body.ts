import { PrivityError } from '../errors.js'

/** How much of a body is taken, and for how long it is waited for. */
export interface BodyLimits {
  readonly bytes: number
  readonly milliseconds: number
}

/** The JSON body of a request; undefined when there is none. */
export async function readBody(request: Request, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBytes(request, limits)
  if (bytes.length === 0) return undefined
  // What curl says of any body it is given counts as JSON too. A form of another site cannot make use of it: it
  // has no way to send a credential along.
  requireType(
    request,
    /^application\/(?:(?:[\w.+-]+\+)?json|x-www-form-urlencoded)\s*(?:;|$)/i,
    'application/json',
  )
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new PrivityError('invalid_input', 'the body is not JSON in UTF-8')
  }
}

/** The request with its body read. */
export async function readWholeRequest(request: Request, limits: BodyLimits): Promise<Request> {
  if (request.body === null) return request
  const body = await readBytes(request, limits)
  const { method, headers, signal } = request
  return new Request(request.url, { method, headers, signal, body: new Uint8Array(body) })
}

export function requireType(request: Request, type: RegExp, name: string): void {
  if (!type.test(request.headers.get('content-type') ?? ''))
    throw new PrivityError('invalid_input', `the body must be of type ${name}`)
}

/** The bytes of a body, as many as it may have. */
export async function readBytes(
  { body, headers }: Request,
  { bytes, milliseconds }: BodyLimits,
): Promise<Buffer> {
  if (Number(headers.get('content-length') ?? 0) > bytes) throw tooLarge(bytes)
  if (body === null) return Buffer.alloc(0)
  const deadline = Date.now() + milliseconds
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of streamBody(body, () => deadline - Date.now())) {
    length += chunk.length
    if (length > bytes) throw tooLarge(bytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A body as it arrives. Each part of it is waited for as long as `patience` says then; leaving it lets it go. */
export async function* streamBody(
  body: ReadableStream<Uint8Array>,
  patience: () => number,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), patience())
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

async function inTime<T>(read: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new PrivityError('timed_out', 'the request took too long to arrive')
    timer = setTimeout(() => reject(error), Math.max(0, milliseconds))
  })
  try {
    return await Promise.race([read, late])
  } finally {
    clearTimeout(timer)
  }
}

const tooLarge = (limit: number) => new PrivityError('too_large', `the body must be at most ${limit} bytes`)
