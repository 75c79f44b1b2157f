import { createHash } from 'node:crypto'
import type { Database, Transaction } from '../database.js'
import { BACKUP_ROLE } from '../roles.js'
import { FORMAT, frame, TableDigest } from './backup-lines.js'
import { listStoredTables, quoteName, type StoredTable } from './stored-tables.js'

export interface BackupProgress {
  readonly table: string
  readonly rows: number
  /** An estimate of all rows of the store. */
  readonly ofRows: number
}

export interface BackupSummary {
  readonly schema: number
  readonly tables: number
  readonly rows: number
}

export interface BackupOptions {
  /** Only this tenant. */
  readonly tenant?: string
  readonly onProgress?: (progress: BackupProgress) => void
  readonly signal?: AbortSignal
}

/** Which rows of a table to write, if only those of one tenant. A cursor takes no parameters. */
const ONE_TENANT = `where tenant_id = privity.setting('copied_tenant')`
const isOfTenants = ({ columns }: StoredTable) => columns.some(({ name }) => name === 'tenant_id')

/** Rows that are read at once. Those with files in them are fetched by the size of what they hold. */
const FETCH = 200
const FETCH_LARGE = 4
/** Tables whose rows may be many megabytes each. */
const LARGE = new Set(['source_contents'])

/**
 * Writes the whole store, all tenants, as it is at one moment (OP-1), or all that there is of one tenant (OP-5).
 * Requests go on meanwhile: it reads in one snapshot and takes no lock that a request waits for.
 */
export function writeBackup(
  db: Database,
  write: (text: string) => Promise<void>,
  { tenant, onProgress, signal }: BackupOptions = {},
): Promise<BackupSummary> {
  const settings = tenant === undefined ? {} : { 'privity.copied_tenant': tenant }
  return db.transaction({ access: 'read', role: BACKUP_ROLE, settings }, async tx => {
    const whole = createHash('sha256')
    const writeFrame = async (content: object) => {
      const line = frame(content)
      whole.update(line)
      await write(line)
    }
    const [found] = await tx.query<{ schema: number }>(
      'select max(version) as "schema" from privity.migrations',
    )
    const schema = found?.schema ?? 0
    await writeFrame({
      privity: 'backup',
      format: FORMAT,
      schema,
      engine: db.engine,
      createdAt: new Date().toISOString(),
      ...(tenant === undefined ? {} : { tenant }),
    })
    const stored = await listStoredTables(tx)
    const tables = tenant === undefined ? stored : stored.filter(isOfTenants)
    const which = tenant === undefined ? '' : ONE_TENANT
    const ofRows = await estimateRows(tx, tables, which)
    let rows = 0
    for (const { name, columns } of tables) {
      await writeFrame({ table: name, columns: columns.map(column => column.name) })
      const digest = new TableDigest()
      for await (const batch of rowsOf(tx, { name, columns }, which)) {
        signal?.throwIfAborted()
        for (const row of batch) digest.add(row)
        await write(`${batch.join('\n')}\n`)
        onProgress?.({ table: name, rows: rows + digest.rows, ofRows: Math.max(ofRows, rows + digest.rows) })
      }
      rows += digest.rows
      await writeFrame({ end: name, rows: digest.rows, sha256: digest.hex() })
    }
    await write(frame({ complete: true, tables: tables.length, rows, sha256: whole.digest('hex') }))
    return { schema, tables: tables.length, rows }
  })
}

/**
 * The rows of a table, some at a time, each as a JSON array of its values. A value is the text that Postgres reads back
 * as exactly that value, which JSON itself would not be: not for a stored JSON null, nor for a number of many digits.
 */
async function* rowsOf(
  tx: Transaction,
  { name, columns }: StoredTable,
  which: string,
): AsyncGenerator<string[]> {
  const values = columns.map(({ name: column }) => `${quoteName(column)}::text`).join(', ')
  await tx.query(`
    declare backup no scroll cursor for
    select array_to_json(array[${values}])::text as "row"
    from privity.${quoteName(name)}
    ${which}`)
  const most = LARGE.has(name) ? FETCH_LARGE : FETCH
  for (;;) {
    const batch = await tx.query<{ row: string }>(`fetch ${most} from backup`)
    if (batch.length > 0) yield batch.map(({ row }) => row)
    if (batch.length < most) break
  }
  await tx.query('close backup')
}

/** Counts exactly where that is cheap: the planner's estimate is of the last time somebody analysed the table. */
async function estimateRows(tx: Transaction, tables: readonly StoredTable[], which: string): Promise<number> {
  const [row] = await tx.query<{ rows: string }>(`
    select ${tables.map(({ name }) => `(select count(*) from privity.${quoteName(name)} ${which})`).join(' + ')} as "rows"`)
  return Number(row?.rows ?? 0)
}
