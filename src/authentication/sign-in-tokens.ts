import { createHash, randomBytes } from 'node:crypto'
import type { Credential } from '../runtime/caller.js'
import { unauthenticated } from '../runtime/facts.js'

/** How long a one-time sign-in address works. */
export const SIGN_IN_MINUTES = 15

/** The maximum number of unused tokens; the oldest is dropped. */
const MOST = 100

/** One-time tokens with which whoever started the server signs in. */
export interface SignInTokenStore {
  /** Makes a token that signs this caller in, once. */
  issue(credential: Credential): string
  /** Takes a token. Unknown, used and expired ones get the same answer. */
  take(token: string): Credential | Promise<Credential>
}

/**
 * Tokens that live in this process only, for a few minutes. The first use takes them: of two uses at once, one wins.
 */
export class SignInTokens implements SignInTokenStore {
  readonly #now: () => number
  /** By digest, so that a dump of the heap holds no token that works. */
  readonly #unused = new Map<string, { readonly credential: Credential; readonly until: number }>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  issue(credential: Credential): string {
    const token = newSignInToken()
    this.keep(token, credential)
    return token
  }

  /** Keeps a token that another process made. */
  keep(token: string, credential: Credential): void {
    const [oldest] = this.#unused.keys()
    if (this.#unused.size >= MOST && oldest !== undefined) this.#unused.delete(oldest)
    this.#unused.set(digest(token), { credential, until: this.#now() + SIGN_IN_MINUTES * 60_000 })
  }

  take(token: string): Credential {
    const key = digest(token)
    const known = this.#unused.get(key)
    this.#unused.delete(key)
    if (known === undefined || known.until <= this.#now()) throw unauthenticated()
    return known.credential
  }
}

export const newSignInToken = (): string => randomBytes(32).toString('base64url')

const digest = (token: string) => createHash('sha256').update(token).digest('base64')
