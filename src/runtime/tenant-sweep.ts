import type { Database } from '../storage/database.js'
import { listTenants } from '../storage/queries/list-tenants.js'

const SWEEP_MS = 60_000

/**
 * Work that is done for every tenant from time to time. Nothing that is decided may depend on it: it only writes down
 * or tells what time has brought about.
 */
export class TenantSweep {
  readonly #db: Database
  readonly #work: (tenant: string) => Promise<number>
  readonly #timer: NodeJS.Timeout | undefined
  #sweeping: Promise<number> | null = null
  #closed = false

  constructor(
    db: Database,
    work: (tenant: string) => Promise<number>,
    { sweeps }: { readonly sweeps: boolean },
  ) {
    this.#db = db
    this.#work = work
    if (sweeps) this.#timer = setInterval(() => void this.sweep(), SWEEP_MS).unref()
  }

  /** Does the work for every tenant now; returns the sum of what was done. */
  sweep(): Promise<number> {
    this.#sweeping ??= this.#sweepOnce().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  async #sweepOnce(): Promise<number> {
    // What cannot be done now is done next time.
    const tenants = await listTenants(this.#db).catch(() => [])
    let done = 0
    for (const { tenant } of tenants) {
      if (this.#closed) break
      done += await this.#work(tenant).catch(() => 0)
    }
    return done
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#sweeping
  }
}
