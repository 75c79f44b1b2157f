import { roundScore } from './bm25.js'

/** SR-6: how results of several executors become one list. */
export const FUSION_STRATEGIES = ['rrf', 'weighted_sum', 'executor_priority'] as const
export type FusionStrategy = (typeof FUSION_STRATEGIES)[number]

export interface ExecutorItem {
  readonly id: string
  /** Normalised over the visible set. */
  readonly score: number
}

/** What one executor found, best first. */
export interface ExecutorList {
  readonly items: readonly ExecutorItem[]
  readonly weight: number
}

export interface FusionSettings {
  /** How little the first ranks are preferred. */
  readonly rrfK: number
  /** Below this many results of the first executor, others append theirs. */
  readonly backfillBelow: number
}
export const FUSION_DEFAULTS: FusionSettings = { rrfK: 60, backfillBelow: 5 }

/** Deterministic: equal lists give an equal list, ties by id. */
export function fuse(
  strategy: FusionStrategy,
  lists: readonly ExecutorList[],
  { rrfK, backfillBelow }: FusionSettings = FUSION_DEFAULTS,
): ExecutorItem[] {
  switch (strategy) {
    case 'rrf':
      return sumUp(lists, (_, rank) => 1 / (rrfK + rank + 1))
    case 'weighted_sum':
      return sumUp(lists, (item, _, weight) => weight * item.score)
    case 'executor_priority':
      return byPriority(lists, backfillBelow)
  }
}

function sumUp(
  lists: readonly ExecutorList[],
  worth: (item: ExecutorItem, rank: number, weight: number) => number,
): ExecutorItem[] {
  const sums = new Map<string, number>()
  // Lists in the order of their executors, so that equal inputs are summed alike.
  for (const { items, weight } of lists)
    for (const [rank, item] of items.entries())
      sums.set(item.id, (sums.get(item.id) ?? 0) + worth(item, rank, weight))
  return [...sums]
    .map(([id, sum]) => ({ id, score: roundScore(sum) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

/** The first executor's order stays; where it found too few, all that the others found follows. */
function byPriority([first, ...others]: readonly ExecutorList[], backfillBelow: number): ExecutorItem[] {
  const items = first?.items ?? []
  const lists = items.length < backfillBelow ? [items, ...others.map(other => other.items)] : [items]
  const found = new Map<string, ExecutorItem>()
  for (const item of lists.flat()) if (!found.has(item.id)) found.set(item.id, item)
  return [...found.values()]
}
