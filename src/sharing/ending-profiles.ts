import type { Clock } from '../runtime/clock.js'
import type { Database } from '../storage/database.js'
import { listTenants } from '../storage/queries/list-tenants.js'
import { expireProfiles } from '../storage/queries/profiles.js'
import { deleteEndedProfileSignals } from '../storage/queries/utility-signals.js'

const SWEEP_MS = 60_000

/**
 * Records from time to time which profiles have expired. Nothing depends on it, because every request checks the time
 * itself (SP-2).
 */
export class EndingProfiles {
  readonly #db: Database
  readonly #clock: Clock
  readonly #timer: NodeJS.Timeout | undefined
  #sweeping: Promise<number> | null = null
  #closed = false

  constructor(db: Database, clock: Clock, { sweeps }: { readonly sweeps: boolean }) {
    this.#db = db
    this.#clock = clock
    if (sweeps) this.#timer = setInterval(() => void this.sweep(), SWEEP_MS).unref()
  }

  /** Checks every tenant and returns how many profiles had expired. */
  sweep(): Promise<number> {
    this.#sweeping ??= this.#sweepOnce().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  async #sweepOnce(): Promise<number> {
    // Anything that cannot be written now is written next time.
    const tenants = await listTenants(this.#db).catch(() => [])
    let ended = 0
    for (const { tenant } of tenants) {
      if (this.#closed) break
      ended += await this.#endIn(tenant).catch(() => 0)
    }
    return ended
  }

  async #endIn(tenant: string): Promise<number> {
    const rows = await this.#db.transaction(
      { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      async tx => {
        const ended = await expireProfiles(tx, tenant, this.#clock.now())
        await deleteEndedProfileSignals(tx, tenant, this.#clock.now())
        return ended
      },
    )
    return rows.length
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#sweeping
  }
}
