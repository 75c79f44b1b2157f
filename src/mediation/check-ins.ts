import { addNotifications } from '../notifications/notify.js'
import type { Clock } from '../runtime/clock.js'
import { TenantSweep } from '../runtime/tenant-sweep.js'
import type { Database } from '../storage/database.js'
import { takeDueCheckIns } from '../storage/queries/check-ins.js'

/**
 * Asks both from time to time how something goes that they are trying (RC-20). Each time that was set for an experiment
 * is told once.
 */
export class CheckIns extends TenantSweep {
  constructor(
    db: Database,
    clock: Clock,
    sender: { noteWork(tenant: string): void },
    options: { readonly sweeps: boolean },
  ) {
    super(
      db,
      async tenant => {
        const { told, deliveries } = await askIn(db, tenant, clock)
        if (deliveries > 0) sender.noteWork(tenant)
        return told
      },
      options,
    )
  }
}

const askIn = (db: Database, tenant: string, clock: Clock) =>
  db.transaction(
    { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
    async tx => {
      const now = clock.now()
      const due = await takeDueCheckIns(tx, tenant, now)
      const events = due.flatMap(({ experiment, session, members }) =>
        members.map(recipient => ({
          recipient,
          type: 'experiment.check_in' as const,
          session,
          refs: { experiment },
        })),
      )
      return addNotifications({ tx, tenant, now, parts: { clock } }, events)
    },
  )
