import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PrivityError } from '../errors.js'
import { type Database, literal, type Transaction } from './database.js'
import { readSecurityState } from './queries/security-state.js'
import { errorCode } from './storage-error.js'
import type { StoredFunction } from './stored-function.js'
import { FUNCTIONS, installFunctions } from './stored-functions.js'
import { requireUsableRoles } from './usable-roles.js'

export interface MigrationResult {
  /** The names of the files that were applied now, in order; empty if the schema was up to date. */
  applied: string[]
  version: number
  /** Whether row-level security was installed again although the schema was up to date. */
  repaired: boolean
}

/** The folder is next to `src` and `dist`, so the path is right from both. */
const SQL_DIR = fileURLToPath(new URL('../../sql', import.meta.url))

/** The advisory lock that every migration of a database takes, so that they run one after another. */
const LOCK = 7_748_488_916

interface Migration {
  version: number
  name: string
  sql: string
  breaking: boolean
}

interface AppliedMigration {
  version: number
  name: string
  breaking: boolean
}

/**
 * Brings the schema up to date: applies the numbered files that are missing, then row-level security if its text has
 * changed or if anything of it is gone, as after a dump was restored without its roles, and the functions that run
 * under it. It is one transaction, so that it happens completely or not at all.
 *
 * A database with a newer file still opens in an older build if the file's first line is `-- compatible`; with
 * `-- breaking` or no mark, the older build refuses it. Files listed in `frozen.json` were released and never change.
 * An older build leaves the row-level security of a newer one in place, so that both can serve one database during an
 * upgrade. With `upTo`, later files are left out: a backup is loaded into the schema that it was written from.
 */
export async function migrate(
  db: Database,
  { dir = SQL_DIR, upTo = Number.POSITIVE_INFINITY }: { dir?: string; upTo?: number } = {},
): Promise<MigrationResult> {
  const migrations = (await readMigrations(dir)).filter(({ version }) => version <= upTo)
  // Row-level security names the tables of the newest schema.
  const whole = upTo === Number.POSITIVE_INFINITY
  const rls = whole ? await readIfExists(join(dir, 'rls.sql')) : undefined
  return db.transaction({ access: 'write', role: null, settings: {} }, async tx => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
    await createTables(tx)
    const before = await readApplied(tx)
    refuseOlder(before, migrations)
    refuseNewer(before, migrations.at(-1)?.version ?? 0)
    const known = new Set(before.map(({ version }) => version))
    const missing = migrations.filter(({ version }) => !known.has(version))
    for (const migration of missing) await apply(tx, migration)
    const newestKnown = migrations.at(-1)?.version ?? 0
    const version = Math.max(0, ...known, ...missing.map(({ version }) => version))
    // The functions are made for this schema and no other.
    const functions = dir === SQL_DIR ? FUNCTIONS : []
    const repaired =
      rls !== undefined && version <= newestKnown && (await installRowLevelSecurity(tx, rls, functions))
    return { applied: missing.map(({ name }) => name), version, repaired: repaired && missing.length === 0 }
  })
}

/** The newest schema that this build knows. */
export async function newestSchema(): Promise<number> {
  return (await readMigrations(SQL_DIR)).at(-1)?.version ?? 0
}

/** Whether row-level security is as this build, or a newer one, installed it. */
export function isSecurityInstalled(db: Database): Promise<boolean> {
  return db.transaction({ access: 'read', role: null, settings: {} }, async tx => {
    const [installed] = await tx.query<{ value: string }>(
      `select value from privity.settings where name = 'rls'`,
    )
    return installed?.value.split(' ')[1] === (await readSecurityState(tx))
  })
}

/** Refuses a store from before the baseline, as `migrate` does, for callers that only read. */
export async function refuseOlderStore(db: Database): Promise<void> {
  const migrations = await readMigrations(SQL_DIR)
  await db.transaction({ access: 'read', role: null, settings: {} }, async tx => {
    if ((await findTables(tx)).migrations) refuseOlder(await readApplied(tx), migrations)
  })
}

function readApplied(tx: Transaction): Promise<AppliedMigration[]> {
  return tx.query<AppliedMigration>('select version, name, breaking from privity.migrations')
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter(name => /^\d{3,}-.*\.sql$/.test(name))
  const migrations = await Promise.all(
    names.map(async name => {
      const sql = await readFile(join(dir, name), 'utf8')
      return { version: Number.parseInt(name, 10), name, sql, breaking: !/^--\s*compatible\b/.test(sql) }
    }),
  )
  migrations.sort((a, b) => a.version - b.version)
  for (const [i, { version, name }] of migrations.entries()) {
    const next = migrations[i + 1]
    if (next?.version === version) {
      throw new PrivityError('internal', `${name} and ${next.name} have the same number`)
    }
  }
  return migrations
}

async function findTables(tx: Transaction): Promise<{ migrations: boolean; settings: boolean }> {
  const [found] = await tx.query<{ migrations: boolean; settings: boolean }>(`
    select to_regclass('privity.migrations') is not null as migrations,
           to_regclass('privity.settings') is not null as settings`)
  return found ?? { migrations: false, settings: false }
}

/** Checks for the tables first, so that a role without the right to create can open a database that is up to date. */
async function createTables(tx: Transaction): Promise<void> {
  const found = await findTables(tx)
  if (found.migrations && found.settings) return
  if (!(await hasUsableSchema(tx))) await tx.query('create schema privity')
  await tx.query(`
    create table if not exists privity.migrations (
      version int primary key,
      name text not null,
      breaking bool not null,
      applied_at timestamptz not null default now()
    )`)
  await tx.query('create table if not exists privity.settings (name text primary key, value text not null)')
}

/** Whether the schema is there. Throws if it is somebody else's, or if it is missing and may not be made. */
async function hasUsableSchema(tx: Transaction): Promise<boolean> {
  const [found] = await tx.query<{ exists: boolean; may: boolean }>(`
    select
      exists (select 1 from pg_namespace where nspname = 'privity') as "exists",
      coalesce(
        (select pg_has_role(current_user, nspowner, 'usage') from pg_namespace where nspname = 'privity'),
        has_database_privilege(current_database(), 'create')) as "may"`)
  if (found?.may) return found.exists
  throw new PrivityError(
    'setup_incomplete',
    'the database user may not create the schema privity here; let an administrator run what privity migrate --sql prints',
  )
}

/**
 * Refuses a store from before the baseline: its migrations have the same numbers but other names, and it cannot be
 * upgraded.
 */
function refuseOlder(applied: readonly AppliedMigration[], known: readonly Migration[]): void {
  const names = new Map(known.map(({ version, name }) => [version, name]))
  if (applied.every(({ version, name }) => (names.get(version) ?? name) === name)) return
  throw new PrivityError(
    'schema_older',
    'this store was made before the first released schema and cannot be upgraded; ' +
      'export it with the version that made it, then import the file into a new store',
  )
}

function refuseNewer(applied: readonly AppliedMigration[], newestKnown: number): void {
  const newest = Math.max(0, ...applied.map(({ version }) => version))
  if (applied.some(({ version, breaking }) => version > newestKnown && breaking)) {
    throw new PrivityError(
      'schema_newer',
      `this database has schema ${newest}, which this build (schema ${newestKnown}) does not understand; upgrade privity`,
    )
  }
}

async function apply(tx: Transaction, { version, name, sql, breaking }: Migration): Promise<void> {
  await execute(tx, name, sql)
  await tx.query('insert into privity.migrations (version, name, breaking) values ($1, $2, $3)', [
    version,
    name,
    breaking,
  ])
}

/** Installs row-level security unless the same text is in force already. Returns whether it did. */
async function installRowLevelSecurity(
  tx: Transaction,
  sql: string,
  functions: readonly StoredFunction[],
): Promise<boolean> {
  const named = functions.map(({ name }) => name).join(' ')
  const text = createHash('sha256').update(sql).update(named).digest('hex')
  const [installed] = await tx.query<{ value: string }>(
    `select value from privity.settings where name = 'rls'`,
  )
  if (installed?.value === `${text} ${await readSecurityState(tx)}`) return false
  await requireUsableRoles(tx)
  await execute(tx, 'rls.sql', sql)
  await installFunctions(tx, functions)
  await tx.query(
    `insert into privity.settings (name, value)
     values ('rls', $1)
     on conflict (name) do update set value = excluded.value`,
    [`${text} ${await readSecurityState(tx)}`],
  )
  return true
}

/** A transaction accepts only one statement at a time, but an SQL `execute` can run a text of several. */
async function execute(tx: Transaction, name: string, sql: string): Promise<void> {
  try {
    await tx.query(`do ${literal(`begin execute ${literal(sql)}; end`)}`)
  } catch (e) {
    const cause = e instanceof PrivityError && e.code === 'internal' ? e.cause : e
    const state = errorCode(cause)
    if (e instanceof PrivityError && e.code !== 'internal') throw e
    throw new PrivityError('internal', `${name} failed (${state ?? 'no sqlstate'}); nothing was changed`, {
      cause,
    })
  }
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (e) {
    if (errorCode(e) === 'ENOENT') return undefined
    throw e
  }
}
