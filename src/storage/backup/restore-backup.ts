import { PrivityError } from '../../errors.js'
import type { Database, Transaction } from '../database.js'
import { migrate, newestSchema } from '../migrate.js'
import { readSchemaVersion } from '../queries/schema-version.js'
import { type BackupHeader, type BackupPart, damaged, readBackupLines } from './backup-lines.js'
import { listStoredTables, quoteName } from './stored-tables.js'

export interface RestoreSummary {
  readonly header: BackupHeader
  readonly tables: number
  readonly rows: number
}

export interface RestoreProgress {
  readonly table: string
  readonly rows: number
}

/** How much JSON one statement inserts. */
const BATCH_BYTES = 4 * 1024 * 1024
const BATCH_ROWS = 1_000

/**
 * Fills an empty store from a backup and brings it to today's schema (OP-1). The rows arrive in one transaction: if
 * the backup is damaged, or the process stops, the store stays empty.
 */
export async function restoreBackup(
  db: Database,
  lines: AsyncIterable<string>,
  { onProgress, signal }: { onProgress?: (progress: RestoreProgress) => void; signal?: AbortSignal } = {},
): Promise<RestoreSummary> {
  const parts = readBackupLines(lines)
  const first = (await parts.next()).value as BackupPart
  if (first.kind !== 'header') throw damaged('it has no header')
  const { header } = first
  const newest = await newestSchema()
  if (header.schema > newest)
    throw new PrivityError(
      'schema_newer',
      `this backup has schema ${header.schema}, which this build (schema ${newest}) does not understand; upgrade privity`,
    )
  await requireEmpty(db, header.schema)
  await migrate(db, { upTo: header.schema })
  const summary = await db.transaction({ access: 'write', role: null, settings: {} }, async tx => {
    // A transaction is repeated after a conflict, but the lines can be read only once.
    if (onlyOnce.has(parts))
      throw new PrivityError('conflict', 'something else used the store; restore into a new one')
    onlyOnce.add(parts)
    return loadRows(tx, parts, header.schema, onProgress, signal)
  })
  await migrate(db)
  return { header, ...summary }
}

const onlyOnce = new WeakSet<object>()

async function requireEmpty(db: Database, schema: number): Promise<void> {
  const stored = await readSchemaVersion(db)
  if (stored === null) return
  const [found] = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
    tx.query<{ used: boolean }>(`select exists (select 1 from privity.keys) as "used"`),
  )
  if (found?.used)
    throw new PrivityError('conflict', 'this store is in use already; restore into a new folder or database')
  if (stored > schema)
    throw new PrivityError(
      'conflict',
      `this store has schema ${stored} and the backup has ${schema}; restore into a folder or database without a store`,
    )
}

/**
 * Foreign keys are dropped while the rows arrive, because they refer to each other in circles, and made again, which
 * checks them all. The owner of the tables is subject to row-level security as well, so it is not forced meanwhile.
 */
async function loadRows(
  tx: Transaction,
  parts: AsyncIterable<BackupPart>,
  schema: number,
  onProgress: ((progress: RestoreProgress) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<{ tables: number; rows: number }> {
  const known = new Map((await listStoredTables(tx)).map(({ name, columns }) => [name, columns]))
  const keys = await tx.query<{ table: string; name: string; definition: string }>(FOREIGN_KEYS)
  const forced = await tx.query<{ table: string }>(FORCED)
  for (const { table, name } of keys)
    await tx.query(`alter table privity.${quoteName(table)} drop constraint ${quoteName(name)}`)
  for (const { table } of forced)
    await tx.query(`alter table privity.${quoteName(table)} no force row level security`)
  let insert: BatchInsert | undefined
  let total = { tables: 0, rows: 0 }
  for await (const part of parts) {
    signal?.throwIfAborted()
    if (part.kind === 'table') {
      const columns = known.get(part.table)
      if (columns === undefined) throw damaged(`schema ${schema} has no table ${part.table}`)
      const types = part.columns.map(name => columns.find(column => column.name === name)?.type)
      const unknown = part.columns.find((_, i) => types[i] === undefined)
      if (unknown !== undefined) throw damaged(`table ${part.table} has no column ${unknown}`)
      insert = new BatchInsert(tx, part.table, part.columns, types as string[])
    } else if (part.kind === 'row') await insert?.add(part.row)
    else if (part.kind === 'table-end') {
      await insert?.flush()
      onProgress?.({ table: part.table, rows: part.rows })
    } else if (part.kind === 'end') total = { tables: part.tables, rows: part.rows }
  }
  for (const { table, name, definition } of keys)
    await tx.query(`alter table privity.${quoteName(table)} add constraint ${quoteName(name)} ${definition}`)
  for (const { table } of forced)
    await tx.query(`alter table privity.${quoteName(table)} force row level security`)
  return total
}

/** Inserts rows, many with a statement. Only Postgres reads the values, so that none loses a digit. */
class BatchInsert {
  readonly #tx: Transaction
  readonly #sql: string
  #rows: string[] = []
  #bytes = 0

  constructor(tx: Transaction, table: string, columns: readonly string[], types: readonly string[]) {
    this.#tx = tx
    const values = types.map((type, i) => `(row ->> ${i})::${type}`)
    this.#sql = `
      insert into privity.${quoteName(table)} (${columns.map(quoteName).join(', ')})
      select ${values.join(', ')}
      from json_array_elements($1::json) row
      ${table === 'settings' ? 'on conflict do nothing' : ''}`
  }

  async add(row: string): Promise<void> {
    this.#rows.push(row)
    this.#bytes += row.length
    if (this.#rows.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return
    const batch = `[${this.#rows.join(',')}]`
    this.#rows = []
    this.#bytes = 0
    await this.#tx.query(this.#sql, [batch])
  }
}

const FOREIGN_KEYS = `
  select c.relname as "table", k.conname as "name", pg_get_constraintdef(k.oid) as "definition"
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where c.relnamespace = to_regnamespace('privity')
    and k.contype = 'f'
  order by c.relname, k.conname`

const FORCED = `
  select c.relname as "table"
  from pg_class c
  where c.relnamespace = to_regnamespace('privity')
    and c.relkind = 'r'
    and c.relforcerowsecurity
  order by c.relname`
