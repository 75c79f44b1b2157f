import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { Database, Observe } from '../../src/storage/database.js'
import { openPglite } from '../../src/storage/pglite.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { deep } from './depth.js'
import { migratedPgdata } from './migrated-pgdata.js'
import { removeContent } from './remove-content.js'
import { keepConnectionsWarm, parkedOn } from './warm-connections.js'

keepConnectionsWarm()

/** For what an engine itself can get wrong: the storage contract, migrations, row-level security and a few whole requests. */
export const bothEngines = ['pglite', 'postgres'] as const

export type Engine = (typeof bothEngines)[number]

/** For everything above the storage, which is one program on either: both in the deep run. */
export const engines: readonly Engine[] = deep ? bothEngines : ['postgres']

/** For tests that need some store: the one that costs less. */
export const anyEngine: Engine = deep ? 'pglite' : 'postgres'

export interface TestDatabase {
  db: Database
  /** Postgres only. */
  url?: string
  dispose(): Promise<void>
}

interface Options {
  observe?: Observe
  poolSize?: number
}

/** A database of its own for a test, with today's schema. */
export async function migratedDatabase(engine: Engine, options: Options = {}): Promise<TestDatabase> {
  return engine === 'pglite'
    ? onPglite(await migratedPgdata(), options)
    : onPostgres(await freshDatabase(), options)
}

/** One without a schema, for tests of what makes it. */
export async function emptyDatabase(engine: Engine, options: Options = {}): Promise<TestDatabase> {
  return engine === 'pglite'
    ? onPglite(undefined, options)
    : onPostgres(await freshDatabase('empty'), options)
}

async function onPglite(loadDataDir: Blob | undefined, { observe }: Options): Promise<TestDatabase> {
  const db = await openPglite({
    dataDir: null,
    ...(loadDataDir && { loadDataDir }),
    ...(observe && { observe }),
  })
  return { db, dispose: () => db.close() }
}

async function onPostgres(
  { url, drop }: FreshDatabase,
  { observe, poolSize }: Options,
): Promise<TestDatabase> {
  const db = await openPostgres({ url, ...(observe && { observe }), ...(poolSize && { poolSize }) })
  return {
    db,
    url,
    async dispose() {
      await db.close()
      await drop()
    },
  }
}

export interface FreshDatabase {
  url: string
  drop(): Promise<void>
}

/** A database of the test server that has nothing in it: one with today's schema, or an empty one. */
export async function freshDatabase(schema: 'migrated' | 'empty' = 'migrated'): Promise<FreshDatabase> {
  const run = inject('postgresTemplate')
  const template = schema === 'empty' ? 'template1' : run
  const name = (schema === 'migrated' && emptied.pop()) || `t_${run}_${randomBytes(6).toString('hex')}`
  if (!known.has(name)) await administer(`create database ${name} template ${template} strategy file_copy`)
  known.add(name)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      const isKept =
        schema === 'migrated' &&
        (await removeContent(url.href, inject('postgresSchema'), parkedOn(url.href)).catch(() => false))
      if (isKept) emptied.push(name)
      else await administer(`drop database ${name} with (force)`)
    },
  }
}

/** Databases of this worker, and those of them that wait for the next test. */
const known = new Set<string>()
const emptied: string[] = []

let admin: pg.Pool | undefined

/** Runs a statement as the administrator of the test server. */
async function administer(sql: string): Promise<void> {
  if (admin === undefined) {
    admin = new pg.Pool({ connectionString: inject('postgresUrl'), max: 2, allowExitOnIdle: true })
    // The server is stopped while they are idle.
    admin.on('error', () => {})
  }
  await admin.query(sql)
}
