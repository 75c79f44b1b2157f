import { z } from 'zod'

/** How complete a set of results is (002 §13.2). */
export const COMPLETENESS = [
  'exhaustive_for_scope',
  'exhaustive_for_scope_stale',
  'ranked_top_k_not_exhaustive',
  'partial_due_to_policy',
  'partial_due_to_visibility',
  'partial_due_to_staleness',
  'partial_due_to_index_health',
  'partial_due_to_resource_limit',
] as const
export type Completeness = (typeof COMPLETENESS)[number]
export const completeness = z
  .enum(COMPLETENESS)
  .meta({ id: 'Completeness', description: 'Whether a search found everything, and why not if it did not.' })

export interface Coverage {
  /** The number of all matches, and the maximum that is ranked. */
  readonly matches: number
  readonly topK: number
  readonly anyIndexStale: boolean
  readonly indexHealthy: boolean
  readonly withinLimits: boolean
  readonly expansionsUsed: number
  readonly expansionsDisclosed: boolean
}

/** The completeness relative to what the caller may see (CV-3). */
export function classifyCompleteness(coverage: Coverage): Completeness {
  if (!coverage.indexHealthy || (coverage.expansionsUsed > 0 && !coverage.expansionsDisclosed))
    return 'partial_due_to_index_health'
  if (!coverage.withinLimits) return 'partial_due_to_resource_limit'
  if (coverage.anyIndexStale) return 'partial_due_to_staleness'
  return coverage.matches > coverage.topK ? 'ranked_top_k_not_exhaustive' : 'exhaustive_for_scope'
}

/** How many records a search left out that the reader of the receipt could see for themselves. */
export interface ExclusionCounts {
  readonly policyFilteredCount: number
  readonly visibilityFilteredCount: number
  readonly stalenessFilteredCount: number
}

/** The completeness for a host, who is also told about policy and visibility (CV-2, CV-3). */
export function classifyInternalCompleteness(coverage: Coverage, excluded: ExclusionCounts): Completeness {
  const visible = classifyCompleteness(coverage)
  if (visible !== 'exhaustive_for_scope' && visible !== 'ranked_top_k_not_exhaustive') return visible
  if (excluded.policyFilteredCount > 0) return 'partial_due_to_policy'
  if (excluded.visibilityFilteredCount > 0) return 'partial_due_to_visibility'
  return visible
}

const LEFT_OUT: Readonly<Record<Completeness, string>> = {
  exhaustive_for_scope: '',
  exhaustive_for_scope_stale: 'the index was not current',
  ranked_top_k_not_exhaustive: 'only the best matches were looked at',
  partial_due_to_policy:
    'some records were left out by a policy, or because people in them have not consented',
  partial_due_to_visibility: 'some records lie above the visibility that was asked for',
  partial_due_to_staleness: 'the index was not current',
  partial_due_to_index_health: 'part of the index could not be used',
  partial_due_to_resource_limit: 'the search ran into a limit',
}

/** The message for an empty result: a plain no only if the search was complete and current (CV-5). */
export function describeNoResults(completeness: Completeness): string {
  return completeness === 'exhaustive_for_scope'
    ? 'No results found.'
    : `No results in what was searched; ${LEFT_OUT[completeness]}.`
}
