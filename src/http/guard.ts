import { PrivityError } from '../errors.js'

/** From which hosts and origins requests are accepted. */
export interface GuardOptions {
  /** The host names under which this server may be reached; `null` for any. */
  readonly hosts: readonly string[] | null
  /** The origins whose pages may send requests. */
  readonly origins: readonly string[]
}

/**
 * The names of this machine itself. A page that points its own name here (DNS rebinding) must not reach the server.
 */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Refuses requests under an unknown host name, and those made by pages of other sites. */
export function guard(headers: Headers, { hosts, origins }: GuardOptions): void {
  const host = headers.get('host') ?? ''
  const hostname = host.replace(/:\d+$/, '').toLowerCase()
  if (hosts !== null && !hosts.includes(hostname)) throw refused('this server is not reached under that name')
  const origin = headers.get('origin')
  const isSame = origin === null || origin === `http://${host}` || origin === `https://${host}`
  if (!isSame && !origins.includes(origin)) throw refused('other sites may not ask here')
  if (origin === null && headers.get('sec-fetch-site') === 'cross-site')
    throw refused('other sites may not ask here')
}

const refused = (message: string) => new PrivityError('not_allowed', message)

/** The headers that let a page of an allowed origin read the answer. */
export function corsHeaders(origin: string | null, origins: readonly string[]): Record<string, string> {
  if (origin === null || !origins.includes(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers':
      'authorization, content-type, idempotency-key, if-match, if-none-match, privity-trust, privity-respect-consent, privity-session, privity-causal-parents, privity-profile, mcp-session-id, mcp-protocol-version',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-expose-headers': 'etag, retry-after, x-request-id, mcp-session-id',
    'access-control-max-age': '600',
  }
}
