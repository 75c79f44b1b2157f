import { type ServeOptions, type Server, serve } from '../../src/http/serve.js'
import type { OpenOptions, Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import { openTestPrivity } from './privity.js'
import type { Engine } from './stores.js'

/** What came back, whole. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
  readonly body: any
}

export interface Asked {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly raw?: string | Uint8Array | ReadableStream
}

export interface TestServer {
  readonly privity: Privity
  readonly server: Server
  readonly url: string
  tenant(): string
  /** An API key with exactly what a credential says. */
  keyFor(credential: Credential & { choosesSession?: boolean }): Promise<string>
  ask(method: string, path: string, asked?: Asked): Promise<Answer>
  dispose(): Promise<void>
}

/** A server of its own on a fresh store and a free port. */
export async function openTestServer(
  engine: Engine,
  options: ServeOptions = {},
  store: Omit<OpenOptions, 'dataDir' | 'databaseUrl'> = {},
): Promise<TestServer> {
  const opened = await openTestPrivity(engine, store)
  const server = await serve(opened.privity, { port: 0, ...options })
  let keys = 0
  return {
    privity: opened.privity,
    server,
    url: server.url,
    tenant: opened.tenant,
    async keyFor({ tenant, ...credential }) {
      const host = opened.privity.as({ tenant, actor: 'key maker', audience: 'host' })
      const { trust, key: _, ...asked } = credential
      const { secret } = await host.keys.create({
        name: `key ${++keys}`,
        ...asked,
        ...(trust === undefined
          ? {}
          : {
              trust: { maxSensitivity: trust.maxSensitivity, ...(trust.scopes && { scopes: trust.scopes }) },
            }),
      })
      return secret ?? ''
    },
    async ask(method, path, { key, body, headers = {}, raw } = {}) {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          // Packing and unpacking every answer would be a tenth of the work.
          'accept-encoding': 'identity',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(raw !== undefined
          ? { body: raw, duplex: 'half' }
          : body === undefined
            ? {}
            : { body: JSON.stringify(body) }),
      } as RequestInit)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: parsed(text) }
    },
    async dispose() {
      await server.close()
      await opened.dispose()
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
