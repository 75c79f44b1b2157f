import type { Database } from '../../src/storage/database.js'

/** Everything that makes up the schema of a store, one line each, sorted; columns in their order. */
export async function readCatalog(db: Database): Promise<string[]> {
  const rows = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
    tx.query<{ line: string }>(CATALOG),
  )
  return rows.map(({ line }) => line).sort()
}

const CATALOG = `
  with
    space as (select oid, nspacl from pg_namespace where nspname = 'privity'),
    relation as (select c.* from pg_class c join space on c.relnamespace = space.oid)
  select concat_ws(' ', 'schema', nspacl) as "line" from space
  union all
  select concat_ws(
    ' ', 'relation', relname, relkind, relpersistence, relrowsecurity, relforcerowsecurity, relacl, reloptions,
    obj_description(oid, 'pg_class')
  ) from relation
  union all
  select concat_ws(
    ' ', 'column', relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull, attgenerated, attidentity,
    attstorage, attcompression, attacl, collname, pg_get_expr(adbin, adrelid), col_description(relation.oid, attnum)
  )
  from relation
    join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    left join pg_collation on pg_collation.oid = attcollation
  union all
  select concat_ws(' ', 'constraint', relname, conname, contype, pg_get_constraintdef(pg_constraint.oid))
  from relation join pg_constraint on conrelid = relation.oid
  union all
  select concat_ws(' ', 'index', indexdef) from pg_indexes where schemaname = 'privity'
  union all
  select concat_ws(' ', 'function', pg_get_functiondef(pg_proc.oid), proacl, obj_description(pg_proc.oid, 'pg_proc'))
  from pg_proc join space on pronamespace = space.oid where prokind = 'f'
  union all
  select concat_ws(' ', 'trigger', relname, pg_get_triggerdef(pg_trigger.oid))
  from relation join pg_trigger on tgrelid = relation.oid where not tgisinternal
  union all
  select concat_ws(' ', 'policy', tablename, policyname, permissive, roles, cmd, qual, with_check)
  from pg_policies where schemaname = 'privity'
  union all
  select concat_ws(' ', 'view', viewname, definition) from pg_views where schemaname = 'privity'
  union all
  select concat_ws(' ', 'default grants', defaclrole::regrole, defaclobjtype, defaclacl)
  from pg_default_acl join space on defaclnamespace = space.oid
  union all
  select concat_ws(' ', 'role', rolname, rolsuper, rolinherit, rolcanlogin, rolbypassrls)
  from pg_roles where rolname like 'privity%'`
