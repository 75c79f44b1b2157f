import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { OpenOptions } from '../../src/open.js'
import { open, type Privity } from '../../src/open.js'
import type { Engine } from './stores.js'

export interface TestPrivity {
  privity: Privity
  /** Postgres only: the address of this database. */
  url?: string
  /** A tenant nobody else uses. */
  tenant(): string
  dispose(): Promise<void>
}

/** Nothing runs behind the back of a test that counts statements. */
const QUIET = { embedding: [], sweeps: false }

/** A Privity of its own on a fresh store. Tests of one file share one and use a tenant each. */
export async function openTestPrivity(
  engine: Engine,
  options: Omit<OpenOptions, 'dataDir' | 'databaseUrl'> = {},
): Promise<TestPrivity> {
  const tenant = () => `t-${randomBytes(6).toString('hex')}`
  if (engine === 'pglite') {
    const privity = await open({ ...QUIET, ...options })
    return { privity, tenant, dispose: () => privity.close() }
  }
  const { url, drop } = await freshDatabase()
  const privity = await open({ ...QUIET, ...options, databaseUrl: url })
  return {
    privity,
    url,
    tenant,
    async dispose() {
      await privity.close()
      await drop()
    },
  }
}

/** An empty database of the test server. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const admin = inject('postgresUrl')
  const name = `t_${randomBytes(8).toString('hex')}`
  await administer(admin, `create database ${name}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(admin, `drop database ${name} with (force)`) }
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
