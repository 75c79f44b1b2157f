import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/storage/postgres.js'
import { type FreshDatabase, freshDatabase } from './stores.js'

/** Runs a statement as the administrator, on a connection of its own. */
async function sql<Row extends pg.QueryResultRow>({ url }: FreshDatabase, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** The process at the server that answers a pool. */
async function backendOf({ url }: FreshDatabase): Promise<number | undefined> {
  const db = await openPostgres({ url })
  const asOwner = { access: 'read', role: null, settings: {} } as const
  const rows = await db.transaction(asOwner, tx =>
    tx.query<{ pid: number }>('select pg_backend_pid() as pid'),
  )
  await db.close()
  return rows[0]?.pid
}

describe('a database that a test has used', () => {
  it('is handed on without its rows, with its connections', async () => {
    const used = await freshDatabase()
    const backend = await backendOf(used)
    await sql(used, `insert into privity.tenants values ('left behind', now())`)
    await used.drop()
    const next = await freshDatabase()
    expect(next.url).toBe(used.url)
    expect(await sql(next, 'select tenant_id from privity.tenants')).toEqual([])
    expect(await backendOf(next)).toBe(backend)
    await next.drop()
  })

  it.each([
    ['changed its schema', 'alter table privity.tenants add column more text'],
    ['changed a policy', 'drop policy operator on privity.tenants'],
    ['changed what migrations put in', `update privity.settings set value = value || ' '`],
  ])('is dropped if the test %s', async (_, change) => {
    const used = await freshDatabase()
    await sql(used, change)
    await used.drop()
    const next = await freshDatabase()
    expect(next.url).not.toBe(used.url)
    await next.drop()
  })

  it('is dropped if somebody still uses it', async () => {
    const used = await freshDatabase()
    const client = new pg.Client({ connectionString: used.url })
    client.on('error', () => {})
    await client.connect()
    await used.drop()
    const next = await freshDatabase()
    expect(next.url).not.toBe(used.url)
    await next.drop()
  })
})
