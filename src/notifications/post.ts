import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'

/** How much of a response is read, so that the server can finish. Its content is ignored. */
const MOST_READ = 16_384

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Posts JSON over a new connection without following redirects, and returns the status code. */
export function post(
  { url, headers, body }: Post,
  { lookup, timeoutMs }: { lookup: LookupFunction; timeoutMs: number },
): Promise<number> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'privity',
      },
      // A kept-alive connection would skip the address check.
      agent: false,
      lookup,
      signal: AbortSignal.timeout(timeoutMs),
    })
    let status: number | null = null
    // Once there is a status, errors in the rest of the response do not matter.
    sent.on('error', error => (status === null ? reject(error) : resolve(status)))
    sent.once('response', response => {
      const answered = response.statusCode ?? 0
      status = answered
      let read = 0
      response.on('data', (chunk: Buffer) => {
        read += chunk.length
        if (read > MOST_READ) response.destroy()
      })
      response.on('error', () => {})
      response.once('close', () => resolve(answered))
    })
    sent.end(body)
  })
}
