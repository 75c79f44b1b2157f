import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.js'

/**
 * A clock that never goes back. If the system's clock is set back, also while the process was stopped, time goes on
 * from the latest one that was seen, so that no expired key, link, code, grant or record comes alive again. It then
 * runs at half speed until the system's clock has caught up: standing still would keep limits and leases from ending.
 */
export class ForwardClock implements Clock {
  readonly #clock: Clock
  #latest: number
  #elapsed: number

  constructor(clock: Clock, latest: Date | null) {
    this.#clock = clock
    this.#latest = latest?.getTime() ?? Number.NEGATIVE_INFINITY
    this.#elapsed = clock.elapsed?.() ?? 0
  }

  readonly now = (): Date => {
    const real = this.#clock.now()
    if (this.#clock.mayGoBack === true) return real
    const elapsed = this.#clock.elapsed?.() ?? 0
    this.#latest = Math.max(real.getTime(), this.#latest + (elapsed - this.#elapsed) / 2)
    this.#elapsed = elapsed
    return new Date(Math.floor(this.#latest))
  }

  /** How far the system's clock is behind, in milliseconds. */
  get aheadBy(): number {
    return Math.max(0, this.now().getTime() - this.#clock.now().getTime())
  }

  newId: Clock['newId'] = purpose => this.#clock.newId(purpose)
  readonly random = (): number => (this.#clock.random ?? Math.random)()
  readonly newSecret = (bytes: number): Uint8Array => this.#clock.newSecret?.(bytes) ?? randomBytes(bytes)
}
