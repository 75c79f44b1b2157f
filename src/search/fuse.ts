import { roundScore } from './bm25.js'
import { compareRank, type RankKey } from './rank.js'

/** SR-6: how results of several executors become one list. */
export const FUSION_STRATEGIES = ['rrf', 'weighted_sum', 'executor_priority'] as const
export type FusionStrategy = (typeof FUSION_STRATEGIES)[number]

/** What one executor found, best first. Scores are normalised over the visible set. */
export interface ExecutorList {
  readonly items: readonly RankKey[]
  readonly weight: number
}

export interface FusionSettings {
  /** How little the first ranks are preferred. */
  readonly rrfK: number
  /** Below this many results of the first executor, others append theirs. */
  readonly backfillBelow: number
}
export const FUSION_DEFAULTS: FusionSettings = { rrfK: 60, backfillBelow: 5 }

/** Deterministic: equal lists give an equal list, and equal scores stand in the order of TR-5. */
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
  // Lists in the order of their executors, so that equal inputs are summed alike.
  for (const { items, weight } of lists)
    for (const { id, layer, score } of items)
      sums.set(id, { id, layer, score: (sums.get(id)?.score ?? 0) + weight * score })
  const fused = [...sums.values()].map(item => ({ ...item, score: roundScore(item.score) }))
  // One list is in order already: there is nothing to merge it with.
  return lists.length === 1 ? fused : fused.sort(compareRank)
}

/**
 * Reciprocal ranks lie closer together the larger k is, down to 10^-8 and less, so that steps of 2^-20 would make ties
 * of them. They are added up and compared as fractions, which is exact for every k; a score is that fraction cut to
 * steps of 2^-40, which keeps the order.
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

/** The first executor's order stays; where it found too few, all that the others found follows. */
function byPriority([first, ...others]: readonly ExecutorList[], backfillBelow: number): RankKey[] {
  const items = first?.items ?? []
  const lists = items.length < backfillBelow ? [items, ...others.map(other => other.items)] : [items]
  const found = new Map<string, RankKey>()
  for (const item of lists.flat()) if (!found.has(item.id)) found.set(item.id, item)
  return [...found.values()]
}
