import { z } from 'zod'
import { PrivityError } from '../errors.js'
import type { AnswerFormat, ChatModel } from '../runtime/completions.js'
import type { ConsolidationModel } from '../runtime/consolidation.js'
import { name, parse } from '../runtime/input.js'
import { ModelError } from '../runtime/model-calls.js'
import { consolidationPrompt } from './consolidation-prompt.js'

export interface OpenAICompatibleChatOptions {
  /** The endpoint, with or without `/chat/completions`, for example `http://localhost:11434/v1`. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  /** States that texts stay on this machine. Only then are sealed and firewalled texts sent (OV-4). */
  readonly local?: boolean
}

const schema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  model: name,
  apiKey: z.string().min(1).optional(),
  local: z.boolean().optional(),
})

const answerSchema = z.object({
  choices: z.tuple(
    [z.object({ message: z.object({ content: z.string() }), finish_reason: z.string().nullish() })],
    z.unknown(),
  ),
})

/** More than any genuine answer; a longer one is not read to its end. */
const MOST_BYTES = 1_048_576

/**
 * A model behind any server with an OpenAI-compatible `/v1/chat/completions`.
 *
 * @example
 * openAICompatibleChat({ url: 'http://localhost:11434/v1', model: 'llama3.2', local: true })
 */
export function openAICompatibleChat(options: OpenAICompatibleChatOptions): ConsolidationModel & ChatModel {
  const { url, model, apiKey, local = false } = parse(schema, options)
  const endpoint = endpointOf(url)
  const headers = headersOf(apiKey)
  const complete: ChatModel['complete'] = async (messages, signal, format) => {
    const asked = { model, messages, stream: false }
    const send = (body: object) => post(endpoint, headers, JSON.stringify(body), signal)
    const answered =
      format === undefined
        ? await send(asked)
        : await send({ ...asked, response_format: responseFormat(format) }).catch(thrown => {
            // Not every server knows structured output; the messages ask for the form as well.
            if (!(thrown instanceof RefusedByServer) || thrown.status !== 400) throw thrown
            return send(asked)
          })
    const answer = answerSchema.safeParse(answered)
    if (!answer.success) throw new ModelError('the model server answered in another form')
    const [{ message, finish_reason: finish }] = answer.data.choices
    // An unfinished text could say the opposite of the whole.
    if (finish === 'length' || finish === 'content_filter')
      throw new ModelError('the model did not finish its answer')
    return message.content
  }
  return {
    name: model,
    local,
    complete,
    stream: (messages, signal) =>
      streamed(endpoint, headers, JSON.stringify({ model, messages, stream: true }), signal),
    summarise: (texts, signal) => complete(consolidationPrompt(texts), signal),
  }
}

const responseFormat = ({ name, schema }: AnswerFormat) => ({
  type: 'json_schema',
  json_schema: { name, strict: true, schema },
})

/** A refusal with a status, which decides whether to ask in another way. */
class RefusedByServer extends ModelError {
  readonly status: number

  constructor(status: number) {
    super(`the model server answered with status ${status}`)
    this.status = status
  }
}

function endpointOf(url: string): URL {
  const endpoint = new URL(url)
  if (endpoint.username || endpoint.password)
    throw new PrivityError('invalid_input', 'url: must not contain a password; use apiKey')
  const path = endpoint.pathname.replace(/\/+$/, '')
  endpoint.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`
  return endpoint
}

/** Built once, so that an API key that cannot be sent fails here with an error that does not contain it. */
function headersOf(apiKey: string | undefined): Headers {
  try {
    const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' })
    if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`)
    return headers
  } catch {
    throw new PrivityError('invalid_input', 'apiKey: cannot be sent in a header')
  }
}

/** Returns the JSON of the answer. A redirect is a failure, because it would send text somewhere else. */
async function post(endpoint: URL, headers: Headers, body: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(endpoint, { method: 'POST', headers, body, redirect: 'manual', signal })
    if (response.ok) return JSON.parse(await readText(response))
    // An unread body would keep its connection open.
    await response.body?.cancel()
    throw new RefusedByServer(response.status)
  } catch (thrown) {
    if (thrown instanceof ModelError) throw thrown
    // The original error may contain a header or what the server said, so it is not passed on.
    throw new ModelError(
      thrown instanceof SyntaxError
        ? 'the model server did not answer with JSON'
        : 'no connection to the model server',
    )
  }
}

const pieceSchema = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().nullish() }).optional(),
      finish_reason: z.string().nullish(),
    }),
  ),
})

/** The pieces of an answer as the server sends them (server-sent events). */
async function* streamed(
  endpoint: URL,
  headers: Headers,
  body: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  try {
    const response = await fetch(endpoint, { method: 'POST', headers, body, redirect: 'manual', signal })
    if (!response.ok) {
      await response.body?.cancel()
      throw new ModelError(`the model server answered with status ${response.status}`)
    }
    let isFinished = false
    for await (const data of eventsOf(response)) {
      if (data === '[DONE]') break
      const piece = pieceSchema.safeParse(JSON.parse(data))
      if (!piece.success) throw new ModelError('the model server answered in another form')
      const [{ delta, finish_reason: finish } = {}] = piece.data.choices
      if (finish === 'length' || finish === 'content_filter')
        throw new ModelError('the model did not finish its answer')
      isFinished ||= finish === 'stop'
      if (delta?.content) yield delta.content
    }
    if (!isFinished) throw new ModelError('the model did not finish its answer')
  } catch (thrown) {
    if (thrown instanceof ModelError) throw thrown
    throw new ModelError('no connection to the model server')
  }
}

/** The data of each event. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  let rest = ''
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new ModelError('the answer of the model server is too long')
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim()
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > MOST_BYTES) throw new ModelError('the answer of the model server is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
