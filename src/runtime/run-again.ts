/**
 * Thrown inside a transaction to leave it. `ready` then does what is slow or needs a newer snapshot, without holding
 * locks, and the transaction starts again with the same input. Only the runtime catches it.
 */
export class RunAgain extends Error {
  readonly ready: () => Promise<void>

  constructor(ready: () => Promise<void>, why = 'something has to be made ready first') {
    super(why)
    this.ready = ready
  }
}

/**
 * Results prepared outside of a request's transaction, by name. They last as long as the request. A name must contain
 * everything that the result depends on, because facts may have moved when the transaction starts again.
 */
export class Preparations {
  readonly #made = new Map<string, unknown>()

  has(name: string): boolean {
    return this.#made.has(name)
  }

  of<Value>(name: string, make: () => Promise<Value>): Value {
    if (this.#made.has(name)) return this.#made.get(name) as Value
    throw new RunAgain(async () => void this.#made.set(name, await make()))
  }
}
