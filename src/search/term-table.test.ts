import { describe, expect, it } from 'vitest'
import { addToHash, HASH_START, TermTable } from './term-table.js'

const hashOf = (word: string) => [...word].reduce((hash, c) => addToHash(hash, c.charCodeAt(0)), HASH_START)

/** Finds a word as it stands in a text. */
function find(table: TermTable, word: string): number {
  const units = Uint16Array.from(` ${word} `, c => c.charCodeAt(0))
  return table.find(units, 1, word.length + 1, hashOf(word.toLowerCase()))
}

describe('a table of terms', () => {
  it('numbers terms in the order in which they come', () => {
    const table = new TermTable()
    const words = Array.from({ length: 3_000 }, (_, at) => `word${at}`)
    expect(words.map(word => table.add(word))).toEqual([...words.keys()])
    expect(words.map(word => table.add(word))).toEqual([...words.keys()])
    expect(words.map(word => find(table, word))).toEqual([...words.keys()])
    expect(table.names).toEqual(words)
    expect(find(table, 'word3000')).toBe(-1)
  })

  it('finds a word in capitals, and tells keys in capitals apart', () => {
    const table = new TermTable()
    expect([table.add('oak'), table.add('\u0001["Oak"]'), table.add('\u0001["oak"]')]).toEqual([0, 1, 2])
    expect(table.add('\u0001["Oak"]')).toBe(1)
    expect([find(table, 'OAK'), find(table, 'Oak'), find(table, 'oa')]).toEqual([0, 0, -1])
  })

  it('keeps terms of other scripts apart from those of their letters', () => {
    const table = new TermTable()
    expect([table.add('straße'), table.add('дом'), table.add('strae')]).toEqual([0, 1, 2])
    expect([table.add('straße'), table.add('дом'), find(table, 'strae')]).toEqual([0, 1, 2])
  })

  it('tells words of one hash apart', () => {
    const pairs = [
      ['costarring', 'liquid'],
      ['declinate', 'macallums'],
      ['altarage', 'zinke'],
    ]
    for (const pair of pairs) {
      expect(new Set(pair.map(hashOf)).size).toBe(1)
      const table = new TermTable()
      expect(pair.map(word => table.add(word))).toEqual([0, 1])
      expect(pair.map(word => find(table, word))).toEqual([0, 1])
    }
  })

  it('finds words that all belong in one slot, however many', () => {
    const slot = (word: string) => (hashOf(word) ^ (hashOf(word) >>> 15)) & 0x3ff
    const words = Array.from({ length: 100_000 }, (_, at) => `w${at.toString(36)}`).filter(
      word => slot(word) === 77,
    )
    expect(words.length).toBeGreaterThan(60)
    const table = new TermTable()
    for (const [at, word] of words.entries()) {
      expect(find(table, word)).toBe(-1)
      expect(table.add(word)).toBe(at)
    }
    expect(words.map(word => find(table, word))).toEqual([...words.keys()])
    expect(words.map(word => table.add(word))).toEqual([...words.keys()])
  })
})
