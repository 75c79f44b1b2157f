import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { bothEngines } from '../support/stores.js'

const ID = '00000000-0000-4000-8000-000000000000'

describe.each(bothEngines)('HTTP on %s', engine => {
  let server: TestServer
  const lines: string[] = []
  beforeAll(async () => {
    const logger = pino({}, { write: line => void lines.push(line) })
    server = await openTestServer(engine, { logger, metricsToken: 'collect me', maxBodyBytes: 100_000 })
  })
  afterAll(() => server.dispose())

  async function world() {
    const tenant = server.tenant()
    const key = await server.keyFor({ tenant, actor: 'ana' })
    const agent = await server.keyFor({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    })
    return { tenant, key, agent }
  }
  const remember = async (key: string, record: object) =>
    (await server.ask('POST', '/api/v1/records', { key, body: { records: [{ kind: 'note', ...record }] } }))
      .body.data.records[0].id as string

  it('[CP-4] answers in one envelope, and refuses in one', async () => {
    const { key } = await world()
    const id = await remember(key, { text: 'kept' })
    const got = await server.ask('GET', `/api/v1/records/${id}`, { key })
    expect(got.status).toBe(200)
    expect(got.body).toEqual({ success: true, data: expect.objectContaining({ id, face: 'full' }) })
    expect(got.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const absent = await server.ask('GET', `/api/v1/records/${ID}`, { key })
    expect(absent.status).toBe(404)
    expect(absent.body).toEqual({
      success: false,
      error: { code: 'not_found', message: 'not found', requestId: absent.headers.get('x-request-id') },
    })
    const wrong = await server.ask('POST', '/api/v1/search', { key, body: { query: 7, nonsense: true } })
    expect(wrong.status).toBe(400)
    expect(wrong.body.error).toMatchObject({
      code: 'invalid_input',
      message: 'query: must be of type string; unknown field nonsense',
    })
  })

  it('[TR-2] knows nobody without a credential, but for health and what describes the server', async () => {
    const paths = ['/api/v1/records', '/api/v1/no/such', '/metrics', '/mcp', '/api/v1/export']
    for (const path of paths) {
      const answer = await server.ask('GET', path)
      expect(answer.status, path).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.body.error).toMatchObject({
        code: 'unauthenticated',
        message: 'a valid credential is required',
      })
    }
    for (const path of ['/healthz', '/readyz', '/', '/reference', '/openapi.json'])
      expect((await server.ask('GET', path)).status, path).toBe(200)
    expect((await server.ask('GET', '/elsewhere')).status).toBe(404)
  })

  it('reads fields from the path, the query and the body, each as its type', async () => {
    const { key } = await world()
    const id = await remember(key, { text: 'tagged', tags: ['a', 'b'], fields: { size: 3 } })
    await remember(key, { text: 'plain' })
    const listed = async (query: string) =>
      (await server.ask('GET', `/api/v1/records?${query}`, { key })).body.data.records.map(
        (record: { id: string }) => record.id,
      )
    expect(await listed('tags=a&tags=b')).toEqual([id])
    expect(await listed('tags=a&kinds=note&limit=1')).toEqual([id])
    expect(await listed(`fields=${encodeURIComponent('{"size":3}')}`)).toEqual([id])
    expect(await listed(`createdAfter=${encodeURIComponent('2000-01-01T00:00:00+01:00')}&tags=a`)).toEqual([
      id,
    ])
    for (const [query, message] of [
      ['limit=many', 'limit: must be of type number'],
      ['limit=1&limit=2', 'limit: is given more than once'],
      ['nonsense=1', 'unknown field nonsense'],
      ['fields=x', 'fields: must be of type record'],
    ]) {
      const answer = await server.ask('GET', `/api/v1/records?${query}`, { key })
      expect([answer.status, answer.body.error.message], query).toEqual([400, message])
    }
    const twice = await server.ask('POST', `/api/v1/records/${id}/reinforce`, { key, body: { record: ID } })
    expect(twice.body.error.message).toBe('record: is in the path already; leave it out here')
  })

  it('[NI-9] has ETags of the face, for reading again and for changing what was read', async () => {
    const { key } = await world()
    const id = await remember(key, { text: 'kept' })
    const { headers } = await server.ask('GET', `/api/v1/records/${id}`, { key })
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    const again = await server.ask('GET', `/api/v1/records/${id}`, {
      key,
      headers: { 'if-none-match': etag },
    })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    const body = { record: id, sensitivity: 'high' }
    const relabel = (tag: string) =>
      server.ask('POST', '/api/v1/records/relabel', { key, body, headers: { 'if-match': tag } })
    expect((await relabel('"stale"')).body.error).toMatchObject({ code: 'version_conflict' })
    expect((await relabel('"stale"')).status).toBe(412)
    expect((await relabel('unquoted')).status).toBe(400)
    expect((await relabel('*')).status).toBe(400)
    expect((await relabel(etag)).status).toBe(200)
    expect((await relabel(etag)).status).toBe(412)
    const other = await server.ask('GET', `/api/v1/records/${id}`, {
      key,
      headers: { 'if-none-match': etag },
    })
    expect(other.status).toBe(200)
  })

  it('[NI-9] pages by cursors that belong to their caller', async () => {
    const { key, agent } = await world()
    for (const text of ['one', 'two', 'three']) await remember(key, { text, sensitivity: 'public' })
    const first = await server.ask('GET', '/api/v1/records?limit=2', { key })
    const { cursor } = first.body.data
    const rest = await server.ask('GET', `/api/v1/records?limit=2&cursor=${cursor}`, { key })
    expect(rest.body.data.records).toHaveLength(1)
    const stolen = await server.ask('GET', `/api/v1/records?limit=2&cursor=${cursor}`, { key: agent })
    expect(stolen.body.error.code).toBe('invalid_input')
  })

  it('does a write once for an idempotency key, and says so when the key was used for another', async () => {
    const { key } = await world()
    const ask = (text: string) =>
      server.ask('POST', '/api/v1/records', {
        key,
        body: { records: [{ kind: 'note', text }] },
        headers: { 'idempotency-key': encodeURIComponent('schlüssel 1') },
      })
    const [one, two] = [await ask('once'), await ask('once')]
    expect(two.body.data).toEqual(one.body.data)
    expect((await ask('twice')).status).toBe(409)
    expect((await server.ask('GET', '/api/v1/records', { key })).body.data.records).toHaveLength(1)
  })

  it('[DE-4] names the request in a refusal as the audit and the log name it', async () => {
    const { key, agent, tenant } = await world()
    const refused = await server.ask('POST', '/api/v1/records/forget', {
      key: agent,
      body: { records: [ID] },
    })
    expect(refused.status).toBe(403)
    const { requestId } = refused.body.error
    expect(refused.headers.get('x-request-id')).toBe(requestId)
    expect(lines.join('')).toContain(requestId)
    const why = await server.ask('GET', `/api/v1/requests/${requestId}/refusal`, { key: agent })
    expect(why.body.data).toMatchObject({ requestId, operation: 'memory.forget', code: 'not_allowed' })
    expect((await server.ask('GET', `/api/v1/requests/${requestId}/refusal`, { key })).status).toBe(404)
    expect(tenant).toBeTruthy()
  })

  it('[DE-3, PC-3, TR-2] takes claims as requests to narrow', async () => {
    const { key, agent } = await world()
    const secret = await remember(key, { text: 'secret', sensitivity: 'high' })
    const shy = await remember(key, { text: 'of ben', sensitivity: 'public', participants: ['ben'] })
    const get = async (id: string, who: string, headers: Record<string, string> = {}) =>
      (await server.ask('GET', `/api/v1/records/${id}`, { key: who, headers })).status
    const claim = (maxSensitivity: string) => ({ 'privity-trust': JSON.stringify({ maxSensitivity }) })
    expect(await get(secret, key)).toBe(200)
    expect(await get(secret, key, claim('low'))).toBe(404)
    expect(await get(secret, agent, claim('hyper'))).toBe(404)
    expect(await get(shy, key)).toBe(200)
    expect(await get(shy, key, { 'privity-respect-consent': 'true' })).toBe(404)
    expect(await get(shy, agent, { 'privity-respect-consent': 'false' })).toBe(404)
    expect(await get(shy, key, { 'privity-respect-consent': 'maybe' })).toBe(400)
    expect(await get(shy, key, { 'privity-trust': '{' })).toBe(400)
  })

  it('compresses what is worth it', async () => {
    const { key } = await world()
    const id = await remember(key, { text: 'word '.repeat(2_000) })
    const response = await fetch(`${server.url}/api/v1/records/${id}`, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    })
    const plain = Buffer.from(await response.arrayBuffer())
    const { request } = await import('node:http')
    const zipped = await new Promise<Buffer>((resolve, reject) =>
      request(
        `${server.url}/api/v1/records/${id}`,
        { headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' } },
        async answer => {
          expect(answer.headers['content-encoding']).toBe('gzip')
          const chunks: Buffer[] = []
          for await (const chunk of answer) chunks.push(chunk)
          resolve(Buffer.concat(chunks))
        },
      )
        .on('error', reject)
        .end(),
    )
    expect(zipped.length).toBeLessThan(plain.length / 5)
    expect(gunzipSync(zipped).equals(plain)).toBe(true)
  })

  it('[OP-7] counts and logs requests without anything that anybody wrote', async () => {
    const { key, tenant } = await world()
    const word = 'unspeakable'
    const id = await remember(key, { text: word, tags: [word] })
    await server.ask('POST', '/api/v1/search', { key, body: { query: word } })
    await server.ask('GET', `/api/v1/records?tags=${word}`, { key })
    await server.ask('GET', `/api/v1/${word}`, { key })
    await server.ask('GET', `/api/v1/records/${id}`, { key: `privity_${word}` })
    const metrics = await server.ask('GET', '/metrics', { headers: { authorization: 'Bearer collect me' } })
    expect(metrics.text).toMatch(
      /privity_http_requests_total\{route="memory.search",method="POST",status="200"\} \d/,
    )
    expect(metrics.text).toMatch(/privity_http_request_seconds_count\{route="memory.remember"\} \d/)
    expect(metrics.text).toContain('process_resident_memory_bytes')
    // Alerts and the dashboard ask for nothing that is not there.
    for (const file of ['prometheus-rules.yaml', 'grafana-dashboard.json']) {
      const asked =
        (await readFile(`deploy/${file}`, 'utf8')).match(/\b(privity|process|nodejs)_[a-z_\d]+/g) ?? []
      expect(asked.length, file).toBeGreaterThan(4)
      for (const name of new Set(asked))
        expect(metrics.text, `${name} of ${file}`).toMatch(new RegExp(`^${name}[ {]`, 'm'))
    }
    const told = lines.join('') + metrics.text
    for (const secret of [word, id, key, key.split('.')[2] ?? '', tenant]) expect(told).not.toContain(secret)
    const line = JSON.parse(lines.findLast(text => text.includes('memory.search')) ?? '{}')
    expect(line).toMatchObject({ method: 'POST', route: 'memory.search', status: 200 })
    expect(
      (await server.ask('GET', '/metrics', { headers: { authorization: 'Bearer collect' } })).status,
    ).toBe(401)
  })

  it('[CP-4] has every operation', async () => {
    const { key } = await world()
    const { body } = await server.ask('GET', '/openapi.json', { key })
    const described = Object.values(body.paths as Record<string, Record<string, { operationId?: string }>>)
      .flatMap(methods => Object.values(methods))
      .map(({ operationId }) => operationId)
    for (const { name } of OPERATIONS) expect(described).toContain(name)
  })
})
