import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/stores.js'
import { privity, type Running, start } from './support/run-cli.js'

/** What the first process prints. */
interface Printed {
  readonly url: string
  readonly signIn: string
  readonly secret: string
}

const NAMED = { timeout: 30_000, interval: 100 }

describe('a server of several processes', () => {
  let database: FreshDatabase
  let server: Running
  let printed: Printed
  let key: string
  beforeAll(async () => {
    database = await freshDatabase()
    const args = ['start', '--json', '--port', '0', '--log', 'none', '--processes', '2']
    server = start([...args, '--database-url', database.url], { input: 'open' })
    printed = JSON.parse(await server.firstLine()) as Printed
    await server.noted(/2 processes are listening/)
    expect(workers()).toHaveLength(2)
    key = printed.secret
    const made = await ask('/api/v1/keys', { name: 'owner', actor: 'owner' })
    key = ((await made.json()) as { data: { secret: string } }).data.secret
  })
  afterAll(async () => {
    server.process.kill('SIGTERM')
    await server.ended
    await database.drop()
  })

  /** The processes that the server started. */
  const workers = (): number[] =>
    execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map(line => line.trim().split(/\s+/))
      .filter(
        ([, parent, , program]) => Number(parent) === server.process.pid && program?.endsWith('main.js'),
      )
      .map(([pid]) => Number(pid))

  /** A request on a connection of its own: the processes take turns. */
  const ask = (path: string, body?: object) =>
    fetch(`${printed.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        connection: 'close',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  it('answers for one store, whichever process is asked', async () => {
    const written = await ask('/api/v1/records', { records: [{ kind: 'note', text: 'a heron at the lake' }] })
    expect(written.status).toBe(200)
    for (let times = 0; times < 4; times++) {
      const found = await (await ask('/api/v1/search', { query: 'heron' })).json()
      expect((found as { data: { results: unknown[] } }).data.results).toHaveLength(1)
    }
  })

  it('signs somebody in once, whichever process is asked', async () => {
    const [, token = ''] = printed.signIn.split('#')
    const statuses = []
    for (let times = 0; times < 4; times++) {
      const answer = await fetch(`${printed.url}/console/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'privity-console': '1', connection: 'close' },
        body: JSON.stringify({ token }),
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([200, 401, 401, 401])
  })

  it('replaces a process that dies, and serves on meanwhile', async () => {
    const [victim = 0, other] = workers()
    process.kill(victim, 'SIGKILL')
    await server.noted(/a process ended \(SIGKILL\); another takes its place/)
    expect((await ask('/healthz')).status).toBe(200)
    await vi.waitFor(() => {
      const now = workers()
      expect(now).toHaveLength(2)
      expect(now).toContain(other)
      expect(now).not.toContain(victim)
    }, NAMED)
  })

  it('ends all of them at SIGTERM, and says nothing else', async () => {
    const all = workers()
    server.process.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    for (const pid of all) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('needs a Postgres database, and a number of processes', async () => {
    const embedded = await privity(['start', '--processes', '2', '--data-dir', '/nowhere'])
    expect(embedded.code).toBe(2)
    expect(embedded.stderr).toContain('--processes needs a Postgres database: give --database-url')
    expect((await privity(['start', '--processes', '0', '--database-url', 'x'])).code).toBe(2)
  })
})
