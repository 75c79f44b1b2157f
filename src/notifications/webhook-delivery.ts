import type { Clock } from '../runtime/clock.js'
import type { KeyRing } from '../runtime/key-ring.js'
import { asWriter, Sending } from '../runtime/sending.js'
import type { Database } from '../storage/database.js'
import {
  disableWebhook,
  type LeasedDelivery,
  leaseDeliveries,
  loadDueWebhooks,
  markDelivered,
  markDeliveryFailed,
} from '../storage/queries/webhook-deliveries.js'
import { Addresses, type Resolve } from './addresses.js'
import { post } from './post.js'
import { signatureHeaders } from './signature.js'

export interface DeliveryOptions {
  /** Whether webhooks may use addresses that only this machine or its network can reach. */
  readonly allowPrivate?: boolean | undefined
  /** Whether to pick up deliveries left by other processes, or by this one before a restart. */
  readonly sweeps?: boolean | undefined
  /** The remaining options are for tests. */
  readonly resolve?: Resolve
  readonly resolveMs?: number
  readonly timeoutMs?: number
  readonly leaseMs?: number
  readonly firstRetryMs?: number
}

const TIMEOUT_MS = 10_000
const LEASE_MS = 60_000
const FIRST_RETRY_MS = 5_000
const MOST_RETRY_MS = 6 * 3_600_000
const MOST_WAIT_MS = 3 * 24 * 3_600_000

/** Delivers notifications to webhooks, with a queue for each webhook. */
export class WebhookDelivery {
  readonly #db: Database
  readonly #keys: Pick<KeyRing, 'read'>
  readonly #clock: Clock
  readonly #addresses: Addresses
  readonly #timeoutMs: number
  readonly #firstRetryMs: number
  readonly #sending: Sending<LeasedDelivery>

  constructor(
    db: Database,
    keys: Pick<KeyRing, 'read'>,
    clock: Clock,
    { allowPrivate = false, sweeps = false, resolve, ...options }: DeliveryOptions = {},
  ) {
    this.#db = db
    this.#keys = keys
    this.#clock = clock
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#addresses = new Addresses(allowPrivate, resolve, options.resolveMs)
    this.#firstRetryMs = options.firstRetryMs ?? FIRST_RETRY_MS
    this.#sending = new Sending(
      db,
      {
        due: loadDueWebhooks,
        lease: leaseDeliveries,
        send: (tenant, webhookId, delivery) => this.#deliver(tenant, webhookId, delivery),
      },
      {
        sweeps,
        timeoutMs: this.#timeoutMs,
        leaseMs: options.leaseMs ?? LEASE_MS,
        restMs: this.#firstRetryMs,
      },
    )
  }

  /** Refuses a URL that nothing may be sent to. */
  requireSendable(url: string): void {
    this.#addresses.require(url)
  }

  noteWork(tenant: string): void {
    this.#sending.noteWork(tenant)
  }

  sweep(): Promise<void> {
    return this.#sending.sweep()
  }

  close(): Promise<void> {
    return this.#sending.close()
  }

  /** Sends one delivery and records the result. If recording fails, it is sent again when its lease ends. */
  async #deliver(tenant: string, webhookId: string, delivery: LeasedDelivery): Promise<boolean> {
    const why = await this.#attempt(tenant, webhookId, delivery)
    const now = this.#clock.now()
    await this.#db.transaction(asWriter(tenant), tx => {
      if (why === null) return markDelivered(tx, tenant, webhookId, delivery.id, now)
      if (why === GONE) return disableWebhook(tx, tenant, webhookId, why, now)
      const retryMs = this.#retryMs(delivery.attempt)
      return markDeliveryFailed(tx, tenant, webhookId, delivery, { why, retryMs, mostMs: MOST_WAIT_MS, now })
    })
    return why === null
  }

  /** Returns null on success, or else the reason of the failure. */
  async #attempt(tenant: string, webhookId: string, delivery: LeasedDelivery): Promise<string | null> {
    try {
      const secret = await this.#keys.read(delivery.sealedSecret, secretSealContext(tenant, webhookId))
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

  /**
   * The delay doubles with each attempt. It is shortened by up to a fifth at random, so that retries do not coincide.
   */
  #retryMs(attempt: number): number {
    const span = Math.min(MOST_RETRY_MS, this.#firstRetryMs * 2 ** (attempt - 1))
    return span * (1 - (this.#clock.random ?? Math.random)() / 5)
  }
}

const GONE = 'status_410'

/** The context that a webhook's encrypted secret is bound to. */
export const secretSealContext = (tenant: string, webhookId: string): string =>
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

/**
 * The reason as a code of our own, because the message of an error may hold an address. A refused address is
 * `unreachable` like any other that cannot be reached.
 */
function whyFailed(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  return name === 'AbortError' || name === 'TimeoutError' ? 'timed_out' : 'unreachable'
}
