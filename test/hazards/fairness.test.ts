import { connect, type Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { citations, endlessPdf, words } from '../../bench/fairness/attacks.js'
import { Extractor } from '../../src/documents/extract/extract.js'
import { legal } from '../../src/legal/index.js'
import { openTestServer, type TestServer } from '../support/server.js'

describe('[OP-8] somebody who would stop the server', () => {
  let server: TestServer
  let honest: string
  let attacker: string
  let eve: string
  const sockets: Socket[] = []
  beforeAll(async () => {
    server = await openTestServer('postgres', { maxRequests: 8, requestTimeout: 4_000 }, { domain: legal() })
    eve = server.tenant()
    honest = await server.keyFor({ tenant: server.tenant(), actor: 'ana' })
    attacker = await server.keyFor({ tenant: eve, actor: 'eve' })
    await list(attacker)
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await server.dispose()
  })

  const list = async (key = honest) => (await server.ask('GET', '/api/v1/records', { key })).status

  /** Sends the head of a request and one byte of its body. */
  function begin(path: string, head = ''): void {
    const socket = connect(server.server.port, '127.0.0.1', () =>
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${head}Content-Length: 1000\r\n\r\n{`,
      ),
    )
    socket.on('error', () => {})
    sockets.push(socket)
  }

  it('without a credential, with a byte of a body on each of many connections', async () => {
    for (let at = 0; at < 64; at++) begin('/api/v1/links/redeem')
    await sleep(200)
    for (let at = 0; at < 5; at++) expect(await list()).toBe(200)
  })

  it('with a key, by the same', async () => {
    for (let at = 0; at < 64; at++) begin('/api/v1/search', `Authorization: Bearer ${attacker}\r\n`)
    await sleep(200)
    for (let at = 0; at < 5; at++) expect(await list()).toBe(200)
  })

  it('without a credential, with long bodies', async () => {
    const raw = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.alloc(16_384, 0x20))
        controller.close()
      },
    })
    const headers = { 'content-type': 'application/json' }
    expect((await server.ask('POST', '/api/v1/links/redeem', { raw, headers })).status).toBe(413)
  })

  it('with files that take for ever to read, which are answered in time and give their places back', async () => {
    const upload = (at: number) =>
      server.ask('POST', `/api/v1/documents?corpus=c&document=${at}.pdf`, {
        key: attacker,
        raw: endlessPdf(at),
        headers: { 'content-type': 'application/pdf' },
      })
    const uploads = Array.from({ length: 24 }, (_, at) => upload(at))
    await sleep(300)
    for (let at = 0; at < 5; at++) expect(await list()).toBe(200)
    for (const { status } of await Promise.all(uploads)) expect(status).toBe(503)
    expect(await list(attacker)).toBe(200)
  }, 30_000)

  it('with records that take seconds to index, which the next search finds', async () => {
    const own = server.privity.as({ tenant: eve, actor: 'eve' })
    const texts = [citations(900_000, 1), citations(900_000, 2), words(900_000, 3)]
    for (const text of texts) await own.remember({ kind: 'note', corpus: 'c', text: `quayside ${text}` })
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const found = await own.search('quayside')
    delay.disable()
    expect(found.count).toBe(3)
    // It took four seconds or more. The goal is 50 ms, which a busy machine that runs tests cannot promise.
    expect(delay.max / 1e6).toBeLessThan(1_000)
    const again = await own.search('quayside')
    expect(again.results.map(({ snippet }) => snippet)).toEqual(found.results.map(({ snippet }) => snippet))
  }, 60_000)

  it('with bodies of more values than anybody needs', async () => {
    const body = { records: [{ kind: 'note', text: 'x', fields: { list: Array(200_000).fill(1) } }] }
    const answer = await server.ask('POST', '/api/v1/records', { key: attacker, body })
    expect([answer.status, answer.body.error.code]).toEqual([413, 'too_large'])
  })
})

it("[OP-8] reads a tenant's file while another's files take for ever", async () => {
  const extractor = new Extractor()
  const reading = Array.from({ length: 6 }, (_, at) =>
    extractor.extract(endlessPdf(at), `${at}.pdf`, { tenant: 'eve', credential: `${at}` }).catch(() => null),
  )
  const began = performance.now()
  const file = new TextEncoder().encode('The boat is at the quay.')
  const read = await extractor.extract(file, 'a.txt', { tenant: 'home', credential: 'ana' })
  expect('text' in read && read.text).toContain('quay')
  expect(performance.now() - began).toBeLessThan(30_000)
  await extractor.close()
  await Promise.all(reading)
}, 60_000)
