import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LEGAL_QUESTIONS } from '../../../legal/questions.js'
import { findReasonCode } from '../../../policy/reason-codes.js'
import { assignDirect, assignExecutors, EXECUTOR_CLASSES, hasArgument, hasTheme } from './assign.js'
import { namedPosture, POSTURES, postureFor } from './posture.js'

const PLAIN = 'garden shed'
const EXAMPLE = 'Find oppositions to MTDs that argue PSLRA falls short on scienter.'

type RouterQuery = Parameters<typeof assignExecutors>[0]
const who = (asked: Partial<RouterQuery> & Pick<RouterQuery, 'posture'>) => {
  const { assignments, resultFusionStrategy } = assignExecutors({
    query: PLAIN,
    cites: false,
    corpora: [],
    ...asked,
  })
  return [...assignments.map(({ executorClass }) => executorClass), resultFusionStrategy]
}

describe('executors', () => {
  it('[SR-5] are those of the specification', () => {
    expect(EXECUTOR_CLASSES).toEqual([
      'primary_direct',
      'doc18_legal_search_direct',
      'memory_agent',
      'document_intelligence_agent',
    ])
  })

  it('[SR-5] are for example 21.1 its three, in its order, with its budgets and reasons', () => {
    const corpus = 'MTD Securities Litigation 9th Circuit'
    const posture = postureFor({ query: EXAMPLE, intent: 'evidence_search' }, LEGAL_QUESTIONS.postures)
    expect(assignExecutors({ query: EXAMPLE, posture, cites: true, corpora: [corpus] })).toStrictEqual({
      assignments: [
        {
          executorClass: 'doc18_legal_search_direct',
          scopeRef: corpus,
          budgetTokens: 200,
          deadlineMs: 2_000,
          reasonCode: 'search.legal_citation_lookup',
          schemaVersion: 1,
        },
        {
          executorClass: 'memory_agent',
          scopeRef: corpus,
          budgetTokens: 5_000,
          deadlineMs: 5_000,
          reasonCode: 'search.derived_memory_argument_synthesis',
          schemaVersion: 1,
        },
        {
          executorClass: 'document_intelligence_agent',
          scopeRef: corpus,
          budgetTokens: 10_000,
          deadlineMs: 10_000,
          reasonCode: 'search.span_grounded_confirmation_for_synthesis',
          schemaVersion: 1,
        },
      ],
      resultFusionStrategy: 'rrf',
    })
  })

  it('[SR-5] are by posture those of 002 §11.4', () => {
    expect(POSTURES.map(name => [name, ...who({ posture: namedPosture(name) })])).toEqual([
      ['document_text_primary', 'primary_direct', 'executor_priority'],
      ['derived_memory_primary', 'memory_agent', 'executor_priority'],
      ['metadata_primary', 'primary_direct', 'executor_priority'],
      ['mixed_surface_disclosed', 'primary_direct', 'memory_agent', 'rrf'],
      ['cross_source_synthesis', 'memory_agent', 'document_intelligence_agent', 'rrf'],
    ])
  })

  it('[SR-5] of citations stand first where something is cited, alone where text is looked up', () => {
    expect(POSTURES.map(name => [name, ...who({ posture: namedPosture(name), cites: true })])).toEqual([
      ['document_text_primary', 'doc18_legal_search_direct', 'executor_priority'],
      ['derived_memory_primary', 'doc18_legal_search_direct', 'memory_agent', 'rrf'],
      ['metadata_primary', 'doc18_legal_search_direct', 'primary_direct', 'rrf'],
      ['mixed_surface_disclosed', 'doc18_legal_search_direct', 'primary_direct', 'memory_agent', 'rrf'],
      [
        'cross_source_synthesis',
        'doc18_legal_search_direct',
        'memory_agent',
        'document_intelligence_agent',
        'rrf',
      ],
    ])
  })

  it.each(['arguments on scienter', 'themes of greed'])('[SR-5] of memories are added for %j', query => {
    expect(POSTURES.map(name => [name, ...who({ posture: namedPosture(name), query })])).toEqual([
      ['document_text_primary', 'primary_direct', 'memory_agent', 'document_intelligence_agent', 'rrf'],
      ['derived_memory_primary', 'memory_agent', 'executor_priority'],
      ['metadata_primary', 'primary_direct', 'memory_agent', 'rrf'],
      ['mixed_surface_disclosed', 'primary_direct', 'memory_agent', 'rrf'],
      ['cross_source_synthesis', 'memory_agent', 'document_intelligence_agent', 'rrf'],
    ])
  })

  it('[SR-5] of passages are added to several where spans are required, and only there', () => {
    const mixed = namedPosture('mixed_surface_disclosed')
    expect(who({ posture: mixed })).not.toContain('document_intelligence_agent')
    expect(who({ posture: { ...mixed, sourceSpanRequired: true } })).toContain('document_intelligence_agent')
    expect(who({ posture: namedPosture('document_text_primary') })).not.toContain(
      'document_intelligence_agent',
    )
  })

  it('[SR-6] have weights where they are summed by them, and only there', () => {
    const posture = namedPosture('mixed_surface_disclosed')
    const asked = { query: PLAIN, posture, cites: false, corpora: [], weights: { memory_agent: 3 } }
    const weightsOf = (fusion?: 'weighted_sum' | 'rrf') =>
      assignExecutors({ ...asked, fusion }).assignments.map(({ weight }) => weight)
    expect(weightsOf('weighted_sum')).toEqual([1, 3])
    expect(weightsOf('rrf')).toEqual([undefined, undefined])
    expect(weightsOf()).toEqual([undefined, undefined])
  })

  it('[SR-5] say why they search', () => {
    const reasonOf = (posture: (typeof POSTURES)[number], query = PLAIN) =>
      assignExecutors({ query, posture: namedPosture(posture), cites: false, corpora: [] }).assignments.find(
        ({ executorClass }) => executorClass === 'memory_agent',
      )?.reasonCode
    expect(reasonOf('derived_memory_primary')).toBe('search.derived_memory_lookup')
    expect(reasonOf('mixed_surface_disclosed')).toBe('search.derived_memory_lookup')
    expect(reasonOf('mixed_surface_disclosed', 'themes')).toBe('search.derived_memory_argument_synthesis')
    expect(reasonOf('mixed_surface_disclosed', 'arguments')).toBe('search.derived_memory_argument_synthesis')
    expect(reasonOf('cross_source_synthesis')).toBe('search.derived_memory_argument_synthesis')
  })

  it('[SR-5] search a corpus, several, or all that is visible', () => {
    const refs = (corpora: readonly string[]) =>
      assignExecutors({
        query: PLAIN,
        posture: namedPosture('mixed_surface_disclosed'),
        cites: false,
        corpora,
      }).assignments.map(({ scopeRef }) => scopeRef)
    expect(refs([])).toEqual(['all_visible', 'all_visible'])
    expect(refs(['Briefs'])).toEqual(['Briefs', 'Briefs'])
    expect(refs(['Briefs', 'Orders'])).toEqual(['corpus_scope', 'corpus_scope'])
  })

  it('[SR-5] are one that looks directly where nothing is routed', () => {
    expect(assignDirect([])).toStrictEqual({
      executorClass: 'primary_direct',
      scopeRef: 'all_visible',
      budgetTokens: 200,
      deadlineMs: 2_000,
      reasonCode: 'search.direct_lookup',
      schemaVersion: 1,
    })
    expect(assignDirect(['Briefs']).scopeRef).toBe('Briefs')
  })

  it('[SR-5] are the same for equal questions, each once, in one order, with limits and a registered reason', () => {
    const ORDER = [
      'doc18_legal_search_direct',
      'primary_direct',
      'memory_agent',
      'document_intelligence_agent',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...POSTURES),
        fc.constantFrom(PLAIN, EXAMPLE, 'themes across briefs', 'what they argue'),
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
        (name, query, cites, sourceSpanRequired, corpora) => {
          const posture = Object.freeze({ ...namedPosture(name), sourceSpanRequired })
          const asked = Object.freeze({ query, posture, cites, corpora: Object.freeze(corpora) })
          const { assignments, resultFusionStrategy } = assignExecutors(asked)
          expect(assignExecutors(asked)).toStrictEqual({ assignments, resultFusionStrategy })
          const places = assignments.map(({ executorClass }) => ORDER.indexOf(executorClass))
          expect(places.length).toBeGreaterThan(0)
          expect(places).toEqual([...new Set(places)].sort())
          expect(resultFusionStrategy).toBe(places.length > 1 ? 'rrf' : 'executor_priority')
          for (const { budgetTokens, deadlineMs, reasonCode } of assignments) {
            expect(budgetTokens).toBeGreaterThan(0)
            expect(deadlineMs).toBeGreaterThan(0)
            expect(findReasonCode(reasonCode)?.visibility).toBe('expose')
          }
        },
      ),
    )
  })
})

describe('words', () => {
  it.each([
    'that argue X',
    'Arguments',
    'they contended it',
    'PSLRA falls short',
    'the court’s reasoning',
  ])('[SR-5] tell of an argument: %s', query => {
    expect(hasArgument(query)).toBe(true)
    expect(hasTheme(query)).toBe(false)
  })

  it.each([
    'Themes',
    'common threads',
    'recurring delays',
    'a trend',
  ])('[SR-5] tell of a theme: %s', query => {
    expect(hasTheme(query)).toBe(true)
    expect(hasArgument(query)).toBe(false)
  })

  it.each([
    PLAIN,
    'Argus',
    'claims adjuster',
    'patterned',
    'trendy',
    '',
  ])('[SR-5] tell of neither: %j', query => {
    expect(hasArgument(query)).toBe(false)
    expect(hasTheme(query)).toBe(false)
  })
})
