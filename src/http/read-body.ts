import { PrivityError } from '../errors.js'
import { MOST_VALUES, type ParsedJson, parseJson } from './parse-json-job.js'

/** The maximum size of a body, and how long to wait for it. */
export interface BodyLimits {
  readonly bytes: number
  readonly milliseconds: number
  /** Called with the length of each piece that arrives. It throws if there is no room for it. */
  readonly count?: (bytes: number) => void
}

/** Bodies with more bytes are parsed in another thread. */
const LONG_BODY = 131_072

/** The JSON body of a request; undefined when there is none. */
export async function readBody(
  request: Request,
  limits: BodyLimits,
  parseLong: (bytes: Uint8Array) => Promise<ParsedJson> = async bytes => parseJson(bytes),
): Promise<unknown> {
  const bytes = await readBytes(request, limits)
  if (bytes.length === 0) return undefined
  // The default content type of curl is accepted as JSON too. A form on another site cannot abuse that, because it
  // cannot send a credential.
  requireType(
    request,
    /^application\/(?:(?:[\w.+-]+\+)?json|x-www-form-urlencoded)\s*(?:;|$)/i,
    'application/json',
  )
  const parsed = bytes.length > LONG_BODY ? await parseLong(bytes) : parseJson(bytes)
  if (parsed.kind === 'json') return parsed.value
  if (parsed.kind === 'too_many_values')
    throw new PrivityError(
      'too_large',
      `the body must hold at most ${MOST_VALUES} values; send several smaller ones`,
    )
  throw new PrivityError('invalid_input', 'the body must be JSON in UTF-8')
}

/** The same request with its body buffered. */
export async function readWholeRequest(request: Request, limits: BodyLimits): Promise<Request> {
  if (request.body === null) return request
  const body = await readBytes(request, limits)
  const { method, headers, signal } = request
  return new Request(request.url, { method, headers, signal, body: new Uint8Array(body) })
}

export function requireType(request: Request, type: RegExp, name: string): void {
  if (!type.test(request.headers.get('content-type') ?? ''))
    throw new PrivityError('invalid_input', `the body must have the content type ${name}`)
}

/** The bytes of a body, up to the limit. */
export async function readBytes(
  request: Request,
  { bytes, milliseconds, count }: BodyLimits,
): Promise<Buffer> {
  const { method, headers } = request
  if (Number(headers.get('content-length') ?? 0) > bytes) throw tooLarge(bytes)
  // These have none, and to ask for it costs as much as to make a request.
  if (method === 'GET' || method === 'HEAD') return Buffer.alloc(0)
  const { body } = request
  if (body === null) return Buffer.alloc(0)
  const deadline = Date.now() + milliseconds
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of streamBody(body, () => deadline - Date.now())) {
    length += chunk.length
    if (length > bytes) throw tooLarge(bytes)
    count?.(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The chunks of a body as they arrive. `patience` says how long to wait for each; leaving the loop cancels the body.
 */
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
    const tooLate = () =>
      reject(new PrivityError('timed_out', 'the request body took too long to arrive; nothing was changed'))
    timer = setTimeout(tooLate, Math.max(0, milliseconds))
  })
  try {
    return await Promise.race([read, late])
  } finally {
    clearTimeout(timer)
  }
}

const tooLarge = (limit: number) => new PrivityError('too_large', `the body must be at most ${limit} bytes`)
