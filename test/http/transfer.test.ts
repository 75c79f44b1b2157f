import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../support/server.js'
import { engines } from '../support/stores.js'

describe.each(engines)('import and export over HTTP on %s', engine => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(engine, { requestTimeout: 1_000 })
  })
  afterAll(() => server.dispose())

  const headers = { 'content-type': 'application/x-ndjson' }
  const owner = () => server.keyFor({ tenant: server.tenant(), actor: 'ana' })
  const send = (key: string, raw: string | ReadableStream, query = '') =>
    server.ask('POST', `/api/v1/import${query}`, { key, raw, headers })
  const linesOf = (text: string) =>
    text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  const count = async (key: string) =>
    linesOf((await server.ask('GET', '/api/v1/export', { key })).text).length
  const note = (text: string, more: object = {}) => JSON.stringify({ kind: 'note', text, ...more })

  it('takes JSON lines, reports what is wrong with one, and keeps the others; again changes nothing', async () => {
    const key = await owner()
    const body = [note('one'), '{', note('two', { tags: ['x'] }), note('', {}), '', '[]'].join('\n')
    const answer = await send(key, body)
    expect(answer.status).toBe(200)
    const said = linesOf(answer.text)
    expect(said.filter(({ problem }) => problem).map(({ problem }) => problem.where)).toEqual([
      expect.stringContaining('2'),
      expect.stringContaining('4'),
      expect.stringContaining('6'),
    ])
    expect(said.at(-1)).toMatchObject({ done: { stored: 2, problems: 3, stopped: false } })
    expect(await count(key)).toBe(2)
    await send(key, body)
    expect(await count(key)).toBe(2)
  })

  it('gives back lines that another takes', async () => {
    const [from, to] = [await owner(), await owner()]
    await send(
      from,
      Array.from({ length: 450 }, (_, at) => note(`note ${at}`, { tags: [`t${at % 3}`] })).join('\n'),
    )
    const exported = await server.ask('GET', '/api/v1/export', { key: from })
    expect(exported.headers.get('content-type')).toContain('application/x-ndjson')
    expect(linesOf(exported.text)).toHaveLength(450)
    expect(linesOf((await send(to, exported.text)).text).at(-1)).toMatchObject({
      done: { stored: 450, problems: 0 },
    })
    const some = await server.ask('GET', '/api/v1/export?tags=t1', { key: to })
    expect(linesOf(some.text)).toHaveLength(150)
  })

  it('stores what arrives while more is still to come, for longer than a request may take', async () => {
    const key = await owner()
    const raw = new ReadableStream({
      async start(controller) {
        for (let at = 0; at < 4; at++) {
          controller.enqueue(Buffer.from(`${note(`slow ${at}`)}\n`))
          await new Promise(resolve => setTimeout(resolve, 400))
        }
        controller.close()
      },
    })
    expect(linesOf((await send(key, raw)).text).at(-1)).toMatchObject({ done: { stored: 4 } })
  })

  it('ends with an error as the last line where a body stops coming', async () => {
    const key = await owner()
    const raw = new ReadableStream({
      start: controller => controller.enqueue(Buffer.from(`${note('first')}\n`)),
    })
    const answer = await send(key, raw).catch((error: unknown) => error)
    if (answer instanceof Error) return
    expect(linesOf((answer as { text: string }).text).at(-1)).toMatchObject({ error: { code: 'timed_out' } })
  })

  it('[TR-2, CP-4] refuses as any other request', async () => {
    const tenant = server.tenant()
    const key = await server.keyFor({ tenant, actor: 'ana' })
    expect((await server.ask('GET', '/api/v1/export?limit=3', { key })).status).toBe(400)
    expect((await server.ask('GET', '/api/v1/export?kinds=nonsense', { key })).status).toBe(400)
    expect((await send(key, note('x'), '?strict=perhaps')).status).toBe(400)
    expect((await server.ask('POST', '/api/v1/import', { key, body: { kind: 'note' } })).status).toBe(400)
    const host = server.privity.as({ tenant, actor: 'warden', audience: 'host' })
    await host.policies.set({ policy: 'none', mode: 'deny_all_except' })
    const powerless = await server.keyFor({ tenant, actor: 'ben', policy: 'none' })
    expect((await server.ask('GET', '/api/v1/export', { key: powerless })).status).toBe(403)
    expect(linesOf((await send(powerless, note('x'))).text).at(-1)).toMatchObject({
      error: { code: 'not_allowed' },
    })
    expect(linesOf((await send(key, note('x'), '?dryRun=true')).text).at(-1)).toMatchObject({
      done: { problems: 0 },
    })
    expect(await count(key)).toBe(0)
  })

  it('[PC-2, TR-1] an agent exports what it may see, by its faces', async () => {
    const tenant = server.tenant()
    const key = await server.keyFor({ tenant, actor: 'ana' })
    await send(
      key,
      [
        note('low', { sensitivity: 'low' }),
        note('ben', { participants: ['ben'] }),
        note('high', { sensitivity: 'high' }),
        note('medium', { sensitivity: 'medium' }),
      ].join('\n'),
    )
    const agent = await server.keyFor({
      tenant,
      actor: 'bot',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    })
    const lines = linesOf((await server.ask('GET', '/api/v1/export', { key: agent })).text)
    expect(lines.map(({ text, exported }) => text ?? exported.face).sort()).toEqual(['low', 'metadata'])
  })
})
