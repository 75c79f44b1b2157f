import type { Database } from '../storage/database.js'
import { findApiKey, noteApiKeyUse } from '../storage/queries/api-keys.js'
import { isSecretOf, readKey } from './api-key.js'
import type { Access, Caller } from './caller.js'
import type { Clock } from './clock.js'
import { unauthenticated } from './facts.js'
import type { KeyLimits } from './operations/keys.js'

/** How many keys' last uses are kept at hand. */
const MOST_KEYS = 10_000

/** A use is noted once in this many milliseconds, not with every request. */
const NOTED_EVERY = 60_000

/** Keys that callers present, and when each was last used. */
export class ApiKeys {
  readonly #db: Database
  readonly #clock: Clock
  readonly #noted = new Map<string, number>()
  readonly #noting = new Set<Promise<void>>()

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Whose key this is. Malformed, unknown, wrong and ended are one answer, found in the same way (NI-5). */
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

  /** Notes that a caller was admitted with its key. It waits for nobody, and a failure is made up for by the next use. */
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
