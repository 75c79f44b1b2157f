import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { MOST_EXCLUDED, MOST_PHRASES, MOST_TERMS, parseQuery, type Query } from './query.js'
import { tokenize } from './tokenize.js'

const EMPTY: Omit<Query, 'meant'> = {
  terms: [],
  phrases: [],
  excluded: [],
  excludedPhrases: [],
  dropped: false,
}
const words = (...terms: string[]): Query['terms'] =>
  terms.map(term => ({ term, prefix: false, exact: false, times: 1 }))
const quoted = (...terms: string[]): Query['terms'] =>
  terms.map(term => ({ term, prefix: false, exact: true, times: 1 }))
const twice = (terms: Query['terms']): Query['terms'] => terms.map(word => ({ ...word, times: 2 }))
const begun = (term: string): Query['terms'][number] => ({ term, prefix: true, exact: false, times: 1 })

it.each<[string, Partial<Query>]>([
  ['', {}],
  [' "" - -"" * “', {}],
  ['Garden shed', { terms: words('garden', 'shed') }],
  ['shed garden Shed', { terms: [...twice(words('shed')), ...words('garden')] }],
  ['"old shed"', { terms: quoted('old', 'shed'), phrases: [['old', 'shed']] }],
  [
    '“old shed” „neue Hütte“',
    {
      terms: quoted('old', 'shed', 'neue', 'hütte'),
      phrases: [
        ['old', 'shed'],
        ['neue', 'hütte'],
      ],
    },
  ],
  ['"shed"', { terms: quoted('shed'), phrases: [['shed']] }],
  ['"a b" "A B"', { terms: twice(quoted('a', 'b')), phrases: [['a', 'b']] }],
  ['in "the old', { terms: [...words('in'), ...quoted('the', 'old')], phrases: [['the', 'old']] }],
  ['in-"the old"', { terms: [...words('in'), ...quoted('the', 'old')], phrases: [['the', 'old']] }],
  ['plan -draft', { terms: words('plan'), excluded: ['draft'] }],
  ['-draft -Draft', { excluded: ['draft'] }],
  ['\t-draft', { excluded: ['draft'] }],
  ['-"old plan" new', { terms: words('new'), excludedPhrases: [['old', 'plan']] }],
  ['-“old plan”', { excludedPhrases: [['old', 'plan']] }],
  ['-"plan"', { excludedPhrases: [['plan']] }],
  ['-"old plan', { excludedPhrases: [['old', 'plan']] }],
  ['well-known', { terms: words('well', 'known') }],
  ['-well-known', { excludedPhrases: [['well', 'known']] }],
  ['"a"-b', { terms: [...quoted('a'), ...words('b')], phrases: [['a']] }],
  ['a - b', { terms: words('a', 'b') }],
  ['gard*', { terms: [begun('gard')] }],
  ['gard*, x', { terms: [begun('gard'), ...words('x')] }],
  ['gard gard*', { terms: [...words('gard'), begun('gard')] }],
  ['g*', { terms: words('g') }],
  ['é* 🙂*', { terms: words('é') }],
  ['\u{10428}*', { terms: words('\u{10428}') }],
  ['gé*', { terms: [begun('gé')] }],
  ['gard*en', { terms: words('gard', 'en') }],
  ['gard *', { terms: words('gard') }],
  ['**bold**', { terms: words('bold') }],
  ['"gard*"', { terms: quoted('gard'), phrases: [['gard']] }],
  ['-gard*', { excluded: ['gard'] }],
  ['don’t "don\'t"', { terms: twice(words("don't")), phrases: [["don't"]] }],
  ['"shed" shed', { terms: twice(words('shed')), phrases: [['shed']] }],
  ['商店', { terms: words('商店') }],
])('%j is read as %o', (text, expected) => {
  const { meant: _, ...query } = parseQuery(text)
  expect(query).toEqual({ ...EMPTY, ...expected })
})

describe('beyond the limits', () => {
  const many = (count: number, form: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => form(n)).join(' ')

  it('words are dropped, and the first stay', () => {
    const { terms } = parseQuery(many(MOST_TERMS + 10, n => `w${n}`))
    expect(terms.map(({ term }) => term)).toEqual(Array.from({ length: MOST_TERMS }, (_, n) => `w${n}`))
    expect(MOST_TERMS).toBe(64)
  })

  it('phrases are dropped', () => {
    expect(parseQuery(many(MOST_PHRASES + 1, n => `"w${n}"`)).phrases).toHaveLength(16)
    expect(parseQuery(many(MOST_PHRASES + 1, n => `-"w${n}"`)).excludedPhrases).toHaveLength(16)
  })

  it('excluded words are dropped', () => {
    expect(parseQuery(many(MOST_EXCLUDED + 1, n => `-w${n}`)).excluded).toHaveLength(64)
  })

  it('a phrase is cut', () => {
    expect(parseQuery(`"${many(1000, n => `w${n}`)}"`).phrases[0]).toHaveLength(64)
  })
})

describe('of any text', () => {
  const anyQuery = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 6 }),
        fc.constantFrom('"', '“', '”', ' ', '-', ' -', '*', 'ab', 'cd', '\ud800'),
      ),
      { maxLength: 40 },
    )
    .map(parts => parts.join(''))

  it('each word is asked for or excluded, within the limits', () => {
    fc.assert(
      fc.property(anyQuery, text => {
        const query = parseQuery(text)
        const read = [
          ...query.terms.map(({ term }) => term),
          ...query.excluded,
          ...query.excludedPhrases.flat(),
        ]
        expect(new Set(read)).toEqual(new Set(tokenize(text).map(({ term }) => term)))
        expect(query.terms.length).toBeLessThanOrEqual(MOST_TERMS)
      }),
      { seed: SEED, numRuns: WORLDS },
    )
  })

  it('the words of a phrase score', () => {
    fc.assert(
      fc.property(anyQuery, text => {
        const { terms, phrases } = parseQuery(text)
        for (const term of phrases.flat()) expect(terms.map(word => word.term)).toContain(term)
      }),
      { seed: SEED, numRuns: WORLDS },
    )
  })
})

it.each([
  ['Where did we bury the key?', 'Where did we bury the key?'],
  ['gard* "Old Shed" -draft -"not this" well-known', 'gard Old Shed well-known'],
  ['-only', ''],
])('what %s means is what it asks for, as it was written', (text, meant) => {
  expect(parseQuery(text).meant).toBe(meant)
})
