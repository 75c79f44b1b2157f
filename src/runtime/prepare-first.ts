/**
 * Thrown by an operation for which something has to be made ready outside of its transaction, where it holds no locks.
 * Its transaction then begins again, with the same input.
 */
export class PrepareFirst extends Error {
  readonly prepare: () => Promise<void>

  constructor(prepare: () => Promise<void>) {
    super('something has to be made ready first')
    this.prepare = prepare
  }
}

/**
 * What was made ready outside of a request's transaction, by name. What is made is forgotten with the request; a name has
 * to say everything that it was made from, as facts may have moved when the transaction begins again.
 */
export class Prepared {
  readonly #made = new Map<string, unknown>()

  of<Value>(name: string, make: () => Promise<Value>): Value {
    if (this.#made.has(name)) return this.#made.get(name) as Value
    throw new PrepareFirst(async () => void this.#made.set(name, await make()))
  }
}
