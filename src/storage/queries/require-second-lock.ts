import { PrivityError } from '../../errors.js'
import type { Database } from '../database.js'
import { ROLE_LIST } from '../roles.js'

/** Refuses to run if the roles of requests could bypass row-level security (DE-6). */
export async function requireSecondLock(db: Database): Promise<void> {
  const [weak] = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
    tx.query<{ what: string }>(FIND_WEAKNESS),
  )
  if (weak !== undefined)
    throw new PrivityError('setup_incomplete', `row-level security is not in force: ${weak.what}`)
}

const FIND_WEAKNESS = `
  select 'role ' || rolname || ' is a superuser or bypasses it' as "what"
  from pg_roles
  where rolname in (${ROLE_LIST})
    and (rolsuper or rolbypassrls)
  union all
  select 'table ' || c.relname || ' is owned by ' || r.rolname
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_roles r on r.oid = c.relowner
  where n.nspname = 'privity'
    and c.relkind = 'r'
    and r.rolname in (${ROLE_LIST})
  union all
  select 'table ' || c.relname || ' does not force it'
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
  where n.nspname = 'privity'
    and c.relkind = 'r'
    and not (c.relrowsecurity and c.relforcerowsecurity)`
