import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type McpHandler, makeMcpHandler } from '../../src/mcp/http.js'
import type { OutputOf } from '../../src/operations.js'
import type { Access, Credential } from '../../src/runtime/caller.js'
import { answerOf, connectTo, ERAS } from '../support/mcp.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { anyEngine } from '../support/stores.js'

describe('MCP over HTTP', () => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(anyEngine)
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const accessOf = (more: Partial<Credential> = {}, choosesSession = true): Access => ({
      credential: {
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'medium' },
        ...more,
      },
      choosesSession,
    })
    const handler = makeMcpHandler(store.privity, { version: '1' })
    return { accessOf, handler, ana: store.privity.as({ tenant, actor: 'ana' }) }
  }

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    new Request('http://privity.test/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  }
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
  const SESSION = 'mcp-session-id'

  it('gives a client a session and knows it again, in any order and number', async () => {
    const { accessOf, handler } = world()
    const first = await handler.fetch(post(initialize), accessOf())
    const session = first.headers.get(SESSION) ?? ''
    expect(session).toMatch(/^[\w-]{60,}$/)
    for (let again = 0; again < 3; again++) {
      const answer = await handler.fetch(post(list, { [SESSION]: session }), accessOf())
      expect(answer.status).toBe(200)
      expect(answer.headers.get(SESSION)).toBeNull()
      expect(await answer.text()).toContain('search_memories')
    }
    const second = await handler.fetch(post(initialize), accessOf())
    expect(second.headers.get(SESSION)).not.toBe(session)
  })

  it('[NI-5] answers for the session of another credential as for one that there never was', async () => {
    const { accessOf, handler } = world()
    const session = (await handler.fetch(post(initialize), accessOf())).headers.get(SESSION) ?? ''
    const seen = async (given: string, access: Access) => {
      const answer = await handler.fetch(post(list, { [SESSION]: given }), access)
      return [answer.status, [...answer.headers], await answer.text()]
    }
    const unknown = await seen('never', accessOf())
    expect(unknown[0]).toBe(404)
    expect(unknown[2]).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
    )
    const others = [
      accessOf({ actor: 'another' }),
      accessOf({ for: 'ben' }),
      accessOf({ tenant: store.tenant() }),
      accessOf({ trust: { maxSensitivity: 'low' } }),
      accessOf({ audience: 'recipient' }),
      accessOf({ key: '00000000-0000-4000-8000-000000000001' }),
    ]
    for (const other of others) expect(await seen(session, other)).toEqual(unknown)
    const last = session.at(-1) === 'A' ? 'Q' : 'A'
    for (const forged of ['', `${session}A`, session.slice(1), session.slice(0, -1) + last, `${session}=`])
      expect(await seen(forged, accessOf()), forged).toEqual(unknown)
    // Another process of the store knows it, another store does not.
    const status = async (privity: Parameters<typeof makeMcpHandler>[0]) =>
      (await makeMcpHandler(privity, { version: '1' }).fetch(post(list, { [SESSION]: session }), accessOf()))
        .status
    expect(await status(store.privity)).toBe(200)
    expect(
      await status({ ...store.privity, unseal: async () => Promise.reject(new Error('not ours')) }),
    ).toBe(404)
    expect((await seen(session, accessOf()))[0]).toBe(200)
  })

  it.each(
    ERAS,
  )('[WR-2] labels what is written by what was shown in the same conversation, in the %s protocol', async era => {
    const { accessOf, handler, ana } = world()
    const secret = await ana.remember({ kind: 'note', text: 'x', sensitivity: 'medium' })
    const talk = async (access: Access, headers: Record<string, string> = {}) => {
      const { client } = await connectTo(handler, access, era, headers)
      const call = async (name: string, args: object) =>
        answerOf(await client.callTool({ name, arguments: { ...args } }))
      return {
        look: () => call('get_memory', { record: secret.id }),
        write: async () => {
          const records = [{ kind: 'note', text: 'y', sensitivity: 'public' }]
          const written = (await call('remember', { records })) as OutputOf<'memory.remember'>
          return (await ana.get(written.records[0]?.id ?? ''))?.sensitivity
        },
      }
    }
    // Two conversations of a credential that may choose: by the session of the protocol, or by a name.
    const named = (session: string): Record<string, string> =>
      era === 'modern' ? { 'privity-session': session } : {}
    const [one, other] = [await talk(accessOf(), named('one')), await talk(accessOf(), named('other'))]
    await one.look()
    expect(await one.write()).toBe('medium')
    expect(await other.write()).toBe('public')
    // One that may not: all of its conversations are one.
    const fixed = accessOf({ actor: 'fixed' }, false)
    const [first, second] = [await talk(fixed, named('one')), await talk(fixed, named('other'))]
    await first.look()
    expect(await second.write()).toBe('medium')
  })

  it('[WR-2] takes requests that name no conversation as one', async () => {
    const { accessOf, handler, ana } = world()
    const { id } = await ana.remember({ kind: 'note', text: 'x', sensitivity: 'medium' })
    const call = async (name: string, args: object) => {
      const request = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name, arguments: args } }
      return (await handler.fetch(post(request), accessOf())).text()
    }
    expect(await call('get_memory', { record: id })).toContain(id)
    expect(
      await call('remember', { records: [{ kind: 'note', text: 'y', sensitivity: 'public' }] }),
    ).not.toContain('isError')
    const { records } = await ana.list({ limit: 1 })
    expect(records).toMatchObject([{ sensitivity: 'medium', payload: { text: 'y' } }])
  })

  it('opens no stream to listen on, and ends no session', async () => {
    const { accessOf, handler } = world()
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const request = new Request('http://privity.test/mcp', {
        method,
        headers: { accept: 'text/event-stream' },
      })
      expect((await handler.fetch(request, accessOf())).status, method).toBe(405)
    }
    const { client } = await connectTo(handler, accessOf(), 'modern')
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    })
  })

  it.each([
    ['no JSON', '{'],
    ['no message', '7'],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'memory.get', params: {} }],
    [
      'arguments that are none',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_memory', arguments: 'x' } },
    ],
    ['a batch that is too long', Array.from({ length: 200 }, (_, id) => ({ ...list, id }))],
  ])('refuses %s, and goes on', async (_, body) => {
    const { accessOf, handler } = world()
    const answer = await handler.fetch(post(body), accessOf())
    const text = await answer.text()
    expect(text).toContain('"error"')
    expect(text).not.toMatch(/at .*\.[jt]s/)
    expect((await handler.fetch(post(initialize), accessOf())).status).toBe(200)
  })

  it('refuses a body that is too large before it reads it, and one that is not said to be JSON', async () => {
    const { accessOf, handler } = world()
    const large = { ...list, params: { cursor: 'x'.repeat(5 * 1_048_576) } }
    expect((await handler.fetch(post(large), accessOf())).status).toBe(413)
    expect((await handler.fetch(post(list, { 'content-type': 'text/plain' }), accessOf())).status).toBe(415)
  })

  it('tells nothing of a bug', async () => {
    const { accessOf } = world()
    const bug = new TypeError('secret of /home/ana')
    const broken = makeMcpHandler({ ...store.privity, invoke: () => Promise.reject(bug) }, { version: '1' })
    const heard: unknown[] = []
    const hearing: McpHandler = {
      ...broken,
      fetch: (request, access) => broken.fetch(request, access, { onBug: error => heard.push(error) }),
    }
    const { client } = await connectTo(hearing, accessOf(), 'legacy')
    const answer = await client.callTool({ name: 'get_memory', arguments: {} })
    expect(answerOf(answer)).toEqual({ error: { code: 'internal', message: 'internal error' } })
    await expect(client.listResources()).rejects.toMatchObject({
      code: -32603,
      message: expect.not.stringMatching(/ana/),
    })
    expect(heard).toEqual([bug, bug])
  })
})
