import type { MemoryDepth } from '../policy/memory-intent.js'
import {
  allowsQuery,
  QUERY_TARGETS,
  QUERY_TYPES,
  type QuerySource,
  type QueryType,
  RETRIEVAL_CONTRACTS,
} from '../policy/retrieval-contract.js'
import type { ContractFacts } from '../policy/subject.js'
import { type PlanQuery, retrievalQuery } from './query.js'

/** Why a query was dropped. It depends only on the request and the caller's own stage. */
export type DropReason =
  | 'retrieval.not_representable'
  | 'retrieval.forbidden_by_stage'
  | 'retrieval.of_another_user'
  | 'retrieval.session_not_active'
  | 'retrieval.asked_twice'
  | 'retrieval.nothing_recalled'

/** What happened to a proposed query. */
export interface PlanVerdict {
  readonly type: QueryType | null
  readonly source: QuerySource | null
  readonly verdict: 'runs' | 'dropped'
  readonly reason: DropReason | null
}

/** The queries that a turn runs. Only the validator can make one, and executors accept nothing else (RC-2). */
export interface ValidRetrievalPlan {
  readonly queries: readonly PlanQuery[]
  readonly verdicts: readonly PlanVerdict[]
  /** Whether the proposal was not a list of queries at all; then nothing is retrieved (RC-16). */
  readonly malformed: boolean
  readonly contract: ContractFacts
  readonly depth: MemoryDepth
}

const valid = new WeakSet<ValidRetrievalPlan>()
export const isValidRetrievalPlan = (plan: ValidRetrievalPlan): boolean => valid.has(plan)

/** A longer list is no plan at all. */
export const MOST_QUERIES = 50

/**
 * Validates a proposed plan against the query union and the stage's contract. It only ever removes queries (RC-11,
 * RC-16).
 */
export function validateRetrievalPlan(
  proposed: unknown,
  contract: ContractFacts,
  userId: string,
  depth: MemoryDepth,
): ValidRetrievalPlan {
  const malformed = isMalformed(proposed)
  const given: readonly unknown[] = malformed ? [] : (proposed as unknown[])
  const seen = new Set<string>()
  const queries: PlanQuery[] = []
  const verdicts = given.map((each): PlanVerdict => {
    const { data: query } = retrievalQuery.safeParse(each)
    if (query === undefined) return dropped(null, 'retrieval.not_representable')
    const reason = problemOf(query, contract, userId, depth, seen)
    if (reason !== null) return dropped(query, reason)
    queries.push(query)
    return { type: query.type, source: query.source, verdict: 'runs', reason: null }
  })
  const plan = Object.freeze({
    queries: Object.freeze(queries.map(query => Object.freeze(query))),
    verdicts: Object.freeze(verdicts),
    malformed,
    contract: Object.freeze({ ...contract }),
    depth,
  })
  valid.add(plan)
  return plan
}

/** Whether a proposal is no list of queries at all. */
export const isMalformed = (proposed: unknown): boolean =>
  !Array.isArray(proposed) || proposed.length > MOST_QUERIES

const dropped = (query: PlanQuery | null, reason: DropReason): PlanVerdict => ({
  type: query?.type ?? null,
  source: query?.source ?? null,
  verdict: 'dropped',
  reason,
})

function problemOf(
  query: PlanQuery,
  contract: ContractFacts,
  userId: string,
  depth: MemoryDepth,
  seen: Set<string>,
): DropReason | null {
  if ('userId' in query && query.userId !== userId) return 'retrieval.of_another_user'
  if (!allowsQuery(query.type, query.source, contract.stage)) return 'retrieval.forbidden_by_stage'
  if (!contract.active) return 'retrieval.session_not_active'
  if (depth === 'none') return 'retrieval.nothing_recalled'
  const key = JSON.stringify([query.type, query.source])
  if (seen.has(key)) return 'retrieval.asked_twice'
  seen.add(key)
  return null
}

/** Queries for minimal depth: recent feelings and similar past events. */
const MINIMAL: readonly (readonly [QueryType, QuerySource])[] = [
  ['emotional_reading', 'structured'],
  ['user_event', 'vector'],
]

/**
 * The built-in plan without a model: everything that the stage allows, what is similar to the message as well as what
 * is new, or a few feelings and events at the least depth.
 */
export function planBuiltIn(stage: number, userId: string, depth: MemoryDepth): PlanQuery[] {
  const allowed = QUERY_TYPES.flatMap(type =>
    (RETRIEVAL_CONTRACTS[type][stage]?.sources ?? []).map(source => [type, source] as const),
  )
  const isWanted: Readonly<Record<MemoryDepth, (type: QueryType, source: QuerySource) => boolean>> = {
    none: () => false,
    minimal: (type, source) => MINIMAL.some(([most, by]) => most === type && by === source),
    light: () => true,
    full: () => true,
  }
  return allowed
    .filter(([type, source]) => isWanted[depth](type, source))
    .map(([type, source]) => queryOf(type, source, userId))
}

/** The one query of a type that reads in this way. */
export function queryOf(type: QueryType, source: QuerySource, userId: string): PlanQuery {
  const { vessel } = QUERY_TARGETS[type]
  return retrievalQuery.parse({
    type,
    source,
    ...(type === 'session_outcomes' || vessel === null ? {} : { vessel }),
    ...(vessel === 'user' ? { userId } : {}),
    ...(type === 'consented_content' ? { consentActive: true } : {}),
  })
}
