const FIRST_MS = 1_000
const MOST_MS = 300_000
/** The longest `Retry-After` that is respected. A provider that asks for more is called again after this time. */
const MOST_ASKED_MS = 3_600_000

/**
 * Exponential back-off: decides when to retry after a failure, at a random time within a span that doubles, so that
 * not all callers retry at once.
 */
export class Backoff {
  readonly #now: () => number
  readonly #random: () => number
  readonly #mostMs: number
  #failures = 0
  #retryAt = 0

  constructor(now: () => number, random: () => number, mostMs = MOST_MS) {
    this.#now = now
    this.#random = random
    this.#mostMs = mostMs
  }

  /** The time of the next attempt; 0 if there is nothing to wait for. */
  get retryAt(): number {
    return this.#retryAt
  }

  failed(retryAfterMs = 0): void {
    const asked = this.#now() + Math.min(retryAfterMs, MOST_ASKED_MS)
    // Of calls that run at the same time, only the first failure doubles the span.
    if (this.#retryAt > this.#now()) {
      this.#retryAt = Math.max(this.#retryAt, asked)
      return
    }
    const span = Math.min(this.#mostMs, FIRST_MS * 2 ** this.#failures)
    this.#failures += 1
    this.#retryAt = Math.max(this.#now() + this.#random() * span, asked)
  }

  succeeded(): void {
    this.#failures = 0
    this.#retryAt = 0
  }
}
