import { PrivityError } from '../errors.js'
import { OPERATION_TABLE } from '../generated/operation-table.js'
import { type Handle, makeHandle } from '../handle.js'
import { CONSOLE_HEADER } from '../http/routes.js'
import type { OperationName } from '../operations.js'
import type { RequestOptions } from '../runtime/runtime.js'
import { readAnswer } from './answer.js'
import { buildRequest, encodeParameter, headersOf } from './build-request.js'
import { retry } from './retry.js'
import { type SendOptions, send } from './send.js'

type Key = string | (() => string | Promise<string>)

/** How to reach a server, and as whom: with a `key` or, on pages of the server itself, `signedIn`. */
export interface ConnectOptions extends SendOptions {
  /** The server's URL, such as `http://localhost:8787`. */
  readonly url: string
  /** An API key, or a token of an issuer that the server trusts. A function is called before each attempt. */
  readonly key?: Key
  /** The maximum number of retries of a request that can be repeated. Default: 3. */
  readonly retries?: number
  /** The conversation that requests belong to, if the credential lets them choose it (WR-2). */
  readonly session?: string
}

/** The methods of the library for one caller of a server, with the same answers and the same errors. */
export function connect(options: ConnectOptions): Handle {
  const { session, signal } = options
  const { key } = options
  if (options.signedIn !== true && typeof key !== 'string' && typeof key !== 'function')
    throw new PrivityError('invalid_input', 'key: is required')
  const base = baseOf(options.url)
  const inSession = session === undefined ? {} : { 'privity-session': encodeParameter('session', session) }

  async function invoke(name: OperationName, input: unknown, asked: RequestOptions = {}): Promise<unknown> {
    const { method, path, body } = buildRequest(name, input as object)
    const { reads, answeredOnce, answersNull } = OPERATION_TABLE[name]
    const { onSentence } = asked
    // Whoever has heard the beginning of an answer must not hear it again.
    const retries = answeredOnce || onSentence !== undefined ? 0 : (options.retries ?? 3)
    // A write without an idempotency key gets one, so that it can be sent again if its answer was lost.
    const idempotencyKey = asked.idempotencyKey ?? (retries === 0 || reads ? undefined : randomKey())
    const headers = {
      ...inSession,
      ...headersOf({ ...asked, idempotencyKey }),
      ...(onSentence === undefined ? {} : { accept: 'text/event-stream, application/json' }),
    }
    const outcome = await retry({ retries, signal }, async () => {
      const presented = options.signedIn
        ? { [CONSOLE_HEADER]: '1' }
        : { authorization: `Bearer ${await keyOf(key)}` }
      const received = await send(
        options,
        base + path,
        { ...headers, ...presented },
        method,
        body,
        onSentence,
      )
      return readAnswer(received)
    })
    if ('data' in outcome) return outcome.data
    if (outcome.error.code === 'not_found' && answersNull) return null
    throw outcome.error
  }

  return makeHandle(invoke)
}

function baseOf(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new PrivityError(
      'invalid_input',
      'url: must begin with http:// or https://, for example http://localhost:7171',
    )
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/+$/, '')
}

async function keyOf(key: Key | undefined): Promise<string> {
  const presented = typeof key === 'function' ? await key() : (key ?? '')
  if (!/^[!-~]+$/.test(presented)) throw new PrivityError('unauthenticated', 'a valid credential is required')
  return presented
}

/** `randomUUID` does not exist on a page that was served without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
