import type { Clock } from '../runtime/clock.js'
import { TenantSweep } from '../runtime/tenant-sweep.js'
import type { Database } from '../storage/database.js'
import { expireProfiles } from '../storage/queries/profiles.js'
import { deleteEndedProfileSignals } from '../storage/queries/utility-signals.js'

/**
 * Records from time to time which profiles have expired. Nothing depends on it, because every request checks the time
 * itself (SP-2).
 */
export class EndingProfiles extends TenantSweep {
  constructor(db: Database, clock: Clock, options: { readonly sweeps: boolean }) {
    super(db, tenant => endIn(db, tenant, clock.now()), options)
  }
}

async function endIn(db: Database, tenant: string, now: Date): Promise<number> {
  const rows = await db.transaction(
    { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
    async tx => {
      const ended = await expireProfiles(tx, tenant, now)
      await deleteEndedProfileSignals(tx, tenant, now)
      return ended
    },
  )
  return rows.length
}
