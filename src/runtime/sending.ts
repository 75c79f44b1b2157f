import type { Database, Transaction, TransactionOptions } from '../storage/database.js'
import { listTenants } from '../storage/queries/list-tenants.js'

/**
 * What is sent, and how. A tenant's waiting items are divided into lines. Lines are sent in parallel, each a few
 * items at a time.
 */
export interface Consignments<Item> {
  /** The lines with waiting items, and in how many milliseconds the first item of each is due. */
  due(tx: Transaction, tenant: string): Promise<readonly { line: string; dueIn: number }[]>
  /** Leases some due items of a line for this many milliseconds. If the process dies, another one takes them over. */
  lease(
    tx: Transaction,
    tenant: string,
    line: string,
    terms: { limit: number; leaseMs: number },
  ): Promise<readonly Item[]>
  /**
   * Sends one item and records the result; returns whether it arrived. If that cannot be recorded, it is sent again
   * later.
   */
  send(tenant: string, line: string, item: Item): Promise<boolean>
}

export interface SendingOptions {
  /** Whether to look for items that other processes left, or this one before a restart. */
  readonly sweeps: boolean
  /** The maximum duration of one attempt. */
  readonly timeoutMs: number
  /** Much longer than `timeoutMs`, so that only a dead process loses its lease. */
  readonly leaseMs: number
  /** How long a line rests after all of its last items failed; 0 for no rest. */
  readonly restMs: number
}

/** How many items are sent at once in one line, in how many lines of a tenant, and in how many lines overall. */
const AT_ONCE = 4
const MOST_LINES_OF_TENANT = 8
const MOST_LINES = 32

const FIRST_SWEEP_MS = 30_000
const SWEEP_MS = 300_000
/** How long to wait if the store does not answer or another process was faster. */
const PAUSE_MS = 1_000
const LONGEST_TIMER_MS = 3_600_000
/** For how long closing goes on sending. */
const CLOSING_MS = 5_000

/** A line that is being sent. */
interface Line {
  readonly tenant: string
  readonly ended: Promise<void>
}

/**
 * Sends waiting items, each at least once, in no particular order. Processes share them by leases, so that no two
 * send the same item at once. If a process dies, another one sends its items again.
 */
export class Sending<Item> {
  readonly #db: Database
  readonly #consignments: Consignments<Item>
  readonly #options: SendingOptions
  /** When to look for a tenant's waiting items, in `performance.now` time. */
  readonly #lookAt = new Map<string, number>()
  /** The lines that are being sent. */
  readonly #lines = new Map<string, Line>()
  #firstSweep: NodeJS.Timeout | undefined
  #sweeps: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  #sweeping: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #closing = false
  /** When lines stop to take further items, in `performance.now` time. */
  #sendUntil = Number.POSITIVE_INFINITY

  constructor(db: Database, consignments: Consignments<Item>, options: SendingOptions) {
    this.#db = db
    this.#consignments = consignments
    this.#options = options
    if (!options.sweeps) return
    this.#firstSweep = setTimeout(() => this.sweep(), FIRST_SWEEP_MS).unref()
    // An embedded store has only one process, so it needs no regular sweep.
    if (db.engine === 'postgres') this.#sweeps = setInterval(() => this.sweep(), SWEEP_MS).unref()
  }

  /** Called when something of this tenant is committed and waits to be sent. */
  noteWork(tenant: string): void {
    this.#lookIn(tenant, 0)
  }

  /** Resolves once everything was tried that this process was told about and that is due. */
  async idle(): Promise<void> {
    for (;;) {
      const isDue = [...this.#lookAt.values()].some(at => at <= performance.now())
      const going = [...(this.#looking === null ? [] : [this.#looking]), ...this.#ends()]
      if (!isDue && going.length === 0) return
      await (going.length === 0 ? new Promise(setImmediate) : Promise.race(going))
    }
  }

  #ends(): Promise<void>[] {
    return [...this.#lines.values()].map(({ ended }) => ended)
  }

  /** Looks for waiting items of every tenant, one tenant after the other. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepOnce().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  async #sweepOnce(): Promise<void> {
    // If the tenants cannot be read now, the next sweep looks again.
    const tenants = await listTenants(this.#db).catch(() => [])
    for (const { tenant } of tenants) {
      if (this.#closing) return
      await this.#look(tenant)
    }
    this.#wake()
  }

  /**
   * Sends what is due and this process was told about, for a few seconds, and finishes what is being sent. A command
   * that queues a mail ends right away, and it may be days before another process looks.
   */
  async close(): Promise<void> {
    this.#closing = true
    this.#sendUntil = performance.now() + CLOSING_MS
    clearTimeout(this.#timer)
    clearTimeout(this.#firstSweep)
    clearInterval(this.#sweeps)
    await Promise.all([this.#looking, this.#sweeping])
    await this.#lookAtDue()
    await Promise.all(this.#ends())
  }

  #lookIn(tenant: string, milliseconds: number): void {
    this.#note(tenant, milliseconds)
    this.#wake()
  }

  #note(tenant: string, milliseconds: number): void {
    const at = performance.now() + milliseconds
    this.#lookAt.set(tenant, Math.min(at, this.#lookAt.get(tenant) ?? Number.POSITIVE_INFINITY))
  }

  /** Looks at the tenants that are due, or sets the timer for the next one. */
  #wake(): void {
    clearTimeout(this.#timer)
    if (this.#closing || this.#looking !== null || this.#lookAt.size === 0) return
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

  /** Starts to send what is due, and records when the next item is. */
  async #look(tenant: string): Promise<void> {
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

  /** Returns false if too much is being sent already. If the line is being sent already, that run takes the rest. */
  #begin(tenant: string, line: string): boolean {
    const key = JSON.stringify([tenant, line])
    if (this.#lines.has(key)) return true
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

  /** Sends the due items of one line, a few at a time. Returns in how many milliseconds to look again. */
  async #sendAll(tenant: string, line: string): Promise<number> {
    const { timeoutMs, leaseMs, restMs } = this.#options
    for (let sent = 0; ; sent++) {
      if (sent > 0 && performance.now() > this.#sendUntil) return 0
      const began = performance.now()
      const leased = await this.#db.transaction(asWriter(tenant), tx =>
        this.#consignments.lease(tx, tenant, line, { limit: AT_ONCE, leaseMs }),
      )
      // Another process has leased what was due.
      if (leased.length === 0) return sent === 0 ? PAUSE_MS : 0
      // It is too late to finish before the lease ends, so another process will take it.
      if (performance.now() - began > leaseMs - timeoutMs) return leaseMs
      const outcomes = await Promise.allSettled(
        leased.map(item => this.#consignments.send(tenant, line, item)),
      )
      const arrived = outcomes.some(outcome => outcome.status === 'fulfilled' && outcome.value)
      if (!arrived && restMs > 0) return restMs
    }
  }
}

/** How a tenant's waiting items are read and updated. */
export const asWriter = (tenant: string): TransactionOptions => ({
  access: 'write',
  role: 'privity_writer',
  settings: { 'privity.tenant': tenant },
})
