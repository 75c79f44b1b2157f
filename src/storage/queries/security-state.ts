import type { Transaction } from '../database.js'
import { ROLE_LIST } from '../roles.js'

/**
 * A digest of what is installed of row-level security: its roles, policies, functions and grants, and which tables
 * force it. It changes when one of them is dropped, altered or made anew, so that equal digests mean that nothing has
 * happened to them since.
 */
export async function readSecurityState(tx: Transaction): Promise<string> {
  const [row] = await tx.query<{ state: string }>(READ_SECURITY_STATE)
  return row?.state ?? ''
}

const READ_SECURITY_STATE = `
  with
    role as (select oid, rolname from pg_roles where rolname in (${ROLE_LIST})),
    part as (
      select 'role ' || rolname || oid as line
      from role
      union all
      select 'table ' || c.relname || c.relrowsecurity || c.relforcerowsecurity || coalesce(c.relacl::text, '')
      from pg_class c
      where c.relnamespace = to_regnamespace('privity')
        and c.relkind = 'r'
      union all
      select 'column ' || a.attrelid::regclass || a.attname || a.attacl::text
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      where c.relnamespace = to_regnamespace('privity')
        and a.attacl is not null
      union all
      select 'policy ' || p.polname || p.polrelid::regclass || p.polcmd::text || p.polpermissive || p.polroles::text
        || coalesce(md5(p.polqual::text), '') || coalesce(md5(p.polwithcheck::text), '')
      from pg_policy p
      join pg_class c on c.oid = p.polrelid
      where c.relnamespace = to_regnamespace('privity')
      union all
      select 'function ' || p.oid::regprocedure || p.prosecdef || p.proowner || coalesce(p.proacl::text, '')
        || md5(p.prosrc || coalesce(p.prosqlbody::text, ''))
      from pg_proc p
      where p.pronamespace = to_regnamespace('privity')
    )
  select md5(string_agg(line, e'\\n' order by line)) as state
  from part`
