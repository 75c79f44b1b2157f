import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { packageFile } from './package-file.js'
import { StaticTable, TABLE_FILE, TABLE_NEAR, tableWeight } from './static-table.js'

interface Word {
  readonly word: string
  readonly step: number
  readonly vector: readonly number[]
}

/** A table of a few words in the file format. */
function bytesOf(words: readonly Word[], head: Record<string, unknown> = {}): Uint8Array {
  const dimension = words[0]?.vector.length ?? 0
  const facts = { name: 'test/1', dimension, words: words.length, ...head }
  const text = Buffer.from(
    `privity words 1\n${JSON.stringify(facts)}\n${words.map(({ word }) => `${word}\n`).join('')}`,
  )
  const scales = Buffer.alloc(words.length * 4)
  for (const [at, { step }] of words.entries()) scales.writeFloatLE(step, at * 4)
  const steps = Int8Array.from(words.flatMap(({ vector }) => vector))
  return Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4), scales, Buffer.from(steps.buffer)])
}

const WORDS: Word[] = [
  { word: 'shed', step: 1, vector: [3, 4] },
  { word: 'garden', step: 0.5, vector: [-8, 6] },
  { word: 'hut', step: 1, vector: [30, 41] },
  { word: 'naïve', step: 1, vector: [1, -1] },
]
const table = StaticTable.read(bytesOf(WORDS))
const embed = (text: string) => {
  const vector = table.embed(text)
  return vector === null ? null : [...vector]
}
const shipped = async () => StaticTable.read(await readFile(packageFile(TABLE_FILE)))

function cosine(a: Float32Array | null, b: Float32Array | null): number {
  if (a === null || b === null) return Number.NaN
  return a.reduce((sum, x, at) => sum + x * (b[at] ?? 0), 0)
}

describe('the vector of a text', () => {
  it('is the sum of its words, each by its weight, at length 1', () => {
    expect(table.name).toBe('test/1')
    expect(table.dimension).toBe(2)
    expect(embed('Shed')).toEqual([Math.fround(0.6), Math.fround(0.8)])
    // The sums are 3 - 4 and 4 + 3.
    const length = Math.sqrt(50)
    expect(embed('shed, garden!')).toEqual([Math.fround(-1 / length), Math.fround(7 / length)])
    expect(embed('the GARDEN shed')).toEqual(embed('shed garden'))
  })

  it('counts a word as often as it stands there', () => {
    expect(embed('shed shed garden')).not.toEqual(embed('shed garden'))
    expect(embed('shed shed')).toEqual(embed('shed'))
  })

  it('finds a word before a possessive', () => {
    expect(embed('shed’s')).toEqual(embed('shed'))
    expect(embed("hut's garden")).toEqual(embed('hut garden'))
  })

  it('is null where no word is known', () => {
    for (const text of ['', '   ', '42', 'a', 'xyzzy plugh', '…']) expect(embed(text)).toBe(null)
  })

  it('is null where most words are unknown, whatever little ones and short forms there are', () => {
    expect(embed('shed xyzzy')).not.toBe(null)
    expect(embed('shed xyzzy plugh')).toBe(null)
    expect(embed("shed i'd we'd it is 12 of")).not.toBe(null)
  })

  it('is null where the words cancel each other', () => {
    const opposite = StaticTable.read(
      bytesOf([
        { word: 'hot', step: 1, vector: [1, 2] },
        { word: 'cold', step: 1, vector: [-1, -2] },
      ]),
    )
    expect(opposite.embed('hot cold')).toBe(null)
    expect(opposite.embed('hot hot cold')).not.toBe(null)
  })

  it('is null in a language that the table is not of', async () => {
    const words = await shipped()
    expect(words.embed('Wir waren gestern mit dem Hund in der Stadt und am Abend im Theater')).toBe(null)
    expect(words.embed('Demain nous allons à la plage avec les enfants et le chien')).toBe(null)
    expect(words.embed('We took the dog to town yesterday and went to the theatre')).not.toBe(null)
    expect(words.embed('beach')).not.toBe(null)
  })

  it('[SC-6] is the text’s alone: the same before and after any others', async () => {
    const words = await shipped()
    const before = words.embed('a letter to the landlord')
    for (let at = 0; at < 100; at++) words.embed(`the landlord wrote ${at} letters about the letter`)
    expect(words.embed('a letter to the landlord')).toEqual(before)
  })
})

describe('words near in meaning', () => {
  it('come best first, by direction and not by weight, without the word itself', () => {
    expect(table.neighbours('shed', 10)).toEqual(['hut', 'garden', 'naïve'])
    expect(table.neighbours('shed', 1)).toEqual(['hut'])
    expect(table.neighbours("shed's", 1)).toEqual(['hut'])
    expect(table.neighbours('xyzzy', 10)).toEqual([])
  })
})

describe('reading a table', () => {
  const whole = bytesOf(WORDS)
  const fails = (bytes: Uint8Array, message: string | RegExp) =>
    expect(() => StaticTable.read(bytes)).toThrow(message)

  it('takes bytes from anywhere in a buffer', () => {
    for (const shift of [1, 2, 3, 4]) {
      const buffer = new Uint8Array(whole.length + shift)
      buffer.set(whole, shift)
      const read = StaticTable.read(buffer.subarray(shift))
      expect(read.dimension).toBe(2)
      expect(read.embed('shed garden')).toEqual(table.embed('shed garden'))
    }
  })

  it('says what is wrong with broken bytes', () => {
    fails(new Uint8Array(0), 'not a word table')
    fails(Buffer.from('privity words 2\n{}'), 'another version')
    fails(Buffer.from('privity words 1\nnothing'), 'the head of the word table is broken')
    fails(Buffer.from('privity words 1\nnull\n'), 'the head of the word table is broken')
    for (const head of [{ dimension: 0 }, { words: -1 }, { words: 1.5 }, { name: '' }, { name: 7 }])
      fails(bytesOf(WORDS, head), 'the head of the word table is broken')
    fails(bytesOf(WORDS, { words: 1_000 }), 'the word table ends within its words')
    fails(bytesOf([...WORDS, WORDS[0] as Word]), 'the word table has a word twice')
    for (const step of [Number.NaN, Number.POSITIVE_INFINITY, -1])
      fails(bytesOf([{ word: 'shed', step, vector: [1, 2] }]), 'the word table has a scale that is no size')
  })

  it('takes no byte too few and none too many', () => {
    fails(whole.subarray(0, -1), `the word table has ${whole.length - 1} bytes, not ${whole.length}`)
    fails(Buffer.concat([whole, Buffer.alloc(1)]), `not ${whole.length}`)
    fails(bytesOf(WORDS, { dimension: 3 }), /the word table has \d+ bytes, not \d+/)
  })
})

describe('the table that is shipped', () => {
  it('[SC-6] is the one that its script made', async () => {
    const bytes = await readFile(packageFile(TABLE_FILE))
    const recorded = await readFile(packageFile(`${TABLE_FILE}.sha256`), 'utf8')
    expect(recorded).toBe(`${createHash('sha256').update(bytes).digest('hex')}  words-en.bin\n`)
  })

  it('knows what words mean', async () => {
    const words = await shipped()
    expect(words.name).toBe('words-en/1')
    expect(words.dimension).toBe(256)
    expect(words.neighbours('dog', 5)).toContain('puppy')
    expect(words.neighbours('lawsuit', 5)).toContain('sued')
  })

  it('brings together what is near, and keeps apart what is not', async () => {
    const words = await shipped()
    const near = (a: string, b: string) => cosine(words.embed(a), words.embed(b))
    expect(near('physician appointment', 'What did the doctor say?')).toBeGreaterThan(TABLE_NEAR)
    expect(near('kitten', 'We have a puppy and a cat at home')).toBeGreaterThan(
      near('submarine', 'We have a puppy and a cat at home'),
    )
    for (const absent of ['submarine', 'volcano eruption', 'welding', 'tax law in Portugal'])
      expect(near(absent, 'Melanie painted a sunrise for her mother')).toBeLessThan(TABLE_NEAR)
  })

  it('weighs less the longer the texts are, down to nothing, and never as much as words', () => {
    const weights = [0, 10, 25, 50, 100, 1_000].map(tableWeight)
    expect(weights).toEqual([...weights].sort((a, b) => b - a))
    for (const weight of weights) {
      expect(weight).toBeGreaterThanOrEqual(0)
      expect(weight).toBeLessThan(0.5)
    }
    expect(tableWeight(20)).toBeGreaterThan(tableWeight(50))
    expect(tableWeight(50)).toBeGreaterThan(0)
    expect(tableWeight(1_000)).toBe(0)
  })
})
