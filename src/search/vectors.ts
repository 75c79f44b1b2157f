import { BATCH, type Estimates, gather, NO_ESTIMATES, scatter } from './estimates.js'
import { FULL_LEVEL, type Mask } from './mask.js'
import { PlainMemory, type VectorMemory, vectorMemory } from './vector-kernel/memory.js'
import type { VectorQuery } from './vector-query.js'

/** The largest component, chosen so that its rounded high byte is at most 127. */
const LARGEST = 32_639

/** Up to this dimension the product of two vectors is exact: 2^22 times the square of `LARGEST` is below 2^53. */
const MOST_DIMENSIONS = 2 ** 22

/**
 * Quantises a vector for storage: scales it by its own largest component only (SC-3) and rounds to the nearest
 * integer, halves away from zero. Only the direction is kept. Returns null if all components are zero, because then
 * there is none.
 */
export function quantise(values: ArrayLike<number>, dimension = values.length): Int16Array | null {
  if (values.length !== dimension || dimension < 1) throw new RangeError('a vector of another dimension')
  let largest = 0
  for (let at = 0; at < dimension; at++) {
    const value = values[at] as number
    if (!Number.isFinite(value)) throw new RangeError('a component of a vector is not a number')
    largest = Math.max(largest, Math.abs(value))
  }
  if (largest === 0) return null
  const quantised = new Int16Array(dimension)
  for (let at = 0; at < dimension; at++) {
    const value = values[at] as number
    quantised[at] = Math.sign(value) * Math.round((Math.abs(value) / largest) * LARGEST)
  }
  return quantised
}

/** Encodes each component in two bytes, little-endian. */
export function encodeVector(vector: Int16Array): Uint8Array {
  const bytes = new Uint8Array(vector.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < vector.length; at++) view.setInt16(at * 2, vector[at] as number, true)
  return bytes
}

export function decodeVector(bytes: Uint8Array): Int16Array {
  if (bytes.length % 2 !== 0) throw new RangeError('half a component of a vector')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const vector = new Int16Array(bytes.length / 2)
  for (let at = 0; at < vector.length; at++) vector[at] = view.getInt16(at * 2, true)
  return vector
}

/** The high and low bytes of vectors, row by row. A component is 256 times its high byte plus its low byte. */
export interface VectorPlanes {
  readonly high: Int8Array
  readonly low: Int8Array
}

/**
 * An upper bound of all floating-point rounding errors together. Shares, at most 1, and bounds, below 8, are rounded
 * to 24 bits, which moves them by at most 2^-25 and 2^-22, and a share counts at most twice. Everything else is
 * rounded to 53 bits a few times.
 */
const ROUNDING = 2 ** -20

/** Plain JavaScript scans this many rows within a millisecond, so WebAssembly memory is not worthwhile. */
const FEW = 1_024

/** The approximate number of high bytes in a block. */
const BLOCK = 2 ** 17

/** The bytes per row for its norm and its share, including four bytes of padding. */
const FACTS = 16

/**
 * The vectors of one model in one cell. Rows are only ever added. A column beside the segment says which document has
 * which row. Comparing requires a mask, and only documents that it shows are compared.
 *
 * Memory begins with the kernel's input and output: the query, reduced and in full, the row numbers, and space for
 * the bounds. Then come blocks of rows. The scan reads only high bytes; rows that it cannot order are then compared
 * in full. A row is padded with zeros to a multiple of sixteen bytes.
 */
export class VectorStore {
  readonly dimension: number
  readonly #memory: VectorMemory
  readonly #stride: number
  /** A block has 2^shift rows. */
  readonly #shift: number
  /** The number of rows that the kernel takes in one call. */
  readonly #batch: number
  /** Offsets in memory. */
  readonly #whole: number
  readonly #rows: number
  readonly #bounds: number
  readonly #blocks: number
  #size = 0
  #capacity = 0
  #bytes = new Int8Array(0)
  #floats = new Float32Array(0)
  #doubles = new Float64Array(0)
  /** The query that is currently in memory. */
  #loaded: VectorQuery | null = null

  /**
   * `rows` is the approximate number of rows to expect. A store for few rows is small and needs no kernel of its own.
   */
  constructor(dimension: number, memory?: VectorMemory, rows = Number.POSITIVE_INFINITY) {
    if (!Number.isInteger(dimension) || dimension < 1 || dimension > MOST_DIMENSIONS)
      throw new RangeError('not a dimension of vectors')
    this.dimension = dimension
    this.#memory = memory ?? (rows <= FEW ? new PlainMemory() : vectorMemory())
    this.#stride = Math.ceil(dimension / 16) * 16
    const few = Math.ceil(Math.log2(Math.max(1, rows)))
    this.#shift = Math.max(0, Math.min(few, Math.floor(Math.log2(BLOCK / this.#stride))))
    this.#batch = Math.min(BATCH, 2 ** Math.max(2, few))
    this.#whole = this.#stride * 2
    this.#rows = this.#stride * 4
    this.#bounds = this.#rows + this.#batch * 4
    this.#blocks = this.#bounds + this.#batch * 8
    this.#reserve(0)
  }

  /** Makes a store from the rows that `planes` returned. */
  static of(dimension: number, { high, low }: VectorPlanes, memory?: VectorMemory): VectorStore {
    const rows = high.length / dimension
    if (!Number.isInteger(rows) || low.length !== high.length)
      throw new RangeError('planes of vectors differ')
    const store = new VectorStore(dimension, memory, rows)
    store.#reserve(rows)
    for (let row = 0; row < rows; row++)
      store.#append(
        high.subarray(row * dimension, (row + 1) * dimension),
        low.subarray(row * dimension, (row + 1) * dimension),
      )
    return store
  }

  get size(): number {
    return this.#size
  }

  /** The size in bytes, including reserved rows. */
  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  /** Adds a vector that `quantise` made and returns its row. */
  add(vector: Int16Array): number {
    if (vector.length !== this.dimension) throw new RangeError('a vector of another dimension')
    const high = new Int8Array(this.dimension)
    const low = new Int8Array(this.dimension)
    for (let at = 0; at < vector.length; at++) {
      const component = vector[at] as number
      const byte = (component + 128) >> 8
      high[at] = byte
      low[at] = component - 256 * byte
    }
    return this.#append(high, low)
  }

  /** Adds a row from another store of the same dimension. */
  copy(from: VectorStore, row: number): number {
    if (from.dimension !== this.dimension) throw new RangeError('a vector of another dimension')
    const { high, low } = from.#planesOf(row)
    return this.#append(high, low)
  }

  /** All rows regardless of visibility: use them to persist a store, not to answer a question. */
  planes(): VectorPlanes {
    const high = new Int8Array(this.#size * this.dimension)
    const low = new Int8Array(this.#size * this.dimension)
    for (let row = 0; row < this.#size; row++) {
      const own = this.#planesOf(row)
      high.set(own.high, row * this.dimension)
      low.set(own.low, row * this.dimension)
    }
    return { high, low }
  }

  /** Makes a new store with only these rows, in this order, after others were deleted. */
  compacted(rows: Int32Array, memory?: VectorMemory): VectorStore {
    const store = new VectorStore(this.dimension, memory, rows.length)
    store.#reserve(rows.length)
    for (const row of rows) {
      const { high, low } = this.#planesOf(row)
      store.#append(high, low)
    }
    return store
  }

  /** One row regardless of visibility: use it to copy the vector elsewhere, not to answer a question. */
  unmaskedVector(row: number): Int16Array {
    const { high, low } = this.#planesOf(row)
    const vector = new Int16Array(this.dimension)
    for (let at = 0; at < vector.length; at++) vector[at] = 256 * (high[at] as number) + (low[at] as number)
    return vector
  }

  /**
   * Bounds the cosine of every document that the mask shows in full and that has a row. Lesser faces have no vectors
   * (NI-4).
   *
   * With v = 256 h + l for a row and q = 2^s r + e for the query, q·v is 256 · 2^s · r·h + 256 e·h + q·l. The scan
   * computes r·h; by Cauchy-Schwarz the rest is at most |e| |256 h| + |q| |l|, and |256 h| is at most |v| + |l|.
   * Divided by |q| |v|, with |l| / |v| as the row's share and |e| / |q| as what the query lost, that is share + lost
   * · (1 + share).
   */
  estimate(mask: Mask, rows: Int32Array, query: VectorQuery): Estimates {
    if (rows.length !== mask.levels.length) throw new RangeError('rows of another segment')
    this.#load(query)
    if (mask.documents.length === 0) return NO_ESTIMATES
    const { buffer, kernel } = this.#memory
    const wanted = new Uint32Array(buffer, this.#rows, this.#batch)
    const found = new Float32Array(buffer, this.#bounds, this.#batch * 2)
    const documents = new Uint32Array(mask.documents.length)
    const lower = new Float32Array(rows.length)
    const upper = new Float32Array(rows.length)
    const unit = (256 * 2 ** query.shift) / query.norm
    let count = 0
    for (let from = 0; from < mask.documents.length; from += this.#batch) {
      const batch = documents.subarray(count, count + this.#batch)
      const more = gather(mask, from, rows, this.#size, batch, wanted)
      kernel.estimate(
        this.#blocks,
        this.#stride,
        this.#shift,
        this.#rows,
        more,
        this.#bounds,
        this.#batch * 4,
        unit,
        query.lost,
        ROUNDING,
      )
      scatter(found, batch, more, lower, upper)
      count += more
    }
    return { documents: documents.subarray(0, count), lower, upper }
  }

  /** The exact cosine, if the mask shows the document in full and it has a row; otherwise null. */
  cosine(mask: Mask, rows: Int32Array, query: VectorQuery, document: number): number | null {
    const row = rows[document] as number
    if (mask.levels[document] !== FULL_LEVEL || row < 0) return null
    if (!(row < this.#size)) throw new RangeError('no such row of vectors')
    this.#load(query)
    const product = this.#memory.kernel.product(this.#blocks, this.#stride, this.#shift, this.#whole, row)
    return product / (query.norm * (this.#doubles[this.#factsOf(row) / 8] as number))
  }

  /** Copies a query to where the kernel reads it. */
  #load(query: VectorQuery): void {
    if (this.#loaded === query) return
    if (query.vector.length !== this.dimension) throw new RangeError('a question of another dimension')
    const { buffer } = this.#memory
    new Int16Array(buffer, 0, this.dimension).set(query.reduced)
    new Int16Array(buffer, this.#whole, this.dimension).set(query.vector)
    this.#loaded = query
  }

  #blockOf(row: number): number {
    return this.#blocks + (row >>> this.#shift) * ((this.#stride * 2 + FACTS) << this.#shift)
  }

  /** The offset of the high bytes of a row. */
  #highOf(row: number): number {
    return this.#blockOf(row) + (row & ((1 << this.#shift) - 1)) * this.#stride
  }

  /** The offset of a row's norm and share. */
  #factsOf(row: number): number {
    const planes = (this.#stride * 2) << this.#shift
    return this.#blockOf(row) + planes + (row & ((1 << this.#shift) - 1)) * FACTS
  }

  #planesOf(row: number): VectorPlanes {
    if (!(row >= 0 && row < this.#size)) throw new RangeError('no such row of vectors')
    const high = this.#highOf(row)
    const low = high + (this.#stride << this.#shift)
    return {
      high: this.#bytes.subarray(high, high + this.dimension),
      low: this.#bytes.subarray(low, low + this.dimension),
    }
  }

  #append(high: Int8Array, low: Int8Array): number {
    const { norm, share } = factsOf(high, low)
    if (this.#size === this.#capacity) this.#reserve(this.#size + (this.#size >> 2) + 1)
    const row = this.#size++
    const start = this.#highOf(row)
    const facts = this.#factsOf(row)
    this.#bytes.set(high, start)
    this.#bytes.set(low, start + (this.#stride << this.#shift))
    this.#doubles[facts / 8] = norm
    this.#floats[facts / 4 + 2] = share
    return row
  }

  /** Reserves memory for this many rows in total, in whole blocks. */
  #reserve(rows: number): void {
    const capacity = Math.ceil(rows / 2 ** this.#shift) * 2 ** this.#shift
    this.#memory.grow(this.#blockOf(capacity))
    this.#capacity = capacity
    const { buffer } = this.#memory
    this.#bytes = new Int8Array(buffer)
    this.#floats = new Float32Array(buffer)
    this.#doubles = new Float64Array(buffer)
  }
}

/** The norm of a row, and the norm of its low bytes relative to that. */
function factsOf(high: Int8Array, low: Int8Array): { norm: number; share: number } {
  let square = 0
  let lowSquare = 0
  for (let at = 0; at < high.length; at++) {
    const rest = low[at] as number
    const component = 256 * (high[at] as number) + rest
    if (component > LARGEST || component < -LARGEST)
      throw new RangeError('a component of a vector is too large')
    square += component * component
    lowSquare += rest * rest
  }
  if (square === 0) throw new RangeError('a vector has no direction')
  return { norm: Math.sqrt(square), share: Math.sqrt(lowSquare / square) }
}

/** The vectors of a segment: a store, and for each document its row or -1. */
export interface VectorColumn {
  readonly store: VectorStore
  readonly rows: Int32Array
}
