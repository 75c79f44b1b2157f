import type { Param } from '../storage/database.js'
import { type FoundApiKey, findApiKeys, noteApiKeyUse } from '../storage/queries/api-keys.js'
import { isSecretOf, type PresentedKey, readKey } from './api-key.js'
import { type Access, type Caller, keepCredential } from './caller.js'
import type { Clock } from './clock.js'
import { unauthenticated } from './facts.js'
import type { FairDatabase } from './fairness/fair-database.js'
import type { KeyLimits } from './operations/keys.js'

/** The number of keys that are remembered, with their last use. */
const MOST_KEYS = 10_000

/** The last use of a key is written at most once per this many milliseconds, not with every request. */
const NOTED_EVERY = 60_000

interface Waiting {
  readonly keyId: string
  resolve(found: FoundApiKey | undefined): void
  reject(error: unknown): void
}

interface Remembered {
  readonly tenant: string
  readonly key: FoundApiKey
  /** How many transactions had written when it was read, and the time of that. */
  readonly writes: number
  readonly from: number
}

/** Authenticates API keys and records when each was last used. */
export class ApiKeys {
  readonly #db: FairDatabase
  readonly #clock: Clock
  /** Those who wait for the next statement about their tenant's keys, while one is under way. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #found = new Map<string, Remembered>()
  /** What keys give access to, for as long as they are remembered. */
  readonly #accesses = new WeakMap<FoundApiKey, Access>()
  /** By tenant and key: a key of one tenant tells nothing of another's. */
  readonly #noted = new Map<string, number>()
  readonly #noting = new Set<Promise<void>>()

  constructor(db: FairDatabase, clock: Clock) {
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
    const known = this.#recall(key) ?? (await this.#find(key.tenant, key.keyId))
    if (!isSecretOf(known?.secretHash, key.secret) || known?.stands !== true) throw unauthenticated()
    const access = this.#accesses.get(known) ?? accessOf(key, known)
    this.#accesses.set(known, access)
    return access
  }

  /**
   * The key if it is remembered as it is now. An embedded store has one process, so what was read stands until this
   * process writes anything for the tenant. Whoever does not know the secret is looked up like everybody (NI-5).
   */
  #recall({ tenant, keyId, secret }: PresentedKey): FoundApiKey | null {
    const known = this.#found.get(keyId)
    const isKnown = known !== undefined && known.tenant === tenant && this.#stands(known)
    return isKnown && isSecretOf(known.key.secretHash, secret) ? known.key : null
  }

  /** The key by a statement that begins after it was asked for, together with others that wait. */
  #find(tenant: string, keyId: string): Promise<FoundApiKey | undefined> {
    return new Promise((resolve, reject) => {
      const one = { keyId, resolve, reject }
      const waiting = this.#waiting.get(tenant)
      if (waiting !== undefined) waiting.push(one)
      else {
        this.#waiting.set(tenant, [])
        void this.#look(tenant, [one])
      }
    })
  }

  /** Looks up some keys, then those that were asked for meanwhile. */
  async #look(tenant: string, asked: readonly Waiting[]): Promise<void> {
    const [now, writes] = [this.#clock.now(), this.#writesOf(tenant)]
    try {
      const send = <Row>(sql: string, params: readonly Param[]) =>
        this.#db.statement<Row>({ access: 'read', tenant }, sql, params)
      const keyIds = [...new Set(asked.map(({ keyId }) => keyId))]
      const found = await findApiKeys(send, tenant, keyIds, now)
      for (const [keyId, key] of found) this.#remember(keyId, { tenant, key, writes, from: now.getTime() })
      for (const { keyId, resolve } of asked) resolve(found.get(keyId))
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
    const next = this.#waiting.get(tenant) ?? []
    if (next.length === 0) this.#waiting.delete(tenant)
    else {
      this.#waiting.set(tenant, [])
      void this.#look(tenant, next)
    }
  }

  #remember(keyId: string, found: Remembered): void {
    if (this.#db.engine !== 'pglite') return
    if (this.#found.size >= MOST_KEYS) this.#found.clear()
    this.#found.set(keyId, found)
  }

  #stands({ tenant, key: { until }, writes, from }: Remembered): boolean {
    const now = this.#clock.now().getTime()
    return (
      writes === this.#writesOf(tenant) && from <= now && now < (until?.getTime() ?? Number.POSITIVE_INFINITY)
    )
  }

  /** Work that is no tenant's may change what tenants have. */
  #writesOf(tenant: string): number {
    return this.#db.writesOf(tenant) + this.#db.writesOf('')
  }

  /** Records that a caller used its key. Nobody waits for it, and if it fails, the next use is recorded instead. */
  noteUse({ tenant, key }: Caller): void {
    if (key === null) return
    const now = this.#clock.now()
    const noted = JSON.stringify([tenant, key])
    if (now.getTime() - (this.#noted.get(noted) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY) return
    if (this.#noted.size >= MOST_KEYS) this.#noted.clear()
    this.#noted.set(noted, now.getTime())
    const noting = this.#db
      .transaction({ access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } }, tx =>
        noteApiKeyUse(tx, tenant, key, now),
      )
      .catch(() => void this.#noted.delete(noted))
      .finally(() => this.#noting.delete(noting))
    this.#noting.add(noting)
  }

  async close(): Promise<void> {
    await Promise.all(this.#noting)
  }
}

function accessOf({ tenant, keyId }: PresentedKey, { credential }: FoundApiKey): Access {
  const {
    choosesSession,
    policy,
    visibility,
    session,
    trust,
    profile = null,
    ...who
  } = credential as KeyLimits
  return {
    choosesSession,
    credential: keepCredential({
      ...who,
      tenant,
      key: keyId,
      trust: { ...trust, authenticated: true },
      visibility: {
        ceiling: visibility.ceiling,
        ...(visibility.floor === null ? {} : { floor: visibility.floor }),
      },
      ...(policy === null ? {} : { policy }),
      ...(session === '' ? {} : { session }),
      ...(profile === null ? {} : { profile }),
    }),
  }
}
