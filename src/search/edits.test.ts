import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { withinOneEdit } from './edits.js'

it.each([
  ['garden', 'gardens', 'one put in at the end'],
  ['garden', 'agarden', 'one put in at the start'],
  ['garden', 'garrden', 'one doubled'],
  ['garden', 'garen', 'one left out'],
  ['garden', 'gorden', 'one replaced'],
  ['garden', 'gadren', 'neighbours swapped'],
  ['ab', 'ba', 'the whole swapped'],
  ['a', '', 'the only one left out'],
  ['a', 'b', 'the only one replaced'],
  ['a🙂', 'a🙃', 'pairs that share their first half'],
  ['a🙂b', 'ab', 'a pair left out'],
  ['🙂x', 'x🙂', 'a pair swapped'],
  ['🙂🙃', '🙃🙂', 'two pairs swapped'],
  ['🙂', 'x', 'a pair replaced'],
])('%j and %j are one edit apart: %s', (a, b) => {
  expect(withinOneEdit(a, b)).toBe(true)
  expect(withinOneEdit(b, a)).toBe(true)
})

it.each([
  ['garden', 'garden', 'equal'],
  ['', '', 'empty'],
  ['garden', 'garde ns', 'two put in'],
  ['garden', 'gorxen', 'two replaced'],
  ['garden', 'nedrag', 'turned around'],
  ['abc', 'cba', 'swapped over a distance'],
  ['abcd', 'badc', 'swapped twice'],
  ['ab', 'bac', 'swapped and put in'],
  ['a🙂', 'abc', 'as long in units only'],
])('%j and %j are not: %s', (a, b) => {
  expect(withinOneEdit(a, b)).toBe(false)
  expect(withinOneEdit(b, a)).toBe(false)
})

/** The optimal string alignment distance (edits and swaps of neighbours), computed from its definition. */
function distance(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const row = table[i]
      if (row === undefined || i + j === 0) continue
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + same,
        swap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(a.length, b.length)
}

describe('agrees with the distance', () => {
  const agrees = (a: string, b: string): void => {
    expect(withinOneEdit(a, b)).toBe(distance([...a], [...b]) === 1)
  }

  it('on all short words of two letters', () => {
    const words = ['']
    for (let from = 0; words.length < 127; from++) words.push(`${words[from]}a`, `${words[from]}b`)
    for (const a of words) for (const b of words) agrees(a, b)
  })

  it('on words of few characters, with halves of pairs among them', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '🙂', '🙃', '\ud83d', '\ude42'), maxLength: 6 })
    fc.assert(fc.property(word, word, agrees), { seed: SEED, numRuns: 5 * WORLDS })
  })

  it('on words that one or two edits made', () => {
    const character = fc.constantFrom('a', 'b', 'é', '🙂')
    const edit = fc.tuple(fc.nat(8), fc.constantFrom(0, 1, 2), fc.option(character, { nil: '' }))
    const pair = fc.tuple(fc.array(character, { maxLength: 8 }), fc.array(edit, { maxLength: 2 }))
    const edited = (word: readonly string[], edits: readonly [number, number, string][]): string =>
      edits.reduce((now, [at, out, put]) => now.toSpliced(at, out, put), [...word]).join('')
    fc.assert(
      fc.property(pair, ([word, edits]) => agrees(word.join(''), edited(word, edits))),
      { seed: SEED, numRuns: 5 * WORLDS },
    )
  })
})
