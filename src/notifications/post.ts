import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'

/** As much of an answer as is read, to let its sender finish; nothing is done with it. */
const MOST_READ = 16_384

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Posts JSON over a connection of its own, follows no redirect, and answers with the status. */
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
      // A connection that is kept would not be looked up again.
      agent: false,
      lookup,
      signal: AbortSignal.timeout(timeoutMs),
    })
    let status: number | null = null
    // Once there is a status, how the rest of the answer ends does not matter.
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
