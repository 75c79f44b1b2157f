import { buildRequest, headersOf } from '../../src/client/build-request.js'
import { OPERATION_TABLE } from '../../src/generated/operation-table.js'
import { type Server, serve } from '../../src/http/serve.js'
import { TOOLS } from '../../src/mcp/tools.js'
import { assemble, type OpenOptions, openStore, type Privity } from '../../src/open.js'
import type { OperationName } from '../../src/operations.js'
import { KEY_PREFIX } from '../../src/runtime/api-key.js'
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
      // The session of a browser stands for a key of the store.
      if (token.startsWith(KEY_PREFIX)) return privity.authenticate(token)
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
const overHttp = (url: string, asked: Asked): Promise<Answer> =>
  request(url, { authorization: presented(asked[0]) }, asked)

async function request(
  url: string,
  identity: Readonly<Record<string, string>>,
  [, name, input, options]: Asked,
): Promise<Answer> {
  const operation = name as OperationName
  const { method, path, body } = buildRequest(operation, (input ?? {}) as object)
  const response = await fetch(url + path, {
    method,
    headers: {
      ...identity,
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

/**
 * One in which people ask with the session of a browser, as the console does. Whatever an agent reads, its person looks
 * at as well, as that agent: both answers have to be equal in both histories.
 */
export function connectOverConsole(options: OpenOptions): Connect {
  const sessions = new Map<string, string | null>()
  const keyOf = (url: string, credential: Credential) => `${url} ${JSON.stringify(credential)}`
  /** The cookie of somebody's session; null for whoever may not sign in. */
  const sessionOf = async (url: string, credential: Credential) => {
    const key = keyOf(url, credential)
    const known = sessions.get(key)
    if (known !== undefined) return known
    const response = await fetch(`${url}/console/session`, {
      method: 'POST',
      headers: { 'privity-console': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ key: presented(credential).replace('Bearer ', '') }),
    })
    const cookie = response.ok ? (response.headers.get('set-cookie')?.split(';')[0] ?? null) : null
    sessions.set(key, cookie)
    return cookie
  }
  const overConsole = async (url: string, credential: Credential, asked: Asked) => {
    const ask = async () => {
      const cookie = await sessionOf(url, credential)
      return cookie === null ? null : request(url, { cookie, 'privity-console': '1' }, asked)
    }
    let answer = await ask()
    // Time goes by in a history, and a session lasts a day.
    if (answer?.text.startsWith('[401,')) {
      sessions.delete(keyOf(url, credential))
      answer = await ask()
    }
    if (answer === null) return null
    // The name of a session ends in a random number.
    return { ...answer, text: answer.text.replaceAll(/(Browser session \S+ \S+) [0-9a-f]{8}/g, '$1') }
  }
  return connectOver(options, async (url, asked) => {
    const [credential, name, input, claims] = asked
    const { audience = 'owner', for: person, tenant, key: _, ...viewer } = credential
    if (audience === 'owner' || audience === 'host')
      return (await overConsole(url, credential, asked)) ?? overHttp(url, asked)
    const answer = await overHttp(url, asked)
    const { reads } = OPERATION_TABLE[name as OperationName] as { reads?: boolean }
    if (audience !== 'agent' || person === undefined || reads !== true || claims !== undefined) return answer
    const looking: Asked = [{ tenant, actor: person }, name, input, { as: { ...viewer, audience } as never }]
    const looked = await overConsole(url, looking[0], looking)
    return looked === null ? answer : { ...answer, text: `${answer.text} ${looked.text}` }
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
