import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/stores.js'
import { type Running, start } from './support/run-cli.js'

/** What runs a service waits for its process to end, and reads from its exit code why it did. */
describe.concurrent('[OP-8] the process of a server', () => {
  let folder: string
  let database: FreshDatabase
  const running: Running[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'start-and-stop-'))
    database = await freshDatabase()
  })
  afterAll(async () => {
    for (const { process } of running) process.kill('SIGKILL')
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const serve = (...args: string[]) => {
    const server = start(['start', '--port', '0', ...args], { cwd: folder })
    running.push(server)
    return server
  }

  it('ends with a code and one sentence where no database answers', async () => {
    const { code, stderr } = await serve('--database-url', 'postgres://127.0.0.1:1/none').ended
    expect([code, stderr.trim().split('\n').length]).toEqual([6, 1])
    expect(stderr).toMatch(/^error: .*database/)
  })

  it('and where the folder of the store is a file', async () => {
    await writeFile(join(folder, 'file'), '')
    const { code, stderr } = await serve('--data-dir', join(folder, 'file')).ended
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: .*folder/)
  })

  it('and where its port is taken, although the store is open', async () => {
    const other = createServer()
    const port = await listening(other)
    const { code, stderr } = await serve('--database-url', database.url, '--port', `${port}`).ended
    other.close()
    expect([code, stderr]).toEqual([
      6,
      `error: cannot listen on 127.0.0.1:${port}: the port is taken; choose another\n`,
    ])
  })

  it('ends in time after SIGTERM while a request waits for a database that stands still', async () => {
    const proxy = new FreezingProxy(database.url)
    const server = serve('--json', '--database-url', await proxy.start())
    const { url, secret } = JSON.parse(await server.firstLine())
    const headers = { authorization: `Bearer ${secret}` }
    expect((await fetch(`${url}/api/v1/records`, { headers })).status).toBe(200)
    proxy.freeze()
    const waiting = fetch(`${url}/api/v1/records`, { headers }).catch(() => null)
    await proxy.isAsked()
    const began = performance.now()
    server.process.kill('SIGTERM')
    const { code } = await server.ended
    expect(code).toBe(130)
    // Requests have 10 s and all of it 15 s, and a busy machine some more.
    expect(performance.now() - began).toBeLessThan(25_000)
    await waiting
    proxy.stop()
  })
})

const listening = (server: Server) =>
  new Promise<number>(resolve =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )

/** Stands before a database and can stop passing anything on, as one does that has run out of what it needs. */
class FreezingProxy {
  readonly #url: URL
  readonly #server = createServer(client => this.#connect(client))
  readonly #sockets: Socket[] = []
  #isFrozen = false
  #asked = () => {}

  constructor(url: string) {
    this.#url = new URL(url)
  }

  async start(): Promise<string> {
    const url = new URL(this.#url)
    url.port = String(await listening(this.#server))
    url.searchParams.delete('host')
    return url.href
  }

  freeze(): void {
    this.#isFrozen = true
  }

  /** Resolves once something came that is not passed on. */
  isAsked(): Promise<void> {
    return new Promise(resolve => {
      this.#asked = resolve
    })
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  #connect(client: Socket): void {
    const database = connect(Number(this.#url.port), '127.0.0.1')
    this.#sockets.push(client, database)
    client.on('data', data => (this.#isFrozen ? this.#asked() : database.write(data)))
    database.on('data', data => void client.write(data))
    for (const socket of [client, database]) socket.on('error', () => {})
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
  }
}
