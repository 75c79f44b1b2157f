import type { PrivityError } from '../errors.js'
import type { Database } from '../storage/database.js'
import { addRootKey, loadRootKeys, type RootKey } from '../storage/queries/root-keys.js'
import { RunAgain } from './run-again.js'
import { makeSecrets, type Secrets } from './secrets.js'

/** The time after which a process seals with a key that another process made. It can open with that key at once. */
const REFRESH_MS = 300_000

/** The root keys of the store as this process knows them. No key is ever removed. */
export class KeyRing {
  readonly #db: Database
  readonly #timer: NodeJS.Timeout | null
  #known = 0
  #secrets: Secrets

  private constructor(db: Database, keys: readonly [RootKey, ...RootKey[]], refreshes: boolean) {
    this.#db = db
    this.#secrets = this.#take(keys)
    // An embedded store has only one process, so it needs no refresh.
    this.#timer =
      refreshes && db.engine === 'postgres'
        ? setInterval(() => void this.#refresh(), REFRESH_MS).unref()
        : null
  }

  /** With `refreshes`, keys made by other processes are looked for regularly, not only when one is missing. */
  static async open(db: Database, { refreshes = false } = {}): Promise<KeyRing> {
    return new KeyRing(db, await loadRootKeys(db), refreshes)
  }

  /** The current keys. A request reads them once, so that it uses the same key throughout. */
  get secrets(): Secrets {
    return this.#secrets
  }

  /** Opens a sealed value, even if another process made its key. */
  async read(sealed: string, boundTo: string): Promise<string> {
    try {
      return this.secrets.open(sealed, boundTo)
    } catch (error) {
      if (!(error instanceof RunAgain)) throw error
      await error.ready()
      return this.secrets.open(sealed, boundTo)
    }
  }

  /** Makes a new key, which is used for sealing from now on. */
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
    // Of two concurrent reads, the one that began first may return last.
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

  /** Loads the keys again after an unknown key was met, and throws the refusal if there are no new ones. */
  async #learn(known: number, refusal: PrivityError): Promise<void> {
    await this.#reload()
    if (this.#known <= known) throw refusal
  }

  async #refresh(): Promise<void> {
    // If the keys cannot be read now, they are read when one is missing.
    await this.#reload().catch(() => {})
  }
}
