const FIRST_MS = 1_000
const MOST_MS = 300_000
/** A provider that asks for more is asked again all the same. */
const MOST_ASKED_MS = 3_600_000

/** When to ask again what failed: at a random time within a span that doubles, so that not all ask at once. */
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

  /** 0 when there is nothing to wait for. */
  get retryAt(): number {
    return this.#retryAt
  }

  failed(retryAfterMs = 0): void {
    const asked = this.#now() + Math.min(retryAfterMs, MOST_ASKED_MS)
    // Of calls that ran side by side, the first to fail doubles the span for all.
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
