import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawHttp } from '../support/raw-http.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

const LIMIT = 100_000

describe('bodies that are oversized or malformed', () => {
  let server: TestServer
  let key: string
  beforeAll(async () => {
    server = await openTestServer(anyEngine, { maxBodyBytes: LIMIT })
    key = await server.keyFor({ tenant: server.tenant(), actor: 'ana' })
  })
  afterAll(() => server.dispose())

  const send = (
    raw: string | Uint8Array | ReadableStream,
    type = 'application/json',
    path = '/api/v1/records',
  ) => server.ask('POST', path, { key, raw: raw as string, headers: { 'content-type': type } })
  const count = async () => (await server.ask('GET', '/api/v1/records', { key })).body.data.records.length

  it('are refused with a clear error, and change nothing', async () => {
    const wrong: [string | Uint8Array, string, number, RegExp][] = [
      ['{', 'application/json', 400, /must be JSON/],
      ['{"records":[}', 'application/json', 400, /must be JSON/],
      ['', 'application/json', 400, /records: is required/],
      ['null', 'application/json', 400, /JSON object/],
      ['[]', 'application/json', 400, /JSON object/],
      ['"text"', 'application/json', 400, /JSON object/],
      ['NaN', 'application/json', 400, /must be JSON/],
      ['{"records":[{"kind":"note","text":"x"}]}', 'text/plain', 400, /application\/json/],
      ['records=x', 'application/x-www-form-urlencoded', 400, /must be JSON/],
      ['{"records":[{"kind":"note","text":"x"}]}', 'application/jsonp', 400, /application\/json/],
      [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'application/json', 400, /UTF-8/],
      ['{"__proto__":{"records":[{"kind":"note","text":"x"}]}}', 'application/json', 400, /__proto__/],
      [
        '{"records":[{"kind":"note","text":"x","fields":{"__proto__":1}}]}',
        'application/json',
        400,
        /__proto__/,
      ],
      ['{"records":[{"kind":"note","text":"\\u0000"}]}', 'application/json', 400, /NUL/],
      ['{"records":[{"kind":"note","text":"\\ud800"}]}', 'application/json', 400, /Unicode/],
      ['{"records":[{"kind":"note","text":7}]}', 'application/json', 400, /text: must be of type string/],
      [
        '{"records":{"0":{"kind":"note","text":"x"}}}',
        'application/json',
        400,
        /records: must be of type array/,
      ],
      [
        '{"records":[{"kind":"note","text":"x","tenant":"y"}]}',
        'application/json',
        400,
        /unknown field tenant/,
      ],
      [`{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}`, 'application/json', 400, /unknown field|required/],
      [
        `{"records":[{"kind":"note","text":"${'x'.repeat(LIMIT)}"}]}`,
        'application/json',
        413,
        /at most 100000 bytes/,
      ],
    ]
    for (const [raw, type, status, message] of wrong) {
      const answer = await send(raw, type)
      expect([answer.status, answer.body.error.message], String(raw).slice(0, 60)).toEqual([
        status,
        expect.stringMatching(message),
      ])
    }
    expect(await count()).toBe(0)
    expect(
      (await send('{"records":[{"kind":"note","text":"x"}]}', 'application/json; charset=utf-8')).status,
    ).toBe(200)
    expect(await count()).toBe(1)
  })

  it('are cut off where they do not say how long they are', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536
        if (sent > 100_000_000) controller.close()
        else controller.enqueue(Buffer.alloc(65_536, ' '))
      },
    })
    const answer = await send(endless).catch((error: unknown) => error)
    // The answer may come before the client has stopped sending: then the connection ends under it.
    if (!(answer instanceof Error)) expect(answer).toMatchObject({ status: 413 })
    expect(sent).toBeLessThan(50_000_000)
    expect((await server.ask('GET', '/healthz')).status).toBe(200)
  })

  it.each([
    ['a length that is a lie', 'Content-Length: 10\r\nContent-Length: 20'],
    ['a length and chunks', 'Content-Length: 10\r\nTransfer-Encoding: chunked'],
    ['a length below zero', 'Content-Length: -1'],
    ['a header folded over lines', 'X-Folded: a\r\n b: c'],
  ])('%s is no request', async (_, header) => {
    const answer = await rawHttp(
      server.server.port,
      `POST /api/v1/records HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${header}\r\n\r\n{"records":[{"kind":"note","text":"smuggled"}]}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.stringify((await server.ask('GET', '/api/v1/records', { key })).body)).not.toContain(
      'smuggled',
    )
  })
})
