import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../../src/operations.js'
import { openTestServer, type TestServer } from '../support/server.js'

describe('what a caller can make a server do', () => {
  /** Places in a schema where a list may have any length. */
  function* endless(schema: unknown, path = ''): Generator<string> {
    if (typeof schema !== 'object' || schema === null) return
    if ('type' in schema && schema.type === 'array' && !('maxItems' in schema)) yield path
    for (const [name, part] of Object.entries(schema)) yield* endless(part, `${path}/${name}`)
  }

  it.each(
    OPERATIONS.map(({ name, input }) => [name, input] as const),
  )('%s takes no endless list', (_, input) => {
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    // JSON of the caller's own is bounded in bytes and depth as a whole.
    const found = [...endless(schema)].filter(path => !/fields|metadata|\$defs\/__schema/.test(path))
    expect(found).toEqual([])
  })

  describe('over HTTP', () => {
    let server: TestServer
    let key: string
    let revoked: string
    beforeAll(async () => {
      server = await openTestServer('pglite', { requestTimeout: 400, maxRequests: 4 })
      const tenant = server.tenant()
      key = await server.keyFor({ tenant, actor: 'ana' })
      const ana = server.privity.as({ tenant, actor: 'ana' })
      const made = await ana.keys.create({ name: 'gone' })
      await ana.keys.revoke(made.key.id)
      revoked = made.secret ?? ''
    })
    afterAll(() => server.dispose())

    const list = () => server.ask('GET', '/api/v1/records', { key })

    it('[NI-8] slow bodies give their places back, at every route', async () => {
      for (const path of ['/mcp', '/api/v1/search', '/api/v1/import']) {
        const type = path.endsWith('import') ? 'application/x-ndjson' : 'application/json'
        const sockets = Array.from({ length: 4 }, () => {
          const socket = connect(server.server.port, '127.0.0.1', () =>
            socket.write(
              `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\nAccept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n{`,
            ),
          )
          socket.on('error', () => {})
          return socket
        })
        // Long enough that they have begun, and that nobody waits for them any longer.
        await new Promise(resolve => setTimeout(resolve, 600))
        await expect.poll(async () => (await list()).status, { message: path, timeout: 10_000 }).toBe(200)
        for (const socket of sockets) socket.destroy()
      }
    })

    it('[NI-5] one that has ended is refused at the door, before anything is read for it', async () => {
      const body = { kinds: Array(50_000).fill(0) }
      for (const [method, path, asked] of [
        ['POST', '/api/v1/timeline', { body }],
        ['POST', '/api/v1/search', { body: { nonsense: true } }],
        ['POST', '/api/v1/import', { raw: '{}', headers: { 'content-type': 'application/x-ndjson' } }],
        ['POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }],
        ['GET', '/api/v1/export', {}],
      ] as const)
        expect((await server.ask(method, path, { key: revoked, ...asked })).status, path).toBe(401)
    })

    it('[NI-8] an answer over MCP is complete before its place is given back', async () => {
      const ask = () =>
        server.ask('POST', '/mcp', {
          key,
          body: {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'search_memories', arguments: { query: 'x' } },
          },
          headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
        })
      // The first one may take longer than this server lets a request take.
      await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(200)
      const answer = await ask()
      // What is streamed has none: it would still be running.
      expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(answer.text))
    })

    it('an import says what is wrong with the first thousand lines, and counts the rest', async () => {
      const answer = await server.ask('POST', '/api/v1/import?dryRun=true', {
        key,
        raw: '1\n'.repeat(5_000),
        headers: { 'content-type': 'application/x-ndjson' },
      })
      const lines = answer.text.trim().split('\n')
      expect(lines.length).toBeLessThan(1_200)
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ done: { problems: 5_000 } })
    })

    it('an export that nobody reads ends, and leaves its place', async () => {
      const writer = server.privity.as((await server.privity.authenticate(key)).credential)
      for (let at = 0; at < 12; at++)
        await writer.remember({ kind: 'note', text: `${at} ${'x'.repeat(900_000)}` })
      const sockets = Array.from({ length: 4 }, () => {
        const socket = connect(server.server.port, '127.0.0.1', () => {
          socket.pause()
          socket.write(
            `GET /api/v1/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
          )
        })
        socket.on('error', () => {})
        return socket
      })
      await expect
        .poll(async () => (await server.ask('GET', '/api/v1/export?tags=none', { key })).status, {
          timeout: 15_000,
        })
        .toBe(200)
      for (const socket of sockets) socket.destroy()
    })
  })
})
