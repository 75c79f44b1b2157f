import type { Database } from '../database.js'

/** The newest migration in a database; null if there is none yet. */
export function readSchemaVersion(db: Database): Promise<number | null> {
  return db.transaction({ access: 'read', role: null, settings: {} }, async tx => {
    const [found] = await tx.query<{ exists: boolean }>(
      `select to_regclass('privity.migrations') is not null as "exists"`,
    )
    if (!found?.exists) return null
    const [newest] = await tx.query<{ version: number | null }>(
      'select max(version) as "version" from privity.migrations',
    )
    return newest?.version ?? null
  })
}

/** The roles that row-level security needs but that this database lacks. */
export async function findMissingRoles(db: Database): Promise<string[]> {
  const rows = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
    tx.query<{ role: string }>(
      `select role
       from unnest(array['privity_app', 'privity_writer', 'privity_index', 'privity_operator']) role
       where not exists (select 1 from pg_roles where rolname = role)`,
    ),
  )
  return rows.map(({ role }) => role)
}
