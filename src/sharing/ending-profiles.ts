import type { Clock } from '../runtime/clock.js'
import type { Database } from '../storage/database.js'
import { listTenants } from '../storage/queries/list-tenants.js'
import { expireProfiles } from '../storage/queries/profiles.js'
import { deleteEndedProfileSignals } from '../storage/queries/utility-signals.js'

const SWEEP_MS = 60_000

/**
 * Writes down, now and then, that profiles have ended by their time. Nothing waits for it: every request looks at the
 * time itself (SP-2).
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

  /** Looks through every tenant; how many profiles it found to have ended. */
  sweep(): Promise<number> {
    this.#sweeping ??= this.#sweepOnce().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  async #sweepOnce(): Promise<number> {
    // What cannot be written now is written the next time.
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
