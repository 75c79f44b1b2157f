import type { Server as NodeServer } from 'node:http'
import { serve as listen } from '@hono/node-server'
import type { Logger } from 'pino'
import { type Authenticate, makeAuthenticate } from '../authentication/authenticate.js'
import type { IssuerOptions } from '../authentication/issuers.js'
import { type SignInTokenStore, SignInTokens } from '../authentication/sign-in-tokens.js'
import { PrivityError } from '../errors.js'
import type { Privity } from '../open.js'
import type { Sensitivity } from '../policy/vocabulary.js'
import type { Credential } from '../runtime/caller.js'
import { VERSION } from '../version.js'
import { makeApp } from './app.js'
import { LOOPBACK_HOSTS } from './guard.js'

/** Where a server listens and what it accepts. Every default is safe on your own machine. */
export interface ServeOptions {
  /** The address to listen on. Default: this machine only. */
  readonly host?: string
  /** The port; 0 for any free port. */
  readonly port?: number
  /** The host names under which the server may be reached. Default: on loopback only its own names, otherwise any. */
  readonly hosts?: readonly string[]
  /** The origins whose pages may send requests from a browser. */
  readonly origins?: readonly string[]
  /** Issuers whose bearer tokens are accepted besides API keys. */
  readonly issuers?: readonly IssuerOptions[]
  /** Replaces API keys and tokens: reads the `Authorization` header itself. */
  readonly authenticate?: Authenticate
  readonly maxBodyBytes?: number
  readonly maxRequests?: number
  readonly requestTimeout?: number
  readonly metricsToken?: string | null
  readonly logger?: Logger | null
  /** The sensitivity up to which a model is trusted that comes over MCP with a person's key. Default: `medium`. */
  readonly mcpSensitivity?: Sensitivity
  /** Where one-time sign-in tokens are kept, if several processes serve one port. Default: in this process. */
  readonly signInTokens?: SignInTokenStore
  /** Replaces random request ids in tests. */
  readonly newRequestId?: () => string
}

export interface Server {
  readonly url: string
  readonly port: number
  /**
   * An address of the console that signs somebody in, once, within a few minutes. The token stands behind `#`, which
   * browsers do not send, so that no log contains it.
   */
  signInAddress(credential: Credential): string
  /** Accepts nothing new and finishes running requests for at most this many milliseconds. The store stays open. */
  close(grace?: number): Promise<void>
}

export const DEFAULT_PORT = 7_171
/** A batch of records may contain 32 MiB of text. */
const MOST_BODY_BYTES = 40 * 1_048_576
const GRACE = 10_000

/** Serves every operation of an open store on one port: the HTTP API, MCP and the pages that describe them. */
export async function serve(privity: Privity, options: ServeOptions = {}): Promise<Server> {
  const { host = '127.0.0.1', port = DEFAULT_PORT, requestTimeout = 30_000 } = options
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.')
  const signInTokens = options.signInTokens ?? new SignInTokens(() => privity.now().getTime())
  const app = makeApp(privity, {
    signInTokens,
    authenticate: options.authenticate ?? makeAuthenticate(privity, options.issuers),
    issuers: options.issuers,
    version: VERSION,
    hosts:
      options.hosts?.map(name => name.toLowerCase()) ??
      (isLocal ? [...LOOPBACK_HOSTS, host.toLowerCase()] : null),
    origins: options.origins ?? [],
    maxBodyBytes: options.maxBodyBytes ?? MOST_BODY_BYTES,
    maxRequests: options.maxRequests ?? 256,
    requestTimeout,
    metricsToken: options.metricsToken ?? null,
    logger: options.logger ?? null,
    mcpSensitivity: options.mcpSensitivity,
    ...(options.newRequestId === undefined ? {} : { newRequestId: options.newRequestId }),
  })
  const server = await new Promise<NodeServer>((resolve, reject) => {
    const started = listen(
      {
        fetch: app.fetch,
        hostname: host,
        port,
        // Slow clients: this limits the time for the headers. Each route limits the time for its body.
        serverOptions: {
          headersTimeout: Math.min(10_000, requestTimeout),
          requestTimeout: 0,
          keepAliveTimeout: 5_000,
          connectionsCheckingInterval: 1_000,
          maxHeaderSize: 32_768,
        },
      },
      () => resolve(started),
    ) as NodeServer
    started.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)))
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  let closing: Promise<void> | null = null
  const url = `http://${shown}:${bound}`
  return {
    url,
    port: bound,
    signInAddress: credential => `${url}/sign-in#${signInTokens.issue(credential)}`,
    close(grace = GRACE) {
      closing ??= stop(server, () => app.close(grace))
      return closing
    },
  }
}

async function stop(server: NodeServer, settle: () => Promise<void>): Promise<void> {
  const stopped = new Promise<void>(resolve => server.close(() => resolve()))
  await settle()
  server.closeIdleConnections()
  // Gives answers that are being sent a moment to arrive.
  const timer = setTimeout(() => server.closeAllConnections(), 1_000)
  await stopped
  clearTimeout(timer)
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): PrivityError {
  const why =
    error.code === 'EADDRINUSE'
      ? 'the port is taken; choose another'
      : error.code === 'EACCES'
        ? 'not permitted'
        : error.code
  return new PrivityError('unavailable', `cannot listen on ${host}:${port}: ${why}`, { cause: error })
}
