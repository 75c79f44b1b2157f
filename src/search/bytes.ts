/** A byte buffer that grows as it is written. */
export class ByteWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(capacity = 1_024) {
    this.#bytes = new Uint8Array(capacity)
  }

  get length(): number {
    return this.#length
  }

  /**
   * Writes a variable-length integer: seven bits per byte, lowest first; the high bit says that more bytes follow.
   */
  varint(value: number): void {
    this.#reserve(5)
    let rest = value
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Copies what was written into a buffer of exactly that size. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}

/** A list of 32-bit unsigned integers that grows as it is written. */
export class NumberWriter {
  #values: Uint32Array
  #length = 0

  constructor(capacity = 256) {
    this.#values = new Uint32Array(capacity)
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow()
    this.#values[this.#length++] = value
  }

  pushTwo(first: number, second: number): void {
    if (this.#length + 2 > this.#values.length) this.#grow()
    this.#values[this.#length++] = first
    this.#values[this.#length++] = second
  }

  clear(): void {
    this.#length = 0
  }

  /** The values so far, without copying them. The view is valid until the next push. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.#length)
  }

  finish(): Uint32Array {
    return this.#values.slice(0, this.#length)
  }

  #grow(): void {
    const grown = new Uint32Array(this.#values.length * 2)
    grown.set(this.#values)
    this.#values = grown
  }
}
