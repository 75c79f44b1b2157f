import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PrivityError } from '../../src/errors.js'
import { assemble, type OpenOptions, open, openStore, type Privity } from '../../src/open.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { type Child, type Program, program } from '../support/child.js'
import { deep, times } from '../support/depth.js'
import { seedFolder } from '../support/migrated-pgdata.js'
import { type PostgresServer, startPostgres } from '../support/postgres-server.js'
import { engines, freshDatabase } from '../support/stores.js'
import { endParked } from '../support/warm-connections.js'

const ROUNDS = Number(process.env.PRIVITY_CRASHES ?? times(1, 5))
const TENANT = 'home'
const BATCH = 7
const ana = { tenant: TENANT, actor: 'ana' } as const
const warden = { tenant: TENANT, actor: 'warden', audience: 'host' } as const

/** Writes batch after batch, four at a time, and says which were acknowledged. */
const WRITER = `
  import { open } from './src/index.ts'

  const { address, first } = JSON.parse(process.argv[2])
  const privity = await open(address)
  const ana = privity.as({ tenant: '${TENANT}', actor: 'ana' })
  let next = first
  const write = async () => {
    for (;;) {
      const batch = next++
      const drafts = Array.from({ length: ${BATCH} }, (_, at) => ({
        kind: 'note',
        text: 'item ' + at + ' of batch ' + batch,
        tags: ['batch ' + batch],
        participants: ['person ' + (batch % 9)],
      }))
      const records = await ana.remember(drafts)
      console.log(JSON.stringify({ batch, ids: records.map(({ id }) => id) }))
    }
  }
  await Promise.all([write(), write(), write(), write()])
`

/** Answers requests by name, one after another. */
const SERVER = `
  import { createInterface } from 'node:readline'
  import { open } from './src/index.ts'

  const privity = await open(JSON.parse(process.argv[2]))
  console.log('ready')
  for await (const line of createInterface({ input: process.stdin })) {
    const { credential, name, input } = JSON.parse(line)
    const reply = await privity.invoke(credential, name, input).then(
      answer => ({ answer }),
      error => ({ error: error.code }),
    )
    console.log(JSON.stringify(reply))
  }
  await privity.close()
`

interface Batch {
  readonly batch: number
  readonly ids: string[]
}

/** All records, by the batch they are of. */
async function storedBatches(privity: Privity): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<ReturnType<Privity['as']>['list']>> = await privity
      .as(ana)
      .list({ limit: 200, ...(cursor !== null && { cursor }) })
    for (const { id, tags } of page.records) {
      const batch = tags[0] ?? ''
      found.set(batch, [...(found.get(batch) ?? []), id])
    }
    cursor = page.cursor
  } while (cursor !== null)
  return found
}

/** Every batch is there whole or not at all, those that were acknowledged are there, and history accounts for all. */
async function expectWhole(address: OpenOptions, acknowledged: readonly Batch[]): Promise<number> {
  const db = await openStore(address)
  const privity = await assemble(db, SYSTEM_CLOCK)
  try {
    const stored = await storedBatches(privity)
    for (const [batch, ids] of stored) expect(ids, batch).toHaveLength(BATCH)
    for (const { batch, ids } of acknowledged)
      expect(stored.get(`batch ${batch}`)?.sort(), `batch ${batch}`).toEqual([...ids].sort())
    expect(await privity.as(warden).audit.verify()).toMatchObject({ ok: true, problems: [] })
    const [count] = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
      tx.query<{ operations: number; unaudited: number; entries: number }>(
        `select count(*)::int as operations,
           count(*) filter (where not audited)::int as unaudited,
           (select count(distinct operation_id)::int
            from privity.audit_entries
            where tenant_id = $1 and operation = 'memory.remember') as entries
         from privity.operations
         where tenant_id = $1 and name = 'memory.remember'`,
        [TENANT],
      ),
    )
    expect(count).toEqual({ operations: stored.size, unaudited: 0, entries: stored.size })
    return stored.size
  } finally {
    await privity.close()
  }
}

let writer: Program
let server: Program
/** Made once: what follows opens each as it was left. The server is one of our own, to be stopped and starved. */
let folder: { dataDir: string }
let database: { url: string; drop(): Promise<void> }
let postgres: PostgresServer
beforeAll(async () => {
  folder = { dataDir: await mkdtemp(join(tmpdir(), 'privity-crash-')) }
  ;[writer, server, database, postgres] = await Promise.all([
    program(WRITER),
    program(SERVER),
    freshDatabase(),
    startPostgres(),
  ])
  await seedFolder(folder.dataDir)
  await (await open({ databaseUrl: database.url })).close()
})
afterAll(async () => {
  await Promise.all([writer?.dispose(), server?.dispose(), database?.drop(), postgres?.dispose()])
  await rm(folder.dataDir, { recursive: true, force: true })
})

describe.each(engines)('a process that is killed on %s', engine => {
  it(
    '[AU-1, AU-2] loses nothing it acknowledged, leaves no batch in part, and the next one completes its history',
    async () => {
      const address = engine === 'pglite' ? folder : { databaseUrl: database.url }
      const acknowledged: Batch[] = []
      let first = 0
      for (let round = 0; round < ROUNDS; round++) {
        const child = writer.start(JSON.stringify({ address, first }))
        const said: Batch[] = []
        const line = await child.line()
        if (line === undefined) throw new Error('the process ended by itself')
        said.push(JSON.parse(line))
        await sleep(Math.random() * 400)
        await child.kill()
        said.push(...(await child.rest()).flatMap(whole))
        acknowledged.push(...said)
        first += 10_000
        await expectWhole(address, acknowledged)
      }
      expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS)
    },
    60_000 + ROUNDS * 20_000,
  )

  /** The last line may have been cut. */
  function whole(line: string): Batch[] {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  }
})

describe('a folder', () => {
  it.runIf(deep)(
    '[NI-7] belongs to one process alone, since nobody else could see what it changes, and free again when that dies',
    async () => {
      const child = server.start(JSON.stringify(folder))
      await child.line()
      const locked = { code: 'store_locked', message: expect.stringContaining(String(child.process.pid)) }
      await expect(open(folder)).rejects.toMatchObject(locked)
      await child.kill()
      const privity = await open(folder)
      await expect(open(folder)).rejects.toMatchObject({ code: 'store_locked' })
      await privity.close()
    },
  )
})

describe('a server that restarts under load', () => {
  it('[AU-1, AU-2] is unavailable for a while, and then all goes on: each write once, all of them audited', async () => {
    const address = { databaseUrl: postgres.url }
    const privity = await open(address)
    const me = privity.as(ana)
    const acknowledged: Batch[] = []
    const failures = new Map<string, number>()
    let next = 0
    let stopping = false
    const attempt = async <T>(ask: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await ask()
        } catch (error) {
          const code = error instanceof PrivityError ? error.code : String(error)
          failures.set(code, (failures.get(code) ?? 0) + 1)
          await sleep(20)
        }
      }
    }
    const work = async () => {
      while (!stopping) {
        const batch = next++
        const drafts = Array.from({ length: BATCH }, (_, at) => ({
          kind: 'note' as const,
          text: `item ${at} of batch ${batch}`,
          tags: [`batch ${batch}`],
        }))
        // Whatever came of the first attempt, repeated with its key it is done once.
        const records = await attempt(() => me.remember(drafts, { idempotencyKey: `batch ${batch}` }))
        acknowledged.push({ batch, ids: records.map(({ id }) => id) })
        await attempt(() => me.get(records[0]?.id ?? ''))
      }
    }
    const working = Promise.all([work(), work(), work(), work()])
    for (let restart = 0; restart < times(1, 2); restart++) {
      await sleep(500)
      await postgres.stop()
      await sleep(200)
      await postgres.start()
    }
    await sleep(500)
    stopping = true
    await working
    expect([...failures.keys()].filter(code => !/^(audit_)?unavailable$/.test(code))).toEqual([])
    expect(failures.size).toBeGreaterThan(0)
    // Not even another process is needed for the entries of writes whose answer was lost.
    await me.list()
    expect(await unauditedOf(address)).toBe(0)
    await privity.close()
    expect(await expectWhole(address, acknowledged)).toBe(acknowledged.length)
  })

  async function unauditedOf(address: OpenOptions): Promise<number> {
    const db = await openStore(address)
    const rows = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
      tx.query(`select 1 from privity.operations where not audited`),
    )
    await db.close()
    return rows.length
  }
})

/** The size that no file of a process, and of those it starts from now on, may exceed. Its owner may set it. */
async function limitFiles(pid: number, bytes: number | 'unlimited'): Promise<void> {
  const { uid, gid } = await stat(`/proc/${pid}`)
  const owner = process.getuid?.() === 0 ? { uid, gid } : {}
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], owner)
}
const canLimit = await limitFiles(process.pid, 'unlimited').then(
  () => true,
  () => false,
)

/** Above the 16 MB of a segment of the log, without which a server cannot be. */
const ROOM = 24 * 1_048_576
const big = () => ({
  records: Array.from({ length: 30 }, (_, at) => ({
    kind: 'note',
    text: incompressible(900_000),
    tags: [`big ${at}`],
  })),
})
const small = { records: [{ kind: 'note', text: 'small' }] }
const cyd = { tenant: 'full', actor: 'cyd' } as const
const verifier = { ...warden, tenant: 'full' } as const

function incompressible(length: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)))
    .toString('base64')
    .repeat(Math.ceil(length / 87_384))
    .slice(0, length)
}

describe.skipIf(!canLimit)('a disk that is full', () => {
  /** With room, without, and with room again. */
  async function expectAllOrNothing(
    invoke: (name: string, input: object) => Promise<unknown>,
    limit: (bytes: number | 'unlimited') => Promise<void>,
  ): Promise<void> {
    const kept = async () =>
      ((await invoke('memory.list', { limit: 200 })) as { records: unknown[] }).records.length
    await invoke('memory.remember', small)
    await limit(ROOM)
    await expect(invoke('memory.remember', big())).rejects.toMatchObject({ code: 'storage_full' })
    expect(await kept()).toBe(1)
    // What still fits is still kept.
    await invoke('memory.remember', small)
    expect(await kept()).toBe(2)
    await limit('unlimited')
  }

  it('[AU-1] fails a batch whole and clearly on postgres, goes on with what fits, and with all when there is room', async () => {
    const [pid = ''] = (await readFile(join(postgres.dataDir, 'postmaster.pid'), 'utf8')).split('\n')
    let privity = await open({ databaseUrl: postgres.url })
    await expectAllOrNothing(
      (name, input) => privity.invoke(cyd, name, input),
      async bytes => {
        // Connections have the limit that the server had when they were made.
        await privity.close()
        await endParked(postgres.url)
        await limitFiles(Number(pid), bytes)
        privity = await open({ databaseUrl: postgres.url })
      },
    )
    await privity.invoke(cyd, 'memory.remember', big())
    expect(await privity.as(verifier).audit.verify()).toMatchObject({ ok: true })
    await privity.close()
  })

  it.runIf(deep)('[AU-1] does the same on pglite', async () => {
    const child = server.start(JSON.stringify(folder))
    await child.line()
    const invoke = invokeThrough(child)
    await expectAllOrNothing(
      (name, input) => invoke(cyd, name, input),
      bytes => limitFiles(child.process.pid ?? 0, bytes),
    )
    await invoke(cyd, 'memory.remember', big())
    expect(await invoke(verifier, 'audit.verify', {})).toMatchObject({ ok: true })
    await child.end()
  })

  const invokeThrough = (child: Child) => async (credential: object, name: string, input: object) => {
    child.tell(JSON.stringify({ credential, name, input }))
    const { answer, error } = JSON.parse((await child.line()) ?? '{"error":"ended"}')
    if (error !== undefined) throw new PrivityError(error, 'in the other process')
    return answer
  }
})
