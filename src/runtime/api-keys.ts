import type { Database } from '../storage/database.js'
import { findApiKey, noteApiKeyUse } from '../storage/queries/api-keys.js'
import { isSecretOf, readKey } from './api-key.js'
import type { Access, Caller } from './caller.js'
import type { Clock } from './clock.js'
import { unauthenticated } from './facts.js'
import type { Said } from './operations/keys.js'

/** How many keys are kept at hand; beyond them, they are read again. */
const MOST_KEYS = 10_000

/** A use is noted once in this many milliseconds, not with every request. */
const NOTED_EVERY = 60_000

interface Known {
  readonly said: Said
  readonly secretHash: Uint8Array
}

/** Keys that callers present, and when each was last used. */
export class ApiKeys {
  readonly #db: Database
  readonly #clock: Clock
  // What a key says never changes, so it is kept. Whether it stands is read with each request, in its own snapshot.
  readonly #known = new Map<string, Known>()
  readonly #noted = new Map<string, number>()
  readonly #noting = new Set<Promise<void>>()

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Whose key this is. Malformed, unknown and wrong are one answer, found in the same way. */
  async authenticate(presented: string): Promise<Access> {
    const key = readKey(presented)
    if (key === null) throw unauthenticated()
    const known = this.#known.get(key.keyId) ?? (await this.#find(key.tenant, key.keyId))
    if (!isSecretOf(known?.secretHash, key.secret) || known === undefined) throw unauthenticated()
    if (this.#known.size >= MOST_KEYS) this.#known.clear()
    this.#known.set(key.keyId, known)
    const { choosesSession, policy, visibility, session, trust, ...who } = known.said
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
      },
    }
  }

  async #find(tenant: string, keyId: string): Promise<Known | undefined> {
    const row = await this.#db.transaction(
      { access: 'read', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      tx => findApiKey(tx, tenant, keyId),
    )
    return row === undefined ? undefined : { said: row.credential as Said, secretHash: row.secretHash }
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
