/** What a transaction sees of others, as Postgres writes it: `xmin:xmax:running,…`. */
export class Snapshot {
  /** Every transaction below it has ended. */
  readonly xmin: bigint
  /** Every transaction from it on had not begun. */
  readonly xmax: bigint
  readonly #running: ReadonlySet<bigint>

  constructor(text: string) {
    const [xmin = '', xmax = '', running = ''] = text.split(':')
    this.xmin = BigInt(xmin)
    this.xmax = BigInt(xmax)
    this.#running = new Set(running === '' ? [] : running.split(',').map(BigInt))
  }

  /** Whether what this transaction wrote is seen. */
  sees(xid: bigint): boolean {
    return xid < this.xmax && !this.#running.has(xid)
  }
}
