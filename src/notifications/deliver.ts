import type { Clock } from '../runtime/clock.js'
import type { KeyRing } from '../runtime/key-ring.js'
import type { Outbox } from '../runtime/outbox.js'
import { KeyUnknown } from '../runtime/secrets.js'
import type { Database, Transaction } from '../storage/database.js'
import { listTenants } from '../storage/queries/list-tenants.js'
import {
  disableWebhook,
  type LeasedDelivery,
  leaseDeliveries,
  loadDueWebhooks,
  noteArrived,
  noteFailed,
} from '../storage/queries/webhook-deliveries.js'
import { Addresses, AddressRefused, type Resolve } from './addresses.js'
import { post } from './post.js'
import { signatureHeaders } from './signature.js'

export interface DeliveryOptions {
  /** Whether webhooks may lead to addresses that only this machine or its network can reach. */
  readonly allowPrivate?: boolean | undefined
  /** Whether to look for what other processes left, or this one before it was started anew. */
  readonly sweeps?: boolean | undefined
  /** The rest is for tests. */
  readonly resolve?: Resolve
  readonly timeoutMs?: number
  readonly leaseMs?: number
  readonly firstRetryMs?: number
}

const TIMEOUT_MS = 10_000
/** Longer than an attempt takes, by far: only who died is taken for dead. */
const LEASE_MS = 60_000
const FIRST_RETRY_MS = 5_000
const MOST_RETRY_MS = 6 * 3_600_000
const MOST_WAIT_MS = 3 * 24 * 3_600_000

/** How many are sent to one webhook at once, to how many webhooks of a tenant, and to how many in all. */
const AT_ONCE = 4
const MOST_LINES_OF_TENANT = 8
const MOST_LINES = 32

const FIRST_SWEEP_MS = 30_000
const SWEEP_MS = 300_000
/** How long to wait where the store did not answer, or somebody else was faster. */
const PAUSE_MS = 1_000
const LONGEST_TIMER_MS = 3_600_000

/** One webhook that is being sent to. */
interface Line {
  readonly tenant: string
  readonly ended: Promise<void>
}

/**
 * Sends what waits in the outbox: each delivery at least once, in no particular order. Several processes share an
 * outbox by leases, so that no two send the same at once; what a process dies with is sent again by another.
 */
export class WebhookDelivery implements Outbox {
  readonly #db: Database
  readonly #keys: Pick<KeyRing, 'secrets' | 'learn'>
  readonly #clock: Clock
  readonly #addresses: Addresses
  readonly #timeoutMs: number
  readonly #leaseMs: number
  readonly #firstRetryMs: number
  /** When to look what a tenant has waiting, as a time of `performance.now`. */
  readonly #lookAt = new Map<string, number>()
  /** Webhooks that are being sent to. */
  readonly #lines = new Map<string, Line>()
  readonly #sweeps: NodeJS.Timeout[] = []
  #looking: Promise<void> | null = null
  #sweeping: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(
    db: Database,
    keys: Pick<KeyRing, 'secrets' | 'learn'>,
    clock: Clock,
    { allowPrivate = false, sweeps = false, resolve, ...options }: DeliveryOptions = {},
  ) {
    this.#db = db
    this.#keys = keys
    this.#clock = clock
    this.#addresses = new Addresses(allowPrivate, resolve)
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#firstRetryMs = options.firstRetryMs ?? FIRST_RETRY_MS
    if (!sweeps) return
    this.#sweeps.push(setTimeout(() => this.sweep(), FIRST_SWEEP_MS).unref())
    // An embedded store has one process.
    if (db.engine === 'postgres') this.#sweeps.push(setInterval(() => this.sweep(), SWEEP_MS).unref())
  }

  requireSendable(url: string): Promise<void> {
    return this.#addresses.require(url)
  }

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
    for (const timer of this.#sweeps) clearTimeout(timer)
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
      for (const { webhookId, dueIn } of await this.#transaction(tenant, tx => loadDueWebhooks(tx, tenant))) {
        if (dueIn > 0) this.#note(tenant, dueIn)
        else if (!this.#begin(tenant, webhookId)) this.#note(tenant, PAUSE_MS)
      }
    } catch {
      this.#note(tenant, PAUSE_MS)
    }
  }

  /** False when too much is being sent already. Of a webhook that is being sent to, its own line takes the rest. */
  #begin(tenant: string, webhookId: string): boolean {
    const key = JSON.stringify([tenant, webhookId])
    if (this.#lines.has(key) || this.#closed) return true
    const ofTenant = [...this.#lines.values()].filter(line => line.tenant === tenant)
    if (this.#lines.size >= MOST_LINES || ofTenant.length >= MOST_LINES_OF_TENANT) return false
    const ended = this.#sendAll(tenant, webhookId)
      .catch(() => PAUSE_MS)
      .then(pause => {
        this.#lines.delete(key)
        this.#lookIn(tenant, pause)
      })
    this.#lines.set(key, { tenant, ended })
    return true
  }

  /** Sends what is due of one webhook, some at a time; in how many milliseconds to look again. */
  async #sendAll(tenant: string, webhookId: string): Promise<number> {
    for (let sent = 0; ; sent++) {
      if (this.#closed) return 0
      const began = performance.now()
      const leased = await this.#transaction(tenant, tx =>
        leaseDeliveries(tx, tenant, webhookId, { limit: AT_ONCE, leaseMs: this.#leaseMs }),
      )
      // Whatever was due is in somebody else's hands.
      if (leased.length === 0) return sent === 0 ? PAUSE_MS : 0
      // Too late to finish before the lease ends: somebody else will take it.
      if (performance.now() - began > this.#leaseMs - this.#timeoutMs) return this.#leaseMs
      const outcomes = await Promise.allSettled(
        leased.map(delivery => this.#deliver(tenant, webhookId, delivery)),
      )
      const arrived = outcomes.some(outcome => outcome.status === 'fulfilled' && outcome.value)
      // A receiver that took none of these is left alone for a while.
      if (!arrived) return this.#firstRetryMs
    }
  }

  /** Sends one delivery and notes how it went: if that cannot be noted, it is sent again when its lease ends. */
  async #deliver(tenant: string, webhookId: string, delivery: LeasedDelivery): Promise<boolean> {
    const why = await this.#attempt(tenant, webhookId, delivery)
    const now = this.#clock.now()
    await this.#transaction(tenant, tx => {
      if (why === null) return noteArrived(tx, tenant, webhookId, delivery.id, now)
      if (why === GONE) return disableWebhook(tx, tenant, webhookId, why, now)
      const retryMs = this.#retryMs(delivery.attempt)
      return noteFailed(tx, tenant, webhookId, delivery, { why, retryMs, mostMs: MOST_WAIT_MS, now })
    })
    return why === null
  }

  /** Null when it arrived, or why it did not. */
  async #attempt(tenant: string, webhookId: string, delivery: LeasedDelivery): Promise<string | null> {
    try {
      const secret = await this.#secretOf(tenant, webhookId, delivery.sealedSecret)
      const body = bodyOf(tenant, delivery)
      const headers = signatureHeaders(secret, { id: delivery.id, at: this.#clock.now(), body })
      this.#addresses.requireLiteral(delivery.url)
      const { lookup } = this.#addresses
      const status = await post({ url: delivery.url, headers, body }, { lookup, timeoutMs: this.#timeoutMs })
      return status >= 200 && status < 300 ? null : `status_${status}`
    } catch (error) {
      return whyFailed(error)
    }
  }

  async #secretOf(tenant: string, webhookId: string, sealed: string): Promise<string> {
    const boundTo = secretBoundTo(tenant, webhookId)
    try {
      return this.#keys.secrets.open(sealed, boundTo)
    } catch (error) {
      if (!(error instanceof KeyUnknown)) throw error
      await this.#keys.learn(error)
      return this.#keys.secrets.open(sealed, boundTo)
    }
  }

  /** Doubles from attempt to attempt, and is up to a fifth shorter, so that not all come back at once. */
  #retryMs(attempt: number): number {
    const span = Math.min(MOST_RETRY_MS, this.#firstRetryMs * 2 ** (attempt - 1))
    return span * (1 - (this.#clock.random ?? Math.random)() / 5)
  }

  #transaction<T>(tenant: string, fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(
      { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      fn,
    )
  }
}

const GONE = 'status_410'

/** What a webhook's secret is sealed for. */
export const secretBoundTo = (tenant: string, webhookId: string): string =>
  JSON.stringify(['webhook', tenant, webhookId])

function bodyOf(tenant: string, { id, createdAt, notification }: LeasedDelivery): string {
  const { type, recipient, session, refs } = notification ?? PING
  return JSON.stringify({
    id: notification?.id ?? id,
    type,
    createdAt: new Date(notification?.createdAt ?? createdAt).toISOString(),
    tenant,
    recipient,
    session,
    refs,
  })
}
const PING = { type: 'ping', recipient: null, session: null, refs: {} }

/** In our words: an error may hold an address. */
function whyFailed(error: unknown): string {
  if (error instanceof AddressRefused) return 'address_refused'
  const name = error instanceof Error ? error.name : ''
  return name === 'AbortError' || name === 'TimeoutError' ? 'timed_out' : 'unreachable'
}
