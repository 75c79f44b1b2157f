import { randomBytes } from 'node:crypto'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { Invoke } from '../handle.js'
import { readClaims, readConversation } from '../http/read-options.js'
import type { Privity } from '../open.js'
import { type AgentOptions, asAgent } from '../runtime/agent-caller.js'
import { type Access, inSession } from '../runtime/caller.js'
import { makeMcpServer } from './server.js'

interface FetchOptions {
  readonly onBug?: (error: unknown) => void
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
}

export interface McpHandler {
  /** Answers one request with this access. Authentication has already happened. */
  fetch(request: Request, access: Access, options?: FetchOptions): Promise<Response>
  /** Ends running requests. */
  close(): Promise<void>
}

/**
 * MCP over HTTP, stateless: nothing is kept between requests. A conversation is a name that a client gets and
 * repeats; it is valid only with the credential that it was given to, in every process of this store.
 */
export function makeMcpHandler(
  privity: Pick<Privity, 'invoke' | 'seal' | 'unseal'>,
  options: AgentOptions & { readonly version: string },
): McpHandler {
  const running = new Set<McpHttpHandler>()

  const fetch: McpHandler['fetch'] = async (request, access, { onBug, signal } = {}) => {
    const agent = asAgent(access, options)
    const given = request.headers.get(SESSION_HEADER)
    if (given !== null && !(await isNameOf(privity, given, agent))) return unknownConversation()
    // Without a name, everything is one conversation, so that labels add up instead of getting lost (WR-2).
    const credential = inSession(agent, given ?? readConversation(request.headers))
    // A gateway in front narrows what a model is shown, as it does for the HTTP API (DE-3).
    const claims = readClaims(request.headers)
    let hasSessions = false
    const handler = createMcpHandler(
      ({ era }) => {
        hasSessions = era === 'legacy'
        const invoke: Invoke = (name, input) => privity.invoke(credential, name, input, { ...claims, signal })
        return makeMcpServer(invoke, { version: options.version, onBug })
      },
      // The server never sends events, so there is nothing to subscribe to.
      { maxSubscriptions: 0 },
    )
    running.add(handler)
    try {
      const response = await handler.fetch(request)
      if (hasSessions && given === null) response.headers.set(SESSION_HEADER, makeName(privity, agent))
      return response
    } finally {
      running.delete(handler)
    }
  }

  return {
    fetch,
    async close() {
      await Promise.all([...running].map(handler => handler.close()))
    },
  }
}

const SESSION_HEADER = 'mcp-session-id'

/** A client that gets this answer starts a new conversation. */
const unknownConversation = () =>
  Response.json(
    { jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null },
    { status: 404 },
  )

const RANDOM_BYTES = 16

/** The name of a new conversation, sealed for its credential. */
const makeName = (privity: Pick<Privity, 'seal'>, access: Access) =>
  privity.seal(randomBytes(RANDOM_BYTES).toString('base64url'), nameContext(access))

const isNameOf = (privity: Pick<Privity, 'unseal'>, name: string, access: Access) =>
  privity.unseal(name, nameContext(access)).then(
    () => true,
    () => false,
  )

const nameContext = ({ credential }: Access) => `mcp conversation ${JSON.stringify(credential)}`
