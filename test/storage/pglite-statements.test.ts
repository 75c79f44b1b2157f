import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataDir as emptyPgdata } from '@electric-sql/pglite-prepopulatedfs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Database, Transaction } from '../../src/storage/database.js'
import { openPglite } from '../../src/storage/pglite.js'
import { PgliteEngine } from '../../src/storage/pglite-engine.js'
import { bothEngines, emptyDatabase, type TestDatabase } from '../support/stores.js'

const asOwner = { access: 'write', role: null, settings: {} } as const
/** Enough for Postgres to plan for all values alike, and to keep that plan. */
const OFTEN = 8

async function often<T>(run: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let i = 0; i < OFTEN; i++) results.push(await run())
  return results
}

describe.each(bothEngines)('a statement that is repeated on %s', engine => {
  let store: TestDatabase
  let db: Database
  const [even, odd, none] = ['even', 'odd', 'none'].map(name => `${name}_${engine}_${process.pid}`)

  beforeAll(async () => {
    store = await emptyDatabase(engine, { poolSize: 1 })
    db = store.db
  })
  afterAll(() => store.dispose())

  beforeEach(async () => {
    await db.script(`
      create table note (id int primary key, word text);
      insert into note values (1, 'a'), (2, 'a'), (3, 'b'), (4, 'b');
      create role ${even};
      create role ${odd};
      create role ${none};
      grant select on note to ${even}, ${odd};
      alter table note enable row level security;
      create policy even on note to ${even} using (id % 2 = 0 and word = current_setting('privity.word'));
      create policy odd on note to ${odd} using (id % 2 = 1 and word = current_setting('privity.word'))`)
  })

  afterEach(async () => {
    for (const role of [even, odd, none]) await db.script(`drop owned by ${role}; drop role ${role}`)
    await db.script('drop table note')
  })

  const ids = async (tx: Transaction) =>
    (await tx.query<{ id: number }>('select id from note where id > $1 order by id', [0])).map(({ id }) => id)
  const idsAs = (role: string | null | undefined, word: string) =>
    db.transaction({ access: 'read', role: role ?? null, settings: { 'privity.word': word } }, ids)

  test('shows each role its own rows', async () => {
    const round = async () => [await idsAs(even, 'a'), await idsAs(odd, 'a'), await idsAs(null, 'a')]
    expect(await often(round)).toEqual(Array(OFTEN).fill([[2], [1], [1, 2, 3, 4]]))
    expect(await often(() => idsAs(even, 'b'))).toEqual(Array(OFTEN).fill([4]))
    expect(await often(() => idsAs(odd, 'b'))).toEqual(Array(OFTEN).fill([3]))
  })

  test('shows each role its own rows when the role changes inside a transaction', async () => {
    const round = () =>
      db.transaction({ ...asOwner, settings: { 'privity.word': 'a' } }, async tx => {
        const seen = [await ids(tx)]
        for (const role of [even ?? '', odd ?? '', even ?? '']) {
          await tx.query(`select set_config('role', $1, true)`, [role])
          seen.push(await ids(tx))
        }
        return seen
      })
    expect(await often(round)).toEqual(Array(OFTEN).fill([[1, 2, 3, 4], [2], [1], [2]]))
  })

  test('is refused to a role that may not run it, whoever ran it before', async () => {
    await often(() => idsAs(even, 'a'))
    await expect(idsAs(none, 'a')).rejects.toMatchObject({ cause: { code: '42501' } })
    expect(await idsAs(even, 'a')).toEqual([2])
    await db.script(`revoke select on note from ${even}`)
    await expect(idsAs(even, 'a')).rejects.toMatchObject({ cause: { code: '42501' } })
  })

  test('follows a policy that changes', async () => {
    await often(() => idsAs(even, 'a'))
    await db.script('alter policy even on note using (id = 3)')
    expect(await idsAs(even, 'a')).toEqual([3])
    await db.transaction(asOwner, tx => tx.query('drop policy even on note'))
    expect(await idsAs(even, 'a')).toEqual([])
  })

  test('works again after it failed', async () => {
    const add = (id: number) =>
      db.transaction(asOwner, tx => tx.query('insert into note (id) values ($1) returning id', [id]))
    for (let id = 10; id < 10 + OFTEN; id++) {
      await expect(add(1)).rejects.toMatchObject({ code: '23505' })
      expect(await add(id)).toEqual([{ id }])
    }
    const divide = (by: number) =>
      db.transaction(asOwner, async tx => {
        await tx.query('savepoint before')
        await tx.query('select 6 / $1::int as n', [0]).catch(() => tx.query('rollback to before'))
        return tx.query('select 6 / $1::int as n', [by])
      })
    expect(await often(() => divide(3))).toEqual(Array(OFTEN).fill([{ n: 2 }]))
  })
})

describe('what PGlite keeps', () => {
  let db: Database
  beforeAll(async () => {
    db = await openPglite({ dataDir: null })
  })
  afterAll(() => db.close())
  // A script also forgets what was kept.
  beforeEach(() =>
    db.script(`create table note (id int primary key, word text); insert into note values (1, 'a')`),
  )
  afterEach(() => db.script('drop table note'))

  const send = <Row>(sql: string, params: readonly (string | number)[] = []) =>
    db.transaction(asOwner, tx => tx.query<Row>(sql, params))
  const kept = () =>
    send<{ statement: string; generic: string }>(
      'select statement, generic_plans as generic from pg_prepared_statements order by prepare_time',
    )
  const ALL = 'select * from note'

  test('is parsed once, and planned a few times', async () => {
    const sql = 'select word from note where id = $1'
    await often(() => send(sql, [1]))
    expect(await kept()).toContainEqual({ statement: sql, generic: '3' })
  })

  test('is bounded, and what was used last stays', async () => {
    const numbers = Array.from({ length: 250 }, (_, n) => n)
    const sendAll = async () => {
      for (const n of numbers) {
        expect(await send(`select ${n} as n, $1::int as m`, [n])).toEqual([{ n, m: n }])
        expect(await send(ALL)).toHaveLength(1)
      }
    }
    await sendAll()
    await sendAll()
    const statements = (await kept()).map(({ statement }) => statement)
    expect(statements).toHaveLength(200)
    expect(statements[0]).toBe(ALL)
    expect(statements).toContain('select 249 as n, $1::int as m')
  })

  test('does not outlive a change of the schema', async () => {
    const byId = () => send('select id from note where id = $1', [1])
    await often(() => send(ALL))
    await often(byId)
    await send('alter table note add column size int')
    expect(await send(ALL)).toEqual([{ id: 1, word: 'a', size: null }])
    await db.script('alter table note drop column word; alter table note alter column id type text')
    expect(await send(ALL)).toEqual([{ id: '1', size: null }])
    expect(await byId()).toEqual([{ id: '1' }])
  })

  test('does not outlive a change of the schema that is taken back', async () => {
    await often(() => send(ALL))
    const failed = db.transaction(asOwner, async tx => {
      await tx.query(ALL)
      await tx.query('alter table note drop column word')
      expect(await tx.query(ALL)).toEqual([{ id: 1 }])
      throw new Error('mine')
    })
    await expect(failed).rejects.toThrow('mine')
    expect(await often(() => send(ALL))).toEqual(Array(OFTEN).fill([{ id: 1, word: 'a' }]))
  })

  test('is given up when Postgres refuses it', async () => {
    await db.script(`
      create function widen() returns void language plpgsql as 'begin alter table note add column size int; end'`)
    await often(() => send(ALL))
    await send('select widen()')
    await expect(send(ALL)).rejects.toMatchObject({ cause: { code: '0A000' } })
    expect(await send(ALL)).toEqual([{ id: 1, word: 'a', size: null }])
  })

  test('may be sent at once', async () => {
    const rows = await db.transaction(asOwner, tx =>
      Promise.all([1, 2, 3, 1].map(n => tx.query(`select ${n} as n, $1::int as m`, [n]))),
    )
    expect(rows).toEqual([1, 2, 3, 1].map(n => [{ n, m: n }]))
  })
})

test('a plan does not outlast the size it was made for', async () => {
  const engine = await PgliteEngine.inMemory(await emptyPgdata())
  onTestFinished(() => engine.close())
  await engine.pg.exec(`
    create table note (id int primary key, word text);
    insert into note values (0, '');
    analyze note`)
  await often(() => engine.statements.query(null, 'select word from note where id = $1', ['0']))
  const plan = async () => JSON.stringify((await engine.pg.query('explain execute privity_0 (0)')).rows)
  expect(await plan()).toContain('Seq Scan')
  const words = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => `${i}`.padEnd(60)))
  await engine.statements.query(
    null,
    'insert into note select n, word from json_array_elements_text($1) with ordinality as w (word, n)',
    [words],
  )
  expect(await plan()).toContain('Seq Scan')
  await engine.tidy()
  expect(await plan()).not.toContain('Seq Scan')
})

test('an engine started in place of a stopped one parses anew', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'privity-store-'))
  const db = await openPglite({ dataDir })
  onTestFinished(async () => {
    await db.close()
    await rm(dataDir, { recursive: true })
  })
  await db.script('create table note (id serial primary key, word text)')
  const add = () =>
    db.transaction(asOwner, tx => tx.query(`insert into note (word) values ($1) returning word`, ['a']))
  await often(add)

  const { fsyncSync } = fs
  const breakSync = (broken: boolean) => {
    fs.fsyncSync = broken
      ? () => {
          throw new Error('broken')
        }
      : fsyncSync
    syncBuiltinESMExports()
  }
  onTestFinished(() => breakSync(false))
  breakSync(true)
  // A log that cannot be synced ends Postgres.
  await expect(add()).rejects.toMatchObject({ code: 'unavailable' })
  breakSync(false)
  expect(await often(add)).toEqual(Array(OFTEN).fill([{ word: 'a' }]))
})
