import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, openTestServer, type TestServer } from '../support/server.js'
import { anyEngine, engines } from '../support/stores.js'

const told = ({ status, headers, body }: Answer) => ({
  status,
  retryAfter: headers.get('retry-after'),
  code: body.error?.code,
  message: body.error?.message,
})
const BUSY = { status: 503, retryAfter: '1', code: 'busy', message: 'the server is busy; try again' }

describe.each(engines)('a server with more to do than it can, on %s', engine => {
  let server: TestServer
  let key: string
  let tenant: string
  beforeAll(async () => {
    server = await openTestServer(engine, { maxRequests: 3 })
    tenant = server.tenant()
    key = await server.keyFor({ tenant, actor: 'ana' })
  })
  afterAll(() => server.dispose())

  const ask = () => server.ask('POST', '/api/v1/search', { key, body: { query: 'anything' } })

  it('[OP-8] answers others while many bodies are on their way', async () => {
    const ends: (() => void)[] = []
    const held = Array.from({ length: 12 }, () => {
      const raw = new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from('{"query":'))
          ends.push(() => {
            controller.enqueue(Buffer.from('"anything"}'))
            controller.close()
          })
        },
      })
      const headers = { 'content-type': 'application/json' }
      return server.ask('POST', '/api/v1/search', { key, raw, headers })
    })
    // Long enough for all of them to have begun.
    await new Promise(resolve => setTimeout(resolve, 300))
    for (let at = 0; at < 5; at++) expect((await ask()).status).toBe(200)
    for (const [at, end] of ends.entries()) {
      end()
      expect((await (held[at] as Promise<Answer>)).status).toBe(200)
    }
  })

  it('[NI-8] answers what it can and tells the rest, alike, to come back', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, ask))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(24)
    for (const answer of refused) expect(told(answer)).toEqual(BUSY)
    expect((await server.ask('GET', '/healthz')).status).toBe(200)
    expect((await ask()).status).toBe(200)
  })
})

describe('a server whose answers take too long', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer('postgres', { requestTimeout: 40 })
  })
  afterAll(() => server.dispose())

  it('[NI-8] gives the same answer as to too many, and finishes what it began', async () => {
    const tenant = server.tenant()
    const key = await server.keyFor({ tenant, actor: 'ana' })
    const records = Array.from({ length: 400 }, (_, at) => ({
      kind: 'note',
      text: `note ${at} ${'word '.repeat(50)}`,
    }))
    const late = await server.ask('POST', '/api/v1/records', { key, body: { records } })
    expect(told(late)).toEqual(BUSY)
    const ana = server.privity.as({ tenant, actor: 'ana' })
    await expect
      .poll(async () => (await ana.list({ limit: 200 })).records.length, { timeout: 10_000 })
      .toBe(200)
  })
})

describe('a server that is closed', () => {
  it('finishes the requests it has, takes no more, and says so where readiness is asked', async () => {
    const server = await openTestServer(anyEngine)
    const tenant = server.tenant()
    const key = await server.keyFor({ tenant, actor: 'ana' })
    const records = Array.from({ length: 300 }, (_, at) => ({ kind: 'note', text: `note ${at}` }))
    const writing = server.ask('POST', '/api/v1/records', { key, body: { records } })
    // Long enough for it to have begun, on any machine that can do it at all.
    await expect.poll(async () => (await server.ask('GET', '/healthz')).status, { timeout: 5_000 }).toBe(200)
    await new Promise(resolve => setTimeout(resolve, 20))
    const closing = server.server.close()
    const refused = await server.ask('GET', '/readyz').catch((error: unknown) => error)
    if (!(refused instanceof Error)) expect((refused as Answer).status).toBe(503)
    expect((await writing).status).toBe(200)
    await closing
    await expect(server.ask('GET', '/healthz')).rejects.toThrow()
    expect((await server.privity.as({ tenant, actor: 'ana' }).list({ limit: 200 })).records).toHaveLength(200)
    await server.dispose()
  })

  it('says clearly that a port is taken', async () => {
    const server = await openTestServer(anyEngine)
    const { serve } = await import('../../src/http/serve.js')
    await expect(serve(server.privity, { port: server.server.port })).rejects.toMatchObject({
      code: 'unavailable',
      message: `cannot listen on 127.0.0.1:${server.server.port}: the port is taken; choose another`,
    })
    await server.dispose()
  })
})
