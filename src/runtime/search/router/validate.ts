import { z } from 'zod'
import { VISIBILITY_CLASSES, type VisibilityClass } from '../../../policy/vocabulary.js'
import { FUSION_STRATEGIES, type FusionStrategy } from '../../../search/fuse.js'
import { ALL_VISIBLE, CORPUS_SCOPE, EXECUTOR_CLASSES, type ExecutorAssignment } from './assign.js'
import { QUERY_INTENTS, type QueryIntentResolution, RESOLVER_KINDS } from './intent.js'
import { FILING_CONTENT_SCOPES, POSTURES, type RetrievalPosture } from './posture.js'
import type { TemporalScope } from './scope.js'

/** The kinds of query expansion (002 §14.1). */
export const EXPANSION_KINDS = [
  'synonym',
  'stemming',
  'citation_normalization',
  'legal_term_expansion',
  'embedding_neighbor',
] as const
export type ExpansionKind = (typeof EXPANSION_KINDS)[number]
export const expansionKind = z
  .enum(EXPANSION_KINDS)
  .meta({ id: 'ExpansionKind', description: 'Why words were added to a question.' })

export interface RoutedExpansion {
  readonly expansionKind: ExpansionKind
  readonly appliedTerms: readonly string[]
  readonly source: 'built_in' | { readonly corpus: string }
  readonly expansionVisibleToSession: boolean
}

/** The scope of a plan (002 §12.2). */
export interface PlannedScope {
  readonly retrievalPosture: RetrievalPosture
  readonly temporalScope?: TemporalScope | undefined
  readonly caseScope?: readonly string[] | undefined
  readonly corpusScope?: readonly string[] | undefined
  readonly filingUnitScope?: readonly string[] | undefined
  readonly typeScope?: readonly string[] | undefined
  readonly courtScope?: readonly string[] | undefined
  readonly partyScope?: readonly string[] | undefined
  readonly visibilityClassScope?: readonly VisibilityClass[] | undefined
  readonly schemaVersion: 1
}

/**
 * How a question will be answered, and by which executors (002 §11.1). It does not contain the question's own words.
 */
export interface RoutedPlan {
  readonly planId: string
  readonly queryIntentResolution: QueryIntentResolution
  readonly searchScope: PlannedScope
  readonly executorAssignments: readonly ExecutorAssignment[]
  readonly resultFusionStrategy: FusionStrategy
  readonly searchIndexSnapshots: readonly string[]
  readonly queryExpansionsPlanned: readonly RoutedExpansion[]
  readonly amendableByExecutor: false
  readonly topK: number
  readonly planAt: string
  readonly schemaVersion: 1
}

/** Why nothing was searched (002 §15.1). Finding nothing is not a failure. Each kind is a registered reason too, and in its namespace. */
export const FAILURE_KINDS = [
  'document_required_unavailable',
  'memory_only_source_unavailable',
  'scope_exceeds_session_capability',
  'index_stale_blocks_completeness',
  'policy_blocked',
  'session_profile_invalid',
  'extraction_in_flight_required_for_query',
] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

export interface SearchPlanFailure {
  readonly failureKind: FailureKind
  readonly failureReasonCode: string
  readonly remediationHint?: string
  readonly schemaVersion: 1
}

export const planFailure = (failureKind: FailureKind, remediationHint?: string): SearchPlanFailure => ({
  failureKind,
  failureReasonCode: `search.${failureKind}`,
  ...(remediationHint !== undefined && { remediationHint }),
  schemaVersion: 1,
})

interface PlanRule {
  readonly id: string
  readonly holds: (plan: RoutedPlan) => boolean
  readonly otherwise: FailureKind
}

/**
 * The rules of 002 §11.5. The runtime checks the seventh, about the session, because a plan does not contain its
 * session.
 */
export const PLAN_RULES: readonly PlanRule[] = [
  {
    id: 'V-PLAN-1',
    holds: ({ queryIntentResolution: { resolvedIntent, resolverKind } }) =>
      QUERY_INTENTS.includes(resolvedIntent) && RESOLVER_KINDS.includes(resolverKind),
    otherwise: 'policy_blocked',
  },
  { id: 'V-PLAN-2', holds: isKnownScope, otherwise: 'policy_blocked' },
  { id: 'V-PLAN-3', holds: isRunnable, otherwise: 'scope_exceeds_session_capability' },
  { id: 'V-PLAN-4', holds: coversScope, otherwise: 'scope_exceeds_session_capability' },
  {
    // Every executor reads an index. If nothing is visible, there is a snapshot of nothing.
    id: 'V-PLAN-5',
    holds: ({ searchIndexSnapshots: refs }) =>
      refs.length > 0 && refs.every(ref => ref.trim() !== '') && new Set(refs).size === refs.length,
    otherwise: 'index_stale_blocks_completeness',
  },
  {
    id: 'V-PLAN-6',
    holds: ({ queryExpansionsPlanned: planned }) =>
      planned.every(
        ({ expansionKind, expansionVisibleToSession }) =>
          EXPANSION_KINDS.includes(expansionKind) && expansionVisibleToSession === true,
      ),
    otherwise: 'policy_blocked',
  },
]

/** The first rule that a plan breaks, as a failure; null if it can be run (SR-7). */
export function validateRouted(plan: RoutedPlan): SearchPlanFailure | null {
  const broken = PLAN_RULES.find(({ holds }) => !holds(plan))
  return broken === undefined ? null : planFailure(broken.otherwise)
}

function isKnownScope({ searchScope: { retrievalPosture, visibilityClassScope = [] } }: RoutedPlan): boolean {
  const { posture, filingContentScope, sourceSpanRequired, sourceSpanCountMinimum } = retrievalPosture
  return (
    POSTURES.includes(posture) &&
    (filingContentScope === undefined || FILING_CONTENT_SCOPES.includes(filingContentScope)) &&
    // A synthesis must rest on spans (002 §12.4).
    (posture !== 'cross_source_synthesis' || (sourceSpanRequired && isCount(sourceSpanCountMinimum))) &&
    visibilityClassScope.every(known => VISIBILITY_CLASSES.includes(known))
  )
}

function isRunnable(plan: RoutedPlan): boolean {
  const { executorAssignments, resultFusionStrategy, amendableByExecutor, topK } = plan
  const classes = executorAssignments.map(({ executorClass }) => executorClass)
  return (
    classes.length > 0 &&
    classes.every(known => EXECUTOR_CLASSES.includes(known)) &&
    executorAssignments.every(
      ({ budgetTokens, deadlineMs, weight = 1 }) =>
        isCount(budgetTokens) && isCount(deadlineMs) && Number.isFinite(weight) && weight >= 0,
    ) &&
    FUSION_STRATEGIES.includes(resultFusionStrategy) &&
    amendableByExecutor === false &&
    isCount(topK)
  )
}

/** Whether the assignments cover the whole scope and nothing outside of it. */
function coversScope({ searchScope: { corpusScope }, executorAssignments }: RoutedPlan): boolean {
  const assigned = new Set(executorAssignments.map(({ scopeRef }) => scopeRef))
  if (corpusScope === undefined) return assigned.has(ALL_VISIBLE) && !assigned.has(CORPUS_SCOPE)
  const within = [...assigned].every(ref => ref === CORPUS_SCOPE || corpusScope.includes(ref))
  return within && (assigned.has(CORPUS_SCOPE) || corpusScope.every(corpus => assigned.has(corpus)))
}

const isCount = (value: number | undefined): boolean => Number.isSafeInteger(value) && (value as number) > 0
