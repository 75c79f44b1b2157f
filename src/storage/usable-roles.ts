import { PrivityError } from '../errors.js'
import type { Database, Transaction } from './database.js'
import { ROLE_LIST, ROLES } from './roles.js'

/**
 * Requires that the connecting role can take on every role of the store, or can make and grant those that it lacks.
 * A managed Postgres may forbid that; then an administrator makes them.
 */
export async function requireUsableRoles(tx: Transaction): Promise<void> {
  const lacking = await findUnusableRoles(tx)
  if (lacking.length === 0) return
  const [user] = await tx.query<{ makesRoles: boolean; name: string }>(`
    select rolcreaterole or rolsuper as "makesRoles", rolname as "name"
    from pg_roles
    where rolname = current_user`)
  if (user?.makesRoles) return
  throw new PrivityError(
    'setup_incomplete',
    `the database user ${user?.name} may not make the roles ${lacking.join(', ')}; ` +
      'let an administrator run what privity migrate --sql prints, then run privity migrate again',
  )
}

/** The roles that are missing, or that the connecting role may not take on. */
export async function findUnusableRoles(tx: Transaction): Promise<string[]> {
  const [server] = await tx.query<{ version: number }>(
    `select current_setting('server_version_num')::int as "version"`,
  )
  // From Postgres 16 on, being a member and the right to take a role on are two things.
  const right = (server?.version ?? 0) >= 160_000 ? 'set' : 'member'
  const rows = await tx.query<{ role: string }>(`
    select role
    from unnest(array[${ROLE_LIST}]) role
    where not exists (
      select 1
      from pg_roles
      where rolname = role
        and pg_has_role(current_user, oid, '${right}'))`)
  return rows.map(({ role }) => role)
}

/** The same, for who only looks, with the name of the connecting role. */
export function examineRoles(db: Database): Promise<{ user: string; unusable: string[] }> {
  return db.transaction({ access: 'read', role: null, settings: {} }, async tx => {
    const [row] = await tx.query<{ user: string }>('select current_user::text as "user"')
    return { user: row?.user ?? '', unusable: await findUnusableRoles(tx) }
  })
}

/**
 * What an administrator runs so that a database user without the right to make roles can set up a store: the schema,
 * the roles, and the membership in them.
 */
export function preparationScript(user: string): string {
  const quoted = quoteName(user)
  return [
    '-- Run this once as an administrator of the server, connected to the database of the store.',
    `-- It lets ${JSON.stringify(user)} set up and upgrade the store with: privity migrate`,
    ...ROLES.map(
      role =>
        `do $$ begin create role ${role} nologin noinherit; exception when duplicate_object then null; end $$;`,
    ),
    `grant ${ROLES.join(', ')} to ${quoted};`,
    `create schema if not exists privity authorization ${quoted};`,
    '',
  ].join('\n')
}

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
