import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ERRORS, PrivityError } from '../../src/errors.js'
import { open, type Privity } from '../../src/open.js'
import { checkDisk, type Health } from '../../src/runtime/health.js'
import { testClock } from '../../src/testing/clock.js'
import { testEmbedding } from '../../src/testing/embedding.js'
import { program } from '../support/child.js'
import { deep } from '../support/depth.js'
import { startPostgres } from '../support/postgres-server.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

/** Time that passes without waiting: what is kept for a second is then forgotten. */
let later = 0
const now = performance.now.bind(performance)
vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
const pass = (ms: number) => {
  later += ms
}
const next = (privity: Privity) => {
  pass(1_001)
  return privity.health()
}
const check = ({ checks }: Health, name: string) => checks.find(found => found.name === name)

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'ok',
    error => (error instanceof PrivityError ? error.code : String(error)),
  )

describe.each(engines)('health on %s', engine => {
  let store: SharedStore
  const seen: string[] = []
  beforeAll(async () => {
    store = await sharedStore(engine, { observe: sql => seen.push(sql) })
  })
  afterAll(() => store.dispose())
  const opened: Privity[] = []
  afterEach(async () => {
    for (const privity of opened.splice(0)) await privity.close()
  })
  async function instance(...args: Parameters<SharedStore['instance']>): Promise<Privity> {
    const privity = await store.instance(...args)
    opened.push(privity)
    return privity
  }
  const ready = {
    status: 'ready',
    checks: [
      { name: 'store', status: 'ready' },
      { name: 'audit', status: 'ready' },
    ],
  }

  it('[OP-7] is ready, leaves no row, and is looked at once a second', async () => {
    const privity = await instance()
    const before = await dumpTables(store.sql)
    seen.length = 0
    const first = await privity.health()
    expect(first).toEqual(ready)
    const statements = seen.length
    expect(statements).toBeGreaterThan(3)
    expect(await privity.health()).toBe(first)
    expect(await Promise.all([privity.health(), privity.health()])).toEqual([first, first])
    expect(seen.length).toBe(statements)
    const again = await Promise.all([next(privity), privity.health()])
    expect(again[0]).not.toBe(first)
    expect(again[1]).toBe(again[0])
    expect(await dumpTables(store.sql)).toEqual(before)
  })

  it.each([
    'privity.audit_lanes',
    'privity.audit_entries',
  ])('[OP-7] says that %s cannot be written, as reads are refused with a clear 503', async table => {
    const privity = await instance()
    const ana = privity.as({ tenant: store.tenant(), actor: 'ana' })
    await store.sql(`revoke insert on ${table} from privity_writer`)
    try {
      expect(await privity.health()).toEqual({
        status: 'failing',
        checks: [
          { name: 'store', status: 'ready' },
          { name: 'audit', status: 'failing', message: 'the audit cannot be written (internal)' },
        ],
      })
      const code = await codeOf(ana.list())
      expect(code).toBe('audit_unavailable')
      expect(ERRORS.audit_unavailable.http).toBe(503)
    } finally {
      await store.sql(`grant insert on ${table} to privity_writer`)
    }
    expect(await codeOf(ana.list())).toBe('ok')
    expect(await next(privity)).toEqual(ready)
  })

  it('[OP-7] says that the last entry could not be written, and does so less and less', async () => {
    const privity = await instance()
    const tenant = store.tenant()
    const ana = privity.as({ tenant, actor: 'ana' })
    await store.sql(`
      create function public.full_disk() returns trigger language plpgsql as
      'begin raise exception ''no room for ${tenant}'' using errcode = ''53100''; end'`)
    await store.sql(
      `create trigger full_disk before insert on privity.audit_entries for each row execute function full_disk()`,
    )
    expect(await codeOf(ana.list())).toBe('audit_unavailable')
    const message = 'the last entry of the audit could not be written'
    const failing = await next(privity)
    expect(failing.status).toBe('failing')
    expect(check(failing, 'audit')).toEqual({ name: 'audit', status: 'failing', message })
    pass(10_000)
    expect(await next(privity)).toMatchObject({
      status: 'warning',
      checks: [{}, { status: 'warning', message }],
    })
    expect(JSON.stringify(failing)).not.toContain(tenant)
    await store.sql(`drop trigger full_disk on privity.audit_entries`)
    await store.sql(`drop function public.full_disk()`)
    expect(await codeOf(ana.list())).toBe('ok')
    expect(await next(privity)).toEqual(ready)
  })

  it('[OP-7] does not wait behind others for long, nor lengthen the queue', async () => {
    const privity = await instance()
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const holding = Array.from({ length: 10 }, () =>
      store.db.transaction({ access: 'read', role: null, settings: {} }, () => held),
    )
    await sleep(50)
    seen.length = 0
    for (let asked = 0; asked < 2; asked++) {
      const start = now()
      const health = await next(privity)
      expect(now() - start).toBeLessThan(3_000)
      expect(health.status).toBe('failing')
      expect(check(health, 'store')?.message).toBe('the store does not answer (too slow)')
      expect(check(health, 'audit')?.message).toBe('the audit cannot be written (too slow)')
    }
    release()
    await Promise.all(holding)
    let looks = 0
    await vi.waitFor(async () => {
      looks++
      expect(await next(privity)).toEqual(ready)
    })
    // Once for both that were too slow, and once for each look since.
    expect(seen.filter(sql => sql === 'select 1').length).toBeLessThanOrEqual(1 + looks)
  })

  it('[OP-7] warns of an embedding provider that is left alone', async () => {
    const clock = testClock()
    const [well, ill] = [testEmbedding({ model: 'a' }), testEmbedding({ model: 'b' })]
    const privity = await instance(clock, { embedding: [well, ill] })
    const ana = privity.as({ tenant: store.tenant(), actor: 'ana' })
    await ana.remember({ kind: 'note', text: 'apples' })
    await privity.caughtUp()
    expect(check(await next(privity), 'embedding')).toEqual({ name: 'embedding', status: 'ready' })
    ill.fail(true)
    await ana.search('pears')
    await vi.waitFor(async () => {
      const health = await next(privity)
      expect(health.status).toBe('warning')
      expect(check(health, 'embedding')).toEqual({
        name: 'embedding',
        status: 'warning',
        message: '1 of 2 embedding providers failed and will be asked again',
      })
    })
    ill.fail(false)
    clock.advance(3_600_000)
    expect(await next(privity)).toMatchObject({ status: 'ready' })
  })
})

describe('health of a server that stops', () => {
  it('[OP-7] is failing while it is gone, and ready by itself once it is back', async () => {
    const server = await startPostgres({ durable: false })
    const privity = await open({ databaseUrl: server.url, embedding: [] })
    expect((await next(privity)).status).toBe('ready')
    await server.stop()
    const start = now()
    expect(await next(privity)).toMatchObject({
      status: 'failing',
      checks: [
        { name: 'store', status: 'failing' },
        { name: 'audit', status: 'failing' },
      ],
    })
    expect(now() - start).toBeLessThan(3_000)
    await server.start()
    expect((await next(privity)).status).toBe('ready')
    await privity.close()
    expect(await next(privity)).toMatchObject({
      status: 'failing',
      checks: [{ message: 'the store does not answer (closed)' }, {}],
    })
    await server.dispose()
  })
})

describe('health of a disk', () => {
  const MIB = 1_048_576
  const GIB = 1_024 * MIB

  it.each([
    ['ready', 2 * GIB, 10 * GIB],
    ['ready', GIB, 10 * GIB],
    ['warning', GIB - 1, 10 * GIB],
    ['ready', 50 * GIB, 1_000 * GIB],
    ['warning', 50 * GIB - 1, 1_000 * GIB],
    ['warning', 64 * MIB, 10 * GIB],
    ['failing', 64 * MIB - 1, 10 * GIB],
    ['failing', 0, 10 * GIB],
  ] as const)('[OP-7] is %s with %i of %i bytes free', (status, free, total) => {
    const judged = checkDisk(free, total)
    expect(judged).toMatchObject({ name: 'disk', status })
    expect(judged.message).toBe(
      status === 'ready' ? undefined : `${Math.floor(free / MIB)} MiB are free on the disk of the store`,
    )
  })

  it.runIf(deep)('[OP-7] is looked at where the store is a folder', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'privity-health-'))
    const privity = await open({ dataDir, embedding: [] })
    expect((await privity.health()).checks.map(({ name }) => name)).toEqual(['store', 'audit', 'disk'])
    await privity.close()
    await rm(dataDir, { recursive: true })
    expect(check(await next(privity), 'disk')).toMatchObject({ status: 'failing' })
  })

  const limitFiles = (pid: number, bytes: number | 'unlimited') =>
    promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
  const canLimit = limitFiles(process.pid, 'unlimited').then(
    () => true,
    () => false,
  )

  it.runIf(deep)(
    '[OP-7] without room for the log, health fails and reads are refused with a clear 503, until there is room',
    async context => {
      if (!(await canLimit)) context.skip()
      const dataDir = await mkdtemp(join(tmpdir(), 'privity-health-'))
      const server = await program(`
      import { createInterface } from 'node:readline'
      import { open } from './src/index.ts'

      const privity = await open({ dataDir: process.argv[2], embedding: [] })
      const ana = privity.as({ tenant: 'home', actor: 'ana' })
      await ana.remember({ kind: 'note', text: 'kept' })
      console.log('ready')
      for await (const line of createInterface({ input: process.stdin })) {
        const ask = line === 'health' ? privity.health() : ana.list().then(({ records }) => records.length)
        console.log(JSON.stringify(await ask.catch(error => error.code)))
      }
      await privity.close()
    `)
      const child = server.start(dataDir)
      await child.line()
      const ask = async (what: 'health' | 'list') => {
        // Longer than an answer is kept.
        if (what === 'health') await sleep(1_100)
        child.tell(what)
        return JSON.parse((await child.line()) ?? '"ended"')
      }
      const pid = child.process.pid ?? 0
      // The disk of this machine may be rather full: that is another check.
      const audit = (health: Health) => check(health, 'audit')
      expect(audit(await ask('health'))).toEqual({ name: 'audit', status: 'ready' })
      await limitFiles(pid, 0)
      expect(audit(await ask('health'))?.status).toBe('failing')
      const refused = await ask('list')
      expect(['audit_unavailable', 'storage_full', 'unavailable']).toContain(refused)
      expect(ERRORS[refused as 'storage_full'].http).toBe(503)
      expect(audit(await ask('health'))?.status).toBe('failing')
      await limitFiles(pid, 'unlimited')
      expect(await ask('list')).toBe(1)
      expect(audit(await ask('health'))).toEqual({ name: 'audit', status: 'ready' })
      await child.end()
      await server.dispose()
      await rm(dataDir, { recursive: true })
    },
  )
})
