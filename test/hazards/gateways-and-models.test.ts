import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { privityTools } from '../../src/adapters/ai-sdk.js'
import { PrivityRetriever } from '../../src/adapters/langchain.js'
import { connect } from '../../src/client/index.js'
import { runStdio } from '../../src/mcp/stdio.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

describe('what a model is given with somebody’s key', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(anyEngine)
  })
  afterAll(() => server.dispose())

  async function world() {
    const tenant = server.tenant()
    const ana = server.privity.as({ tenant, actor: 'ana' })
    const kept = await ana.remember([
      { kind: 'note', text: 'tea for all', sensitivity: 'low' },
      { kind: 'note', text: 'tea of the house', sensitivity: 'medium' },
      { kind: 'note', text: 'tea of the firm', sensitivity: 'low', scope: 'work' },
      { kind: 'note', text: 'tea of the club', sensitivity: 'low', scope: 'club' },
      { kind: 'note', text: 'tea in secret', sensitivity: 'hyper' },
      { kind: 'episodic', text: 'tea with Ben', sensitivity: 'low', participants: ['ana', 'ben'] },
    ])
    return { tenant, ana, ids: kept.map(({ id }) => id) }
  }
  const helper = {
    actor: 'helper',
    audience: 'agent',
    for: 'ana',
    trust: { maxSensitivity: 'medium' },
  } as const

  const call = (name: string, input: object) => ({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name, arguments: input },
  })
  const overMcp = async (key: string, headers: Record<string, string>) => {
    const answer = await server.ask('POST', '/mcp', {
      key,
      body: call('search_memories', { query: 'tea', mode: 'text' }),
      headers: { accept: 'application/json, text/event-stream', ...headers },
    })
    return { status: answer.status, text: answer.text, found: textsIn(answer.text) }
  }
  const overHttp = async (key: string, headers: Record<string, string>) => {
    const answer = await server.ask('POST', '/api/v1/search', {
      key,
      body: { query: 'tea', mode: 'text' },
      headers,
    })
    return { status: answer.status, text: answer.text, found: textsIn(answer.text) }
  }

  it('[DE-3] the headers that narrow the HTTP API narrow MCP as much', async () => {
    const { tenant } = await world()
    const key = await server.keyFor({ tenant, ...helper })
    const narrowings: Record<string, string>[] = [
      {},
      { 'privity-trust': '{"maxSensitivity":"low"}' },
      { 'privity-trust': '{"maxSensitivity":"low","scopes":["work"]}' },
      { 'privity-respect-consent': 'false' },
      { 'privity-profile': '00000000-0000-4000-8000-000000000001' },
    ]
    for (const headers of narrowings) {
      const [api, mcp] = [await overHttp(key, headers), await overMcp(key, headers)]
      expect(mcp.found, JSON.stringify(headers)).toEqual(api.found)
    }
    expect((await overMcp(key, {})).found).toEqual([
      'tea for all',
      'tea of the club',
      'tea of the firm',
      'tea of the house',
    ])
    expect((await overMcp(key, { 'privity-trust': '{"maxSensitivity":"low"}' })).found).not.toContain(
      'tea of the house',
    )
    expect(
      (await overMcp(key, { 'privity-trust': '{"maxSensitivity":"low","scopes":["work"]}' })).found,
    ).toEqual(['tea for all', 'tea of the firm'])
  })

  it('[DE-3] a profile of the person narrows the model that comes with their key', async () => {
    const { tenant, ana } = await world()
    const key = await server.keyFor({ tenant, actor: 'ana' })
    const { profile } = await ana.profiles.create({ maxResultCount: 1 })
    await ana.profiles.activate(profile)
    expect((await overMcp(key, {})).found).toHaveLength(4)
    expect((await overMcp(key, { 'privity-profile': profile })).found).toHaveLength(1)
    const other = await server.privity.as({ tenant, actor: 'ben' }).profiles.create({})
    const [theirs, unknown] = [
      await overMcp(key, { 'privity-profile': other.profile }),
      await overMcp(key, { 'privity-profile': '00000000-0000-4000-8000-000000000001' }),
    ]
    const codeOf = ({ text }: { text: string }) => /not_found/.exec(text)?.[0]
    expect([codeOf(theirs), codeOf(unknown), theirs.found]).toEqual(['not_found', 'not_found', []])
  })

  it('[DE-3] a malformed value is an error and never an answer', async () => {
    const { tenant } = await world()
    const key = await server.keyFor({ tenant, ...helper })
    for (const [header, value, says] of [
      ['privity-trust', 'low', 'Privity-Trust: must be a JSON object'],
      ['privity-respect-consent', 'yes', 'Privity-Respect-Consent: must be true or false'],
      ['privity-for-model', '1', 'Privity-For-Model: must be true or false'],
      ['privity-profile', '%', 'Privity-Profile: must be percent-encoded UTF-8'],
    ] as const) {
      const [api, mcp] = [await overHttp(key, { [header]: value }), await overMcp(key, { [header]: value })]
      expect([api.status, mcp.status], header).toEqual([400, 400])
      expect(mcp.text).toContain(says)
      expect(api.text).toContain(says)
    }
    for (const [header, value] of [
      ['privity-trust', '{"maxSensitivity":"none of them"}'],
      ['privity-profile', 'mine'],
    ] as const) {
      const mcp = await overMcp(key, { [header]: value })
      expect(mcp.text).toContain('invalid_input')
      expect(mcp.found).toEqual([])
    }
  })

  it('[DE-3] claims narrow a model on standard input and output as well', async () => {
    const { tenant, ana } = await world()
    const { profile } = await ana.profiles.create({ maxResultCount: 1 })
    await ana.profiles.activate(profile)
    const foundWith = async (claims: object) => {
      const [stdin, stdout] = [new PassThrough(), new PassThrough()]
      let said = ''
      stdout.on('data', chunk => {
        said += chunk
      })
      const access = { credential: { tenant, actor: 'ana' }, choosesSession: true }
      const ended = runStdio(server.privity, access, { version: '1', claims, stdin, stdout })
      const hello = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`)
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
      stdin.write(`${JSON.stringify(call('search_memories', { query: 'tea', mode: 'text' }))}\n`)
      await expect.poll(() => said.split('\n').length, { timeout: 10_000 }).toBeGreaterThan(2)
      stdin.end()
      await ended
      return textsIn(said)
    }
    expect(await foundWith({})).toHaveLength(4)
    expect(await foundWith({ profile })).toHaveLength(1)
    expect(await foundWith({ trust: { maxSensitivity: 'low', scopes: ['work'] } })).toEqual([
      'tea for all',
      'tea of the firm',
    ])
  })

  it.each(['library', 'client'])('[PC-2] adapters over the %s make an agent of a person', async kind => {
    const { tenant, ana, ids } = await world()
    const handleOf = async (credential: typeof helper | { actor: string }) =>
      kind === 'library'
        ? server.privity.as({ tenant, ...credential })
        : connect({ url: server.url, key: await server.keyFor({ tenant, ...credential }) })
    const hers = await handleOf({ actor: 'ana' })
    const search = { mode: 'text' } as const
    const retrieved = async (request = {}, handle = hers) =>
      textsIn(JSON.stringify(await new PrivityRetriever({ handle, search, request }).invoke('tea')))
    const key = await server.keyFor({ tenant, actor: 'ana' })
    expect(await retrieved()).toEqual((await overMcp(key, {})).found)
    expect(await retrieved()).toEqual([
      'tea for all',
      'tea of the club',
      'tea of the firm',
      'tea of the house',
    ])
    // No option of a request switches it off, and a trust context says how sensitive a record may be.
    expect(await retrieved({ forModel: false, respectConsent: false })).toEqual(await retrieved())
    expect(await retrieved({ trust: { maxSensitivity: 'hyper' } })).toEqual([
      'tea for all',
      'tea in secret',
      'tea of the club',
      'tea of the firm',
      'tea of the house',
    ])
    // The handle of an agent stays what it is.
    const trusted = await handleOf({ ...helper, trust: { maxSensitivity: 'hyper' } } as never)
    expect(await retrieved({}, trusted)).toContain('tea in secret')

    const tools = privityTools(hers, { search })
    const run = async (tool: { execute?: unknown }, input: object) =>
      textsIn(await (tool.execute as (input: object, options: object) => Promise<string>)(input, {}))
    expect(await run(tools.searchMemories, { query: 'tea' })).toEqual(await retrieved())
    for (const [at, seen] of [1, 1, 1, 1, 0, 0].entries())
      expect(await run(tools.getMemory, { record: ids[at] }), ids[at]).toHaveLength(seen)
    await run(tools.remember, { kind: 'note', text: 'tea for all, again' })
    const { records } = await ana.list({ limit: 1 })
    expect(records[0]?.payload).toMatchObject({ owner: 'ana', author: 'mcp:ana' })
    await ana.people.consent({ person: 'ben', status: 'granted' })
    expect(await retrieved()).toContain('tea with Ben')
  })
})

/** The texts of the records in an answer, whatever form it has. */
function textsIn(answer: string): string[] {
  return [
    ...new Set(
      answer.match(/tea (?:for all|of the house|of the firm|of the club|in secret|with Ben)/g) ?? [],
    ),
  ].sort()
}
