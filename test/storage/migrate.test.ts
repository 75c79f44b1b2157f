import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.js'
import { isSecurityInstalled, migrate } from '../../src/storage/migrate.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { bothEngines, emptyDatabase, type TestDatabase } from '../support/stores.js'

const FIRST = `-- breaking
create table privity.note (id int primary key, body text);
insert into privity.note values (1, 'it''s \\ here; $1 $$');
create function privity.one() returns int language plpgsql as $$ begin return 1; end $$;
`
const SECOND = `-- compatible
alter table privity.note add column size int;
update privity.note set size = privity.one();
`

describe.each(bothEngines)('on %s', engine => {
  let store: TestDatabase
  let dir: string

  beforeAll(async () => {
    store = await emptyDatabase(engine)
  })
  afterAll(() => store.dispose())

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'privity-sql-'))
  })

  afterEach(async () => {
    // All that a migration here makes is in it.
    await store.db.script('drop schema if exists privity cascade')
    await rm(dir, { recursive: true })
  })

  const put = (name: string, sql: string) => writeFile(join(dir, name), sql)
  const remove = (name: string) => rm(join(dir, name))
  const query = <Row>(sql: string) =>
    store.db.transaction({ access: 'read', role: null, settings: {} }, tx => tx.query<Row>(sql))

  test('applies what is missing, in order, once', async () => {
    await put('001-first.sql', FIRST)
    expect(await migrate(store.db, { dir })).toEqual({
      applied: ['001-first.sql'],
      version: 1,
      repaired: false,
    })
    await put('010-tenth.sql', 'select 1')
    await put('002-second.sql', SECOND)
    await put('notes.md', 'not sql')
    expect(await migrate(store.db, { dir })).toEqual({
      applied: ['002-second.sql', '010-tenth.sql'],
      version: 10,
      repaired: false,
    })
    expect(await migrate(store.db, { dir })).toEqual({ applied: [], version: 10, repaired: false })
    expect(await query('select * from privity.note')).toEqual([
      { id: 1, body: `it's \\ here; $1 $$`, size: 1 },
    ])
    expect(await query('select version, name, breaking from privity.migrations order by version')).toEqual([
      { version: 1, name: '001-first.sql', breaking: true },
      { version: 2, name: '002-second.sql', breaking: false },
      { version: 10, name: '010-tenth.sql', breaking: true },
    ])
  })

  test('a failing file names itself and applies nothing', async () => {
    await put('001-first.sql', FIRST)
    await put('002-second.sql', 'create table privity.other (id int);\nselect 1 / 0;')
    await expect(migrate(store.db, { dir })).rejects.toMatchObject({
      code: 'internal',
      message: '002-second.sql failed (22012); nothing was changed',
    })
    expect(await query(`select nspname from pg_namespace where nspname = 'privity'`)).toEqual([])
    await put('002-second.sql', SECOND)
    expect(await migrate(store.db, { dir })).toMatchObject({ version: 2 })
  })

  test('two files with one number are refused', async () => {
    await put('001-first.sql', FIRST)
    await put('001-other.sql', 'select 1')
    await expect(migrate(store.db, { dir })).rejects.toThrow(
      '001-first.sql and 001-other.sql have the same number',
    )
  })

  test.each([
    ['marked breaking', '-- breaking\nselect 1'],
    ['without a mark', 'select 1'],
    ['behind a compatible one', '-- breaking\nselect 1', '-- compatible\nselect 1'],
  ])('a newer schema %s is refused', async (_, third, fourth = third) => {
    await put('002-second.sql', 'select 1')
    await put('003-third.sql', third)
    await put('004-fourth.sql', fourth)
    await migrate(store.db, { dir })
    await remove('003-third.sql')
    await remove('004-fourth.sql')
    await expect(migrate(store.db, { dir })).rejects.toMatchObject({
      code: 'schema_newer',
      message: 'this database has schema 4, which this build (schema 2) does not understand; upgrade privity',
    })
  })

  test('a newer schema of compatible steps is used as it is', async () => {
    await put('001-first.sql', FIRST)
    await put('002-second.sql', SECOND)
    await migrate(store.db, { dir })
    await remove('002-second.sql')
    expect(await migrate(store.db, { dir })).toEqual({ applied: [], version: 2, repaired: false })
  })

  test('a lower step that the build no longer has is no error', async () => {
    await put('001-first.sql', FIRST)
    await put('002-second.sql', SECOND)
    await migrate(store.db, { dir })
    await remove('001-first.sql')
    expect(await migrate(store.db, { dir })).toEqual({ applied: [], version: 2, repaired: false })
  })

  test('row-level security is installed again when its text changes', async () => {
    await put('001-first.sql', FIRST)
    const rls = (word: string) => `
      alter table privity.note enable row level security;
      drop policy if exists seen on privity.note;
      create policy seen on privity.note using (body = '${word}');
      insert into privity.note (id) select coalesce(max(id), 0) + 1 from privity.note;`
    const installs = async () =>
      (await query<{ n: number }>('select count(*)::int - 1 as n from privity.note'))[0]?.n
    await put('rls.sql', rls('a'))
    await migrate(store.db, { dir })
    await migrate(store.db, { dir })
    expect(await installs()).toBe(1)
    await put('rls.sql', rls('b'))
    expect(await migrate(store.db, { dir })).toEqual({ applied: [], version: 1, repaired: true })
    expect(await installs()).toBe(2)
    expect(await query('select qual from pg_policies')).toEqual([{ qual: `(body = 'b'::text)` }])
    await put('rls.sql', 'select 1 / 0')
    await expect(migrate(store.db, { dir })).rejects.toThrow('rls.sql failed (22012)')
    expect(await query('select qual from pg_policies')).toHaveLength(1)
  })

  test.each([
    ['a policy was dropped', 'drop policy seen on privity.note'],
    ['a policy was widened', 'alter policy seen on privity.note using (true)'],
    ['a table no longer enforces it', 'alter table privity.note disable row level security'],
    ['a grant was taken away', 'revoke select on privity.note from public'],
    ['a grant was added', 'grant delete on privity.note to public'],
    ['a function was changed', 'create or replace function privity.own() returns int language sql return 2'],
  ])('[OP-1] row-level security is installed again when %s', async (_, damage) => {
    await put('001-first.sql', FIRST)
    await put(
      'rls.sql',
      `alter table privity.note enable row level security;
       drop policy if exists seen on privity.note;
       create policy seen on privity.note using (body = 'a');
       revoke all on privity.note from public;
       grant select on privity.note to public;
       create or replace function privity.own() returns int language sql return 1;`,
    )
    await migrate(store.db, { dir })
    expect(await isSecurityInstalled(store.db)).toBe(true)
    expect(await migrate(store.db, { dir })).toMatchObject({ repaired: false })
    await store.db.script(damage)
    expect(await isSecurityInstalled(store.db)).toBe(false)
    expect(await migrate(store.db, { dir })).toMatchObject({ repaired: true })
    expect(await query('select qual from pg_policies')).toEqual([{ qual: `(body = 'a'::text)` }])
    expect(await migrate(store.db, { dir })).toMatchObject({ repaired: false })
  })

  test('[OP-1] an older build leaves the row-level security of a newer one in place', async () => {
    const rls = (word: string) => `
      alter table privity.note enable row level security;
      drop policy if exists seen on privity.note;
      create policy seen on privity.note using (body = '${word}')`
    await put('001-first.sql', FIRST)
    await put('002-second.sql', SECOND)
    await put('rls.sql', rls('new'))
    await migrate(store.db, { dir })
    await remove('002-second.sql')
    await put('rls.sql', rls('old'))
    await migrate(store.db, { dir })
    expect(await query('select qual from pg_policies')).toEqual([{ qual: `(body = 'new'::text)` }])
  })

  test('twenty at once on an empty database all succeed and apply each file once', async () => {
    await put('001-first.sql', FIRST)
    await put('002-second.sql', SECOND)
    await put('rls.sql', 'alter table privity.note enable row level security')
    const others = await openOthers(store, 19)
    const results = await Promise.all([store.db, ...others].map(db => migrate(db, { dir })))
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(['001-first.sql', '002-second.sql'])
    expect(results.every(({ version }) => version === 2)).toBe(true)
    await Promise.all(others.map(db => db.close()))
  })
})

test('a role that may create nothing can open a database that is up to date', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'privity-sql-'))
  const store = await emptyDatabase('postgres')
  const role = `app_${process.pid}`
  await writeFile(join(dir, '001-first.sql'), FIRST)
  await migrate(store.db, { dir })
  await store.db.script(`
    create role ${role} login password 'app';
    grant usage on schema privity to ${role};
    grant select on privity.migrations, privity.settings to ${role}`)
  const url = new URL(store.url ?? '')
  url.username = role
  url.password = 'app'
  const app = await openPostgres({ url: url.href })
  expect(await migrate(app, { dir })).toEqual({ applied: [], version: 1, repaired: false })
  await app.close()
  await store.db.script(`drop owned by ${role}; drop role ${role}`)
  await store.dispose()
  await rm(dir, { recursive: true })
})

/** Separate pools, as separate processes have; PGlite has one connection, which is shared. */
async function openOthers({ db, url }: TestDatabase, count: number): Promise<Database[]> {
  if (url === undefined) return Array.from({ length: count }, () => shared(db))
  return Promise.all(Array.from({ length: count }, () => openPostgres({ url, poolSize: 1 })))
}

function shared(db: Database): Database {
  return {
    engine: db.engine,
    transaction: (options, fn) => db.transaction(options, fn),
    statement: (options, sql, params) => db.statement(options, sql, params),
    script: sql => db.script(sql),
    close: async () => {},
  }
}
