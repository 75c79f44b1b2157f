import fs, { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { dataDir as emptyPgdata } from '@electric-sql/pglite-prepopulatedfs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Database, Transaction } from '../../src/storage/database.js'
import { openPglite } from '../../src/storage/pglite.js'
import { program } from '../support/child.js'
import { deep, few, times } from '../support/depth.js'
import { migratedPgdata } from '../support/migrated-pgdata.js'

const asOwner = { access: 'write', role: null, settings: {} } as const

let home: string
let dataDir: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'privity-store-'))
  dataDir = join(home, 'deep/store')
})
afterEach(() => rm(home, { recursive: true }))

/** A store that a dump began, with an empty table, made once: a copy of it costs less than another. */
let made: string
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'privity-store-'))
  const db = await openPglite({ dataDir: made, loadDataDir: await migratedPgdata() })
  await create(db)
  await db.close()
})
afterAll(() => rm(made, { recursive: true }))
const copyStore = () => cp(made, dataDir, { recursive: true, mode: fs.constants.COPYFILE_FICLONE })

async function withStore<T>(use: (db: Database) => Promise<T>): Promise<T> {
  const db = await openPglite({ dataDir })
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}

const create = (db: Database) =>
  db.script('create table if not exists note (id serial primary key, body text)')
const add = (tx: Transaction) => tx.query(`insert into note (body) values ('x')`)
const count = (db: Database) =>
  db.transaction({ ...asOwner, access: 'read' }, async tx => {
    const [row] = await tx.query<{ n: number }>('select count(*)::int as n from note')
    return row?.n
  })

test('a folder keeps what was written, and only its owner may enter it', async () => {
  await withStore(async db => {
    await create(db)
    await db.transaction(asOwner, add)
  })
  expect(await withStore(count)).toBe(1)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'pgdata'))).mode & 0o777).toBe(0o700)
  expect((await readdir(dataDir)).sort()).toEqual(['pgdata'])
})

test('a folder is open once', async () => {
  dataDir = made
  await withStore(async () => {
    await expect(openPglite({ dataDir })).rejects.toMatchObject({
      code: 'store_locked',
      message: `the folder ${dataDir} is in use by process ${process.pid}`,
    })
  })
  await withStore(async () => {})
})

test('a commit is on the disk before it is reported', async () => {
  await copyStore()
  await withStore(async db => {
    const { fsyncSync } = fs
    let syncs = 0
    fs.fsyncSync = fd => {
      syncs++
      fsyncSync(fd)
    }
    syncBuiltinESMExports()
    onTestFinished(() => {
      fs.fsyncSync = fsyncSync
      syncBuiltinESMExports()
    })
    await db.transaction(asOwner, add)
    expect(syncs).toBe(1)
    await count(db)
    expect(syncs).toBe(1)
  })
})

test('a dump can be the start of a folder, and of none that holds a store', async () => {
  dataDir = made
  const schema = await withStore(db =>
    db.transaction({ ...asOwner, access: 'read' }, tx => tx.query('select 1 from privity.migrations')),
  )
  expect(schema.length).toBeGreaterThan(0)
  const again = openPglite({ dataDir, loadDataDir: await migratedPgdata() })
  await expect(again).rejects.toMatchObject({ code: 'invalid_input' })
})

test.runIf(deep)('a dump can be the start of a store', async () => {
  const other = await PGlite.create({ loadDataDir: await emptyPgdata() })
  await other.exec(
    `create table note (id serial primary key, body text); insert into note (body) values ('x')`,
  )
  const dump = await other.dumpDataDir()
  await other.close()
  const memory = await openPglite({ dataDir: null, loadDataDir: dump })
  expect(await count(memory)).toBe(1)
  await memory.close()
  const folder = await openPglite({ dataDir, loadDataDir: dump })
  expect(await count(folder)).toBe(1)
  await folder.close()
  await expect(openPglite({ dataDir, loadDataDir: dump })).rejects.toMatchObject({ code: 'invalid_input' })
})

test.runIf(deep)('the log does not grow for as long as the store is open', async () => {
  await withStore(async db => {
    await create(db)
    await db.script('alter table note alter column body set storage external')
    const addMegabytes = (tx: Transaction) =>
      tx.query(`insert into note (body) values (repeat('x', 2500000))`)
    for (let i = 0; i < 70; i++) await db.transaction(asOwner, addMegabytes)
    const segments = (await readdir(join(dataDir, 'pgdata/pg_wal'))).filter(name =>
      /^[0-9A-F]{24}$/.test(name),
    )
    // 175 MB, or 11 segments, were written; after 80 MB it was cut for the first time.
    expect(segments.length).toBeLessThan(9)
  })
})

describe('a killed process', () => {
  const ROUNDS = times(1, 3)

  test('loses nothing that was committed', async () => {
    const writer = await program(`
      import { openPglite } from './src/storage/pglite.js'
      const db = await openPglite({ dataDir: process.argv[2] })
      await db.script('create table if not exists note (id serial primary key, body text)')
      for (;;) {
        const [row] = await db.transaction({ access: 'write', role: null, settings: {} }, tx =>
          tx.query("insert into note (body) values (repeat('x', 1000)) returning id"))
        console.log(row.id)
      }`)
    onTestFinished(() => writer.dispose())
    await copyStore()
    for (let round = 0; round < ROUNDS; round++) {
      const child = writer.start(dataDir)
      let fifth: string | undefined
      for (let commits = 0; commits < 5; commits++) fifth = await child.line()
      expect(fifth).toBeDefined()
      await setTimeout(100 + Math.random() * 400)
      await child.kill()
      const reported = Number((await child.rest()).at(-1) ?? fifth)
      const kept = await withStore(db =>
        db.transaction(asOwner, tx => tx.query<{ id: number }>('select id from note order by id')),
      )
      expect(kept.at(-1)?.id).toBeGreaterThanOrEqual(reported)
      expect(kept.map(({ id }) => id).slice(0, 5)).toEqual([1, 2, 3, 4, 5])
    }
  })

  const OPENER = `
    import { openPglite } from './src/storage/pglite.js'
    console.log('starting')
    const db = await openPglite({ dataDir: process.argv[2] })
    console.log('open')
    await db.close()`

  test.runIf(deep)('while it makes the folder leaves one that opens', async () => {
    const opener = await program(OPENER)
    onTestFinished(() => opener.dispose())
    const child = opener.start(dataDir)
    while (!existsSync(join(dataDir, 'pgdata.new'))) await setTimeout(2)
    await child.kill()
    expect((await readdir(dataDir)).sort()).toEqual(['lock', 'pgdata.new'])
    await withStore(create)
    expect(await readdir(dataDir)).toEqual(['pgdata'])
  })

  test.runIf(deep)('at any moment while it opens leaves a folder that opens', async () => {
    const opener = await program(OPENER)
    onTestFinished(() => opener.dispose())
    for (const delay of [0, 60, 120, 180, 240, 300, 480, 720]) {
      const child = opener.start(dataDir)
      await child.line()
      await setTimeout(delay)
      await child.kill()
      if (delay % 120 === 0) await withStore(create)
      if (delay === 240) await rm(dataDir, { recursive: true })
    }
    await withStore(create)
    expect(await readdir(dataDir)).toEqual(['pgdata'])
  })
})

describe('a full disk', () => {
  /** Writes until that fails three times, then reads and says how much there is. */
  const FILLER = `
    import { openPglite } from './src/storage/pglite.js'
    const db = await openPglite({ dataDir: process.argv[2] })
    const write = sql => db.transaction({ access: 'write', role: null, settings: {} }, tx => tx.query(sql))
    await db.script('alter table note alter column body set storage external')
    let written = 0
    for (let failures = 0; failures < 3; ) {
      try {
        await write("insert into note (body) values (repeat('x', 960000))")
        written++
      } catch (e) {
        failures++
        console.log(e.code)
      }
    }
    try {
      const [row] = await write('select count(*)::int as n from note')
      console.log(row.n === written)
    } catch (e) {
      console.log(e.code)
    }
    console.log(written)
    await db.close()`

  /** A file may not grow beyond this, which is as near to a full disk as a user can come. */
  const filler = async (kilobytes: number) => {
    const limited = await program(FILLER, ['sh', '-c', `ulimit -f ${kilobytes * 2}; exec "$@"`, '-'])
    onTestFinished(() => limited.dispose())
    return limited
  }

  test.runIf(deep)('fails the write, and the store goes on', async () => {
    await copyStore()
    const lines = await (await filler(17_000)).start(dataDir).rest()
    const written = Number(lines.pop())
    expect(lines).toEqual(['storage_full', 'storage_full', 'storage_full', 'true'])
    expect(await withStore(count)).toBe(written)
  })

  test.runIf(deep)(
    'that stops the engine does not hang, and the store opens once there is room',
    async () => {
      await copyStore()
      // What is left of the log's segment fits, but the next segment of 16 MiB does not, at which Postgres ends itself.
      const lines = await (await filler(16_000)).start(dataDir).rest()
      const written = Number(lines.pop())
      expect(lines.slice(0, 1)).toSatisfy(([code]) => code === 'unavailable' || code === 'storage_full')
      expect(lines.slice(1)).toEqual(['storage_full', 'storage_full', 'storage_full'])
      expect(await withStore(count)).toBeGreaterThanOrEqual(written)
    },
  )
})

describe('what cannot be opened says why', () => {
  const refusal = () =>
    openPglite({ dataDir }).then(
      () => 'opened',
      (e: { code: string; message: string }) => `${e.code}: ${e.message}`,
    )
  const pgdata = (...path: string[]) => join(dataDir, 'pgdata', ...path)

  test('a file', async () => {
    await mkdir(join(home, 'deep'))
    await writeFile(dataDir, 'x')
    expect(await refusal()).toBe(`invalid_input: ${dataDir} is not a folder`)
  })

  test('a folder in which pgdata is something else', async () => {
    await mkdir(pgdata(), { recursive: true })
    expect(await refusal()).toBe(`invalid_input: ${pgdata()} does not hold a store`)
    await writeFile(pgdata('PG_VERSION'), '14\n')
    expect(await refusal()).toBe(
      `invalid_input: ${pgdata()} was made by postgres 14, and this build reads 18`,
    )
  })

  const DAMAGES: readonly (readonly [string, () => Promise<void>])[] = [
    ['its control file is cut', () => truncate(pgdata('global/pg_control'), 0)],
    ['its control file is garbage', () => writeFile(pgdata('global/pg_control'), Buffer.alloc(8192, 7))],
    ['its log is gone', () => rm(pgdata('pg_wal'), { recursive: true })],
    ['its tables are gone', () => rm(pgdata('base'), { recursive: true })],
  ]
  test.each(few(DAMAGES, 2))('a store of which %s', async (_, damage) => {
    await copyStore()
    await damage()
    expect(await refusal()).toBe(`unavailable: the store in ${dataDir} cannot be opened; it may be damaged`)
    expect(existsSync(join(dataDir, 'lock'))).toBe(false)
  })

  test.skipIf(userInfo().uid === 0)('a folder of another user', async () => {
    await mkdir(dataDir, { recursive: true })
    await chmod(dataDir, 0o500)
    expect(await refusal()).toBe(`unavailable: the folder ${dataDir} may not be read and written (EACCES)`)
  })
})
