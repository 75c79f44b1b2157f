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
