import type { Database } from '../../src/storage/database.js'
import { errorCode } from '../../src/storage/storage-error.js'

/** The roles of requests. That of backups reads everything, by its purpose, and no request takes it on. */
export const ROLES = ['privity_app', 'privity_writer', 'privity_index', 'privity_operator'] as const

interface Table {
  readonly name: string
  readonly hasTenant: boolean
  /** Views and the like hold no rows of their own. */
  readonly fillable: boolean
}
interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** One of the texts that the column takes, if only some are allowed. */
  readonly allowed: string | null
}

const asOwner = { access: 'write', role: null, settings: {} } as const

const query = <Row>(db: Database, sql: string) => db.transaction(asOwner, tx => tx.query<Row>(sql))

/** Everything that can be read in the schema, so that a new table cannot be forgotten. */
export function loadTables(db: Database): Promise<Table[]> {
  return query(
    db,
    `select
       c.relname as "name",
       c.relkind in ('r', 'p') as "fillable",
       exists (
         select 1
         from pg_attribute a
         where a.attrelid = c.oid
           and a.attname = 'tenant_id'
           and not a.attisdropped
       ) as "hasTenant"
     from pg_class c
     where c.relnamespace = 'privity'::regnamespace
       and c.relkind in ('r', 'p', 'v', 'm', 'f')
     order by c.relname`,
  )
}

function loadColumns(db: Database): Promise<Column[]> {
  return query(
    db,
    `select
       table_name as "table",
       column_name as "name",
       udt_name as "type",
       is_nullable = 'NO' and column_default is null and is_generated = 'NEVER' as "required",
       (
         select substring(pg_get_constraintdef(k.oid) from $$ANY \\(\\(?ARRAY\\['([^']*)'$$)
         from pg_constraint k
         where k.conrelid = format('privity.%I', table_name)::regclass
           and k.contype = 'c'
           and k.conkey = array[ordinal_position::int2]
         limit 1) as "allowed"
     from information_schema.columns
     where table_schema = 'privity'
     order by table_name, ordinal_position`,
  )
}

/** A value of each type that any column takes. */
const ANY_VALUE: Readonly<Record<string, string>> = {
  text: `'x'`,
  uuid: 'gen_random_uuid()',
  timestamptz: 'now()',
  bool: 'false',
  int4: '1',
  int8: '1',
  float8: '0',
  jsonb: `'{}'`,
  bytea: `'\\x00'`,
  xid8: `'1'`,
  _text: `'{}'`,
  _uuid: `'{}'`,
}

/** One row in every table, of one tenant: that no row is read says something only where there is one. */
export async function fillTables(db: Database, tenant: string): Promise<void> {
  const columns = await loadColumns(db)
  for (const table of await loadTables(db)) {
    if (!table.fillable) continue
    const needed = columns.filter(column => column.table === table.name && column.required)
    const values = needed.map(({ name, type, allowed }) => {
      if (name === 'tenant_id') return `'${tenant}'`
      const value = allowed === null ? ANY_VALUE[type] : `'${allowed}'`
      if (value === undefined) throw new Error(`no value for ${table.name}.${name}, which is ${type}`)
      return value
    })
    await db.script(`
      -- foreign keys aside
      set local session_replication_role = replica;
      insert into privity.${table.name} (${needed.map(({ name }) => name).join(', ')})
      values (${values.join(', ')})
      on conflict do nothing`)
  }
}

class Undo extends Error {}

/** How many rows a statement gives to a role, or that it may not even try. Whatever it changes is undone. */
export async function attempt(
  db: Database,
  role: string,
  settings: Readonly<Record<string, string>>,
  sql: string,
): Promise<number | 'denied'> {
  let rows = 0
  try {
    await db.transaction({ access: 'write', role, settings }, async tx => {
      rows = (await tx.query(sql)).length
      throw new Undo()
    })
  } catch (e) {
    if (e instanceof Undo) return rows
    if (errorCode(e instanceof Error ? e.cause : undefined) === '42501') return 'denied'
    throw e
  }
  return rows
}

/** Which tenants there are, and when something was last audited, is all that the operator's role is for. */
const isOperators = (role: string, table: string) =>
  role === 'privity_operator' && ['tenants', 'audit_lanes', 'audit_entries'].includes(table)

/** What the roles read of any table under some settings. */
export async function readable(db: Database, settings: Readonly<Record<string, string>>): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await loadTables(db)) {
    for (const role of ROLES) {
      if (isOperators(role, name)) continue
      const rows = await attempt(db, role, settings, `select 1 from privity.${name}`)
      if (rows !== 'denied' && rows > 0) found.push(`${role} ${name}`)
    }
  }
  return found
}

/** Tables with words or traces of everybody, which the role that reads for callers may not even try. */
const OF_EVERYBODY = ['changes', 'index_parts', 'embeddings']

export async function readableOfEverybody(
  db: Database,
  settings: Readonly<Record<string, string>>,
): Promise<string[]> {
  const found: string[] = []
  for (const table of OF_EVERYBODY)
    if ((await attempt(db, 'privity_app', settings, `select 1 from privity.${table}`)) !== 'denied')
      found.push(`privity_app ${table}`)
  return found
}

const HISTORY = ['audit_checkpoints', 'audit_entries', 'audit_lanes', 'operations']

/** The changes of history that the writer may make. */
export async function changesOfHistory(
  db: Database,
  settings: Readonly<Record<string, string>>,
): Promise<string[]> {
  const columns = await loadColumns(db)
  const statements = HISTORY.flatMap(table => [
    ...columns
      .filter(column => column.table === table)
      .map(
        ({ name }) => [`update ${table}.${name}`, `update privity.${table} set ${name} = ${name}`] as const,
      ),
    [`delete ${table}`, `delete from privity.${table}`] as const,
    [`truncate ${table}`, `truncate privity.${table} cascade`] as const,
  ])
  const allowed: string[] = []
  for (const [what, sql] of statements)
    if ((await attempt(db, 'privity_writer', settings, sql)) !== 'denied') allowed.push(what)
  return allowed
}

/**
 * Roles that may change anything, except the writer, and the operator who deletes a tenant; and anybody who may empty a
 * table.
 */
export async function excessPrivileges(db: Database): Promise<string[]> {
  const rows = await query<{ what: string }>(
    db,
    `select role || ' ' || privilege || ' ' || c.relname as "what"
     from pg_class c,
       unnest(array['privity_app', 'privity_index', 'privity_operator', 'privity_backup', 'privity_writer', 'public']) role,
       unnest(array['insert', 'update', 'delete', 'truncate', 'trigger', 'references']) privilege
     where c.relnamespace = 'privity'::regnamespace
       and c.relkind in ('r', 'p', 'v', 'm', 'f')
       and (role <> 'privity_writer' or privilege in ('truncate', 'trigger', 'references'))
       and (role <> 'privity_operator' or privilege <> 'delete')
       and case
         when privilege in ('insert', 'update', 'references') then has_any_column_privilege(role, c.oid, privilege)
         else has_table_privilege(role, c.oid, privilege)
       end`,
  )
  return rows.map(({ what }) => what)
}

/** What would let a policy be passed by: an open table, a widening policy, an owner's rights. */
export async function openings(db: Database): Promise<string[]> {
  const rows = await query<{ what: string }>(
    db,
    `select 'not forced on ' || c.relname as "what"
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relnamespace = 'privity'::regnamespace
       and c.relkind in ('r', 'p')
       and not (c.relrowsecurity and c.relforcerowsecurity)
     union all
     select 'permissive: ' || policyname || ' on ' || tablename
     from pg_policies
     where schemaname = 'privity'
       and permissive <> 'RESTRICTIVE'
       and policyname <> 'tenant'
       and not coalesce(
         tablename in ('tenants', 'audit_lanes', 'audit_entries')
           and (policyname, roles::text, cmd, qual) = ('operator', '{privity_operator}', 'SELECT', 'true')
           or (policyname, roles::text, cmd, qual) = ('backup', '{privity_backup}', 'SELECT', 'true')
           or (policyname, roles::text, cmd, qual) = (
             'deletion', '{privity_operator}', 'DELETE', '(tenant_id = privity.setting(''deleted_tenant''::text))'),
         false)
     union all
     select 'the operator sees ' || table_name || '.' || column_name
     from information_schema.column_privileges
     where table_schema = 'privity'
       and grantee = 'privity_operator'
       and table_name <> 'tenants'
       and (table_name, column_name) not in (
         ('audit_lanes', 'tenant_id'), ('audit_lanes', 'lane_id'), ('audit_lanes', 'opened_at'),
         ('audit_lanes', 'closed_at'), ('audit_entries', 'tenant_id'), ('audit_entries', 'lane_id'),
         ('audit_entries', 'seq'), ('audit_entries', 'at'))
     union all
     select 'tenant policy of ' || tablename || ' is ' || coalesce(qual, 'open') || ', ' || coalesce(with_check, 'open')
     from pg_policies
     where schemaname = 'privity'
       and policyname = 'tenant'
       and (qual, with_check) is distinct from
         ('(tenant_id = privity.setting(''tenant''::text))', '(tenant_id = privity.setting(''tenant''::text))')
     union all
     select 'runs with the rights of ' || proowner::regrole || ': ' || proname
     from pg_proc
     where pronamespace = 'privity'::regnamespace
       and prosecdef
       and proowner::regrole::text not in ('privity_app', 'privity_writer', 'privity_index')
     union all
     select 'runs with the rights of ' || proowner::regrole || ' for anybody or on any path: ' || proname
     from pg_proc
     where pronamespace = 'privity'::regnamespace
       and prosecdef
       and (
         proacl is null
         or exists (select from aclexplode(proacl) as acl where acl.grantee = 0)
         or not 'search_path=pg_catalog, pg_temp' = any (coalesce(proconfig, '{}')))
     union all
     select 'could pass by: ' || rolname
     from pg_roles
     where rolname in ('privity_app', 'privity_writer', 'privity_index', 'privity_operator', 'privity_backup')
       and (rolsuper or rolbypassrls or rolcanlogin or rolcreaterole or rolcreatedb
         or exists (select 1 from pg_class c where c.relowner = pg_roles.oid and c.relkind in ('r', 'p', 'v', 'm')))`,
  )
  return rows.map(({ what }) => what)
}
