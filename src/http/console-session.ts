import type { Authenticate } from '../authentication/authenticate.js'
import type { BrowserSessions } from '../authentication/browser-sessions.js'
import { PrivityError } from '../errors.js'
import type { Access } from '../runtime/caller.js'
import { CONSOLE_HEADER } from './routes.js'

/** The start of the name of the cookie. */
const COOKIE = 'privity-session'

/**
 * The cookie of a request. Cookies do not tell ports apart, so the port is part of the name: two servers on one
 * machine do not sign each other's people out.
 */
export function cookieName(headers: Headers): string {
  const port = /:(\d+)$/.exec(headers.get('host') ?? '')?.[1]
  const name = port === undefined ? COOKIE : `${COOKIE}-${port}`
  return isSecure(headers) ? `__Host-${name}` : name
}

/** Whether the page was loaded over TLS. The browser says so, because a proxy in front of the server may end TLS. */
const isSecure = (headers: Headers) => (headers.get('origin') ?? '').startsWith('https://')

export function sessionCookie(headers: Headers, sealed: string, expiresAt: Date): string {
  const secure = isSecure(headers) ? '; Secure' : ''
  return `${cookieName(headers)}=${sealed}; Path=/; HttpOnly; SameSite=Strict${secure}; Expires=${expiresAt.toUTCString()}`
}

export const endedCookie = (headers: Headers) => sessionCookie(headers, '', new Date(0))

/** The sealed session that a request carries, under either name: a GET does not say whether it came over TLS. */
export function sealedSession(headers: Headers): string | undefined {
  const plain = cookieName(headers).replace(/^__Host-/, '')
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [name = '', value = ''] = pair.trim().split('=', 2)
    if ((name === plain || name === `__Host-${plain}`) && value !== '') return value
  }
  return undefined
}

/**
 * Refuses requests that the console did not make itself. The browser sends the cookie by itself, so a request counts
 * only with a header that pages of other sites cannot set, and only from this very origin. `SameSite=Strict` refuses
 * the same in the browser.
 */
export function requireConsole(headers: Headers): void {
  const origin = headers.get('origin')
  const host = headers.get('host')
  const fetchSite = headers.get('sec-fetch-site')
  const isOwn =
    headers.get(CONSOLE_HEADER) === '1' &&
    (origin === null || origin === `http://${host}` || origin === `https://${host}`) &&
    (fetchSite === null || fetchSite === 'same-origin')
  if (!isOwn) throw new PrivityError('not_allowed', 'only pages of this server may use the session')
}

/**
 * Authenticates by the `Authorization` header or, without one, by the session cookie. What the cookie stands for goes
 * through the same function as any other key.
 */
export function makeRequestAuthenticate(authenticate: Authenticate, sessions: BrowserSessions) {
  return async (headers: Headers): Promise<Access> => {
    const authorization = headers.get('authorization') ?? undefined
    const sealed = authorization === undefined ? sealedSession(headers) : undefined
    if (sealed === undefined) return authenticate(authorization)
    requireConsole(headers)
    const { authorization: presented } = await sessions.read(sealed)
    return authenticate(presented)
  }
}
