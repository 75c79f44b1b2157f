import type { Server as NodeServer } from 'node:http'
import { serve as listen } from '@hono/node-server'
import type { Logger } from 'pino'
import { type Authenticate, makeAuthenticate } from '../authentication/authenticate.js'
import type { IssuerOptions } from '../authentication/issuers.js'
import { PrivityError } from '../errors.js'
import type { Privity } from '../open.js'
import type { Sensitivity } from '../policy/vocabulary.js'
import { VERSION } from '../version.js'
import { makeApp } from './app.js'
import { LOOPBACK_HOSTS } from './guard.js'

/** Where a server listens and what it takes. Everything has a default that is safe on a machine of one's own. */
export interface ServeOptions {
  /** The address to listen on. This machine only at first. */
  readonly host?: string
  /** 0 takes any that is free. */
  readonly port?: number
  /** Names under which it may be asked for. On this machine only its own names; elsewhere any, unless given. */
  readonly hosts?: readonly string[]
  /** Sites whose pages may ask from a browser. */
  readonly origins?: readonly string[]
  /** Whose bearer tokens are taken besides API keys. */
  readonly issuers?: readonly IssuerOptions[]
  /** Reads the `Authorization` header in place of API keys and tokens. */
  readonly authenticate?: Authenticate
  readonly maxBodyBytes?: number
  readonly maxRequests?: number
  readonly requestTimeout?: number
  readonly metricsToken?: string | null
  readonly logger?: Logger | null
  /** What a model is trusted with that comes over MCP with the key of a person; `medium` at first. */
  readonly mcpSensitivity?: Sensitivity
  /** Stands in for random ids of requests in tests. */
  readonly newRequestId?: () => string
}

export interface Server {
  readonly url: string
  readonly port: number
  /** Finishes what it began, at most so many milliseconds, and takes nothing new. The store stays open. */
  close(grace?: number): Promise<void>
}

export const DEFAULT_PORT = 7_171
/** A batch of records may hold 32 MiB of text. */
const MOST_BODY_BYTES = 40 * 1_048_576
const GRACE = 10_000

/** Serves every operation of an open store: HTTP API, MCP and the pages that describe them, on one port. */
export async function serve(privity: Privity, options: ServeOptions = {}): Promise<Server> {
  const { host = '127.0.0.1', port = DEFAULT_PORT, requestTimeout = 30_000 } = options
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.')
  const app = makeApp(privity, {
    authenticate: options.authenticate ?? makeAuthenticate(privity, options.issuers),
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
        // Slow clients: so long for the headers. How long a body may take is for each route to say.
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
  return {
    url: `http://${shown}:${bound}`,
    port: bound,
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
  // Answers that are being sent have a moment to arrive.
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
