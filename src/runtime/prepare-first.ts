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
