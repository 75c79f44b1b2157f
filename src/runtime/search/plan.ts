import { PrivityError } from '../../errors.js'
import type { Clock } from '../clock.js'
import type { Authorities } from '../domain.js'
import { MODES, type Mode, type ParsedQuestion, type Question, topKOf } from './question.js'
import { assignDirect } from './router/assign.js'
import { namedPosture } from './router/posture.js'
import { type RoutedPlan, type SearchPlanFailure, validateRouted } from './router/validate.js'
import { SEARCH_DEFAULTS, type SearchSettings } from './settings.js'

/**
 * The plan of 002 §11.1, extended by whether to search by words, meaning or both. It does not contain the question's
 * words.
 */
export interface UnifiedSearchPlan extends RoutedPlan {
  readonly mode: Mode
}

/** A question with its plan and what it cites: everything that is known before anything is searched. */
export interface PlannedQuestion extends ParsedQuestion {
  readonly plan: UnifiedSearchPlan
  readonly authorities: Authorities
}

/** A question whose plan is valid. Only `validatePlan` makes one that `isValidPlan` accepts. */
export type ValidPlan = PlannedQuestion

/** The plans that the validator made. An imitation is not among them, whatever it contains (RC-2). */
const valid = new WeakSet<ValidPlan>()

export const isValidPlan = (plan: ValidPlan): boolean => valid.has(plan)

/** The reason why a plan cannot be run, or null (SR-7). */
export const failureOf = (plan: UnifiedSearchPlan): SearchPlanFailure | null => validateRouted(plan)

/** Validates a plan. Executors accept nothing else (RC-2). */
export function validatePlan(
  { plan, question, query, meaning, authorities }: PlannedQuestion,
  { topK }: SearchSettings = SEARCH_DEFAULTS,
): ValidPlan {
  const isRunnable =
    failureOf(plan) === null &&
    MODES.includes(plan.mode) &&
    plan.topK === topKOf(plan.searchScope.retrievalPosture.posture, topK)
  if (!isRunnable)
    throw new PrivityError('invalid_input', 'the plan cannot be run; create one with search.plan')
  const made = frozen({ plan: structuredClone(plan), question, query, meaning, authorities })
  valid.add(made)
  return made
}

/** Freezes a value deeply, so that what is executed is what was validated. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Date || Object.isFrozen(value))
    return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** The plan of a search that is not routed: one executor over everything visible. */
export function planSearch(
  question: Question,
  {
    searchSettings,
    clock,
    now,
  }: { readonly searchSettings: SearchSettings; readonly clock: Clock; readonly now: Date },
): UnifiedSearchPlan {
  const { posture, corpus } = question
  return {
    ...makeBasePlan(question, { clock, now }),
    queryIntentResolution: {
      resolvedIntent: 'evidence_search',
      resolverKind: 'deterministic_pattern',
      patternId: 'default',
      userCanOverride: true,
      schemaVersion: 1,
    },
    searchScope: {
      retrievalPosture: namedPosture(posture),
      ...(corpus === undefined ? {} : { corpusScope: [corpus] }),
      schemaVersion: 1,
    },
    executorAssignments: [assignDirect(corpus === undefined ? [] : [corpus])],
    resultFusionStrategy: 'executor_priority',
    topK: topKOf(posture, searchSettings.topK),
  }
}

/** The parts that all plans have. Equal questions give equal plans, except for id and time. */
export const makeBasePlan = (
  question: Question,
  { clock, now }: { readonly clock: Clock; readonly now: Date },
) =>
  ({
    planId: clock.newId('search'),
    mode: question.mode,
    // The snapshots are filled in once the visible set is known.
    searchIndexSnapshots: ['at_execution'],
    queryExpansionsPlanned: planWordExpansions(question),
    amendableByExecutor: false,
    planAt: now.toISOString(),
    schemaVersion: 1,
  }) as const satisfies Partial<UnifiedSearchPlan>

/** Stemming, synonyms and neighbours. The applied terms are not known before the search. */
export const planWordExpansions = ({ stemming, synonyms, neighbours }: Question) => [
  ...(stemming ? [planning('stemming')] : []),
  ...synonyms.map(({ corpus }) => planning('synonym', corpus)),
  ...(neighbours ? [planning('embedding_neighbor')] : []),
]

const planning = (
  expansionKind: 'stemming' | 'synonym' | 'embedding_neighbor',
  corpus?: string,
): UnifiedSearchPlan['queryExpansionsPlanned'][number] => ({
  expansionKind,
  appliedTerms: [],
  source: corpus === undefined ? 'built_in' : { corpus },
  expansionVisibleToSession: true,
})
