/**
 * Thrown inside a transaction to leave it: `ready` does what is slow or needs a newer snapshot, where no locks are held,
 * and the transaction begins again with the same input. The runtime handles it, and nobody else.
 */
export class RunAgain extends Error {
  readonly ready: () => Promise<void>

  constructor(ready: () => Promise<void>, why = 'something has to be made ready first') {
    super(why)
    this.ready = ready
  }
}

/**
 * What was made ready outside of a request's transaction, by name. What is made is forgotten with the request; a name has
 * to say everything that it was made from, as facts may have moved when the transaction begins again.
 */
export class Preparations {
  readonly #made = new Map<string, unknown>()

  of<Value>(name: string, make: () => Promise<Value>): Value {
    if (this.#made.has(name)) return this.#made.get(name) as Value
    throw new RunAgain(async () => void this.#made.set(name, await make()))
  }
}
