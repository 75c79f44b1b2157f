const EMPTY = 0xffff_ffff
/** What a table without entries has. It is full, so that the first entry makes a larger one. */
const NO_SLOTS = new Uint32Array(1).fill(EMPTY)
const FEWEST_SLOTS = 16

/**
 * A hash table that finds entries by their hash, in eight bytes each. The entries themselves are stored elsewhere.
 */
export class HashIndex {
  #slots = NO_SLOTS
  #hashes = NO_SLOTS
  #size = 0

  /** The entry with this hash for which `isMeant` is true, or -1. */
  find(hash: number, isMeant: (entry: number) => boolean): number {
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] as number
      if (entry === EMPTY) return -1
      if (this.#hashes[slot] === hash >>> 0 && isMeant(entry)) return entry
    }
  }

  /** Adds an entry that is not in the table yet. */
  add(hash: number, entry: number): void {
    if ((this.#size + 1) * 2 > this.#slots.length) this.#grow()
    this.#put(hash, entry)
    this.#size++
  }

  #put(hash: number, entry: number): void {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask
    this.#slots[slot] = entry
    this.#hashes[slot] = hash >>> 0
  }

  #grow(): void {
    const slots = this.#slots
    const hashes = this.#hashes
    const length = Math.max(FEWEST_SLOTS, slots.length * 2)
    this.#slots = new Uint32Array(length).fill(EMPTY)
    this.#hashes = new Uint32Array(length)
    for (const [at, entry] of slots.entries()) if (entry !== EMPTY) this.#put(hashes[at] as number, entry)
  }
}
