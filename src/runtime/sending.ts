import type { Database, Transaction, TransactionOptions } from '../storage/database.js'
import { listTenants } from '../storage/queries/list-tenants.js'

/**
 * What is sent, and how. What a tenant has waiting stands in lines, each of which is sent in turn, some at a time, beside
 * the others.
 */
export interface Consignments<Item> {
  /** Lines with something that waits, and in how many milliseconds the first of it is due. */
  due(tx: Transaction, tenant: string): Promise<readonly { line: string; dueIn: number }[]>
  /** Takes some of what is due of a line, for so many milliseconds: whoever dies meanwhile leaves it to the next. */
  lease(
    tx: Transaction,
    tenant: string,
    line: string,
    terms: { limit: number; leaseMs: number },
  ): Promise<readonly Item[]>
  /** Sends one and notes how it went: whether it arrived. Where that cannot be noted, it is sent again after its lease. */
  send(tenant: string, line: string, item: Item): Promise<boolean>
}

export interface SendingOptions {
  /** Whether to look for what other processes left, or this one before it was started anew. */
  readonly sweeps: boolean
  /** The longest that one attempt takes. */
  readonly timeoutMs: number
  /** Longer than that, by far: only who died is taken for dead. */
  readonly leaseMs: number
  /** How long a line is left alone that took none of what it was sent last; 0 is not at all. */
  readonly restMs: number
}

/** How many are sent in one line at once, in how many lines of a tenant, and in how many in all. */
const AT_ONCE = 4
const MOST_LINES_OF_TENANT = 8
const MOST_LINES = 32

const FIRST_SWEEP_MS = 30_000
const SWEEP_MS = 300_000
/** How long to wait where the store did not answer, or somebody else was faster. */
const PAUSE_MS = 1_000
const LONGEST_TIMER_MS = 3_600_000

/** One line that is being sent. */
interface Line {
  readonly tenant: string
  readonly ended: Promise<void>
}

/**
 * Sends what waits: each item at least once, in no particular order. Several processes share what waits by leases, so
 * that no two send the same at once; what a process dies with is sent again by another.
 */
export class Sending<Item> {
  readonly #db: Database
  readonly #consignments: Consignments<Item>
  readonly #options: SendingOptions
  /** When to look what a tenant has waiting, as a time of `performance.now`. */
  readonly #lookAt = new Map<string, number>()
  /** Lines that are being sent. */
  readonly #lines = new Map<string, Line>()
  #firstSweep: NodeJS.Timeout | undefined
  #sweeps: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  #sweeping: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(db: Database, consignments: Consignments<Item>, options: SendingOptions) {
    this.#db = db
    this.#consignments = consignments
    this.#options = options
    if (!options.sweeps) return
    this.#firstSweep = setTimeout(() => this.sweep(), FIRST_SWEEP_MS).unref()
    // An embedded store has one process.
    if (db.engine === 'postgres') this.#sweeps = setInterval(() => this.sweep(), SWEEP_MS).unref()
  }

  /** Something of this tenant waits, and stands. */
  noteWork(tenant: string): void {
    this.#lookIn(tenant, 0)
  }

  /** Looks through every tenant, one after the other. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepOnce().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  async #sweepOnce(): Promise<void> {
    // What cannot be read now is looked for the next time.
    const tenants = await listTenants(this.#db).catch(() => [])
    for (const { tenant } of tenants) {
      if (this.#closed) return
      await this.#look(tenant)
    }
    this.#wake()
  }

  /** Begins nothing more, and finishes what is being sent. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#firstSweep)
    clearInterval(this.#sweeps)
    await Promise.all([this.#looking, this.#sweeping])
    await Promise.all([...this.#lines.values()].map(({ ended }) => ended))
  }

  #lookIn(tenant: string, milliseconds: number): void {
    this.#note(tenant, milliseconds)
    this.#wake()
  }

  #note(tenant: string, milliseconds: number): void {
    const at = performance.now() + milliseconds
    this.#lookAt.set(tenant, Math.min(at, this.#lookAt.get(tenant) ?? Number.POSITIVE_INFINITY))
  }

  /** Looks at whoever is due, or sets the timer for the first who will be. */
  #wake(): void {
    clearTimeout(this.#timer)
    if (this.#closed || this.#looking !== null || this.#lookAt.size === 0) return
    let first = Number.POSITIVE_INFINITY
    for (const at of this.#lookAt.values()) first = Math.min(first, at)
    const wait = first - performance.now()
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#wake(), Math.min(wait, LONGEST_TIMER_MS)).unref()
      return
    }
    this.#looking = this.#lookAtDue().finally(() => {
      this.#looking = null
      this.#wake()
    })
  }

  async #lookAtDue(): Promise<void> {
    for (const [tenant, at] of this.#lookAt) if (at <= performance.now()) await this.#look(tenant)
  }

  /** Begins to send what is due, and notes when the next will be. */
  async #look(tenant: string): Promise<void> {
    if (this.#closed) return
    this.#lookAt.delete(tenant)
    try {
      const lines = await this.#db.transaction(asWriter(tenant), tx => this.#consignments.due(tx, tenant))
      for (const { line, dueIn } of lines) {
        if (dueIn > 0) this.#note(tenant, dueIn)
        else if (!this.#begin(tenant, line)) this.#note(tenant, PAUSE_MS)
      }
    } catch {
      this.#note(tenant, PAUSE_MS)
    }
  }

  /** False when too much is being sent already. Of a line that is being sent, its own turn takes the rest. */
  #begin(tenant: string, line: string): boolean {
    const key = JSON.stringify([tenant, line])
    if (this.#lines.has(key) || this.#closed) return true
    const ofTenant = [...this.#lines.values()].filter(other => other.tenant === tenant)
    if (this.#lines.size >= MOST_LINES || ofTenant.length >= MOST_LINES_OF_TENANT) return false
    const ended = this.#sendAll(tenant, line)
      .catch(() => PAUSE_MS)
      .then(pause => {
        this.#lines.delete(key)
        this.#lookIn(tenant, pause)
      })
    this.#lines.set(key, { tenant, ended })
    return true
  }

  /** Sends what is due of one line, some at a time; in how many milliseconds to look again. */
  async #sendAll(tenant: string, line: string): Promise<number> {
    const { timeoutMs, leaseMs, restMs } = this.#options
    for (let sent = 0; ; sent++) {
      if (this.#closed) return 0
      const began = performance.now()
      const leased = await this.#db.transaction(asWriter(tenant), tx =>
        this.#consignments.lease(tx, tenant, line, { limit: AT_ONCE, leaseMs }),
      )
      // Whatever was due is in somebody else's hands.
      if (leased.length === 0) return sent === 0 ? PAUSE_MS : 0
      // Too late to finish before the lease ends: somebody else will take it.
      if (performance.now() - began > leaseMs - timeoutMs) return leaseMs
      const outcomes = await Promise.allSettled(
        leased.map(item => this.#consignments.send(tenant, line, item)),
      )
      const arrived = outcomes.some(outcome => outcome.status === 'fulfilled' && outcome.value)
      if (!arrived && restMs > 0) return restMs
    }
  }
}

/** How what waits of a tenant is read and noted. */
export const asWriter = (tenant: string): TransactionOptions => ({
  access: 'write',
  role: 'privity_writer',
  settings: { 'privity.tenant': tenant },
})
