import { randomBytes } from 'node:crypto'
import { assemble, type Privity } from '../../src/open.js'
import { type Clock, SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import type { Database, Observe, Param } from '../../src/storage/database.js'
import { withoutClosing } from '../../src/testing/index.js'
import { type Engine, migratedDatabase } from './stores.js'

/** Runs one statement past every policy, as whoever has the machine can. */
export type Sql = <Row = Record<string, unknown>>(text: string, params?: readonly Param[]) => Promise<Row[]>

/** A store with several Privity on it, one after another or at once, and a way past all of them. */
export interface SharedStore {
  readonly db: Database
  /** Postgres only. */
  readonly url?: string
  readonly sql: Sql
  /** One more Privity, with caches and audit lanes of its own. Closing it leaves the store open. */
  instance(clock?: Clock, options?: Parameters<typeof assemble>[2]): Promise<Privity>
  /** A tenant nobody else uses. */
  tenant(): string
  dispose(): Promise<void>
}

export async function sharedStore(
  engine: Engine,
  { observe }: { observe?: Observe } = {},
): Promise<SharedStore> {
  const { db, url, dispose } = await migratedDatabase(engine, observe ? { observe } : {})
  const kept = withoutClosing(db)
  return {
    db,
    ...(url && { url }),
    sql: (text, params) =>
      db.transaction({ access: 'write', role: null, settings: {} }, tx => tx.query(text, params)),
    instance: (clock = SYSTEM_CLOCK, options) => assemble(kept, clock, options),
    tenant: () => `t-${randomBytes(6).toString('hex')}`,
    dispose,
  }
}

/** Every row of every table as text: what is stored, whoever may read it. */
export async function dumpTables(
  sql: Sql,
  wanted: (table: string) => boolean = () => true,
): Promise<{ table: string; row: string }[]> {
  const tables = await sql<{ name: string }>(
    `select table_name::text as name
     from information_schema.tables
     where table_schema = 'privity'
     order by 1`,
  )
  const rows: { table: string; row: string }[] = []
  for (const { name: table } of tables.filter(({ name }) => wanted(name))) {
    const found = await sql<{ row: string }>(`select t::text as row from privity.${table} t`)
    rows.push(...found.map(({ row }) => ({ table, row })))
  }
  return rows
}
