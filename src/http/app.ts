import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import type { Logger } from 'pino'
import type { Authenticate } from '../authentication/authenticate.js'
import { BrowserSessions } from '../authentication/browser-sessions.js'
import type { IssuerOptions } from '../authentication/issuers.js'
import { OidcSignIn } from '../authentication/oidc-sign-in.js'
import { type SignInTokenStore, SignInTokens } from '../authentication/sign-in-tokens.js'
import { originalFile } from '../documents/operations/cards.js'
import { ingest } from '../documents/operations/ingest.js'
import { PrivityError } from '../errors.js'
import type { Privity } from '../open.js'
import { OPERATIONS } from '../operations.js'
import type { Sensitivity } from '../policy/vocabulary.js'
import { type Access, inSession } from '../runtime/caller.js'
import { unauthenticated } from '../runtime/facts.js'
import { answersNull, type Operation } from '../runtime/operation.js'
import { answerSearch } from '../runtime/operations/router.js'
import { absent } from '../runtime/request.js'
import type { RequestOptions } from '../runtime/runtime.js'
import { jobModule } from '../runtime/threads/threads.js'
import { displayDocument, downloadDocument } from '../sharing/operations/documents.js'
import { redeemLink } from '../sharing/operations/redeem.js'
import { checkWatermark } from '../sharing/operations/watermarks.js'
import { fetchUpload } from '../uploads/manage-uploads.js'
import { sendUpload } from '../uploads/send-upload.js'
import { Admission, overloaded, partyOf } from './admission.js'
import { BodyBudget } from './body-budget.js'
import { addConsole } from './console.js'
import { makeRequestAuthenticate } from './console-session.js'
import { docsFile } from './docs-files.js'
import { Doorway } from './doorway.js'
import { failAsPage, wantsPage } from './error-page.js'
import { eventStream, wantsEvents } from './event-stream.js'
import { asksForFile, type FileAnswer, fileResponse } from './file-response.js'
import { corsHeaders, type GuardOptions, guard } from './guard.js'
import { Instruments, type RequestTrace } from './instruments.js'
import { Latencies } from './latencies.js'
import { openApiDocument } from './openapi.js'
import type { ParsedJson } from './parse-json-job.js'
import { type BodyLimits, readBody, readWholeRequest } from './read-body.js'
import { inputReader } from './read-input.js'
import { readConversation, readOptions } from './read-options.js'
import { fail, succeed } from './responses.js'
import { API } from './routes.js'
import { withSaturation } from './saturation.js'
import { pdfScript, sharePage } from './share-page.js'
import { addTransfer } from './transfer.js'
import { uploadReader } from './upload-reader.js'

/** The configuration of a server. */
export interface AppOptions extends GuardOptions {
  readonly authenticate: Authenticate
  readonly version: string
  /** The maximum size of a JSON body in bytes. */
  readonly maxBodyBytes: number
  /** The maximum number of requests that are here at once. A quarter of them run; the others wait for their turn. */
  readonly maxRequests: number
  /** The timeout for an answer in milliseconds. */
  readonly requestTimeout: number
  /** The bearer token for `/metrics`; without one, there are no metrics. */
  readonly metricsToken: string | null
  readonly logger: Logger | null
  /** The sensitivity up to which a model is trusted that comes over MCP with a person's key. Default: `medium`. */
  readonly mcpSensitivity?: Sensitivity | undefined
  readonly newRequestId?: () => string
  /** Issuers by which people sign in to the console, among those that sign tokens. */
  readonly issuers?: readonly IssuerOptions[] | undefined
  /** One-time tokens for signing in to the console. Default: none exist. */
  readonly signInTokens?: SignInTokenStore
}

const PARSE_JSON = jobModule('http/parse-json-job.js')
/** All bodies together may have the size of this many of the largest. */
const BODIES_AT_ONCE = 8
/**
 * What is asked without a credential: places of which one party has a quarter, and all without a credential are one. The
 * bodies are short.
 */
const PUBLIC_PLACES = 256
const PUBLIC_BODY: BodyLimits = { bytes: 8_192, milliseconds: 5_000 }
const PUBLIC = { tenant: '', credential: '' }

type Variables = { seen: RequestTrace; access: Access }
export type Ctx = Context<{ Variables: Variables }>
/** The application while routes are being added to it. */
export type HttpApp = Hono<{ Variables: Variables }>

export interface App {
  fetch(request: Request): Response | Promise<Response>
  /** Accepts no more requests, and waits at most this many milliseconds for those that are running. */
  close(grace: number): Promise<void>
}

/** Serves every operation over HTTP, and the server's own routes. Only operations make decisions (CP-4). */
export function makeApp(privity: Privity, options: AppOptions): App {
  const { newRequestId = randomUUID, version } = options
  const admission = new Admission(options.maxRequests, options.requestTimeout)
  const doorway = new Doorway(options.authenticate, admission)
  const bodies = new BodyBudget(options.maxBodyBytes * BODIES_AT_ONCE)
  const publicly = new Admission(PUBLIC_PLACES, options.requestTimeout)
  const atConsole = new Admission(PUBLIC_PLACES, options.requestTimeout)
  const loads = () => ({
    requests: admission.load,
    public_requests: publicly.load,
    console_requests: atConsole.load,
    credentials: doorway.load,
    ...privity.work.load(),
  })
  const latencies = new Latencies()
  const instruments = new Instruments(options.logger, loads, latencies)
  // Many servers never speak MCP, and loading it takes a tenth of a start.
  const mcp = lazily(async () =>
    (await import('../mcp/http.js')).makeMcpHandler(privity, {
      version,
      ...(options.mcpSensitivity === undefined ? {} : { maxSensitivity: options.mcpSensitivity }),
    }),
  )
  const app: HttpApp = new Hono<{ Variables: Variables }>()
  const bodyLimits = { bytes: options.maxBodyBytes, milliseconds: options.requestTimeout }

  app.use(async (c, next) => {
    const seen: RequestTrace = { requestId: newRequestId(), method: c.req.method, route: 'other' }
    c.set('seen', seen)
    await instruments.observe(c.req.raw.headers, seen, async () => {
      await next()
      for (const [name, value] of Object.entries(HEADERS))
        if (!c.res.headers.has(name)) c.res.headers.set(name, value)
      c.res.headers.set('x-request-id', seen.requestId)
      const cors = corsHeaders(c.req.header('origin') ?? null, options.origins)
      for (const [name, value] of Object.entries(cors)) c.res.headers.set(name, value)
      if (admission.closing) c.res.headers.set('connection', 'close')
      return c.res
    })
  })
  app.use(compress())
  app.onError((error, c) => {
    const seen = c.get('seen')
    if (error instanceof PrivityError) seen.code = error.code
    else Object.assign(seen, { code: 'internal', error })
    return wantsPage(c.req.raw.headers) ? failAsPage(error, seen.requestId) : fail(error, seen.requestId)
  })
  app.notFound(c => {
    // Somebody who mistyped an address in a browser gets a page, and a program gets JSON.
    if (wantsPage(c.req.raw.headers) && !c.req.path.startsWith(API)) return files.page(404)
    throw new PrivityError('not_found', 'not found')
  })
  app.use(async (c, next) => {
    guard(c.req.raw, options)
    if (c.req.method === 'OPTIONS') return new Response(null, { status: 204 })
    return next()
  })

  const open = (path: string, answer: (c: Ctx) => Response | Promise<Response>) =>
    app.get(path, c => {
      c.get('seen').route = path
      return answer(c)
    })
  open('/healthz', () => Response.json({ status: 'ok' }))
  open('/readyz', async () => {
    const health = admission.closing ? CLOSING : withSaturation(await privity.health(), loads())
    return Response.json(health, { status: health.status === 'failing' ? 503 : 200 })
  })
  open('/metrics', async c => {
    requireToken(c.req.header('authorization'), options.metricsToken)
    const { registry } = instruments
    return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } })
  })
  // The same on every server of this version: they contain nothing of any tenant.
  const document = once(() => openApiDocument({ version }))
  const described = once(() => JSON.stringify(document()))
  const share = once(sharePage)
  open('/reference', () => redirect('/docs/reference'))
  open('/docs', () => redirect('/docs/'))
  app.get('/docs/*', async c => {
    c.get('seen').route = '/docs'
    const file = await docsFile(c.req.path.slice('/docs/'.length), c.req.header('accept-encoding') ?? '')
    if (file === null) throw absent()
    return file
  })
  const drawing = once(pdfScript)
  open(
    '/share/pdfjs.js',
    () => new Response(drawing(), { headers: { 'content-type': 'text/javascript; charset=utf-8' } }),
  )
  open('/share', () => page(share().html, share().contentSecurityPolicy))
  open('/openapi.json', () => new Response(described(), { headers: { 'content-type': 'application/json' } }))

  const sessions = new BrowserSessions(privity, () => privity.now())
  const authenticate = makeRequestAuthenticate(presented => doorway.authenticate(presented), sessions)
  const files = addConsole(app, {
    privity,
    version,
    sessions,
    signInTokens: options.signInTokens ?? new SignInTokens(() => privity.now().getTime()),
    oidc: new OidcSignIn(privity, options.issuers ?? []),
    admission: atConsole,
    bodyLimits: { ...PUBLIC_BODY, bytes: 32_768 },
    authenticate,
    latencies,
    authenticateKey: key => doorway.authenticate(`Bearer ${key}`),
  })
  const readRedeem = inputReader(redeemLink)
  const authenticated = async (c: Ctx, next: () => Promise<void>) => {
    if (admission.closing) throw overloaded()
    const access = await authenticate(c.req.raw.headers)
    c.set('access', access)
    c.get('seen').tenant = access.credential.tenant
    await next()
  }
  const parseLong = (c: Ctx) => (input: Uint8Array) =>
    privity.work.threads.run<ParsedJson>(partyOf(c.get('access')), { module: PARSE_JSON, input })
  /** Reads the body first and then waits for a place, so that a slow client keeps nobody from being answered. */
  const answer = async <Input, T>(
    c: Ctx,
    read: (limits: BodyLimits) => Promise<Input>,
    work: (input: Input, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const party = partyOf(c.get('access'))
    const body = bodies.countFor(party)
    let working: Promise<T> | null = null
    try {
      const input = await read({ ...bodyLimits, count: body.add })
      return await admission.run(party, signal => {
        working = work(input, signal)
        return working
      })
    } finally {
      // A request that timed out may still be worked on, and its body is in memory for as long.
      void Promise.allSettled([working]).then(body.release)
    }
  }
  // This route comes before authentication, because the token that opens a profile is in the input. Whoever guesses
  // tokens has few places and small bodies, apart from those of everybody else.
  app.post(redeemLink.route.replace('POST ', API), async c => {
    const seen = c.get('seen')
    seen.route = redeemLink.name
    if (admission.closing) throw overloaded()
    const body = await readBody(c.req.raw, PUBLIC_BODY)
    // The operation validates the input itself, as it does for any other door.
    const input: unknown = readRedeem({}, new URL(c.req.url).searchParams, body)
    const redeemed = await publicly.run(PUBLIC, () =>
      privity.redeem(input as Parameters<Privity['redeem']>[0], { requestId: seen.requestId }),
    )
    return succeed(redeemed)
  })
  app.use(`${API}/*`, authenticated)
  app.use('/mcp', authenticated)

  for (const operation of OPERATIONS) {
    const [method = '', path = ''] = operation.route.split(' ')
    const readInput = inputReader(operation)
    const upload = TAKES_FILE.has(operation) ? uploadReader(operation) : null
    app.on(method, `${API}${path}`, async c => {
      const seen = c.get('seen')
      seen.route = operation.name
      const { raw } = c.req
      const run = (onSentence?: RequestOptions['onSentence']) =>
        answer(
          c,
          async limits =>
            upload?.takes(raw)
              ? upload.read(raw, limits)
              : readInput(
                  c.req.param(),
                  new URL(c.req.url).searchParams,
                  await readBody(raw, limits, parseLong(c)),
                ),
          (input, signal) => {
            const credential = inSession(c.get('access'), readConversation(raw.headers))
            const asked = { ...readOptions(raw.headers), requestId: seen.requestId, signal, onSentence }
            return privity.invoke(credential, operation.name, input, asked)
          },
        )
      if (operation === answerSearch && wantsEvents(raw.headers)) return eventStream(run, seen.requestId)
      return respond(operation, await run(), raw.headers)
    })
  }
  app.all('/mcp', async c => {
    c.get('seen').route = 'mcp'
    const bug = (error: unknown) => void Object.assign(c.get('seen'), { code: 'internal', error })
    // Both bodies are buffered here. If the handler read the request, a slow client could block it forever; if it
    // streamed the response, that would go on after the slot was freed.
    return answer(
      c,
      limits => readWholeRequest(c.req.raw, limits),
      async (request, signal) =>
        whole(await (await mcp.get()).fetch(request, c.get('access'), { onBug: bug, signal })),
    )
  })
  addTransfer(app, privity, options, admission)

  return {
    fetch: request => app.fetch(request),
    async close(grace) {
      await Promise.all([admission, publicly, atConsole].map(places => places.close(grace)))
      await (await mcp.known)?.close()
    },
  }
}

/** A response whose body is complete before it is sent. */
const whole = async (response: Response) =>
  new Response(response.body === null ? null : await response.arrayBuffer(), response)

/** Makes something on first use, and tells whether that happened. */
function lazily<T>(make: () => Promise<T>): { readonly known: Promise<T> | undefined; get(): Promise<T> } {
  let made: Promise<T> | undefined
  return {
    get known() {
      return made
    },
    get() {
      made ??= make()
      return made
    },
  }
}

/** Computes a value on first use. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The operations that answer a file, which a client may ask for as it is. */
const FILES: ReadonlySet<Operation> = new Set<Operation>([
  originalFile,
  displayDocument,
  downloadDocument,
  fetchUpload,
])
/** The operations that take a file, which a client may send as it is. */
const TAKES_FILE: ReadonlySet<Operation> = new Set<Operation>([ingest, checkWatermark, sendUpload])

/** Absent is one answer, however the operation expresses it (NI-5). */
function respond(operation: Operation, answer: unknown, asked: Headers): Response | Promise<Response> {
  if (answer === null && answersNull(operation)) throw new PrivityError('not_found', 'not found')
  if (FILES.has(operation) && asksForFile(asked)) return fileResponse(answer as FileAnswer)
  if (operation.name !== 'memory.get') return succeed(answer)
  // The ETag is that of the face. It is weak, because salience fades between two answers with the same version
  // (NI-9).
  const etag = `W/"${(answer as { version: string }).version}"`
  const known = (asked.get('if-none-match') ?? '')
    .split(',')
    .some(tag => tag.trim().replace(/^(?!W\/)/, 'W/') === etag)
  return known ? new Response(null, { status: 304, headers: { etag } }) : succeed(answer, { etag })
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const CLOSING = {
  status: 'failing',
  checks: [{ name: 'server', status: 'failing', message: 'closing' }],
} as const

const WITHOUT_SCRIPT =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function page(html: string, contentSecurityPolicy = WITHOUT_SCRIPT): Response {
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
    },
  })
}

const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

function requireToken(authorization: string | undefined, token: string | null): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const presented = authorization ?? ''
  if (!timingSafeEqual(digest(presented), digest(`Bearer ${token}`)) || token === null)
    throw unauthenticated()
}
