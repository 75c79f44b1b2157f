import { z } from 'zod'
import {
  type BrowserSession,
  type BrowserSessions,
  SESSION_HOURS,
} from '../authentication/browser-sessions.js'
import { type OidcSignIn, SIGN_IN_SECONDS } from '../authentication/oidc-sign-in.js'
import type { SignInTokenStore } from '../authentication/sign-in-tokens.js'
import { loadWorld } from '../example-world/load.js'
import { WORLDS } from '../example-world/world.js'
import type { Privity } from '../open.js'
import type { Access } from '../runtime/caller.js'
import { clampCaller, holdsEverything, readCredential, trustContext } from '../runtime/caller.js'
import { unauthenticated } from '../runtime/facts.js'
import { parse, principal } from '../runtime/input.js'
import { absent } from '../runtime/request.js'
import { audience } from '../runtime/vocabulary.js'
import type { Admission } from './admission.js'
import type { Ctx, HttpApp } from './app.js'
import { ConsoleFiles } from './console-files.js'
import {
  attemptCookie,
  endedAttempt,
  endedCookie,
  ownOrigin,
  requireConsole,
  sealedAttempt,
  sealedSession,
  sessionCookie,
} from './console-session.js'
import type { Latencies } from './latencies.js'
import { type BodyLimits, readBody } from './read-body.js'
import { succeed } from './responses.js'
import { CONSOLE } from './routes.js'

/** The addresses of the console's pages. Each serves the same page, which then shows the right part. */
export const PAGES = [
  '/',
  '/sign-in',
  '/ask',
  '/why',
  '/memory',
  '/people',
  '/inbox',
  '/sessions',
  '/shares',
  '/access',
  '/audit',
  '/settings',
  '/welcome',
] as const

const signIn = z.union([
  z.strictObject({ key: z.string().min(1).max(16_384) }),
  z.strictObject({ token: z.string().min(1).max(200) }),
  z.strictObject({
    code: z.string().min(1).max(4_096),
    state: z.string().min(1).max(200),
    iss: z.string().max(2_000).optional(),
  }),
  z.strictObject({
    as: z.strictObject({
      actor: principal,
      audience: audience.optional(),
      for: principal.optional(),
      trust: trustContext.pick({ maxSensitivity: true, scopes: true }).optional(),
    }),
  }),
])

const beginSignIn = z.strictObject({ issuer: z.string().min(1).max(2_000) })

/** Whoever signs in is nobody yet. */
const NOBODY = { tenant: '', credential: '' }

interface ConsoleParts {
  readonly privity: Privity
  readonly version: string
  readonly sessions: BrowserSessions
  readonly signInTokens: SignInTokenStore
  readonly oidc: OidcSignIn
  readonly admission: Admission
  readonly bodyLimits: BodyLimits
  readonly latencies: Latencies
  /** Authenticates a request by its header or its session. */
  authenticate(headers: Headers): Promise<Access>
  /** Authenticates what somebody typed in to sign in. */
  authenticateKey(key: string): Promise<Access>
}

/** Serves the console: its files, and signing in and out. What it shows comes through the same API as anything else. */
export function addConsole(app: HttpApp, parts: ConsoleParts): ConsoleFiles {
  const { privity, version, sessions, signInTokens, oidc, admission } = parts
  const files = new ConsoleFiles()
  for (const path of PAGES)
    app.get(path, c => {
      c.get('seen').route = path
      return files.page()
    })
  // A page may have parts of its own, such as one record.
  for (const path of PAGES.slice(2))
    app.get(`${path}/*`, c => {
      c.get('seen').route = path
      return files.page()
    })
  app.get('/assets/:name', async c => {
    c.get('seen').route = '/assets'
    const asset = await files.asset(c.req.param('name'), c.req.header('accept-encoding') ?? '')
    if (asset === null) throw absent()
    return asset
  })

  // The body is read first, so that a slow one takes no place. Who asks is known only later.
  const route = (method: string, path: string, answer: (c: Ctx, body: unknown) => Promise<Response>) =>
    app.on(method, CONSOLE + path, async c => {
      c.get('seen').route = `console${path}`
      requireConsole(c.req.raw.headers)
      const body = await readBody(c.req.raw, parts.bodyLimits)
      return admission.run(NOBODY, () => answer(c, body))
    })
  const withCookie = (c: Ctx, { sealed, expiresAt }: BrowserSession) =>
    succeed(null, { 'set-cookie': sessionCookie(c.req.raw.headers, sealed, expiresAt) })

  route('GET', '/session', async c => {
    const { headers } = c.req.raw
    const sealed = sealedSession(headers)
    const issuers = oidc.choices
    if (sealed === undefined) return succeed({ version, issuers, who: null })
    try {
      const { credential } = await parts.authenticate(headers)
      const {
        tenant,
        actor,
        audience = 'owner',
        trust,
        policy = null,
        profile = null,
        key = null,
      } = credential
      const { below } = await sessions.read(sealed)
      return succeed({
        version,
        issuers,
        who: { tenant, actor, audience, trust, policy, profile, key, below },
      })
    } catch {
      return succeed({ version, issuers, who: null }, { 'set-cookie': endedCookie(headers) })
    }
  })
  // The browser goes to the issuer and comes back to the console's own page, which sends what it was given.
  route('POST', '/sign-in', async (c, body) => {
    const { headers } = c.req.raw
    const { issuer } = parse(beginSignIn, body)
    const { location, sealed } = await oidc.begin(issuer, `${ownOrigin(headers)}/sign-in`)
    return succeed({ location }, { 'set-cookie': attemptCookie(headers, sealed, SIGN_IN_SECONDS) })
  })
  route('POST', '/session', async (c, body) => {
    const { headers } = c.req.raw
    const asked = parse(signIn, body)
    if ('code' in asked) {
      const attempt = sealedAttempt(headers)
      if (attempt === undefined) throw unauthenticated()
      const response = await withCookie(c, await sessions.begin(await oidc.finish(attempt, asked)))
      response.headers.append('set-cookie', endedAttempt(headers))
      return response
    }
    if ('token' in asked) return withCookie(c, await sessions.begin(await signInTokens.take(asked.token)))
    if ('key' in asked) {
      const { credential } = await parts.authenticateKey(asked.key.trim())
      return withCookie(c, await sessions.begin(credential))
    }
    const { credential } = await parts.authenticate(headers)
    return withCookie(c, await sessions.continueAs(credential, sealedSession(headers) ?? '', asked.as))
  })
  route('DELETE', '/session', async c => {
    const { headers } = c.req.raw
    const sealed = sealedSession(headers)
    if (sealed === undefined) throw unauthenticated()
    const { credential } = await parts.authenticate(headers)
    const below = await sessions.end(credential, sealed)
    if (below === null) return succeed(null, { 'set-cookie': endedCookie(headers) })
    return withCookie(c, { sealed: below, expiresAt: new Date(Date.now() + SESSION_HOURS * 3_600_000) })
  })

  // How busy a tenant is tells of requests that a restricted host does not see in the audit (NI-10).
  route('GET', '/latencies', async c => {
    const { credential } = await parts.authenticate(c.req.raw.headers)
    const caller = clampCaller(readCredential(credential), {})
    if (caller.audience !== 'host' || caller.policy !== null || !holdsEverything(caller)) throw absent()
    return succeed(parts.latencies.of(caller.tenant))
  })

  route('GET', '/examples', async () =>
    succeed(
      WORLDS.map(({ name, about, asked, callers }) => ({
        name,
        about,
        asked,
        callers: callers.map(({ who, key }) => ({ who, key })),
      })),
    ),
  )
  route('POST', '/examples/:name', async c => {
    const { credential } = await parts.authenticate(c.req.raw.headers)
    const world = WORLDS.find(({ name }) => name === c.req.param('name'))
    if (world === undefined) throw absent()
    const loading = loadWorld(privity, world, credential)
    admission.hold(loading)
    await loading
    return succeed(null)
  })
  return files
}
