import type { Database } from '../storage/database.js'
import { findApiKey, noteApiKeyUse } from '../storage/queries/api-keys.js'
import { isSecretOf, readKey } from './api-key.js'
import type { Access, Caller } from './caller.js'
import type { Clock } from './clock.js'
import { unauthenticated } from './facts.js'
import type { KeyLimits } from './operations/keys.js'

/** The number of keys whose last use is cached. */
const MOST_KEYS = 10_000

/** The last use of a key is written at most once per this many milliseconds, not with every request. */
const NOTED_EVERY = 60_000

/** Authenticates API keys and records when each was last used. */
export class ApiKeys {
  readonly #db: Database
  readonly #clock: Clock
  readonly #noted = new Map<string, number>()
  readonly #noting = new Set<Promise<void>>()

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * Finds whose key this is. Malformed, unknown, wrong and expired keys all get the same answer in the same way
   * (NI-5).
   */
  async authenticate(presented: string): Promise<Access> {
    const key = readKey(presented)
    if (key === null) throw unauthenticated()
    const known = await this.#find(key.tenant, key.keyId)
    if (!isSecretOf(known?.secretHash, key.secret) || known?.stands !== true) throw unauthenticated()
    const {
      choosesSession,
      policy,
      visibility,
      session,
      trust,
      profile = null,
      ...who
    } = known.credential as KeyLimits
    return {
      choosesSession,
      credential: {
        ...who,
        tenant: key.tenant,
        key: key.keyId,
        trust: { ...trust, authenticated: true },
        visibility: {
          ceiling: visibility.ceiling,
          ...(visibility.floor === null ? {} : { floor: visibility.floor }),
        },
        ...(policy === null ? {} : { policy }),
        ...(session === '' ? {} : { session }),
        ...(profile === null ? {} : { profile }),
      },
    }
  }

  #find(tenant: string, keyId: string): ReturnType<typeof findApiKey> {
    return this.#db.transaction(
      { access: 'read', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      tx => findApiKey(tx, tenant, keyId, this.#clock.now()),
    )
  }

  /** Records that a caller used its key. Nobody waits for it, and if it fails, the next use is recorded instead. */
  noteUse({ tenant, key }: Caller): void {
    if (key === null) return
    const now = this.#clock.now()
    if (now.getTime() - (this.#noted.get(key) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY) return
    if (this.#noted.size >= MOST_KEYS) this.#noted.clear()
    this.#noted.set(key, now.getTime())
    const noting = this.#db
      .transaction({ access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } }, tx =>
        noteApiKeyUse(tx, tenant, key, now),
      )
      .catch(() => void this.#noted.delete(key))
      .finally(() => this.#noting.delete(noting))
    this.#noting.add(noting)
  }

  async close(): Promise<void> {
    await Promise.all(this.#noting)
  }
}
