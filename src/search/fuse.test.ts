import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { roundScore } from './bm25.js'
import { type ExecutorList, FUSION_DEFAULTS, FUSION_STRATEGIES, fuse } from './fuse.js'
import { compareRank } from './rank.js'

/** A list of results, best first, as an executor returns it. */
const list = (weight: number, ...items: [id: string, score: number][]): ExecutorList => ({
  weight,
  items: items.map(([id, score]) => ({ id, score, layer: layerOf(id) })),
})
/** Later letters have earlier layers, so that ordering ties by id alone would fail the test. */
const layerOf = (id: string) => (id < 'c' ? 1 : 0)
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)
const scored = (items: readonly { id: string; score: number }[]) =>
  items.map(({ id, score }) => ({ id, score }))

describe('[SR-6] reciprocal ranks', () => {
  it('add up over executors, 60 behind, whatever the scores and weights', () => {
    const lists = [list(1, ['a', 1], ['b', 0.9]), list(9, ['b', 1], ['c', 0])]
    expect(scored(fuse('rrf', lists))).toEqual([
      { id: 'b', score: expect.closeTo(1 / 62 + 1 / 61, 11) },
      { id: 'a', score: expect.closeTo(1 / 61, 11) },
      { id: 'c', score: expect.closeTo(1 / 62, 11) },
    ])
  })

  it.each([1, 60, 10_000])('keep the order of a thousand results apart with a constant of %i', rrfK => {
    // The ids are in the opposite order, so that a tie would be visible.
    const items = Array.from({ length: 1_000 }, (_, at): [string, number] => [String(9_999 - at), 1])
    const fused = fuse('rrf', [list(1, ...items)], { ...FUSION_DEFAULTS, rrfK })
    expect(ids(fused)).toEqual(items.map(([id]) => id))
    expect(new Set(fused.map(({ score }) => score)).size).toBe(1_000)
  })

  it('compare sums exactly: 1/61 is 1/122 twice and 1/183 three times, and less than 1/123 and 1/121', () => {
    const at = (rank: number, id: string, key: string) =>
      list(
        1,
        ...Array.from({ length: rank }, (_, place): [string, number] => [
          place === rank - 1 ? id : `${key}${place}`,
          1,
        ]),
      )
    const ranks: [number, string][] = [
      [1, 'd'],
      [62, 'c'],
      [62, 'c'],
      [123, 'b'],
      [123, 'b'],
      [123, 'b'],
      [63, 'a'],
      [61, 'a'],
    ]
    const fused = fuse(
      'rrf',
      ranks.map(([rank, id], key) => at(rank, id, `other ${key} `)),
    )
    const found = ids(fused).filter(id => id.length === 1)
    // Ties are ordered by layer, then by id.
    expect(found).toEqual(['a', 'c', 'd', 'b'])
    const scores = new Map(fused.map(({ id, score }) => [id, score]))
    expect(scores.get('b')).toBe(scores.get('d'))
    expect(scores.get('c')).toBe(scores.get('d'))
    expect(scores.get('a')).toBeGreaterThan(scores.get('b') ?? 1)
  })

  it('take another constant', () => {
    expect(scored(fuse('rrf', [list(1, ['a', 1])], { ...FUSION_DEFAULTS, rrfK: 1 }))).toEqual([
      { id: 'a', score: 0.5 },
    ])
    expect(FUSION_DEFAULTS).toEqual({ rrfK: 60, backfillBelow: 5 })
  })
})

describe('[SR-6] a weighted sum', () => {
  it('weighs each executor by its weight', () => {
    const lists = [list(2, ['a', 0.5], ['b', 0.25]), list(0.5, ['b', 1], ['c', 0.5])]
    expect(scored(fuse('weighted_sum', lists))).toEqual([
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
    expect(scored(fuse('executor_priority', lists))).toEqual([
      { id: 'z', score: 0.1 },
      { id: 'y', score: 0.9 },
      { id: 'a', score: 1 },
      { id: 'b', score: 1 },
    ])
  })

  it('what the others add is not cut at five', () => {
    const others = list(1, ...Array.from({ length: 9 }, (_, at): [string, number] => [`o${at}`, 1]))
    expect(ids(fuse('executor_priority', [first(4), others]))).toHaveLength(13)
    const settings = { ...FUSION_DEFAULTS, backfillBelow: 4 }
    expect(ids(fuse('executor_priority', [first(4), others], settings))).toHaveLength(4)
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
  )('%s is deterministic, keeps everything once, and orders ties by layer, then by id', strategy => {
    fc.assert(
      fc.property(fc.array(executor, { maxLength: 4 }), lists => {
        const fused = fuse(strategy, lists)
        expect(fuse(strategy, structuredClone(lists))).toEqual(fused)
        expect(new Set(ids(fused)).size).toBe(fused.length)
        const all = new Set(lists.flatMap(({ items }) => ids(items)))
        if (strategy !== 'executor_priority') {
          expect(new Set(ids(fused))).toEqual(all)
          if (strategy === 'weighted_sum')
            for (const { score } of fused) expect(roundScore(score)).toBe(score)
          if (lists.length === 1) expect(ids(fused)).toEqual(ids(lists[0]?.items ?? []))
          else expect(fused).toEqual([...fused].sort(compareRank))
        } else expect(ids(fused).slice(0, lists[0]?.items.length ?? 0)).toEqual(ids(lists[0]?.items ?? []))
      }),
      { seed: SEED, numRuns: WORLDS },
    )
  })

  it.each(FUSION_STRATEGIES)('[TR-5] %s leaves a single list in its own order', strategy => {
    const only = list(1, ['d', 0.5], ['a', 0.5], ['c', 0.5], ['b', 0.25])
    expect(ids(fuse(strategy, [only], { rrfK: 10_000, backfillBelow: 0 }))).toEqual(['d', 'a', 'c', 'b'])
  })

  it('[TR-5] equal sums of several lists stand by layer, then by id', () => {
    const lists = [list(1, ['a', 1], ['d', 1]), list(1, ['b', 1], ['c', 1])]
    expect(ids(fuse('rrf', lists))).toEqual(['a', 'b', 'c', 'd'])
    expect(ids(fuse('weighted_sum', lists))).toEqual(['c', 'd', 'a', 'b'])
  })

  it.each(FUSION_STRATEGIES)('%s of nothing is nothing', strategy => {
    expect(fuse(strategy, [])).toEqual([])
  })
})
