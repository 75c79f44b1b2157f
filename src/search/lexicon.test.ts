import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { compareBytes, encodeUtf8, type Lexicon, LexiconWriter } from './lexicon.js'

/** Makes a lexicon of words in byte order, which the writer requires. */
function lexiconOf(...words: string[]): Lexicon {
  const writer = new LexiconWriter()
  for (const word of words.map(encodeUtf8).sort(compareBytes)) writer.add(word)
  return writer.finish()
}

const wordsOf = (lexicon: Lexicon, [from, to]: [number, number]) =>
  Array.from({ length: to - from }, (_, at) => lexicon.get(from + at))

describe('a lexicon', () => {
  const lexicon = lexiconOf('a', 'ab', 'abc', 'b', 'zoo', 'é', '\ufa0e', '\u{10428}x')

  it('keeps words in the order of their bytes, not of their UTF-16 units', () => {
    expect(wordsOf(lexicon, [0, lexicon.size])).toEqual([
      'a',
      'ab',
      'abc',
      'b',
      'zoo',
      'é',
      '\ufa0e',
      '\u{10428}x',
    ])
  })

  it.each(['a', 'ab', 'abc', 'b', 'zoo', 'é', '\ufa0e', '\u{10428}x'])('finds %s', word => {
    expect(lexicon.get(lexicon.find(word))).toBe(word)
  })

  it.each([
    '',
    'A',
    'aa',
    'abcd',
    'abd',
    'c',
    'zo',
    'zooo',
    'e',
    '\u{10428}',
    '\u{10ffff}',
  ])('does not find %j', word => {
    expect(lexicon.find(word)).toBe(-1)
    expect(wordsOf(lexicon, lexicon.findAll(word))).toEqual([])
  })

  it('finds all that begin alike, and no others', () => {
    expect(wordsOf(lexicon, lexicon.withPrefix('a'))).toEqual(['a', 'ab', 'abc'])
    expect(wordsOf(lexicon, lexicon.withPrefix('ab'))).toEqual(['ab', 'abc'])
    expect(wordsOf(lexicon, lexicon.withPrefix('\u{10428}'))).toEqual(['\u{10428}x'])
    expect(wordsOf(lexicon, lexicon.withPrefix('x'))).toEqual([])
    expect(wordsOf(lexicon, lexicon.withPrefix(''))).toHaveLength(lexicon.size)
  })

  it('finds a word that it holds more than once in all its places', () => {
    const twice = lexiconOf('a', 'b', 'b', 'b', 'bb', 'c', 'c')
    expect(twice.findAll('b')).toEqual([1, 4])
    expect(twice.findAll('c')).toEqual([5, 7])
    expect(twice.find('b')).toBe(1)
  })

  it('may be empty', () => {
    const empty = lexiconOf()
    expect(empty.size).toBe(0)
    expect(empty.find('a')).toBe(-1)
    expect(empty.findAll('a')).toEqual([0, 0])
    expect(empty.withPrefix('a')).toEqual([0, 0])
  })
})

it('agrees with a plain list', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', '\u00ff', '\ufa0e', '\u{10428}', '\u{10ffff}'),
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.uniqueArray(word), word, (words, wanted) => {
      const lexicon = lexiconOf(...words)
      const sorted = words.toSorted((a, b) => compareBytes(encodeUtf8(a), encodeUtf8(b)))
      expect(lexicon.size).toBe(words.length)
      expect(lexicon.find(wanted)).toBe(sorted.indexOf(wanted))
      expect(wordsOf(lexicon, lexicon.withPrefix(wanted))).toEqual(
        sorted.filter(each => each.startsWith(wanted)),
      )
      const all = lexicon.findAll(wanted)
      expect(wordsOf(lexicon, all)).toEqual(sorted.filter(each => each === wanted))
    }),
    { seed: SEED, numRuns: WORLDS },
  )
})
