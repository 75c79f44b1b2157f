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

/**
 * Refuses requests under an unknown host name, and those made by pages of other sites. Following a link to a page from
 * another site, such as a share link in webmail, is no request of that site.
 */
export function guard(request: Request, { hosts, origins }: GuardOptions): void {
  const { headers } = request
  const given = headers.get('host')
  const host = given ?? ''
  const { hostname, pathname, host: authority } = new URL(request.url)
  // A request line with a whole URL names its own host, which counts instead of the header (RFC 9112, 3.2.2). One that
  // says something else than the header is for another server, or wants to be taken for it.
  const isOne = given === null || authority === withoutDefaultPort(host.toLowerCase())
  if (!isOne || (hosts !== null && !hosts.includes(hostname)))
    throw refused(
      'this server does not answer under that host name; start it with --allow-host NAME to use another name',
    )
  const origin = headers.get('origin')
  const isSame = origin === null || origin === `http://${host}` || origin === `https://${host}`
  if (!isSame && !origins.includes(origin)) throw refused(OTHER_SITE)
  if (origin === null && headers.get('sec-fetch-site') === 'cross-site' && !opensPage(request, pathname))
    throw refused(OTHER_SITE)
}

const OTHER_SITE =
  'pages of other sites may not send requests to this server; start it with --origin ORIGIN to allow one'

/** Whether a person follows a link in a browser tab to one of the server's pages. The API is none. */
const opensPage = ({ method, headers }: Request, path: string) =>
  method === 'GET' &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document' &&
  !/^\/(?:api|console|mcp|metrics)(?:\/|$)/i.test(path)

const withoutDefaultPort = (host: string) => host.replace(/:80$/, '')

const refused = (message: string) => new PrivityError('not_allowed', message)

/** The headers that let a page of an allowed origin read the answer. */
export function corsHeaders(origin: string | null, origins: readonly string[]): Record<string, string> {
  if (origin === null || !origins.includes(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers':
      'authorization, content-type, idempotency-key, if-match, if-none-match, privity-trust, privity-respect-consent, privity-session, privity-causal-parents, privity-profile, privity-for-model, privity-as, mcp-session-id, mcp-protocol-version',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-expose-headers': 'etag, retry-after, x-request-id, mcp-session-id',
    'access-control-max-age': '600',
  }
}
