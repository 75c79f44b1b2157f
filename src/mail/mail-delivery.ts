import type { Clock } from '../runtime/clock.js'
import type { KeyRing } from '../runtime/key-ring.js'
import { asWriter, Sending } from '../runtime/sending.js'
import type { Database } from '../storage/database.js'
import {
  giveUpMail,
  type LeasedMail,
  leaseMails,
  loadDueMails,
  noteMailSent,
  postponeMail,
} from '../storage/queries/mails.js'
import { mailSealContext } from './enqueue.js'
import { type Mail, type Mailer, MailRejected } from './mailer.js'

export interface MailOptions {
  readonly mailer: Mailer
  /** Whether to pick up mail left by other processes, or by this one before a restart. */
  readonly sweeps?: boolean
  /** The remaining options are for tests. */
  readonly timeoutMs?: number
  readonly leaseMs?: number
  readonly retriesMs?: readonly number[]
}

const TIMEOUT_MS = 30_000
const LEASE_MS = 120_000
const MINUTE_MS = 60_000
/** The delay after each failed attempt. After the last one the mail is given up. */
const RETRIES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS, 480 * MINUTE_MS]

/** Sends queued mail through a mailer. */
export class MailDelivery {
  readonly #db: Database
  readonly #keys: Pick<KeyRing, 'read'>
  readonly #clock: Clock
  readonly #mailer: Mailer
  readonly #timeoutMs: number
  readonly #retriesMs: readonly number[]
  readonly #sending: Sending<LeasedMail>

  constructor(db: Database, keys: Pick<KeyRing, 'read'>, clock: Clock, options: MailOptions) {
    this.#db = db
    this.#keys = keys
    this.#clock = clock
    this.#mailer = options.mailer
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#retriesMs = options.retriesMs ?? RETRIES_MS
    this.#sending = new Sending(
      db,
      { due: loadDueMails, lease: leaseMails, send: (tenant, _line, mail) => this.#deliver(tenant, mail) },
      {
        sweeps: options.sweeps ?? false,
        timeoutMs: this.#timeoutMs,
        leaseMs: options.leaseMs ?? LEASE_MS,
        // An address that rejects mail must not delay the others.
        restMs: 0,
      },
    )
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

  async #deliver(tenant: string, leased: LeasedMail): Promise<boolean> {
    const why = this.#isOver(leased, 0) ? 'expired' : await this.#attempt(tenant, leased)
    const retryMs = this.#retriesMs[leased.attempt - 1]
    const now = this.#clock.now()
    await this.#db.transaction(asWriter(tenant), tx => {
      if (why === null) return noteMailSent(tx, tenant, leased.id, now)
      if (retryMs === undefined || why === 'rejected' || this.#isOver(leased, retryMs))
        return giveUpMail(tx, tenant, leased, { why, now })
      return postponeMail(tx, tenant, leased, { why, retryMs })
    })
    return why === null
  }

  /** Whether a mail will have expired in this many milliseconds. */
  #isOver({ expiresAt }: LeasedMail, inMs: number): boolean {
    return expiresAt !== null && expiresAt.getTime() <= this.#clock.now().getTime() + inMs
  }

  /** Returns null on success, or else a reason of our own, because the message of an error may hold an address. */
  async #attempt(tenant: string, { id, sealed }: LeasedMail): Promise<string | null> {
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => controller.abort(), this.#timeoutMs)
    try {
      const opened = await this.#keys.read(sealed, mailSealContext(tenant, id))
      const mail: Mail = { ...JSON.parse(opened), id }
      signal.throwIfAborted()
      // The race also covers a mailer that ignores the signal.
      await Promise.race([this.#mailer.send(mail, { signal }), aborted(signal)])
      return null
    } catch (thrown) {
      if (thrown instanceof MailRejected) return 'rejected'
      return signal.aborted ? 'timed_out' : 'not_sent'
    } finally {
      clearTimeout(timer)
    }
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
