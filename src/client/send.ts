import { PrivityError } from '../errors.js'
import type { RequestOptions } from '../runtime/runtime.js'
import { readEvents } from './read-events.js'

export interface SendOptions {
  /** The timeout of one attempt in milliseconds. Default: 30 seconds. */
  readonly timeout?: number
  /** Aborts every request with its reason. */
  readonly signal?: AbortSignal
  readonly fetch?: typeof globalThis.fetch
  /** On pages of the server itself: uses the session of whoever signed in there instead of a key. */
  readonly signedIn?: boolean
}

/** What came back: the answer of some server, or none. */
export type RawAnswer =
  | { readonly status: number; readonly retryAfter: string | null; readonly text: string }
  | PrivityError

/** Sends one request and reads its whole answer. Whoever listens hears the sentences of an answer before its end. */
export async function send(
  { fetch = globalThis.fetch, timeout = 30_000, signal, signedIn = false }: SendOptions,
  url: string,
  headers: Readonly<Record<string, string>>,
  method: string,
  body: string | undefined,
  onSentence?: RequestOptions['onSentence'],
): Promise<RawAnswer> {
  signal?.throwIfAborted()
  const ended = new AbortController()
  const end = () => ended.abort()
  const timer = setTimeout(end, timeout)
  signal?.addEventListener('abort', end)
  try {
    const response = await fetch(url, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
      signal: ended.signal,
      // The key is meant for this server only.
      credentials: signedIn ? 'same-origin' : 'omit',
      redirect: 'error',
    })
    const retryAfter = response.headers.get('retry-after')
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream')
    const text =
      onSentence !== undefined && response.body !== null && isEvents
        ? await readEvents(response.body, onSentence)
        : await response.text()
    return { status: response.status, retryAfter, text }
  } catch (cause) {
    signal?.throwIfAborted()
    const message = ended.signal.aborted
      ? `the server did not answer in time: ${new URL(url).origin}`
      : `the server could not be reached: ${new URL(url).origin}`
    return new PrivityError('unavailable', message, { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}
