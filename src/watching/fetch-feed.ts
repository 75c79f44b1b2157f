import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Addresses } from '../notifications/addresses.js'

const MOST_BYTES = 8 * 1_048_576
const TIMEOUT_MS = 30_000
const MOST_REDIRECTS = 5

/** The validators by which a server can tell that nothing has changed. */
export interface FeedValidators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

export interface FetchedFeed extends FeedValidators {
  readonly text: string
}

/** Fetches a feed; null if it has not changed. The address of every redirect is checked. */
export async function fetchFeed(
  url: string,
  seen: FeedValidators,
  addresses: Addresses,
): Promise<FetchedFeed | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let at = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await get(at, seen, addresses, signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 304) {
      response.destroy()
      return null
    }
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy()
      at = new URL(headers.location, at).href
      if (!/^https?:/.test(at)) throw new Error('the feed leads to no web address')
      continue
    }
    if (statusCode !== 200) {
      response.destroy()
      throw new Error(`the feed answers ${statusCode}`)
    }
    const text = decode(await readAll(response), headers['content-type'])
    return { text, etag: headers.etag, lastModified: headers['last-modified'] }
  }
  throw new Error('the feed leads on and on')
}

function get(
  url: string,
  { etag, lastModified }: FeedValidators,
  addresses: Addresses,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  addresses.requireLiteral(url)
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      headers: {
        accept:
          'application/atom+xml, application/rss+xml, application/feed+json, application/xml, */*;q=0.1',
        'accept-encoding': 'identity',
        'user-agent': 'privity',
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
        ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
      },
      // A kept-alive connection would skip the address check.
      agent: false,
      lookup: addresses.lookup,
      signal,
    })
    sent.once('error', reject)
    sent.once('response', resolve)
    sent.end()
  })
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) {
      response.destroy()
      throw new Error(`the feed is larger than ${MOST_BYTES / 1_048_576} MiB`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Decodes text in the encoding that the HTTP header or the XML declaration names. */
function decode(bytes: Buffer, contentType = ''): string {
  const declared =
    /charset="?([\w-]+)/i.exec(contentType)?.[1] ??
    /^<\?xml[^>]{0,100}encoding=["']([\w-]+)/.exec(bytes.toString('latin1', 0, 200))?.[1]
  try {
    return new TextDecoder(declared ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
