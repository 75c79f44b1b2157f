import { z } from 'zod'
import {
  type BrowserSession,
  type BrowserSessions,
  SESSION_HOURS,
} from '../authentication/browser-sessions.js'
import type { SignInTokenStore } from '../authentication/sign-in-tokens.js'
import { loadWorld } from '../example-world/load.js'
import { WORLDS } from '../example-world/world.js'
import type { Privity } from '../open.js'
import type { Access } from '../runtime/caller.js'
import { trustContext } from '../runtime/caller.js'
import { unauthenticated } from '../runtime/facts.js'
import { parse, principal } from '../runtime/input.js'
import { absent } from '../runtime/request.js'
import { audience } from '../runtime/vocabulary.js'
import type { Admission } from './admission.js'
import type { Ctx, HttpApp } from './app.js'
import { ConsoleFiles } from './console-files.js'
import { endedCookie, requireConsole, sealedSession, sessionCookie } from './console-session.js'
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
  '/audit',
  '/settings',
  '/welcome',
] as const

const signIn = z.union([
  z.strictObject({ key: z.string().min(1).max(16_384) }),
  z.strictObject({ token: z.string().min(1).max(200) }),
  z.strictObject({
    as: z.strictObject({
      actor: principal,
      audience: audience.optional(),
      for: principal.optional(),
      trust: trustContext.pick({ maxSensitivity: true, scopes: true }).optional(),
    }),
  }),
])

/** Whoever signs in is nobody yet. */
const NOBODY = { tenant: '', credential: '' }

interface ConsoleParts {
  readonly privity: Privity
  readonly version: string
  readonly sessions: BrowserSessions
  readonly signInTokens: SignInTokenStore
  readonly admission: Admission
  readonly bodyLimits: BodyLimits
  /** Authenticates a request by its header or its session. */
  authenticate(headers: Headers): Promise<Access>
  /** Authenticates what somebody typed in to sign in. */
  authenticateKey(key: string): Promise<Access>
}

/** Serves the console: its files, and signing in and out. What it shows comes through the same API as anything else. */
export function addConsole(app: HttpApp, parts: ConsoleParts): ConsoleFiles {
  const { privity, version, sessions, signInTokens, admission } = parts
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
    if (sealed === undefined) return succeed({ version, who: null })
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
      return succeed({ version, who: { tenant, actor, audience, trust, policy, profile, key, below } })
    } catch {
      return succeed({ version, who: null }, { 'set-cookie': endedCookie(headers) })
    }
  })
  route('POST', '/session', async (c, body) => {
    const { headers } = c.req.raw
    const asked = parse(signIn, body)
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
