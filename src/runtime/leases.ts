/** A share of bounded capacity, held while a request runs. */
export interface Lease {
  release(): void
}

/** How many requests of a class may run at once in this process (CP-3). A class nobody gave capacity has none. */
export class Leases {
  readonly #free: Map<string, number>

  constructor(capacity: Readonly<Record<string, number>> = {}) {
    this.#free = new Map(Object.entries(capacity))
  }

  take(leaseClass: string): Lease | null {
    const free = this.#free.get(leaseClass) ?? 0
    if (free <= 0) return null
    this.#free.set(leaseClass, free - 1)
    let held = true
    return {
      release: () => {
        if (held) this.#free.set(leaseClass, (this.#free.get(leaseClass) ?? 0) + 1)
        held = false
      },
    }
  }
}
