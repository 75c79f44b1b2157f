import { createHash } from 'node:crypto'
import type { Authenticate } from '../authentication/authenticate.js'
import { PrivityError } from '../errors.js'
import type { Access } from '../runtime/caller.js'
import type { Party } from '../runtime/fairness/fair-line.js'
import { FairShare, type Load } from '../runtime/fairness/fair-share.js'
import { type Admission, overloaded, partyOf } from './admission.js'

/** How many credentials are authenticated at once, and how many may wait. */
const AT_ONCE = { total: 16, perTenant: 4, perCredential: 4 }
const WAITING = { total: 1_024, perTenant: 256, perCredential: 256 }
const MOST_KNOWN = 10_000

/** All who were never authenticated by this process count as one party, whatever tenant they claim to be of. */
const STRANGERS = { tenant: '', credential: '' }

/**
 * Authenticates requests. Looking up a credential takes the store's time before it is known whose it is. So made-up
 * credentials share one turn among them, and those that were right before have turns of their own (OP-8). A turn is all
 * that is remembered: each request is authenticated again.
 */
export class Doorway {
  readonly #authenticate: Authenticate
  readonly #admission: Admission
  readonly #share = new FairShare({
    running: AT_ONCE,
    waiting: WAITING,
    busy: 'the server is busy; try again',
  })
  /** Digests of credentials that were right, with their parties; the most recently used come last. */
  readonly #known = new Map<string, Party>()

  constructor(authenticate: Authenticate, admission: Admission) {
    this.#authenticate = authenticate
    this.#admission = admission
  }

  get load(): Load {
    return this.#share.load
  }

  async authenticate(authorization: string | undefined): Promise<Access> {
    const credential = createHash('sha256')
      .update(authorization ?? '')
      .digest('base64')
    const known = this.#known.get(credential)
    // Whoever has too many requests here already is told so before the store is asked who it is.
    if (known !== undefined && !this.#admission.hasRoomFor(known)) throw overloaded()
    const party = known === undefined ? STRANGERS : { ...known, tenant: `of ${known.tenant}` }
    const access = await this.#share
      .run(party, () => this.#authenticate(authorization))
      .catch(error => {
        if (!(error instanceof PrivityError) || error.code !== 'busy') this.#known.delete(credential)
        throw error
      })
    this.#known.delete(credential)
    this.#known.set(credential, partyOf(access))
    if (this.#known.size > MOST_KNOWN)
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest)
        break
      }
    return access
  }
}
