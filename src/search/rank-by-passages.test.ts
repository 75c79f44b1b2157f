import { describe, expect, it } from 'vitest'
import { PASSAGE_WORDS, scorePassage } from './rank-by-passages.js'

describe('what a passage is worth', () => {
  const EVEN = [1, 1, 1]

  it('[SR-5] words that stand together are worth more than the same words far apart', () => {
    const together = scorePassage([[10], [20], [30]], EVEN)
    const apart = scorePassage([[10], [10 + PASSAGE_WORDS], [10 + 2 * PASSAGE_WORDS]], EVEN)
    expect(together).toBeGreaterThan(apart)
    expect(scorePassage([[10], [9 + PASSAGE_WORDS], []], EVEN)).toBeGreaterThan(
      scorePassage([[10], [10 + PASSAGE_WORDS], []], EVEN),
    )
  })

  it('[SR-5] in the order of the question they are worth more than in another', () => {
    expect(scorePassage([[10], [11], [12]], EVEN)).toBeGreaterThan(scorePassage([[12], [11], [10]], EVEN))
    expect(scorePassage([[10], [13], []], EVEN)).toBeGreaterThan(scorePassage([[10], [14], []], EVEN))
  })

  it('[SR-5] a rare word is worth more than a common one, and the best passage counts', () => {
    expect(scorePassage([[1], [], []], [3, 1, 1])).toBeGreaterThan(scorePassage([[], [1], []], [3, 1, 1]))
    expect(scorePassage([[1, 500], [], [501]], EVEN)).toBe(scorePassage([[500], [], [501]], EVEN))
  })

  it('[SC-4] it lies between nothing and all', () => {
    expect(scorePassage([[], [], []], EVEN)).toBe(0)
    expect(scorePassage([], [])).toBe(0)
    expect(scorePassage([[4]], [2])).toBe(1)
    expect(scorePassage([[4], [5], [6]], EVEN)).toBeLessThanOrEqual(1)
  })
})
