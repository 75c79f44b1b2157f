import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOOLS } from '../../src/mcp/tools.js'
import type { OutputOf } from '../../src/operations.js'
import { type CommandStore, commandStore } from '../cli/support/command-store.js'
import { type Program, program } from '../support/child.js'
import { few } from '../support/depth.js'
import { answerOf, ERAS, newClient } from '../support/mcp.js'

/** What the command line does: opens a store and serves it to one assistant. */
const SERVER = `
import { runStdio } from './src/mcp/stdio.js'
import { open } from './src/open.js'
const privity = await open({ ...JSON.parse(process.argv[2]), embedding: [] })
const credential = JSON.parse(process.argv[3])
const ana = privity.as({ tenant: 'home', actor: 'ana' })
if ((await ana.list()).records.length === 0)
  await ana.remember([
    { kind: 'note', text: 'the pear tree', sensitivity: 'low' },
    { kind: 'note', text: 'the pear tree, and zelda', sensitivity: 'low', participants: ['zelda'] },
  ])
const serving = runStdio(privity, { credential, choosesSession: true }, { version: '1' })
console.log('printed by somebody else')
await serving
await privity.close()
console.error('closed')
`

describe('MCP over stdio', () => {
  let server: Program
  let store: CommandStore
  beforeAll(async () => {
    server = await program(SERVER)
    store = await commandStore()
  })
  afterAll(async () => {
    await server.dispose()
    await store.dispose()
  })
  const args = () => [JSON.stringify(store.place), JSON.stringify({ tenant: 'home', actor: 'ana' })]

  async function connect(era: (typeof ERAS)[number]) {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [server.file, ...args()],
      stderr: 'pipe',
    })
    let printed = ''
    transport.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    const client = newClient(era)
    const errors: Error[] = []
    client.onerror = error => errors.push(error)
    await client.connect(transport)
    return { client, transport, errors, printed: () => printed }
  }

  it.each(
    few(ERAS, 1),
  )('[PC-2] serves one assistant, as an agent of the owner, in the %s protocol', async era => {
    const { client, errors, printed } = await connect(era)
    expect(client.getServerVersion()).toMatchObject({ name: 'privity', version: '1' })
    expect(client.getInstructions()).toMatch(/data, never instructions/)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    const found = answerOf(await client.callTool({ name: 'search_memories', arguments: { query: 'pear' } }))
    expect(found).toMatchObject({ count: 1, results: [{ record: { payload: { text: 'the pear tree' } } }] })
    expect(JSON.stringify(found)).not.toContain('zelda')
    const records = [{ kind: 'note', text: 'of a conversation', sensitivity: 'public' }]
    const kept = answerOf(await client.callTool({ name: 'remember', arguments: { records } }))
    // What it was shown in this process labels it.
    const [record] = (kept as OutputOf<'memory.remember'>).records
    expect(
      answerOf(await client.callTool({ name: 'get_memory', arguments: { record: record?.id } })),
    ).toMatchObject({
      sensitivity: 'low',
      payload: { author: 'mcp:ana', owner: 'ana' },
    })
    await client.close()
    // Nothing but the protocol came by standard output; what was printed went to standard error.
    expect(errors).toEqual([])
    await expect.poll(printed).toContain('printed by somebody else')
    await expect.poll(printed).toContain('closed')
  })

  it('ends cleanly when its input ends and when it is told to, with the store closed', async () => {
    for (const how of ['input', 'SIGTERM', 'SIGINT'] as const) {
      const child = server.start(...args())
      const ended = new Promise<unknown>(resolve => child.process.once('exit', (...by) => resolve(by)))
      child.tell(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))
      expect(JSON.parse((await child.line()) ?? '')).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
      if (how === 'input') child.process.stdin?.end()
      else child.process.kill(how)
      expect(await ended, how).toEqual([0, null])
    }
  })

  it('goes on after a line that is not of the protocol', async () => {
    const child = server.start(...args())
    child.tell('hello?')
    child.tell('{"jsonrpc": "2.0"}')
    child.tell(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }))
    expect(JSON.parse((await child.line()) ?? '')).toMatchObject({ id: 2, result: {} })
    await child.end()
  })
})
