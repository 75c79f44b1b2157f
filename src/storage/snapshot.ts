/** A Postgres transaction snapshot, parsed from `xmin:xmax:running,…`. */
export class Snapshot {
  /** Every transaction below this id has ended. */
  readonly xmin: bigint
  /** Every transaction from this id on had not begun. */
  readonly xmax: bigint
  readonly #running: ReadonlySet<bigint>

  constructor(text: string) {
    const [xmin = '', xmax = '', running = ''] = text.split(':')
    this.xmin = BigInt(xmin)
    this.xmax = BigInt(xmax)
    this.#running = new Set(running === '' ? [] : running.split(',').map(BigInt))
  }

  /** Whether the changes of a transaction are visible. */
  sees(xid: bigint): boolean {
    return xid < this.xmax && !this.#running.has(xid)
  }
}
