import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { roundScore } from './bm25.js'
import { type ExecutorList, FUSION_DEFAULTS, FUSION_STRATEGIES, fuse } from './fuse.js'

/** Best first, as an executor gives them. */
const list = (weight: number, ...items: [id: string, score: number][]): ExecutorList => ({
  weight,
  items: items.map(([id, score]) => ({ id, score })),
})
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)

describe('[SR-6] reciprocal ranks', () => {
  it('add up over executors, 60 behind, whatever the scores and weights', () => {
    const lists = [list(1, ['a', 1], ['b', 0.9]), list(9, ['b', 1], ['c', 0])]
    expect(fuse('rrf', lists)).toEqual([
      { id: 'b', score: roundScore(1 / 62 + 1 / 61) },
      { id: 'a', score: roundScore(1 / 61) },
      { id: 'c', score: roundScore(1 / 62) },
    ])
  })

  it('take another constant', () => {
    expect(fuse('rrf', [list(1, ['a', 1])], { ...FUSION_DEFAULTS, rrfK: 1 })).toEqual([
      { id: 'a', score: 0.5 },
    ])
    expect(FUSION_DEFAULTS).toEqual({ rrfK: 60, backfillBelow: 5 })
  })
})

describe('[SR-6] a weighted sum', () => {
  it('weighs each executor by its weight', () => {
    const lists = [list(2, ['a', 0.5], ['b', 0.25]), list(0.5, ['b', 1], ['c', 0.5])]
    expect(fuse('weighted_sum', lists)).toEqual([
      { id: 'a', score: 1 },
      { id: 'b', score: 1 },
      { id: 'c', score: 0.25 },
    ])
  })
})

describe('[SR-6] by priority', () => {
  const first = (count: number) =>
    list(1, ...Array.from({ length: count }, (_, at): [string, number] => [`f${at}`, 1]))

  it('five of the first executor are enough', () => {
    expect(ids(fuse('executor_priority', [first(5), list(1, ['a', 1])]))).toEqual([
      'f0',
      'f1',
      'f2',
      'f3',
      'f4',
    ])
  })

  it('under five, the others follow, the first as it was and nothing twice', () => {
    const lists = [list(1, ['z', 0.1], ['y', 0.9]), list(5, ['y', 1], ['a', 1]), list(1, ['b', 1], ['z', 1])]
    expect(fuse('executor_priority', lists)).toEqual([
      { id: 'z', score: 0.1 },
      { id: 'y', score: 0.9 },
      { id: 'a', score: 1 },
      { id: 'b', score: 1 },
    ])
  })

  it('what the others add is not cut at five', () => {
    const others = list(1, ...Array.from({ length: 9 }, (_, at): [string, number] => [`o${at}`, 1]))
    expect(ids(fuse('executor_priority', [first(4), others]))).toHaveLength(13)
  })

  it('whether others follow is up to what the first found, not to how many have come together', () => {
    const others = [list(1, ['a', 1], ['b', 1], ['c', 1], ['d', 1]), list(1, ['e', 1])]
    expect(ids(fuse('executor_priority', [first(2), ...others]))).toEqual([
      'f0',
      'f1',
      'a',
      'b',
      'c',
      'd',
      'e',
    ])
  })

  it('others follow a first that found nothing', () => {
    expect(ids(fuse('executor_priority', [first(0), list(1, ['a', 1])]))).toEqual(['a'])
  })
})

describe('[SR-6] whatever the strategy', () => {
  const executor = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...'abcdefgh'), fc.integer({ min: 0, max: 4 })), {
      selector: ([id]) => id,
    })
    .map(items => list(1, ...items.map(([id, score]): [string, number] => [id, score / 4])))

  it.each(
    FUSION_STRATEGIES,
  )('%s is deterministic, keeps everything once, and orders ties by id', strategy => {
    fc.assert(
      fc.property(fc.array(executor, { maxLength: 4 }), lists => {
        const fused = fuse(strategy, lists)
        expect(fuse(strategy, structuredClone(lists))).toEqual(fused)
        expect(new Set(ids(fused)).size).toBe(fused.length)
        const all = new Set(lists.flatMap(({ items }) => ids(items)))
        if (strategy !== 'executor_priority') {
          expect(new Set(ids(fused))).toEqual(all)
          for (const [at, { id, score }] of fused.entries()) {
            const next = fused[at + 1]
            if (next !== undefined)
              expect(score > next.score || (score === next.score && id < next.id)).toBe(true)
            expect(roundScore(score)).toBe(score)
          }
        } else expect(ids(fused).slice(0, lists[0]?.items.length ?? 0)).toEqual(ids(lists[0]?.items ?? []))
      }),
      { seed: SEED, numRuns: WORLDS },
    )
  })

  it.each(FUSION_STRATEGIES)('%s of nothing is nothing', strategy => {
    expect(fuse(strategy, [])).toEqual([])
  })
})
