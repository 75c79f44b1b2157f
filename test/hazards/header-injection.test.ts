import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawHttp } from '../support/raw-http.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

describe('headers that try to be more than headers', () => {
  let server: TestServer
  let key: string
  let id: string
  beforeAll(async () => {
    server = await openTestServer(anyEngine, { origins: ['https://app.example'] })
    const tenant = server.tenant()
    key = await server.keyFor({ tenant, actor: 'ana', choosesSession: true })
    ;({ id } = await server.privity.as({ tenant, actor: 'ana' }).remember({ kind: 'note', text: 'kept' }))
  })
  afterAll(() => server.dispose())

  const get = (headers: string, path = '/api/v1/records') =>
    rawHttp(server.server.port, `GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`)
  const auth = () => `Authorization: Bearer ${key}`

  it('a foreign name in Host reaches nothing, so that no page can make its name point here', async () => {
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'localhost:80@evil.example',
      '127.0.0.1.nip.io',
      'evil.example:7171',
      '',
      'localhost evil',
      'LOCALHOST.',
    ]) {
      const answer = await get(`Host: ${host}\r\n${auth()}`)
      expect(answer, host).toMatch(/^HTTP\/1\.1 40[03] /)
      expect(answer).not.toContain('kept')
    }
    for (const host of ['localhost', 'LocalHost:1', '127.0.0.1:99', '[::1]'])
      expect(await get(`Host: ${host}\r\n${auth()}`), host).toMatch(/^HTTP\/1\.1 200 /)
    expect(await get(auth())).toMatch(/^HTTP\/1\.1 400 /)
    // Health as well: whoever asks under a foreign name has lost its way, or wants others to.
    expect(await get('Host: evil.example', '/healthz')).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('other sites may not ask, whatever they hold, unless they were named', async () => {
    const ask = (headers: Record<string, string>, method = 'GET') =>
      server.ask(method, '/api/v1/records', { key, headers })
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://app.example.evil.example' },
      { origin: 'http://app.example' },
      { origin: `${server.url}.evil.example` },
    ]) {
      const answer = await ask(headers)
      expect([answer.status, answer.headers.get('access-control-allow-origin')], headers.origin).toEqual([
        403,
        null,
      ])
      expect(answer.text).not.toContain('kept')
    }
    const cross = await get(`Host: localhost\r\n${auth()}\r\nSec-Fetch-Site: cross-site`)
    expect(cross).toMatch(/^HTTP\/1\.1 403 /)
    const named = await ask({ origin: 'https://app.example' })
    expect([named.status, named.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://app.example',
    ])
    expect(named.headers.get('access-control-allow-credentials')).toBeNull()
    const asked = await ask(
      { origin: 'https://app.example', 'access-control-request-method': 'POST' },
      'OPTIONS',
    )
    expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([
      204,
      expect.stringContaining('POST'),
    ])
    expect((await ask({ origin: server.url })).status).toBe(200)
  })

  it('nothing that a caller sends comes back as a header', async () => {
    const nasty = encodeURIComponent('x\r\nSet-Cookie: a=b\r\n\r\n<script>')
    for (const headers of [
      { 'idempotency-key': nasty },
      { 'privity-session': nasty },
      { 'if-match': `"${nasty}"` },
      { 'x-request-id': 'chosen-by-the-caller' },
      { traceparent: 'not a trace' },
    ]) {
      const answer = await server.ask('POST', '/api/v1/records/relabel', {
        key,
        headers,
        body: { record: id, sensitivity: 'low' },
      })
      const told = JSON.stringify([...answer.headers]) + answer.text
      expect(told).not.toMatch(/set-cookie|script|chosen-by-the-caller/i)
    }
    expect(await get(`Host: localhost\r\n${auth()}\r\nX-Bad: a\rb`)).not.toMatch(/ 200 /)
    expect(await get(`Host: localhost\r\n${auth()}`, '/api/v1/records%0d%0aSet-Cookie:a=b')).not.toMatch(
      /^set-cookie/im,
    )
    expect(await get(`Host: localhost\r\n${auth()}\r\nX-Long: ${'x'.repeat(40_000)}`)).toMatch(
      /^HTTP\/1\.1 431 /,
    )
  })

  it('no header says who the caller is', async () => {
    const other = await server.privity
      .as({ tenant: 'another', actor: 'ana' })
      .remember({ kind: 'note', text: 'theirs' })
    for (const headers of [
      { 'x-tenant': 'another' },
      { 'privity-tenant': 'another' },
      { 'x-forwarded-user': 'ben' },
      { 'privity-audience': 'host' },
      { 'x-original-url': '/healthz' },
      { 'x-http-method-override': 'DELETE' },
    ]) {
      expect((await server.ask('GET', `/api/v1/records/${other.id}`, { key, headers })).status).toBe(404)
      expect((await server.ask('GET', `/api/v1/records/${id}`, { key, headers })).status).toBe(200)
    }
  })
})
