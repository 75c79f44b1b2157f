import { PrivityError } from '../../errors.js'
import type { Clock } from '../clock.js'
import type { Authorities } from '../domain.js'
import { MODES, type Mode, type ParsedQuestion, type Question, topKOf } from './question.js'
import { assignDirect } from './router/assign.js'
import { namedPosture } from './router/posture.js'
import { type RoutedPlan, type SearchPlanFailure, validateRouted } from './router/validate.js'
import { SEARCH_DEFAULTS, type SearchSettings } from './settings.js'

/** 002 §11.1, and whether words, meaning or both are looked for. The question's own words are not in it. */
export interface UnifiedSearchPlan extends RoutedPlan {
  readonly mode: Mode
}

/** A question, how it is going to be answered, and what it cites: all that is known before anything is searched. */
export interface PlannedQuestion extends ParsedQuestion {
  readonly plan: UnifiedSearchPlan
  readonly authorities: Authorities
}

/** One whose plan was found valid. Only `validatePlan` makes one that is taken for it. */
export type ValidPlan = PlannedQuestion

/** Those that the validator made: a look-alike is not among them, whatever it is made of (RC-2). */
const valid = new WeakSet<ValidPlan>()

export const isValidPlan = (plan: ValidPlan): boolean => valid.has(plan)

/** What keeps a plan from being run, if anything does (SR-7). */
export const failureOf = (plan: UnifiedSearchPlan): SearchPlanFailure | null => validateRouted(plan)

/** Executors take nothing but what comes from here (RC-2). */
export function validatePlan(
  { plan, question, query, meaning, authorities }: PlannedQuestion,
  { topK }: SearchSettings = SEARCH_DEFAULTS,
): ValidPlan {
  const isRunnable =
    failureOf(plan) === null &&
    MODES.includes(plan.mode) &&
    plan.topK === topKOf(plan.searchScope.retrievalPosture.posture, topK)
  if (!isRunnable) throw new PrivityError('invalid_input', 'the plan is not one that can be run')
  const made = frozen({ plan: structuredClone(plan), question, query, meaning, authorities })
  valid.add(made)
  return made
}

/** All the way down, so that what was validated is what is executed. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Date || Object.isFrozen(value))
    return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** What is planned where nothing is routed: one look at everything that is visible. */
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

/** What every plan for a question has. Deterministic: equal questions give equal plans, but for the id and the time. */
export const makeBasePlan = (
  question: Question,
  { clock, now }: { readonly clock: Clock; readonly now: Date },
) =>
  ({
    planId: clock.newId('search'),
    mode: question.mode,
    // Named once it is known what is seen.
    searchIndexSnapshots: ['at_execution'],
    queryExpansionsPlanned: planWordExpansions(question),
    amendableByExecutor: false,
    planAt: now.toISOString(),
    schemaVersion: 1,
  }) as const satisfies Partial<UnifiedSearchPlan>

/** Other forms of a word, and words for it: which ones, only a search can tell. */
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
