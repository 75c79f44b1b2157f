import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildRequest, headersOf } from '../../src/client/build-request.js'
import { connect } from '../../src/client/index.js'
import { OPERATION_TABLE } from '../../src/generated/operation-table.js'
import { leanAnswer } from '../../src/mcp/lean.js'
import { TOOLS } from '../../src/mcp/tools.js'
import type { OperationName } from '../../src/operations.js'
import type { Credential } from '../../src/runtime/caller.js'
import { testClock } from '../../src/testing/clock.js'
import { few } from '../support/depth.js'
import { answerOf } from '../support/mcp.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

type Caller = Omit<Credential, 'tenant'>
interface Request {
  readonly operation: OperationName
  readonly input: object
}
interface Case {
  readonly title: string
  readonly world: readonly {
    readonly as: string | Caller
    readonly do: OperationName
    readonly keep?: string
    readonly input: object
  }[]
  readonly caller: Caller
  readonly request: Request
  readonly expect: { readonly data?: unknown; readonly error?: object }
}
type Outcome = { readonly data: unknown } | { readonly error: object }
type Door = (credential: Credential, request: Request) => Promise<Outcome>

const FOLDER = new URL('../cases/', import.meta.url)
const CASES = readdirSync(FOLDER).flatMap(
  file => parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Case[],
)
/** What is asked on the command line too, a process for each: outside the deep run a few. */
const ON_COMMAND_LINE = new Set(few(CASES, 3))
const CLI = new URL('../../dist/cli/main.js', import.meta.url).pathname

/** An error but for the name of its request, which is another one each time. */
const said = ({ code, message, reason }: { code: string; message: string; reason?: string }): Outcome => ({
  error: { code, message, ...(reason === undefined ? {} : { reason }) },
})

/** A cursor is sealed for the credential that got it, and doors that take keys have one each (NI-9). */
const withoutCursor = (outcome: unknown): unknown =>
  JSON.parse(JSON.stringify(outcome), (name, value) =>
    name === 'cursor' && typeof value === 'string' ? 'a cursor' : value,
  )

describe('cases through every door', () => {
  const clock = testClock()
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(anyEngine, { newRequestId: () => clock.newId('request') }, { clock })
  })
  afterAll(() => server.dispose())

  const library: Door = async (credential, { operation, input }) => {
    try {
      return { data: await server.privity.invoke(credential, operation, input) }
    } catch (error) {
      return said(error as { code: string; message: string })
    }
  }
  const http: Door = async (credential, { operation, input }) => {
    const { method, path, body } = buildRequest(operation, input)
    const answer = await server.ask(method, path, {
      key: await server.keyFor(credential),
      headers: headersOf({}),
      ...(body === undefined ? {} : { body: JSON.parse(body) }),
    })
    if (answer.body.success) return { data: answer.body.data }
    // Where the library answers null, HTTP has a status for it.
    const isNull = answer.status === 404 && OPERATION_TABLE[operation].answersNull
    return isNull ? { data: null } : said(answer.body.error)
  }
  const client: Door = async (credential, { operation, input }) => {
    const handle = connect({ url: server.url, key: await server.keyFor(credential) })
    try {
      return { data: await handle.invoke(operation, input) }
    } catch (error) {
      return said(error as { code: string; message: string })
    }
  }
  const mcp: Door = async (credential, { operation, input }) => {
    const tool = TOOLS.find(tool => tool.operation === operation)
    // Whoever comes through MCP is an agent, and has tools for some of what there is.
    if (tool === undefined || credential.audience !== 'agent')
      return library(credential, { operation, input })
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${await server.keyFor(credential)}` } },
    })
    const connected = new Client({ name: 'test', version: '1' })
    await connected.connect(transport)
    const result = await connected.callTool({ name: tool.name, arguments: input as Record<string, unknown> })
    await connected.close()
    const answer = answerOf(result as Parameters<typeof answerOf>[0])
    const failed = answer as { error?: { code: string; message: string } } | null
    return result.isError === true && failed?.error ? said(failed.error) : { data: answer }
  }
  const cli: Door = async (credential, { operation, input }) => {
    const key = await server.keyFor(credential)
    const args = [CLI, 'call', operation, JSON.stringify(input), '--json', '--url', server.url, '--key', key]
    const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>(resolve =>
      execFile(process.execPath, args, (_, stdout, stderr) => resolve({ stdout, stderr })),
    )
    return stdout.trim() === '' ? said(JSON.parse(stderr).error) : { data: JSON.parse(stdout) }
  }

  const leanOutcome = (outcome: Outcome): Outcome =>
    'data' in outcome ? { ...outcome, data: leanAnswer(outcome.data) } : outcome
  const DOORS: Record<string, Door> = { library, http, client, mcp, cli }

  it.each(CASES.map(one => [one.title, one] as const))('%s', async (_, one) => {
    const answers: Record<string, Outcome> = {}
    for (const [name, door] of Object.entries(DOORS)) {
      if (door === cli && !ON_COMMAND_LINE.has(one)) continue
      // The same world each time, in a tenant of its own, with the same ids.
      const tenant = server.tenant()
      const kept = new Map<string, string>()
      const named = <Value>(value: Value): Value =>
        JSON.parse(JSON.stringify(value).replace(/"\$(\w+)"/g, (_, name) => JSON.stringify(kept.get(name))))
      for (const [at, step] of one.world.entries()) {
        clock.seed(`${one.title} ${at}`)
        const by = typeof step.as === 'string' ? { actor: step.as } : step.as
        const made = await server.privity.invoke({ ...by, tenant }, step.do, named(step.input))
        const { id, records } = made as { id?: string; records?: { id: string }[] }
        if (step.keep !== undefined) kept.set(step.keep, id ?? records?.[0]?.id ?? '')
      }
      clock.seed(one.title)
      answers[name] = await door({ ...one.caller, tenant }, named(one.request))
      if (door !== mcp) expect(answers[name], name).toMatchObject(named(one.expect))
    }
    for (const [name, answer] of Object.entries(answers)) {
      // A model is told the same in fewer words.
      const told = name === 'mcp' ? leanOutcome : (same: Outcome) => same
      expect(withoutCursor(told(answer)), name).toEqual(withoutCursor(told(answers.library as Outcome)))
    }
  })

  it('[CP-4] cover every tool of MCP', () => {
    const asked = new Set(
      CASES.filter(({ caller }) => caller.audience === 'agent').map(({ request }) => request.operation),
    )
    const missing = TOOLS.filter(({ operation }) => !asked.has(operation)).map(({ name }) => name)
    // Their answers depend on what the same caller asked before: they have tests of their own.
    expect(missing.sort()).toEqual([
      'capture_conversation',
      'change_memory',
      'gather_context',
      'my_change_requests',
      'my_consent_requests',
      'why_refused',
    ])
  })
})
