import { PrivityError } from '../../errors.js'
import { FUSION_STRATEGIES, type FusionStrategy } from '../../search/fuse.js'
import { MOST_EXCLUDED, MOST_PHRASES, MOST_TERMS, parseQuery, type Query } from '../../search/query.js'
import type { Clock } from '../clock.js'
import { MODES, type Mode, POSTURES, type Posture, type Question, topKOf } from './question.js'

/** 002 §11.2. One of them runs so far; a plan can name no other. */
const EXECUTORS = ['primary_direct'] as const

export interface ExecutorAssignment {
  readonly executorClass: (typeof EXECUTORS)[number]
  readonly scopeRef: string
  readonly reasonCode: string
  readonly schemaVersion: 1
}

export interface ExpansionPlanned {
  readonly expansionKind: 'stemming' | 'synonym' | 'embedding_neighbor'
  readonly source: 'built_in' | { readonly corpus: string }
}

/** 002 §11.1: how a question is going to be answered. The question's own words are not in it. */
export interface UnifiedSearchPlan {
  readonly planId: string
  readonly queryIntentResolution: {
    readonly resolvedIntent: 'evidence_search'
    readonly resolverKind: 'deterministic_pattern'
    readonly patternId: string
    readonly userCanOverride: boolean
    readonly schemaVersion: 1
  }
  readonly searchScope: {
    readonly retrievalPosture: {
      readonly posture: Posture
      readonly sourceSpanRequired: boolean
      readonly requiredSurfaceDisclosure: boolean
      readonly schemaVersion: 1
    }
    readonly corpusScope?: readonly string[]
    readonly schemaVersion: 1
  }
  /** By words, by meaning, or both. */
  readonly mode: Mode
  readonly executorAssignments: readonly ExecutorAssignment[]
  readonly resultFusionStrategy: FusionStrategy
  readonly topK: number
  readonly queryExpansionsPlanned: readonly ExpansionPlanned[]
  readonly amendableByExecutor: false
  readonly planAt: string
  readonly schemaVersion: 1
}

/** A plan that was found valid, with the question it is for. Only `validatePlan` makes one that is taken for it. */
export interface ValidPlan {
  readonly plan: UnifiedSearchPlan
  readonly question: Question
  readonly query: Query
}

/** Those that the validator made: a look-alike is not among them, whatever it is made of (RC-2). */
const valid = new WeakSet<ValidPlan>()

export const isValidPlan = (plan: ValidPlan): boolean => valid.has(plan)

/** What a question asks for, if it can be asked. */
export function readQuery(question: Question): Query {
  const query = parseQuery(question.query)
  if (query.terms.length === 0)
    throw new PrivityError('invalid_input', 'query: holds nothing that can be searched for')
  if (query.dropped)
    throw new PrivityError(
      'invalid_input',
      `query: must hold at most ${MOST_TERMS} words, ${MOST_PHRASES} phrases and ${MOST_EXCLUDED} exclusions`,
    )
  if ((question.recency?.weight ?? 0) + (question.salience?.weight ?? 0) > 1)
    throw new PrivityError('invalid_input', 'recency, salience: their weights together must be at most 1')
  return query
}

/** Executors take nothing but what comes from here (RC-2). */
export function validatePlan(plan: UnifiedSearchPlan, question: Question): ValidPlan {
  const query = readQuery(question)
  const { posture } = plan.searchScope.retrievalPosture
  const known =
    plan.executorAssignments.length > 0 &&
    plan.executorAssignments.every(({ executorClass }) => EXECUTORS.includes(executorClass)) &&
    FUSION_STRATEGIES.includes(plan.resultFusionStrategy) &&
    POSTURES.includes(posture) &&
    MODES.includes(plan.mode) &&
    plan.topK === topKOf(posture) &&
    !plan.amendableByExecutor
  if (!known) throw new PrivityError('invalid_input', 'the plan is not one that can be run')
  const made = frozen({ plan: structuredClone(plan), question, query })
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

/** Deterministic: equal questions give equal plans, but for the id and the time. */
export function planSearch(question: Question, clock: Clock, now: Date): UnifiedSearchPlan {
  const { posture, corpus } = question
  return {
    planId: clock.newId('search'),
    queryIntentResolution: {
      resolvedIntent: 'evidence_search',
      resolverKind: 'deterministic_pattern',
      patternId: 'default',
      userCanOverride: true,
      schemaVersion: 1,
    },
    searchScope: {
      retrievalPosture: {
        posture,
        sourceSpanRequired: posture === 'cross_source_synthesis',
        requiredSurfaceDisclosure: true,
        schemaVersion: 1,
      },
      ...(corpus === undefined ? {} : { corpusScope: [corpus] }),
      schemaVersion: 1,
    },
    mode: question.mode,
    executorAssignments: [
      {
        executorClass: 'primary_direct',
        scopeRef: corpus ?? 'all_visible',
        reasonCode: 'search.direct_lookup',
        schemaVersion: 1,
      },
    ],
    resultFusionStrategy: 'executor_priority',
    topK: topKOf(posture),
    queryExpansionsPlanned: [
      ...(question.stemming ? [{ expansionKind: 'stemming', source: 'built_in' } as const] : []),
      ...question.synonyms.map(
        ({ corpus }) =>
          ({ expansionKind: 'synonym', source: corpus === undefined ? 'built_in' : { corpus } }) as const,
      ),
      ...(question.neighbours ? [{ expansionKind: 'embedding_neighbor', source: 'built_in' } as const] : []),
    ],
    amendableByExecutor: false,
    planAt: now.toISOString(),
    schemaVersion: 1,
  }
}
