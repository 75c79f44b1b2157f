import { buildRequest, headersOf } from '../../src/client/build-request.js'
import { OPERATION_TABLE } from '../../src/generated/operation-table.js'
import { type Server, serve } from '../../src/http/serve.js'
import { TOOLS } from '../../src/mcp/tools.js'
import { assemble, type OpenOptions, openStore, type Privity } from '../../src/open.js'
import type { OperationName } from '../../src/operations.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { Clock } from '../../src/runtime/clock.js'
import type { RequestOptions } from '../../src/runtime/runtime.js'
import type { Database } from '../../src/storage/database.js'
import type { Connect, TestedPrivity } from '../../src/testing/index.js'
import { dataIn } from './mcp.js'

type Asked = Parameters<Privity['invoke']>
type Answer = Awaited<ReturnType<NonNullable<TestedPrivity['answer']>>>

/** What a door is told of a caller here, in place of a key: all that a credential says. */
const presented = (credential: Credential) =>
  `Bearer ${Buffer.from(JSON.stringify(credential)).toString('base64url')}`

/** A server over a store of its own that takes such callers, and gives requests ids of the clock. */
async function serveTo(privity: Privity, clock: Clock): Promise<Server> {
  return serve(privity, {
    port: 0,
    newRequestId: () => clock.newId('request'),
    authenticate: async authorization => {
      const token = authorization?.replace('Bearer ', '') ?? ''
      const credential = JSON.parse(Buffer.from(token, 'base64url').toString()) as Credential
      return { credential, choosesSession: false }
    },
  })
}

/** Everything that comes back but the time of day and the name of a new session, which is random. */
function wire(response: Response, body: string): string {
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'mcp-session-id')
  return JSON.stringify([response.status, headers, body])
}

/** Asks over HTTP. The text of an answer is its status, its headers and its bytes. */
async function overHttp(url: string, [credential, name, input, options]: Asked): Promise<Answer> {
  const operation = name as OperationName
  const { method, path, body } = buildRequest(operation, (input ?? {}) as object)
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: presented(credential),
      ...headersOf((options ?? {}) as RequestOptions),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  const answer = JSON.parse(text)
  const whole = wire(response, text)
  if (answer.success === true) return { ok: true, value: answer.data, text: whole }
  const isNull = response.status === 404 && OPERATION_TABLE[operation].answersNull === true
  return { ok: isNull, value: isNull ? null : answer.error, text: whole }
}

/** Calls a tool over MCP. */
async function overMcp(url: string, tool: string, [credential, , input]: Asked): Promise<Answer> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: presented(credential),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: input },
    }),
  })
  const text = await response.text()
  const whole = wire(response, text)
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  if (error !== undefined) return { ok: false, value: error, text: whole }
  const said = result.content[0].text
  return result.isError === true
    ? { ok: false, value: JSON.parse(said), text: whole }
    : { ok: true, value: dataIn(said), text: whole }
}

/** A set-up for the harness in which everything is asked over HTTP. */
export function connectOverHttp(options: OpenOptions): Connect {
  return connectOver(options, (url, asked) => overHttp(url, asked))
}

/** One whose door tells in a header how many records the tenant has, as a careless one might. */
export function connectOverLeakyHttp(options: OpenOptions): Connect {
  return connectOver(options, async (url, asked, db) => {
    const { tenant } = asked[0]
    const [row] = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
      tx.query<{ total: number }>('select count(*)::int as total from privity.records where tenant_id = $1', [
        tenant,
      ]),
    )
    const answer = await overHttp(url, asked)
    return { ...answer, text: answer.text.replace('[["', `[["x-total-count","${row?.total}"],["`) }
  })
}

/** One in which agents use tools where there is one for what they ask, and HTTP for the rest. */
export function connectOverMcp(options: OpenOptions): Connect {
  return connectOver(options, (url, asked) => {
    const [{ audience }, operation, , claims] = asked
    const tool = TOOLS.find(tool => tool.operation === operation)
    const fits =
      tool !== undefined && (audience === 'agent' || audience === 'recipient') && claims === undefined
    return fits ? overMcp(url, tool.name, asked) : overHttp(url, asked)
  })
}

function connectOver(
  options: OpenOptions,
  ask: (url: string, asked: Asked, db: Database) => Promise<Answer>,
): Connect {
  return async (clock, observe) => {
    const db = await openStore({ ...options, observe })
    const privity = await assemble(db, clock, options)
    const server = await serveTo(privity, clock)
    return {
      db,
      privity: {
        invoke: privity.invoke,
        caughtUp: privity.caughtUp,
        answer: (...asked) => ask(server.url, asked, db),
        async close() {
          await server.close()
          await privity.close()
        },
      },
    }
  }
}
