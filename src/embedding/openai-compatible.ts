import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { checkVectors, EmbeddingError, type EmbeddingProvider } from './provider.js'
import {
  addPrefix,
  applyDefaults,
  checkOptions,
  digestSettings,
  type ModelSettings,
  modelSettingsShape,
} from './settings.js'

export interface OpenAICompatibleOptions extends ModelSettings {
  /** The endpoint, with or without `/embeddings`, such as `http://localhost:11434/v1`. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  /** The vector length to request from models that support several. */
  readonly dimensions?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Declares that texts stay on this machine. Sealed and firewalled texts are sent only if this is set. (OV-4) */
  readonly local?: boolean
  readonly timeoutMs?: number
}

const schema = z.strictObject({
  ...modelSettingsShape,
  url: z.string().min(1),
  model: z.string().min(1).max(200),
  apiKey: z.string().min(1).optional(),
  dimensions: z.int().min(1).max(65_536).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  local: z.boolean().optional(),
  timeoutMs: z.int().min(1).max(3_600_000).optional(),
})

const DEFAULTS = { weight: 0.5, near: 0.5, batchSize: 32, maxCharacters: 8_000 }
const TIMEOUT_MS = 60_000
/** More than any valid response needs. A longer response is not read to its end. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * A provider for any server with an OpenAI-compatible `/v1/embeddings` endpoint.
 *
 * @example
 * openAICompatible({ url: 'http://localhost:11434/v1', model: 'nomic-embed-text', local: true })
 */
export function openAICompatible(options: OpenAICompatibleOptions): EmbeddingProvider {
  checkOptions('openAICompatible', schema, options)
  const { model, dimensions, local = false, timeoutMs = TIMEOUT_MS } = options
  const endpoint = endpointOf(options.url)
  const headers = headersOf(options)

  return {
    model:
      options.name ??
      `openai/${model}/${dimensions ?? 'own'}${digestSettings([options.queryPrefix, options.documentPrefix])}`,
    local,
    ...applyDefaults(options, DEFAULTS),
    async embed(texts, purpose, signal) {
      const body = {
        model,
        input: addPrefix(options, texts, purpose),
        encoding_format: 'float',
        ...(dimensions && { dimensions }),
      }
      const answer = await post(endpoint, headers, JSON.stringify(body), timeoutMs, signal)
      return checkVectors(decode(answer), texts.length, dimensions)
    },
  }
}

function endpointOf(url: string): URL {
  const endpoint = URL.canParse(url) ? new URL(url) : null
  if (!endpoint || !/^https?:$/.test(endpoint.protocol) || endpoint.username || endpoint.password)
    throw new PrivityError('invalid_input', 'openAICompatible: invalid option url')
  const path = endpoint.pathname.replace(/\/+$/, '')
  endpoint.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`
  return endpoint
}

/** Built once, so that an invalid key fails here, where the error can be reported without quoting it. */
function headersOf({ apiKey, headers }: OpenAICompatibleOptions): Headers {
  try {
    const made = new Headers({ 'content-type': 'application/json', accept: 'application/json' })
    if (apiKey !== undefined) made.set('authorization', `Bearer ${apiKey}`)
    for (const [name, value] of Object.entries(headers ?? {})) made.set(name, value)
    return made
  } catch {
    throw new PrivityError('invalid_input', 'openAICompatible: invalid option apiKey or headers')
  }
}

/**
 * Sends a request and returns the JSON of the response. A redirect is a failure, because it would send the text, and
 * perhaps the key, to an unexpected server.
 */
async function post(
  endpoint: URL,
  headers: Headers,
  body: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<unknown> {
  const call = new AbortController()
  const stop = () => call.abort()
  signal.addEventListener('abort', stop)
  const timer = setTimeout(stop, timeoutMs)
  try {
    if (signal.aborted) stop()
    const response = await fetch(endpoint, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: call.signal,
    })
    if (response.ok) return parseJson(await readText(response))
    // An unread body would keep its connection open.
    await response.body?.cancel()
    throw refusal(response)
  } catch (thrown) {
    if (thrown instanceof EmbeddingError) throw thrown
    if (call.signal.aborted)
      throw new EmbeddingError('timeout', 'the embedding server did not answer in time')
    throw new EmbeddingError('unavailable', 'no connection to the embedding server')
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

function refusal({ status, headers }: Response): EmbeddingError {
  const message = `the embedding server answered with status ${status}`
  const retryAfterMs = waitAskedFor(headers.get('retry-after'))
  switch (status) {
    case 400:
    case 413:
    case 422:
      return new EmbeddingError('rejected', message)
    case 429:
      return new EmbeddingError('rate_limited', message, { retryAfterMs })
    case 503:
      return new EmbeddingError('unavailable', message, { retryAfterMs })
    default:
      return new EmbeddingError('unavailable', message)
  }
}

/** Parses `Retry-After`, which is a number of seconds or a date. */
function waitAskedFor(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > MOST_BYTES) throw new EmbeddingError('invalid_answer', 'the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new EmbeddingError('invalid_answer', 'the answer is not JSON')
  }
}

/** The vectors of a response in the order of their index, which need not be the order in the response. */
function decode(answer: unknown): Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) throw new EmbeddingError('invalid_answer', 'the answer has no list of vectors')
  const items = data as ({ index?: unknown; embedding?: unknown } | null)[]
  const vectors = new Map(items.map(item => [item?.index, numbersOf(item?.embedding)]))
  return items.map((_, index) => {
    const vector = vectors.get(index)
    if (!vector) throw new EmbeddingError('invalid_answer', 'the vectors are not numbered')
    return vector
  })
}

/** Decodes numbers, or base64 of little-endian floats, which some servers send without being asked. */
function numbersOf(embedding: unknown): Float32Array {
  if (Array.isArray(embedding) && embedding.every(value => typeof value === 'number'))
    return Float32Array.from(embedding)
  if (typeof embedding === 'string' && /^[\w+/-]+={0,2}$/.test(embedding)) {
    const bytes = Buffer.from(embedding, 'base64')
    if (bytes.length % 4 === 0)
      return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
  }
  throw new EmbeddingError('invalid_answer', 'a vector is not a list of numbers')
}
