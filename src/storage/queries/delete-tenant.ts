import type { Database, Transaction } from '../database.js'
import { BACKUP_ROLE } from '../roles.js'

/** How many rows of a table a tenant has, or had. */
export interface TableRows {
  readonly table: string
  readonly rows: number
}

/** The rows that a tenant has now, by table, without tables in which it has none. Nothing of them is read. */
export function countTenantRows(db: Database, tenant: string): Promise<TableRows[]> {
  return db.transaction({ access: 'read', role: BACKUP_ROLE, settings: {} }, async tx => {
    const tables = await listTenantTables(tx)
    const counts = tables.map(table => `(select count(*) from privity.${table} where tenant_id = $1)`)
    return rowsOf(tables, await tx.query<Counts>(`select array[${counts.join(', ')}] as "counts"`, [tenant]))
  })
}

/**
 * Deletes everything of a tenant, its audit included, and returns how many rows that were. It is one statement, because
 * tables refer to each other in circles: what they refer to is checked when all of it is gone.
 */
export function deleteTenantRows(db: Database, tenant: string): Promise<TableRows[]> {
  const settings = { 'privity.deleted_tenant': tenant }
  return db.transaction({ access: 'write', role: 'privity_operator', settings }, async tx => {
    const tables = await listTenantTables(tx)
    const deletions = tables.map(table => `${table} as (delete from privity.${table} returning 1)`)
    const counts = tables.map(table => `(select count(*) from ${table})`)
    return rowsOf(
      tables,
      await tx.query<Counts>(`with ${deletions.join(', ')} select array[${counts.join(', ')}] as "counts"`),
    )
  })
}

/** The hash of the last checkpoint of a tenant's audit, in hexadecimal, and how many entries there are. */
export async function loadAuditSummary(
  db: Database,
  tenant: string,
): Promise<{ entries: number; checkpoint: string | null }> {
  const [row] = await db.transaction({ access: 'read', role: BACKUP_ROLE, settings: {} }, tx =>
    tx.query<{ entries: string; checkpoint: string | null }>(AUDIT_SUMMARY, [tenant]),
  )
  return { entries: Number(row?.entries ?? 0), checkpoint: row?.checkpoint ?? null }
}

const AUDIT_SUMMARY = `
  select
    (select count(*) from privity.audit_entries where tenant_id = $1) as "entries",
    (select encode(hash, 'hex')
     from privity.audit_checkpoints
     where tenant_id = $1
     order by at desc
     limit 1) as "checkpoint"`

interface Counts {
  readonly counts: readonly string[]
}

const rowsOf = (tables: readonly string[], [found]: readonly Counts[]): TableRows[] =>
  tables.map((table, at) => ({ table, rows: Number(found?.counts[at] ?? 0) })).filter(({ rows }) => rows > 0)

/** The tables that have rows of tenants. Their names are our own, so they are safe in a statement. */
async function listTenantTables(tx: Transaction): Promise<string[]> {
  const tables = await tx.query<{ name: string }>(LIST_TENANT_TABLES)
  return tables.map(({ name }) => name)
}

const LIST_TENANT_TABLES = `
  select c.relname as "name"
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
  where c.relnamespace = to_regnamespace('privity')
    and c.relkind = 'r'
  order by c.relname`
