import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { Database, Observe } from '../../src/storage/database.js'
import { openPglite } from '../../src/storage/pglite.js'
import { openPostgres } from '../../src/storage/postgres.js'

export const engines = ['pglite', 'postgres'] as const

export type Engine = (typeof engines)[number]

export interface EmptyDatabase {
  db: Database
  /** Postgres only. */
  url?: string
  dispose(): Promise<void>
}

/** A fresh, empty database of its own for a test. */
export async function emptyDatabase(
  engine: Engine,
  options: { observe?: Observe; poolSize?: number } = {},
): Promise<EmptyDatabase> {
  const { observe, poolSize } = options
  if (engine === 'pglite') {
    const db = await openPglite({ dataDir: null, ...(observe && { observe }) })
    return { db, dispose: () => db.close() }
  }
  const admin = inject('postgresUrl')
  const name = `t_${randomBytes(8).toString('hex')}`
  await administer(admin, `create database ${name}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  const db = await openPostgres({ url: url.href, ...(observe && { observe }), ...(poolSize && { poolSize }) })
  return {
    db,
    url: url.href,
    async dispose() {
      await db.close()
      await administer(admin, `drop database ${name} with (force)`)
    },
  }
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
