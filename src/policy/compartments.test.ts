import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSubject, aTuple } from '../../test/support/subject.js'
import { CompartmentTable } from './compartments.js'
import { decide } from './decide.js'
import { HashIndex } from './hash-index.js'
import { type PolicyTuple, personKey } from './tuple.js'

const people = Array.from({ length: 6 }, (_, at) => personKey('ann', `p${at}`))

const tuples = fc.array(
  fc
    .record({
      participants: fc.subarray(people),
      corpus: fc.constantFrom(null, 'null', '', 'briefs'),
      scope: fc.constantFrom(null, 'home'),
      sensitivity: fc.constantFrom('low', 'high'),
      consentRecord: fc.constantFrom(null, 'c1', 'c2'),
      inputConsents: fc.subarray(['c3', 'c4']),
      overlayTargets: fc.subarray([JSON.stringify(['corpus', 'ben', 'x'])]),
    })
    .map((some): PolicyTuple => aTuple(some)),
  { maxLength: 40 },
)

const tableOf = (all: readonly PolicyTuple[]) => {
  const table = new CompartmentTable()
  for (const tuple of all) table.add(tuple)
  return table
}

const subject = aSubject({
  audience: 'agent',
  respectConsent: true,
  trust: { maxSensitivity: 'low', scopes: 'all', authenticated: true },
  people: new Map(people.map((key, at) => [key, { consent: at % 2 ? 'granted' : 'revoked', actor: null }])),
  consents: new Map([['c1', { decision: 'GRANTED', revoked: false, active: true }]]),
  overlays: { get: () => ['preview_only'] },
})

describe('a table of compartments', () => {
  it('gives back every tuple as it was, whatever stands beside it', () => {
    fc.assert(
      fc.property(tuples, all => {
        const table = tableOf(all)
        expect(all.map((_, place) => table.tuple(place))).toEqual(all)
        expect(all.map((_, place) => table.value('corpus', place))).toEqual(all.map(({ corpus }) => corpus))
      }),
    )
  })

  it('[DE-5] decides the same whether it grew before or between decisions', () => {
    fc.assert(
      fc.property(tuples, tuples, (some, more) => {
        const grown = tableOf(some)
        decide(subject, grown)
        for (const tuple of more) grown.add(tuple)
        expect(decide(subject, grown)).toEqual(decide(subject, tableOf([...some, ...more])))
      }),
    )
  })

  it('[DE-5] taken apart and put together again, it decides and grows as before', () => {
    fc.assert(
      fc.property(tuples, tuples, (some, more) => {
        const table = tableOf(some)
        const again = CompartmentTable.of(table.size, table.fields)
        for (const tuple of more) {
          table.add(tuple)
          again.add(tuple)
        }
        expect(decide(subject, again)).toEqual(decide(subject, table))
        expect([...again.cited.owners].sort()).toEqual([...table.cited.owners].sort())
        for (let place = 0; place < table.size; place++)
          expect(again.tuple(place)).toEqual(table.tuple(place))
      }),
    )
  })

  it('knows whose facts and which consents its decisions ask for, also of what was added later', () => {
    const table = tableOf([aTuple({ participants: [personKey('cyd', 'p')] })])
    expect([...table.cited.owners]).toEqual(['cyd'])
    table.add(aTuple({ overlayTargets: [JSON.stringify(['corpus', 'ben', 'x'])], consentRecord: 'c1' }))
    table.add(aTuple({ inputConsents: ['c2', 'c3'] }))
    expect([...table.cited.owners].sort()).toEqual(['ben', 'cyd'])
    expect([...table.cited.consents].sort()).toEqual(['c1', 'c2', 'c3'])
  })

  it('refuses columns that are not those of a table', () => {
    expect(() => CompartmentTable.of(1, new Map())).toThrow('not a table of compartments')
  })
})

describe('a hash index', () => {
  it('tells entries of one hash apart, and keeps them all while it grows', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 200 }), fc.nat(3), (words, spread) => {
        const hash = (word: string) => word.length % (spread + 1)
        const index = new HashIndex()
        for (const [at, word] of words.entries()) {
          expect(index.find(hash(word), entry => words[entry] === word)).toBe(-1)
          index.add(hash(word), at)
        }
        for (const [at, word] of words.entries())
          expect(index.find(hash(word), entry => words[entry] === word)).toBe(at)
      }),
    )
  })
})
