import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

describe('clients that take their time', () => {
  let server: TestServer
  let key: string
  const sockets: Socket[] = []
  beforeAll(async () => {
    server = await openTestServer(anyEngine, { requestTimeout: 1_500, maxRequests: 4 })
    key = await server.keyFor({ tenant: server.tenant(), actor: 'ana' })
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await server.dispose()
  })

  /** Sends a byte now and then, and resolves when the server has had enough. */
  function trickle(head: string, drip: string): Promise<{ after: number; answer: string }> {
    const began = Date.now()
    return new Promise(resolve => {
      const socket = connect(server.server.port, '127.0.0.1', () => socket.write(head))
      sockets.push(socket)
      let answer = ''
      const dripping = setInterval(() => socket.write(drip), 200)
      socket.on('data', chunk => {
        answer += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(dripping)
        resolve({ after: Date.now() - began, answer })
      })
    })
  }

  it('[NI-8] are let go after a while, and keep nobody else from being answered', async () => {
    const head = `POST /api/v1/records HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
    const slow = [
      ...Array.from({ length: 20 }, () => trickle(head, 'X-More: x\r\n')),
      ...Array.from({ length: 3 }, () => trickle(`${head}Content-Length: 1000\r\n\r\n{`, ' ')),
    ]
    const others = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => {
        await new Promise(resolve => setTimeout(resolve, at * 100))
        return (await server.ask('GET', '/healthz')).status
      }),
    )
    expect(others).toEqual(Array(10).fill(200))
    for (const { after, answer } of await Promise.all(slow)) {
      expect(after).toBeLessThan(8_000)
      expect(answer).not.toMatch(/ 200 /)
    }
    expect((await server.ask('GET', '/api/v1/records', { key })).body.data.records).toEqual([])
  })
})
