import { describe, expect, it } from 'vitest'
import { FULL_LEVEL, HIDDEN_LEVEL, Mask, METADATA_LEVEL } from './mask.js'
import { PlainMemory, WasmMemory } from './vector-kernel/memory.js'
import { VectorQuery } from './vector-query.js'
import { decodeVector, encodeVector, quantise, VectorStore } from './vectors.js'

const vector = (...components: number[]) => Int16Array.from(components)

function aMask(...surfaces: number[]): Mask {
  const none = new Uint32Array(surfaces.length)
  return Mask.of(Uint8Array.from(surfaces), [none, none, none, none])
}

describe('a stored vector', () => {
  it('[SC-3] is scaled by its own largest component', () => {
    expect(quantise([0.5, -1, 0.25])).toEqual(vector(16_320, -32_639, 8_160))
    expect(quantise([500, -1000, 250])).toEqual(vector(16_320, -32_639, 8_160))
    expect(quantise(Float32Array.of(3))).toEqual(vector(32_639))
  })

  it('[SC-3] is rounded to the nearest, halves away from zero, so that the opposite is stored as the opposite', () => {
    expect(quantise([32_639, 1.5, -1.5, 0.49, -0])).toEqual(vector(32_639, 2, -2, 0, 0))
    expect(quantise([-32_639, -1.5, 1.5, -0.49, 0])).toEqual(vector(-32_639, -2, 2, 0, 0))
  })

  it('may have components of any size', () => {
    for (const size of [Number.MIN_VALUE, 1e-300, 1e300, Number.MAX_VALUE])
      expect(quantise([size, -size, 0])).toEqual(vector(32_639, -32_639, 0))
  })

  it('is none without a direction', () => {
    expect(quantise([0, -0, 0])).toBeNull()
  })

  it('is refused with a component that is no number, or of another dimension', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(() => quantise([1, value])).toThrow('not a number')
    expect(() => quantise([1, 2], 3)).toThrow('dimension')
    expect(() => quantise([])).toThrow('dimension')
  })

  it('is written down with the low byte first', () => {
    const bytes = encodeVector(vector(1, -2, 32_639))
    expect([...bytes]).toEqual([1, 0, 254, 255, 127, 127])
    const pool = Uint8Array.of(9, ...bytes)
    expect(decodeVector(pool.subarray(1))).toEqual(vector(1, -2, 32_639))
    expect(() => decodeVector(pool)).toThrow('half')
  })
})

describe.each([
  ['wasm', () => new WasmMemory()],
  ['plain', () => new PlainMemory()],
])('a store in %s memory', (_, memory) => {
  it('gives rows one after the other, and keeps them while it grows', () => {
    const store = new VectorStore(3, memory())
    const before = store.bytes
    for (let row = 0; row < 20_000; row++) expect(store.add(vector(row + 1, -row, 7))).toBe(row)
    expect(store.size).toBe(20_000)
    expect(store.bytes).toBeGreaterThan(before)
    for (const row of [0, 1, 8_191, 8_192, 16_383, 16_384, 19_999])
      expect(store.unmaskedVector(row)).toEqual(vector(row + 1, -row, 7))
    for (const row of [-1, 20_000]) expect(() => store.unmaskedVector(row)).toThrow('no such row')
  })

  it('takes at most 800 bytes for a vector of 384 dimensions', () => {
    const rows = 20_000
    const planes = { high: new Int8Array(rows * 384).fill(1), low: new Int8Array(rows * 384) }
    expect(VectorStore.of(384, planes, memory()).bytes / rows).toBeLessThan(800)
  })

  it('refuses what was not made for it', () => {
    expect(() => new VectorStore(0, memory())).toThrow('dimension')
    expect(() => new VectorStore(1.5, memory())).toThrow('dimension')
    const store = new VectorStore(2, memory())
    expect(() => store.add(vector(1))).toThrow('dimension')
    expect(() => store.add(vector(0, 0))).toThrow('no direction')
    expect(() => store.add(vector(1, 32_640))).toThrow('too large')
    expect(() => store.add(vector(1, -32_768))).toThrow('too large')
    const bytes = (...values: number[]) => Int8Array.from(values)
    const refused = [
      { high: bytes(1, 2, 3), low: bytes(1, 2, 3) },
      { high: bytes(1, 2), low: bytes(1, 2, 3, 4) },
      { high: bytes(-128, 0), low: bytes(0, 0) },
      { high: bytes(1, 0, 0, 0), low: bytes(1, 0, 0, 0) },
    ]
    for (const planes of refused) expect(() => VectorStore.of(2, planes, memory())).toThrow(RangeError)
    expect(store.size).toBe(0)
  })

  it('[NI-2, NI-4] compares with what the mask shows in full, and with nothing else', () => {
    const store = new VectorStore(2, memory())
    const rows = Int32Array.from([vector(1, 0), vector(1, 1), vector(0, 1), vector(-1, 0)], each =>
      store.add(each),
    )
    rows[1] = -1
    const mask = aMask(FULL_LEVEL, FULL_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL)
    const query = new VectorQuery(vector(0, 5))
    const { documents, lower, upper } = store.estimate(mask, rows, query)
    expect([...documents]).toEqual([0])
    expect([...lower.slice(1), ...upper.slice(1)]).toEqual([0, 0, 0, 0, 0, 0])
    expect([0, 1, 2, 3].map(document => store.cosine(mask, rows, query, document))).toEqual([
      0,
      null,
      null,
      null,
    ])
  })

  it('refuses rows of another segment, rows it does not have, and questions of another dimension', () => {
    const store = new VectorStore(2, memory())
    const rows = Int32Array.of(store.add(vector(3, 4)), 1)
    const query = new VectorQuery(vector(3, 4))
    expect(() => store.estimate(aMask(FULL_LEVEL), rows, query)).toThrow('another segment')
    expect(() => store.estimate(aMask(FULL_LEVEL, FULL_LEVEL), rows, query)).toThrow('no such row')
    expect(() => store.cosine(aMask(FULL_LEVEL, FULL_LEVEL), rows, query, 1)).toThrow('no such row')
    expect(() => store.estimate(aMask(FULL_LEVEL, HIDDEN_LEVEL), rows, new VectorQuery(vector(1)))).toThrow(
      'dimension',
    )
    expect(store.cosine(aMask(FULL_LEVEL, FULL_LEVEL), rows, query, 0)).toBe(1)
  })

  it('[SC-3] sums exactly at the limits of what a component may be', () => {
    for (const dimension of [1, 16, 4_096, 70_000]) {
      const store = new VectorStore(dimension, memory())
      const largest = new Int16Array(dimension).fill(32_639)
      const rows = Int32Array.of(store.add(largest), store.add(largest.map(value => -value)))
      const query = new VectorQuery(largest)
      const mask = aMask(FULL_LEVEL, FULL_LEVEL)
      expect(store.cosine(mask, rows, query, 0)).toBeCloseTo(1, 15)
      expect(store.cosine(mask, rows, query, 1)).toBeCloseTo(-1, 15)
      const { lower, upper } = store.estimate(mask, rows, query)
      expect(lower[0]).toBeGreaterThan(0.98)
      expect(upper[1]).toBeLessThan(-0.98)
    }
  })
})

describe('a question', () => {
  it('[SC-3] is reduced only as far as 32 bits need it', () => {
    const shiftAt = (dimension: number, size: number) =>
      new VectorQuery(new Int16Array(dimension).fill(size)).shift
    expect(shiftAt(384, 32_639)).toBe(0)
    expect(shiftAt(518, 32_639)).toBe(0)
    expect(shiftAt(519, 32_639)).toBe(1)
    expect(shiftAt(4_096, 32_639)).toBe(3)
    expect(shiftAt(4_096, 4_000)).toBe(0)
  })

  it('has a direction', () => {
    expect(() => new VectorQuery(new Int16Array(3))).toThrow('no direction')
  })
})
