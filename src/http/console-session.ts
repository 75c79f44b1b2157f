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

/** The origin that the browser sees. Requests that change something say it, and `requireConsole` compared it. */
export function ownOrigin(headers: Headers): string {
  const origin = headers.get('origin')
  if (origin === null) throw new PrivityError('not_allowed', 'only pages of this server may use the session')
  return origin
}

export function sessionCookie(headers: Headers, sealed: string, expiresAt: Date): string {
  const secure = isSecure(headers) ? '; Secure' : ''
  return `${cookieName(headers)}=${sealed}; Path=/; HttpOnly; SameSite=Strict${secure}; Expires=${expiresAt.toUTCString()}`
}

/** The cookie of a sign-in that began and has not ended, sent only to where it ends. */
const attemptName = (headers: Headers) => cookieName(headers).replace(COOKIE, 'privity-sign-in')

export function attemptCookie(headers: Headers, sealed: string, seconds: number): string {
  const secure = isSecure(headers) ? '; Secure' : ''
  return `${attemptName(headers)}=${sealed}; Path=/; HttpOnly; SameSite=Strict${secure}; Max-Age=${seconds}`
}

export const endedAttempt = (headers: Headers) => attemptCookie(headers, '', 0)
export const sealedAttempt = (headers: Headers) => readCookie(headers, attemptName(headers))

export const endedCookie = (headers: Headers) => sessionCookie(headers, '', new Date(0))

/** The sealed session that a request carries, under either name: a GET does not say whether it came over TLS. */
export const sealedSession = (headers: Headers) => readCookie(headers, cookieName(headers))

function readCookie(headers: Headers, named: string): string | undefined {
  const plain = named.replace(/^__Host-/, '')
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
