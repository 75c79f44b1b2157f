import { randomBytes } from 'node:crypto'
import { PrivityError } from '../errors.js'
import type { Privity } from '../open.js'
import type { InputOf } from '../operations.js'
import type { Credential } from '../runtime/caller.js'
import { unauthenticated } from '../runtime/facts.js'

/** How long somebody stays signed in. The session ends earlier if the credential it was made with does. */
export const SESSION_HOURS = 24

/** What the sealed value is bound to, so that no other sealed text of the store can be presented as a session. */
const BOUND_TO = 'browser session'

/** How many keys a session may hold: the one somebody signed in with, and that of the person they continue as. */
const MOST_KEYS = 2

type Store = Pick<Privity, 'as' | 'seal' | 'unseal'>

/** Somebody else to continue as, in the words of `keys.create`. */
export type SessionFor = Pick<InputOf<'keys.create'>, 'actor' | 'audience' | 'for' | 'trust'>

export interface BrowserSession {
  /** What the browser keeps. */
  readonly sealed: string
  readonly expiresAt: Date
}

/**
 * Lets people sign in from a browser. A session is an API key that `keys.create` makes with the credential that signs
 * in: it holds no more than that credential, expires, is revoked with it or by itself, and shows up in `keys.list`
 * and in the audit like any other key. No second kind of credential exists, so nothing has to be kept in step (DE-3).
 *
 * The browser keeps the key sealed. A copied cookie opens nothing at other doors, and the key itself cannot be read
 * from it. Below the key in use lies the one that it was made with, so that a host who continues as somebody else can
 * come back.
 */
export class BrowserSessions {
  readonly #privity: Store
  readonly #now: () => Date

  constructor(privity: Store, now: () => Date = () => new Date()) {
    this.#privity = privity
    this.#now = now
  }

  /** Makes a session for a credential that was authenticated. Agents and recipients are refused by `keys.create`. */
  async begin(credential: Credential): Promise<BrowserSession> {
    const { secret, expiresAt } = await this.#makeKey(credential, {
      actor: credential.actor,
      audience: credential.audience ?? 'owner',
    })
    return { sealed: this.#seal([secret]), expiresAt }
  }

  /** Goes on as somebody else. Who may is decided by `keys.create`: whoever could hand out such a key anyway. */
  async continueAs(credential: Credential, sealed: string, other: SessionFor): Promise<BrowserSession> {
    const keys = await this.#open(sealed)
    if (keys.length >= MOST_KEYS)
      throw new PrivityError('conflict', 'return to your own session before you continue as somebody else')
    const { secret, expiresAt } = await this.#makeKey(credential, other)
    return { sealed: this.#seal([...keys, secret]), expiresAt }
  }

  /** The `Authorization` header that a session stands for, and how many keys lie below the one in use. */
  async read(sealed: string): Promise<{ authorization: string; below: number }> {
    const keys = await this.#open(sealed)
    return { authorization: `Bearer ${keys.at(-1)}`, below: keys.length - 1 }
  }

  /** Ends a session for good by revoking its key. Returns the session below, if there is one. */
  async end(credential: Credential, sealed: string): Promise<string | null> {
    const keys = await this.#open(sealed)
    if (credential.key !== undefined) await this.#privity.as(credential).keys.revoke(credential.key)
    return keys.length > 1 ? this.#seal(keys.slice(0, -1)) : null
  }

  async #makeKey(credential: Credential, who: SessionFor): Promise<{ secret: string; expiresAt: Date }> {
    const now = this.#now()
    const { key, secret } = await this.#privity.as(credential).keys.create({
      ...who,
      // Names are unique per owner, and somebody may sign in on two machines in the same minute.
      name: `Browser session ${now.toISOString().slice(0, 16).replace('T', ' ')} ${randomBytes(4).toString('hex')}`,
      expiresAt: new Date(now.getTime() + SESSION_HOURS * 3_600_000).toISOString(),
    })
    if (secret === null || key.expiresAt === null) throw unauthenticated()
    return { secret, expiresAt: new Date(key.expiresAt) }
  }

  #seal(keys: readonly string[]): string {
    return this.#privity.seal(keys.join(' '), BOUND_TO)
  }

  async #open(sealed: string): Promise<string[]> {
    try {
      return (await this.#privity.unseal(sealed, BOUND_TO)).split(' ')
    } catch {
      throw unauthenticated()
    }
  }
}
