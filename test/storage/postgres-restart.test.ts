import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database, Transaction } from '../../src/storage/database.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { type PostgresServer, startPostgres } from '../support/postgres-server.js'

const asOwner = { access: 'write', role: null, settings: {} } as const

let server: PostgresServer
let db: Database

beforeAll(async () => {
  server = await startPostgres()
  db = await openPostgres({ url: server.url, poolSize: 4 })
  await db.script('create table note (id int primary key, size int)')
})
beforeEach(() => db.script('truncate note'))
afterAll(async () => {
  await db.close()
  await server.dispose()
})

const write = <T>(fn: (tx: Transaction) => Promise<T>) => db.transaction(asOwner, fn)
const ids = () => write(tx => tx.query<{ id: number }>('select id from note order by id'))

/** As a power cut: the server and all its processes are gone at once. */
async function crash(): Promise<void> {
  const pid = Number.parseInt(await readFile(join(server.dataDir, 'postmaster.pid'), 'utf8'), 10)
  process.kill(pid, 'SIGQUIT')
  await server.stop()
}

test('a server lost while a transaction runs is unavailable, and its return is enough', async () => {
  const failed = write(async tx => {
    await tx.query('insert into note (id) values (1)')
    await crash()
    await tx.query('insert into note (id) values (2)')
  })
  await expect(failed).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the database connection was lost; nothing was changed',
  })
  await expect(ids()).rejects.toMatchObject({ code: 'unavailable' })
  await server.start()
  expect(await ids()).toEqual([])
})

test('a connection lost between statements does not end the process', async () => {
  const failed = write(async tx => {
    await tx.query('insert into note (id) values (1)')
    await write(other => terminateOthers(other))
    await setTimeout(100)
    await tx.query('insert into note (id) values (2)')
  })
  await expect(failed).rejects.toMatchObject({ code: 'unavailable' })
  expect(await ids()).toEqual([])
})

test('a connection lost before the commit leaves the outcome unknown', async () => {
  const failed = write(async tx => {
    await tx.query('insert into note (id) values (1)')
    await write(other => terminateOthers(other))
    await setTimeout(100)
  })
  await expect(failed).rejects.toMatchObject({
    code: 'unavailable',
    message:
      'the database connection was lost; the outcome of this request is unknown, repeat it with the same idempotency key',
  })
  expect(await ids()).toEqual([])
})

test('connections that died while idle are replaced unseen', async () => {
  await Promise.all(Array.from({ length: 4 }, () => write(tx => tx.query('select pg_sleep(0.05)'))))
  await write(terminateOthers)
  expect(await ids()).toEqual([])
  await server.stop()
  await server.start()
  expect(await Promise.all(Array.from({ length: 8 }, ids))).toEqual(Array(8).fill([]))
})

test('a deadlock is resolved by running one side again', async () => {
  await write(tx => tx.query('insert into note (id, size) values (1, 0), (2, 0)'))
  let runs = 0
  const add = (first: number, second: number) =>
    write(async tx => {
      runs++
      await tx.query('update note set size = size + 1 where id = $1', [first])
      await setTimeout(50)
      await tx.query('update note set size = size + 1 where id = $1', [second])
    })
  await Promise.all([add(1, 2), add(2, 1)])
  expect(runs).toBeGreaterThan(2)
  expect(await write(tx => tx.query('select size from note'))).toEqual([{ size: 2 }, { size: 2 }])
})

test('a conflict that never ends is busy after six runs', async () => {
  let runs = 0
  const failed = write(async tx => {
    runs++
    await tx.query(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`)
  })
  await expect(failed).rejects.toMatchObject({ code: 'busy' })
  expect(runs).toBe(6)
})

test('a statement may be given a time limit', async () => {
  const limited = await openPostgres({ url: server.url, statementTimeoutMs: 50 })
  const failed = limited.transaction(asOwner, tx => tx.query('select pg_sleep(5)'))
  await expect(failed).rejects.toMatchObject({ code: 'unavailable' })
  await limited.close()
})

test('a url that leads nowhere says so, without repeating it', async () => {
  const url = new URL(server.url)
  // By its port, where nobody listens on another; a socket would be a file that is not there.
  url.searchParams.delete('host')
  const nowhere = Object.assign(new URL(url), { port: '1', password: 'secret' })
  await expect(openPostgres({ url: nowhere.href })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the database cannot be reached (ECONNREFUSED); nothing was changed',
  })
  const stranger = Object.assign(new URL(url), { password: 'secret' })
  await expect(openPostgres({ url: stranger.href })).rejects.toMatchObject({
    code: 'setup_incomplete',
    message: 'the database refused the login (28P01); check user and password in the URL',
  })
  const absent = Object.assign(new URL(url), { pathname: '/absent' })
  await expect(openPostgres({ url: absent.href })).rejects.toMatchObject({
    code: 'setup_incomplete',
    message: 'the database in the URL does not exist; create it first',
  })
  for (const wrong of ['postgres://[', 'mysql://localhost/x', 'x', '']) {
    await expect(openPostgres({ url: wrong })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'the database URL must look like postgres://user:password@host:5432/name',
    })
  }
})

async function terminateOthers(tx: Transaction): Promise<void> {
  await tx.query(`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type = 'client backend'`)
}
