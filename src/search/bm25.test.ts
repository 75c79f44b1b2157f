import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { roundScore, scoreOf, scoreOfRelevance, weightOf } from './bm25.js'

const settings = { seed: SEED, numRuns: WORLDS }
const count = fc.integer({ min: 1, max: 100_000 })

describe('the weight of a term', () => {
  it.each([
    [10, 1, Math.log(1 + 9.5 / 1.5)],
    [10, 10, Math.log(1 + 0.5 / 10.5)],
    [1, 1, Math.log(1 + 0.5 / 1.5)],
    [7, 0, Math.log(1 + 7.5 / 0.5)],
  ])('of %d documents, %d with it', (documents, frequency, weight) => {
    expect(weightOf(documents, frequency)).toBe(weight)
  })

  it('is above zero even where every document has it, and falls with each that has it', () => {
    const both = fc.tuple(count, count).filter(([a, b]) => a < b)
    fc.assert(
      fc.property(both, ([frequency, documents]) => {
        expect(weightOf(documents, documents)).toBeGreaterThan(0)
        expect(weightOf(documents, frequency)).toBeGreaterThan(weightOf(documents, frequency + 1))
      }),
      settings,
    )
  })
})

describe('the score of a term in a document', () => {
  it('[SC-2] is the formula, in this order of operations', () => {
    expect(scoreOf(2, 3, 10, 8)).toBe((2 * 3 * 2.5) / (3 + (1.5 * (10 + 60)) / (8 + 60)))
    expect(scoreOf(0.1, 1, 1, 1)).toBe((0.1 * 1 * 2.5) / (1 + 1.5))
    // All texts are empty, so the average length is 0.
    expect(scoreOf(1, 1, 0, 0)).toBe(1)
  })

  it('of a text of average length, once, is its weight', () => {
    expect(scoreOf(4, 1, 5, 5)).toBe(4)
  })

  it('is more than nothing, grows with frequency up to a bound, and falls with length', () => {
    fc.assert(
      fc.property(count, count, count, (frequency, length, average) => {
        const score = scoreOf(1, frequency, length, average)
        expect(score).toBeGreaterThan(0)
        expect(score).toBeLessThan(2.5)
        expect(scoreOf(1, frequency + 1, length, average)).toBeGreaterThan(score)
        expect(scoreOf(1, frequency, length + 1, average)).toBeLessThan(score)
      }),
      settings,
    )
  })
})

describe('final scores', () => {
  it('[SC-5] are steps of 2^-20, and rounded to the nearest', () => {
    expect(roundScore(0)).toBe(0)
    expect(roundScore(1)).toBe(1)
    expect(roundScore(0.4 * 2 ** -20)).toBe(0)
    expect(roundScore(0.6 * 2 ** -20)).toBe(2 ** -20)
    expect(roundScore(0.5 + 1e-9)).toBe(0.5)
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), score => {
        const rounded = roundScore(score)
        expect(Number.isInteger(rounded * 2 ** 20)).toBe(true)
        expect(Math.abs(rounded - score)).toBeLessThanOrEqual(2 ** -21)
        expect(roundScore(rounded)).toBe(rounded)
      }),
      settings,
    )
  })

  it('[SC-7] lie from 0 to 1 and grow with the relevance, whatever else there is', () => {
    expect([0, 0.5, 1, 1.5].map(scoreOfRelevance)).toEqual([0, 0.5, 2 / 3, 0.75])
    expect(scoreOfRelevance(1e9)).toBeLessThan(1)
  })
})
