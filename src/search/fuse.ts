import { roundScore } from './bm25.js'
import { compareRank, type RankKey } from './rank.js'

/** The strategies that merge the results of several executors into one list (SR-6). */
export const FUSION_STRATEGIES = ['rrf', 'weighted_sum', 'executor_priority'] as const
export type FusionStrategy = (typeof FUSION_STRATEGIES)[number]

/** The results of one executor, best first. Scores are normalised over the visible set. */
export interface ExecutorList {
  readonly items: readonly RankKey[]
  readonly weight: number
}

export interface FusionSettings {
  /** The constant k of reciprocal rank fusion: the larger it is, the less the first ranks are preferred. */
  readonly rrfK: number
  /** If the first executor has fewer results than this, the results of the others are appended. */
  readonly backfillBelow: number
}
export const FUSION_DEFAULTS: FusionSettings = { rrfK: 60, backfillBelow: 5 }

/** Merges lists deterministically: equal lists give an equal result, and equal scores are ordered by TR-5. */
export function fuse(
  strategy: FusionStrategy,
  lists: readonly ExecutorList[],
  { rrfK, backfillBelow }: FusionSettings = FUSION_DEFAULTS,
): RankKey[] {
  switch (strategy) {
    case 'rrf':
      return sumRanks(lists, BigInt(rrfK))
    case 'weighted_sum':
      return sumScores(lists)
    case 'executor_priority':
      return byPriority(lists, backfillBelow)
  }
}

function sumScores(lists: readonly ExecutorList[]): RankKey[] {
  const sums = new Map<string, RankKey>()
  // Sums in the order of the executors, because floating-point addition depends on the order.
  for (const { items, weight } of lists)
    for (const { id, layer, score } of items)
      sums.set(id, { id, layer, score: (sums.get(id)?.score ?? 0) + weight * score })
  const fused = [...sums.values()].map(item => ({ ...item, score: roundScore(item.score) }))
  // A single list is in order already.
  return lists.length === 1 ? fused : fused.sort(compareRank)
}

/**
 * The larger k is, the closer together reciprocal ranks are, down to 10^-8 and less, so that rounding to 2^-20 would
 * cause ties. They are therefore added and compared as fractions, which is exact for every k. The score is that
 * fraction truncated to a multiple of 2^-40, which keeps the order.
 */
function sumRanks(lists: readonly ExecutorList[], k: bigint): RankKey[] {
  const sums = new Map<string, { readonly over: bigint; readonly under: bigint; readonly layer: number }>()
  for (const { items } of lists)
    for (const [rank, { id, layer }] of items.entries()) {
      const { over, under } = sums.get(id) ?? { over: 0n, under: 1n }
      const place = k + BigInt(rank) + 1n
      sums.set(id, { over: over * place + under, under: under * place, layer })
    }
  return [...sums]
    .map(([id, sum]) => ({ id, ...sum, score: stepsOf(sum) }))
    .sort((a, b) => Number(b.over * a.under - a.over * b.under) || compareRank(a, b))
    .map(({ id, layer, score }) => ({ id, layer, score }))
}
const RANK_STEPS = 2n ** 40n
const stepsOf = ({ over, under }: { readonly over: bigint; readonly under: bigint }) =>
  Number((over * RANK_STEPS) / under) / Number(RANK_STEPS)

/** Keeps the first executor's order. If it found too few, all results of the others follow. */
function byPriority([first, ...others]: readonly ExecutorList[], backfillBelow: number): RankKey[] {
  const items = first?.items ?? []
  const lists = items.length < backfillBelow ? [items, ...others.map(other => other.items)] : [items]
  const found = new Map<string, RankKey>()
  for (const item of lists.flat()) if (!found.has(item.id)) found.set(item.id, item)
  return [...found.values()]
}
