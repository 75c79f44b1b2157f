import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ConnectOptions, connect } from '../../src/client/connect.js'
import { ERRORS, type ErrorCode, PrivityError } from '../../src/errors.js'
import type { Handle } from '../../src/handle.js'
import { OPERATIONS } from '../../src/operations.js'

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

const ID = '0f7c5a52-6f5e-4f0a-9a55-0a6f4f0a9a55'
const ok = (data: unknown): Reply => ({ body: { success: true, data } })
const failure = (code: ErrorCode, more: object = {}, headers: Record<string, string> = {}): Reply => ({
  status: ERRORS[code].http,
  headers,
  body: { success: false, error: { code, message: `said of ${code}`, requestId: ID, ...more } },
})
const NOW = { 'retry-after': '0' }

describe('the client, on the wire', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  /** A server that gives these replies in order, the last one again and again; `hang up` and `silence` are no replies. */
  async function scripted(...script: (Reply | 'hang up' | 'silence')[]) {
    const seen: Seen[] = []
    const made = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      const { method, url, headers } = request
      seen.push({ method, url, headers, body })
      const reply = script[Math.min(seen.length, script.length) - 1] ?? ok({})
      if (reply === 'silence') return
      if (reply === 'hang up') return void response.destroy()
      response.writeHead(reply.status ?? 200, reply.headers)
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
    })
    server = made
    await new Promise<void>(resolve => made.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(made.address() as AddressInfo).port}`
    const as = (more: Partial<ConnectOptions> = {}) => connect({ url, key: 'privity_k', ...more })
    return { seen, url, as }
  }

  it('puts fields where the route wants them: path, query or body', async () => {
    const { seen, as, url } = await scripted(ok({ records: [{ id: ID }], people: [] }))
    await as().get(ID)
    await as({ url: `${url}/behind/a/proxy/` }).unpin(ID)
    await as().list({
      kinds: ['note', 'semantic'],
      tags: ['a&b=c', 'ü'],
      createdAfter: new Date(0),
      fields: { 'room 1': [1, 'é'] },
      limit: 7,
      owner: undefined,
    })
    await as().reinforce(ID, { by: 0.5 })
    await as().remember({ kind: 'note', text: 'ä', occurredAt: new Date(0) })
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', `/api/v1/records/${ID}`, ''],
      ['DELETE', `/behind/a/proxy/api/v1/records/${ID}/pin`, ''],
      [
        'GET',
        '/api/v1/records?kinds=note&kinds=semantic&tags=a%26b%3Dc&tags=%C3%BC' +
          '&createdAfter=1970-01-01T00%3A00%3A00.000Z&fields=%7B%22room%201%22%3A%5B1%2C%22%C3%A9%22%5D%7D&limit=7',
        '',
      ],
      ['POST', `/api/v1/records/${ID}/reinforce`, '{"by":0.5}'],
      [
        'POST',
        '/api/v1/records',
        '{"records":[{"kind":"note","text":"ä","occurredAt":"1970-01-01T00:00:00.000Z"}]}',
      ],
    ])
    expect(seen[4]?.headers['content-type']).toBe('application/json')
    expect(seen.every(({ headers }) => headers.authorization === 'Bearer privity_k')).toBe(true)
  })

  it('[DE-3] carries options in headers, whatever script they are written in', async () => {
    const { seen, as } = await scripted(ok({ records: [] }))
    const parents = [ID, ID]
    await as({ session: 'Gespräch 1' }).forget(ID, {
      idempotencyKey: 'Schlüssel 1',
      ifVersion: 'a-_1',
      trust: { maxSensitivity: 'low', scopes: ['büro', '日本'] },
      respectConsent: true,
      causalParents: parents,
      profile: ID,
    })
    const { headers } = seen[0] as Seen
    expect(decodeURIComponent(String(headers['idempotency-key']))).toBe('Schlüssel 1')
    expect(decodeURIComponent(String(headers['privity-session']))).toBe('Gespräch 1')
    expect(headers['if-match']).toBe('"a-_1"')
    expect(headers['privity-respect-consent']).toBe('true')
    expect(headers['privity-profile']).toBe(ID)
    expect(JSON.parse(String(headers['privity-trust']))).toEqual({
      maxSensitivity: 'low',
      scopes: ['büro', '日本'],
    })
    expect(decodeURIComponent(String(headers['privity-causal-parents']))).toBe(parents.join())
  })

  it('sends nothing that an address or a header would change on its way', async () => {
    const { seen, as, url } = await scripted(ok({}))
    for (const record of ['', '.', '..', '\ud800'])
      await expect(as().get(record)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(as().list({ owner: '\udc00' })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(as().get(ID, { requestId: ID })).rejects.toMatchObject({ code: 'invalid_input' })
    const circular: Record<string, unknown> = {}
    circular.self = circular
    await expect(as().list({ fields: circular as never })).rejects.toMatchObject({ code: 'invalid_input' })
    for (const key of ['', 'two words', 'line\r\nx-more: 1', 'schlüssel'])
      await expect(as({ key }).list()).rejects.toMatchObject({ code: 'unauthenticated' })
    for (const wrong of ['', 'localhost:1', 'ftp://host', 'http://'])
      expect(() => connect({ url: wrong, key: 'k' })).toThrow(PrivityError)
    expect(seen).toEqual([])
    await as({ url: `${url}/` }).list({ kinds: [] })
    expect(seen[0]?.url).toBe('/api/v1/records?kinds=')
  })

  it('takes the key nowhere else, and no cookies along', async () => {
    const { seen, as } = await scripted({ status: 307, headers: { location: '/api/v1/people' } }, ok({}))
    const kept: (string | undefined)[] = []
    const watching: typeof fetch = (input, init) => {
      kept.push(init?.credentials)
      return fetch(input, init)
    }
    await expect(as({ retries: 0, fetch: watching }).list()).rejects.toMatchObject({ code: 'unavailable' })
    expect(seen).toHaveLength(1)
    expect(kept).toEqual(['omit'])
  })

  it('[NI-5] answers null where the library does, and throws what it throws', async () => {
    const absent = failure('not_found')
    const { as } = await scripted(absent)
    await expect(as().get(ID)).resolves.toBeNull()
    await expect(as().explain({ record: ID })).resolves.toBeNull()
    await expect(as().receipts.get(ID)).resolves.toBeNull()
    await expect(as().people.get('ben')).resolves.toBeNull()
    await expect(as().requests.whyRefused(ID)).resolves.toBeNull()
    await expect(as().pin(ID)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('[RS-2] throws the same class, with code, message, reason and request id', async () => {
    const { as } = await scripted(
      failure('not_allowed', { reason: 'session.audience_not_allowed' }),
      failure('invalid_input'),
    )
    const error = await as()
      .people.list()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PrivityError)
    expect(error).toMatchObject({
      code: 'not_allowed',
      message: 'said of not_allowed',
      reason: 'session.audience_not_allowed',
      requestId: ID,
    })
    const plain = await as()
      .people.list()
      .catch((thrown: unknown) => thrown)
    expect(plain).toMatchObject({ code: 'invalid_input', reason: undefined })
  })

  it('takes the page of another server, or an answer that it cannot know, for no answer', async () => {
    const page = '<h1>Not here</h1>'
    const strange: Reply[] = [
      { status: 404, body: page },
      { status: 200, body: page },
      { status: 200, body: null },
      { status: 200, body: { success: false } },
      { status: 418, body: { success: false, error: { code: 'brand_new', message: 'x' } } },
      { status: 400, body: { success: false, error: { code: 'toString', message: 'x' } } },
      { status: 302, headers: { location: '/elsewhere' }, body: '' },
    ]
    for (const reply of strange) {
      const { as } = await scripted(reply)
      const error = await as({ retries: 0 })
        .get(ID)
        .catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(PrivityError)
      expect((error as PrivityError).code).toMatch(/^internal$|^unavailable$/)
      server?.close()
    }
  })

  it('[AU-2] asks again for a lost answer, with the same idempotency key, which it makes itself', async () => {
    const { seen, as } = await scripted(
      'hang up',
      failure('unavailable', {}, NOW),
      ok({ records: [{ id: ID }] }),
    )
    await expect(as().remember({ kind: 'note', text: 'once' })).resolves.toEqual({ id: ID })
    expect(seen).toHaveLength(3)
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']))
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    await as().remember({ kind: 'note', text: 'once' })
    expect(keys.has(seen[3]?.headers['idempotency-key'])).toBe(false)
  })

  it('gives a read no idempotency key, and asks it again as well', async () => {
    const { seen, as } = await scripted(
      'hang up',
      { status: 502, body: '<h1>Bad gateway</h1>' },
      ok({ results: [] }),
    )
    await as().search('tea')
    expect(seen).toHaveLength(3)
    expect(seen.every(({ headers }) => headers['idempotency-key'] === undefined)).toBe(true)
  })

  it('gives up after as many retries as it was told, with what it heard last', async () => {
    const { seen, as } = await scripted(failure('busy', {}, NOW))
    await expect(as({ retries: 2 }).list()).rejects.toMatchObject({ code: 'busy', requestId: ID })
    expect(seen).toHaveLength(3)
    await expect(as({ retries: 0 }).list()).rejects.toMatchObject({ code: 'busy' })
    expect(seen).toHaveLength(4)
  })

  it('never asks again what was answered', async () => {
    const final = (Object.keys(ERRORS) as ErrorCode[]).filter(code => ERRORS[code].exit !== ERRORS.busy.exit)
    for (const code of final) {
      const { seen, as } = await scripted(failure(code, {}, NOW))
      await expect(as().pin(ID)).rejects.toMatchObject({ code })
      expect(seen, code).toHaveLength(1)
      server?.close()
    }
  })

  it('[ST-6] never asks again for what has its secret in the first answer only', async () => {
    const asks: ((me: Handle) => Promise<unknown>)[] = [
      me => me.keys.create({ name: 'k' }),
      me => me.links.grant({ views: [ID], recipientIdentityMode: 'anonymous_share_token' }),
      me => me.links.redeem({ token: 'x' }),
      me => me.agents.spawn({ agent: 'x', maxSensitivity: 'low' }),
      me => me.webhooks.create({ url: 'https://hooks.invalid/' }),
    ]
    // Exactly those whose answers show something once.
    const shownOnce = OPERATIONS.filter(({ output }) =>
      /"(?:secret|token)":|"key":\{"type":"string"/.test(
        JSON.stringify(z.toJSONSchema(output, { unrepresentable: 'any', io: 'input' })),
      ),
    )
    expect(shownOnce.map(({ name }) => name).sort()).toEqual([
      'agents.spawn',
      'keys.create',
      'links.copy',
      'links.grant',
      'links.redeem',
      'links.request_files',
      'webhooks.create',
    ])
    for (const ask of asks)
      for (const reply of ['hang up', failure('busy', {}, NOW), failure('unavailable', {}, NOW)] as const) {
        const { seen, as } = await scripted(reply, ok({ secret: null }))
        await expect(ask(as())).rejects.toBeInstanceOf(PrivityError)
        expect(seen).toHaveLength(1)
        expect(seen[0]?.headers['idempotency-key']).toBeUndefined()
        server?.close()
      }
  })

  it('waits as long as it is asked to, and not for what is too long or has no end', async () => {
    const { seen, as } = await scripted(failure('rate_limit_exceeded', {}, { 'retry-after': '1' }), ok({}))
    const began = performance.now()
    await as().list()
    expect(performance.now() - began).toBeGreaterThanOrEqual(990)
    expect(seen).toHaveLength(2)
    server?.close()
    const soon = new Date(Date.now() + 86_400_000).toUTCString()
    for (const headers of [{ 'retry-after': '31' }, { 'retry-after': soon }, {}] as Record<
      string,
      string
    >[]) {
      const other = await scripted(failure('rate_limit_exceeded', {}, headers), ok({}))
      await expect(other.as().list()).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
      expect(other.seen).toHaveLength(1)
      server?.close()
    }
  })

  it('ends an attempt that takes too long, and everything when it is told to', async () => {
    const { seen, as } = await scripted('silence')
    await expect(as({ timeout: 50, retries: 1 }).list()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^the server did not answer in time: http/),
    })
    expect(seen).toHaveLength(2)
    const control = new AbortController()
    const waiting = as({ signal: control.signal }).list()
    const reason = new Error('enough')
    setTimeout(() => control.abort(reason), 50)
    await expect(waiting).rejects.toBe(reason)
    await expect(as({ signal: control.signal }).list()).rejects.toBe(reason)
    expect(seen).toHaveLength(3)
  })

  it('stops waiting between attempts when it is told to', async () => {
    const { seen, as } = await scripted(failure('busy', {}, { 'retry-after': '20' }))
    const control = new AbortController()
    setTimeout(() => control.abort(new Error('enough')), 100)
    const began = performance.now()
    await expect(as({ signal: control.signal }).list()).rejects.toThrow('enough')
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(seen).toHaveLength(1)
  })

  it('says so when there is no server, and asks a function for the key each time', async () => {
    const { url } = await scripted()
    server?.close()
    await expect(connect({ url, key: 'k', retries: 0 }).list()).rejects.toMatchObject({
      code: 'unavailable',
      message: `the server could not be reached: ${url}`,
    })
    expect(() => connect({ url } as Parameters<typeof connect>[0])).toThrow('key: is required')
    const { seen, as } = await scripted('hang up', ok({}))
    let count = 0
    await as({ key: async () => `token-${++count}` }).list()
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })
})
