import { describe, expect, it } from 'vitest'
import { LEGAL_QUESTIONS } from '../../../legal/questions.js'
import { findReasonCode } from '../../../policy/reason-codes.js'
import { assignExecutors } from './assign.js'
import { resolveIntent } from './intent.js'
import { namedPosture, POSTURES, postureFor, type RetrievalPosture } from './posture.js'
import {
  EXPANSION_KINDS,
  FAILURE_KINDS,
  PLAN_RULES,
  planFailure,
  type RoutedPlan,
  validateRouted,
} from './validate.js'

const QUERY = 'Find oppositions to MTDs that argue PSLRA falls short on scienter.'

/** Example 21.1, built with the modules under test. */
function example(): RoutedPlan {
  const corpora = ['MTD Securities Litigation 9th Circuit']
  const queryIntentResolution = resolveIntent({ query: QUERY, patterns: LEGAL_QUESTIONS.intents })
  const retrievalPosture = postureFor(
    { query: QUERY, intent: queryIntentResolution.resolvedIntent },
    LEGAL_QUESTIONS.postures,
  )
  const { assignments, resultFusionStrategy } = assignExecutors({
    query: QUERY,
    posture: retrievalPosture,
    cites: true,
    corpora,
  })
  return {
    planId: 'PLAN-001',
    queryIntentResolution,
    searchScope: {
      retrievalPosture,
      corpusScope: corpora,
      visibilityClassScope: ['public_open', 'work_product_internal'],
      schemaVersion: 1,
    },
    executorAssignments: assignments,
    resultFusionStrategy,
    searchIndexSnapshots: ['SS-FTS5-001', 'SS-VECTOR-001', 'SS-DOC-INDEX-001'],
    queryExpansionsPlanned: [
      {
        expansionKind: 'citation_normalization',
        appliedTerms: ['PSLRA', 'Private Securities Litigation Reform Act'],
        source: 'built_in',
        expansionVisibleToSession: true,
      },
    ],
    amendableByExecutor: false,
    topK: 50,
    planAt: '2026-05-03T14:30:00Z',
    schemaVersion: 1,
  }
}

const plan = example()
const { searchScope, queryIntentResolution: resolution, executorAssignments: assignments } = plan
const [first] = assignments
const [expansion] = plan.queryExpansionsPlanned

const withScope = (more: object) => ({ searchScope: { ...searchScope, ...more } })
const withPosture = (more: object) =>
  withScope({ retrievalPosture: { ...searchScope.retrievalPosture, ...more } })
const withFirst = (more: object) => ({
  executorAssignments: [{ ...first, ...more }, ...assignments.slice(1)],
})
const withRefs = (...refs: readonly string[]) => ({
  executorAssignments: refs.map(scopeRef => ({ ...first, scopeRef })),
})
const withExpansion = (more: object) => ({ queryExpansionsPlanned: [{ ...expansion, ...more }] })

describe('a plan that can be run', () => {
  it('[SR-7] is that of example 21.1', () => {
    expect(validateRouted(plan)).toBeNull()
  })

  it('[SR-7] is every one that the modules make', () => {
    const postures: RetrievalPosture[] = POSTURES.map(namedPosture)
    for (const posture of postures)
      for (const cites of [true, false])
        for (const corpora of [[], ['a'], ['a', 'b']]) {
          const { assignments, resultFusionStrategy } = assignExecutors({
            query: QUERY,
            posture,
            cites,
            corpora,
          })
          const { corpusScope: _, ...rest } = searchScope
          expect(
            validateRouted({
              ...plan,
              searchScope: {
                ...rest,
                retrievalPosture: posture,
                ...(corpora.length > 0 && { corpusScope: corpora }),
              },
              executorAssignments: assignments,
              resultFusionStrategy,
            }),
          ).toBeNull()
        }
  })

  it('[SR-7] may divide its scope among executors', () => {
    const both = { ...withScope({ corpusScope: ['a', 'b'] }), ...withRefs('a', 'b') }
    expect(validateRouted({ ...plan, ...both } as RoutedPlan)).toBeNull()
    const part = { ...withScope({ corpusScope: undefined }), ...withRefs('all_visible', 'a') }
    expect(validateRouted({ ...plan, ...part } as RoutedPlan)).toBeNull()
  })

  it('[SR-7] needs no expansion', () => {
    expect(validateRouted({ ...plan, queryExpansionsPlanned: [] })).toBeNull()
    for (const expansionKind of EXPANSION_KINDS)
      expect(validateRouted({ ...plan, ...withExpansion({ expansionKind }) } as RoutedPlan)).toBeNull()
  })
})

describe('a plan that cannot be run', () => {
  it.each<[rule: string, what: string, kind: string, change: object]>([
    [
      'V-PLAN-1',
      'an unknown intent',
      'policy_blocked',
      { queryIntentResolution: { ...resolution, resolvedIntent: 'other' } },
    ],
    [
      'V-PLAN-1',
      'an unknown resolver',
      'policy_blocked',
      { queryIntentResolution: { ...resolution, resolverKind: 'hidden_model' } },
    ],
    ['V-PLAN-2', 'an unknown posture', 'policy_blocked', withPosture({ posture: 'other' })],
    ['V-PLAN-2', 'an old posture', 'policy_blocked', withPosture({ posture: 'content_primary' })],
    [
      'V-PLAN-2',
      'an unknown part of filings',
      'policy_blocked',
      withPosture({ filingContentScope: 'other' }),
    ],
    [
      'V-PLAN-2',
      'a synthesis without spans',
      'policy_blocked',
      withPosture({
        posture: 'cross_source_synthesis',
        sourceSpanRequired: false,
        sourceSpanCountMinimum: 2,
      }),
    ],
    [
      'V-PLAN-2',
      'a synthesis of no number of sources',
      'policy_blocked',
      withPosture({ posture: 'cross_source_synthesis', sourceSpanRequired: true }),
    ],
    [
      'V-PLAN-2',
      'an unknown visibility class',
      'policy_blocked',
      withScope({ visibilityClassScope: ['public_open', 'secret'] }),
    ],
    ['V-PLAN-3', 'no executor', 'scope_exceeds_session_capability', { executorAssignments: [] }],
    [
      'V-PLAN-3',
      'an unknown executor',
      'scope_exceeds_session_capability',
      withFirst({ executorClass: 'shell' }),
    ],
    ['V-PLAN-3', 'no budget', 'scope_exceeds_session_capability', withFirst({ budgetTokens: 0 })],
    ['V-PLAN-3', 'no deadline', 'scope_exceeds_session_capability', withFirst({ deadlineMs: Infinity })],
    ['V-PLAN-3', 'an unknown fusion', 'scope_exceeds_session_capability', { resultFusionStrategy: 'best' }],
    ['V-PLAN-3', 'an amendable plan', 'scope_exceeds_session_capability', { amendableByExecutor: true }],
    ['V-PLAN-3', 'no results', 'scope_exceeds_session_capability', { topK: 0 }],
    ['V-PLAN-3', 'half a result', 'scope_exceeds_session_capability', { topK: 1.5 }],
    [
      'V-PLAN-4',
      'a corpus that nobody searches',
      'scope_exceeds_session_capability',
      withScope({ corpusScope: [...(searchScope.corpusScope ?? []), 'Orders'] }),
    ],
    [
      'V-PLAN-4',
      'a corpus outside of the scope',
      'scope_exceeds_session_capability',
      withFirst({ scopeRef: 'Elsewhere' }),
    ],
    [
      'V-PLAN-4',
      'more than the scope',
      'scope_exceeds_session_capability',
      withFirst({ scopeRef: 'all_visible' }),
    ],
    [
      'V-PLAN-4',
      'everything asked for and a part searched',
      'scope_exceeds_session_capability',
      withScope({ corpusScope: undefined }),
    ],
    [
      'V-PLAN-4',
      'a scope referred to that there is not',
      'scope_exceeds_session_capability',
      { ...withScope({ corpusScope: undefined }), ...withRefs('all_visible', 'corpus_scope') },
    ],
    [
      'V-PLAN-4',
      'nothing asked for and everything searched',
      'scope_exceeds_session_capability',
      { ...withScope({ corpusScope: [] }), ...withRefs('all_visible') },
    ],
    ['V-PLAN-5', 'no snapshot', 'index_stale_blocks_completeness', { searchIndexSnapshots: [] }],
    [
      'V-PLAN-5',
      'a blank snapshot',
      'index_stale_blocks_completeness',
      { searchIndexSnapshots: ['SS-1', ' '] },
    ],
    [
      'V-PLAN-5',
      'a snapshot twice',
      'index_stale_blocks_completeness',
      { searchIndexSnapshots: ['SS-1', 'SS-1'] },
    ],
    [
      'V-PLAN-6',
      'an expansion that is not visible',
      'policy_blocked',
      withExpansion({ expansionVisibleToSession: false }),
    ],
    [
      'V-PLAN-6',
      'an expansion of which nobody knows',
      'policy_blocked',
      withExpansion({ expansionVisibleToSession: undefined }),
    ],
    ['V-PLAN-6', 'an unknown expansion', 'policy_blocked', withExpansion({ expansionKind: 'guess' })],
  ])('[SR-7] %s: %s', (rule, _, kind, change) => {
    const wrong = Object.freeze({ ...plan, ...change }) as RoutedPlan
    expect(validateRouted(wrong)).toStrictEqual({
      failureKind: kind,
      failureReasonCode: `search.${kind}`,
      schemaVersion: 1,
    })
    expect(PLAN_RULES.filter(({ holds }) => !holds(wrong)).map(({ id }) => id)).toContain(rule)
    // Each plan breaks its own rule and no earlier one.
    expect(PLAN_RULES.find(({ holds }) => !holds(wrong))?.id).toBe(rule)
  })

  it('[SR-7] there is a rule for each of the six', () => {
    expect(PLAN_RULES.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6].map(number => `V-PLAN-${number}`))
  })
})

describe('a failure', () => {
  it('[SR-7] is one of seven, and finding nothing is not among them', () => {
    expect(FAILURE_KINDS).toEqual([
      'document_required_unavailable',
      'memory_only_source_unavailable',
      'scope_exceeds_session_capability',
      'index_stale_blocks_completeness',
      'policy_blocked',
      'session_profile_invalid',
      'extraction_in_flight_required_for_query',
    ])
  })

  it('[SR-7] has a registered reason, and a hint where there is one', () => {
    for (const kind of FAILURE_KINDS) {
      expect(findReasonCode(planFailure(kind).failureReasonCode)).toBeDefined()
      expect(planFailure(kind)).toStrictEqual({
        failureKind: kind,
        failureReasonCode: `search.${kind}`,
        schemaVersion: 1,
      })
    }
    expect(planFailure('policy_blocked', 'Ask a host.').remediationHint).toBe('Ask a host.')
  })
})
