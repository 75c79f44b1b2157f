/** The hash of an empty word. */
export const HASH_START = 0x811c9dc5

/** The hash of a word with one more UTF-16 unit (FNV-1a). */
export const addToHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)

/**
 * How far a word is looked for in the table. Words beyond are in a map, so that words chosen for their equal hashes cost
 * no more than a map does.
 */
const MOST_PROBES = 32

// A slot has four numbers beside each other, so that a word is found with few reads of far memory: the number of a term
// plus one (0 if the slot is free), its hash, and where its letters are. A term that is not ASCII has no letters there.
const SLOT = 4
const HASH = 1
const START = 2
const LENGTH = 3

/**
 * Numbers distinct terms in the order in which they come. A term that is known is found within a text without being cut
 * out of it: most of indexing is that.
 */
export class TermTable {
  readonly names: string[] = []
  #slots = new Int32Array(128 * SLOT)
  #letters = new Uint8Array(512)
  #lettersUsed = 0
  readonly #beyond = new Map<string, number>()

  /** The number of a term, which is added if it is new. */
  add(term: string): number {
    const hash = hashOf(term)
    const mask = this.#slots.length - 1
    let slot = slotOf(hash, mask)
    for (let probe = 0; probe < MOST_PROBES; probe++) {
      const place = (this.#slots[slot] as number) - 1
      if (place < 0) return this.#insert(term)
      if (this.#slots[slot + HASH] === hash && this.names[place] === term) return place
      slot = (slot + SLOT) & mask
    }
    return this.#beyond.get(term) ?? this.#insert(term)
  }

  /**
   * The number of the word between `start` and `end`, which is ASCII and has this hash in lower case, or -1. Capitals
   * equal small letters.
   */
  find(units: Uint16Array, start: number, end: number, hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = slotOf(hash, mask)
    for (let probe = 0; probe < MOST_PROBES; probe++) {
      const place = (slots[slot] as number) - 1
      if (place < 0) return -1
      if (
        slots[slot + HASH] === hash &&
        slots[slot + LENGTH] === end - start &&
        equals(this.#letters, slots[slot + START] as number, units, start, end)
      )
        return place
      slot = (slot + SLOT) & mask
    }
    return this.#beyond.get(String.fromCharCode(...units.subarray(start, end)).toLowerCase()) ?? -1
  }

  #insert(term: string): number {
    const place = this.names.length
    this.names.push(term)
    // Half full at most, so that a word is found at once.
    if (this.names.length * 2 * SLOT > this.#slots.length) this.#grow()
    else this.#settle(place)
    return place
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    this.#lettersUsed = 0
    this.#beyond.clear()
    for (let place = 0; place < this.names.length; place++) this.#settle(place)
  }

  #settle(place: number): void {
    const term = this.names[place] as string
    const hash = hashOf(term)
    const mask = this.#slots.length - 1
    let slot = slotOf(hash, mask)
    for (let probe = 0; probe < MOST_PROBES; probe++) {
      if (this.#slots[slot] === 0) {
        this.#slots[slot] = place + 1
        this.#slots[slot + HASH] = hash
        this.#slots[slot + START] = this.#lettersUsed
        this.#slots[slot + LENGTH] = this.#writeLetters(term)
        return
      }
      slot = (slot + SLOT) & mask
    }
    this.#beyond.set(term, place)
  }

  /** Writes the letters of a term and returns their number, or -1 if they are not ASCII. */
  #writeLetters(term: string): number {
    if (this.#lettersUsed + term.length > this.#letters.length) {
      const grown = new Uint8Array((this.#letters.length + term.length) * 2)
      grown.set(this.#letters)
      this.#letters = grown
    }
    for (let at = 0; at < term.length; at++) {
      const unit = term.charCodeAt(at)
      if (unit > 127) return -1
      this.#letters[this.#lettersUsed + at] = unit
    }
    this.#lettersUsed += term.length
    return term.length
  }
}

/** The upper half of the hash is mixed into the lower, which alone chooses a slot. */
const slotOf = (hash: number, mask: number): number => ((hash ^ (hash >>> 15)) * SLOT) & mask

function hashOf(term: string): number {
  let hash = HASH_START
  for (let at = 0; at < term.length; at++) hash = addToHash(hash, term.charCodeAt(at))
  return hash
}

function equals(letters: Uint8Array, from: number, units: Uint16Array, start: number, end: number): boolean {
  for (let at = start, letter = from; at < end; at++, letter++) {
    const unit = units[at] as number
    if (letters[letter] !== (unit >= 65 && unit <= 90 ? unit + 32 : unit)) return false
  }
  return true
}
