import type { PrivityError } from '../errors.js'
import type { Database } from '../storage/database.js'
import { addRootKey, loadRootKeys, type RootKey } from '../storage/queries/root-keys.js'
import { RunAgain } from './run-again.js'
import { makeSecrets, type Secrets } from './secrets.js'

/** By when a process seals with a key that another one made. What that key sealed, it opens at once. */
const REFRESH_MS = 300_000

/** The store's keys as this process knows them. None is ever removed. */
export class KeyRing {
  readonly #db: Database
  readonly #timer: NodeJS.Timeout | null
  #known = 0
  #secrets: Secrets

  private constructor(db: Database, keys: readonly [RootKey, ...RootKey[]], refreshes: boolean) {
    this.#db = db
    this.#secrets = this.#take(keys)
    // An embedded store has one process.
    this.#timer =
      refreshes && db.engine === 'postgres'
        ? setInterval(() => void this.#refresh(), REFRESH_MS).unref()
        : null
  }

  /** Where it refreshes, keys that other processes make are looked for now and then, not only when one is missed. */
  static async open(db: Database, { refreshes = false } = {}): Promise<KeyRing> {
    return new KeyRing(db, await loadRootKeys(db), refreshes)
  }

  /** As they are now. A request takes them once, so that all it makes is made with one key. */
  get secrets(): Secrets {
    return this.#secrets
  }

  /** Opens what was sealed, whoever made its key. */
  async read(sealed: string, boundTo: string): Promise<string> {
    try {
      return this.secrets.open(sealed, boundTo)
    } catch (error) {
      if (!(error instanceof RunAgain)) throw error
      await error.ready()
      return this.secrets.open(sealed, boundTo)
    }
  }

  /** Makes a key, which seals from now on. */
  async rotate(): Promise<{ keyId: string; createdAt: string }> {
    const { keyId, createdAt } = await addRootKey(this.#db)
    await this.#reload()
    return { keyId, createdAt: createdAt.toISOString() }
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  async #reload(): Promise<void> {
    const keys = await loadRootKeys(this.#db)
    // Of two that read at once, the one that began first may be the last to return.
    if (keys.length > this.#known) this.#secrets = this.#take(keys)
  }

  #take(keys: readonly [RootKey, ...RootKey[]]): Secrets {
    this.#known = keys.length
    const [oldest, ...rest] = keys
    return makeSecrets(
      [oldest.secret, ...rest.map(({ secret }) => secret)],
      refusal => new RunAgain(() => this.#learn(keys.length, refusal)),
    )
  }

  /** Reads the keys again for something whose key was not known; refuses it if there are no more than before. */
  async #learn(known: number, refusal: PrivityError): Promise<void> {
    await this.#reload()
    if (this.#known <= known) throw refusal
  }

  async #refresh(): Promise<void> {
    // What cannot be read now is read when it is needed.
    await this.#reload().catch(() => {})
  }
}
