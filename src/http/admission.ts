import { PrivityError } from '../errors.js'
import type { Access } from '../runtime/caller.js'
import type { Party } from '../runtime/fairness/fair-line.js'
import { FairShare, type Load } from '../runtime/fairness/fair-share.js'

/** The part of all requests at work that may be of one tenant, and of one credential. */
const TENANT_SHARE = 2
const CREDENTIAL_SHARE = 4
/** The number of requests that run at once for each that may be here, running or waiting. */
const WAITING_FOR_EACH = 4

/**
 * Limits how many requests run at once and for how long. Tenants take turns, and so do the credentials within a tenant
 * (OP-8). Whoever exceeds its share gets the same answer as everybody: try again (NI-8).
 */
export class Admission {
  readonly #share: FairShare
  readonly #timeout: number
  readonly #idle: (() => void)[] = []
  #answering = 0
  #closing = false

  /** `most` is how many requests may be here at once, running or waiting for their turn. */
  constructor(most: number, timeout: number) {
    const running = Math.max(1, Math.ceil(most / WAITING_FOR_EACH))
    this.#share = new FairShare({ running: sharesOf(running), waiting: sharesOf(most), busy: BUSY })
    this.#timeout = timeout
  }

  get load(): Load {
    return this.#share.load
  }
  /** Whether a request of this party could at least wait for a place. */
  hasRoomFor(party: Party): boolean {
    return this.#share.hasRoomFor(party)
  }
  get closing(): boolean {
    return this.#closing
  }

  /**
   * Runs work in a place of its own. A request that takes too long is answered and gives its place back at once; its
   * work goes on, because a write that was begun is still done. It is told by a signal, so that it leaves other lines.
   */
  run<T>(party: Party, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(overloaded())
    return this.runStep(party, work)
  }

  /** Does the same for a step of something that was begun before the server started to close. */
  async runStep<T>(party: Party, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#answering++
    let timer: NodeJS.Timeout | undefined
    try {
      const until = performance.now() + this.#timeout
      const leave = await this.#share.enter(party, this.#timeout)
      try {
        const ending = new AbortController()
        const late = new Promise<never>((_, reject) => {
          timer = setTimeout(
            () => {
              reject(overloaded())
              ending.abort()
            },
            Math.max(0, until - performance.now()),
          )
        })
        return await Promise.race([work(ending.signal), late])
      } finally {
        leave()
      }
    } finally {
      clearTimeout(timer)
      this.#leave()
    }
  }

  /** Lets `close` wait for an answer that is still being sent. It holds no place. */
  hold(sending: Promise<unknown>): void {
    this.#answering++
    void Promise.allSettled([sending]).then(() => this.#leave())
  }

  #leave(): void {
    this.#answering--
    if (this.#answering === 0) for (const wake of this.#idle.splice(0)) wake()
  }

  /** Accepts no more requests, and resolves once none is to be answered or after this many milliseconds. */
  async close(grace: number): Promise<void> {
    this.#closing = true
    if (this.#answering === 0) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, grace)
      this.#idle.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

/** The shares of a number of places. Nobody's share is less than one. */
export const sharesOf = (total: number) => ({
  total,
  perTenant: Math.max(1, Math.ceil(total / TENANT_SHARE)),
  perCredential: Math.max(1, Math.ceil(total / CREDENTIAL_SHARE)),
})

/** The party that a credential's requests count for: its key, or whoever an issuer or the host vouches for. */
export function partyOf({ credential }: Access): Party {
  const { tenant, key, actor, audience, profile } = credential
  return { tenant, credential: key ?? JSON.stringify([actor, audience, credential.for, profile]) }
}

const BUSY = 'the server is busy; try again'
export const overloaded = () => new PrivityError('busy', BUSY)
