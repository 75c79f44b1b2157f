import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble } from '../../open.js'
import { SYSTEM_CLOCK } from '../../runtime/clock.js'
import { restoreFromFile } from '../../storage/backup/backup-file.js'
import type { RestoreSummary } from '../../storage/backup/restore-backup.js'
import type { Database } from '../../storage/database.js'
import { openPglite } from '../../storage/pglite.js'
import { listOwners } from '../../storage/queries/list-owners.js'
import { listTenants } from '../../storage/queries/list-tenants.js'
import { requireSecondLock } from '../../storage/queries/require-second-lock.js'

export interface VerifiedTenant {
  readonly tenant: string
  readonly ok: boolean
  readonly records: number
  readonly entries: number
  readonly problems: readonly string[]
}

/**
 * The drill: restores a backup into a store of its own, verifies the audit of every tenant, and builds the indexes of
 * its owners anew, through which they must read what is theirs.
 */
export async function verifyBackup(
  file: string,
  options: Parameters<typeof restoreFromFile>[2],
): Promise<RestoreSummary & { tenants: VerifiedTenant[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-verify-'))
  try {
    const db = await openPglite({ dataDir: folder })
    let restored: RestoreSummary
    try {
      restored = await restoreFromFile(db, file, options)
      await requireSecondLock(db)
    } catch (e) {
      await db.close()
      throw e
    }
    return { ...restored, tenants: await verifyTenants(db) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Owners of a tenant whose index is built in the drill. */
const MOST_OWNERS = 50

/** Closes the database when it is done. */
async function verifyTenants(db: Database): Promise<VerifiedTenant[]> {
  const tenants = await listTenants(db)
  const owners = await listOwners(db)
  const privity = await assemble(db, SYSTEM_CLOCK)
  try {
    const verified: VerifiedTenant[] = []
    for (const { tenant } of tenants) {
      const { ok, entries, problems } = await privity
        .as({ tenant, actor: 'owner', audience: 'host' })
        .audit.verify()
      const own = owners.filter(owner => owner.tenant === tenant)
      const unread: string[] = []
      for (const { owner } of own.slice(0, MOST_OWNERS)) {
        // Both read the index, which a restored store builds anew.
        const person = privity.as({ tenant, actor: owner })
        const { records } = await person.list({ limit: 1 })
        await person.search('memory', { limit: 1 })
        if (records.length === 0) unread.push('no record of an owner can be read')
      }
      verified.push({
        tenant,
        ok: ok && unread.length === 0,
        records: own.reduce((sum, { records }) => sum + records, 0),
        entries,
        problems: [...problems.map(({ kind }) => kind), ...unread],
      })
    }
    return verified
  } finally {
    await privity.close()
  }
}
