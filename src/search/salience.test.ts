import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { lowerSalience, raiseSalience, type Salience, salienceNow } from './salience.js'

const settings = { seed: SEED, numRuns: WORLDS }
const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const moment = fc.integer({ min: 0, max: 4e12 })
const span = fc.integer({ min: 0, max: 1e11 })
const halfLife = fc.oneof(fc.integer({ min: 1, max: 1e11 }), fc.constant(Number.POSITIVE_INFINITY))
const stored: fc.Arbitrary<Salience> = fc.record({ salience: fraction, since: moment, pinned: fc.boolean() })

describe('what is left of a salience', () => {
  const given = { salience: 0.8, since: 1_000, pinned: false }

  it.each([
    [0, 0.8],
    [1, 0.4],
    [2, 0.2],
    [3, 0.1],
    [10, 0.8 / 1024],
  ])('after %d half-lives', (times, left) => {
    expect(salienceNow(given, 86_400_000, 1_000 + times * 86_400_000)).toBe(left)
  })

  it('is all of it where it is pinned, where there is no half-life, and before its time', () => {
    expect(salienceNow({ ...given, pinned: true }, 1, 1e12)).toBe(0.8)
    expect(salienceNow(given, Number.POSITIVE_INFINITY, 1e12)).toBe(0.8)
    expect(salienceNow(given, 1, 0)).toBe(0.8)
  })

  it('never grows, never falls below nothing, and halves with every half-life', () => {
    fc.assert(
      fc.property(stored, halfLife, span, span, (salience, life, first, second) => {
        const at = salience.since + first
        const now = salienceNow(salience, life, at)
        const later = salienceNow(salience, life, at + second)
        expect(now).toBeLessThanOrEqual(salience.salience)
        expect(later).toBeLessThanOrEqual(now)
        expect(later).toBeGreaterThanOrEqual(0)
        if (salience.pinned || life === Number.POSITIVE_INFINITY) expect(later).toBe(salience.salience)
        else expect(salienceNow(salience, life, at + life)).toBeCloseTo(now / 2, 12)
      }),
      settings,
    )
  })

  it('is the same whether it is stored anew on the way or not', () => {
    fc.assert(
      fc.property(stored, halfLife, span, span, (salience, life, first, second) => {
        const since = salience.since + first
        const anew = { ...salience, salience: salienceNow(salience, life, since), since }
        expect(salienceNow(anew, life, since + second)).toBeCloseTo(
          salienceNow(salience, life, since + second),
          12,
        )
      }),
      settings,
    )
  })
})

describe('a salience that is changed', () => {
  it('grows by a part of what is missing, or falls by a part of what there is', () => {
    expect(raiseSalience(0.5, 0.1)).toBe(0.55)
    expect(lowerSalience(0.5, 0.1)).toBe(0.45)
    fc.assert(
      fc.property(fraction, fraction, (salience, by) => {
        expect(raiseSalience(salience, by)).toBeGreaterThanOrEqual(salience)
        expect(raiseSalience(salience, by)).toBeLessThanOrEqual(1)
        expect(lowerSalience(salience, by)).toBeLessThanOrEqual(salience)
        expect(lowerSalience(salience, by)).toBeGreaterThanOrEqual(0)
        expect([raiseSalience(salience, 0), lowerSalience(salience, 0)]).toEqual([salience, salience])
        expect([raiseSalience(salience, 1), lowerSalience(salience, 1)]).toEqual([1, 0])
      }),
      settings,
    )
  })
})
