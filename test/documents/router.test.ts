import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { legal } from '../../src/legal/index.js'
import type { Privity } from '../../src/open.js'
import { file, lasting, lastingResults, namesOf, readSpans } from '../support/router.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

const CORPUS = 'MTD Securities Litigation 9th Circuit'
const QUESTION = 'Find oppositions to MTDs that argue PSLRA falls short on scienter.'

const FILINGS: readonly (readonly [string, string, Record<string, unknown>?])[] = [
  [
    'opp-alpha.txt',
    'Plaintiffs oppose the motion. The PSLRA does not bar this claim: scienter is argued in detail.',
    { filingUnit: 'alpha', versionKind: 'original_as_filed' },
  ],
  [
    'opp-alpha-amended.txt',
    'Plaintiffs oppose the motion, as amended. The PSLRA does not bar this claim: scienter is argued twice.',
    { filingUnit: 'alpha', versionKind: 'amended' },
  ],
  [
    'opp-beta.txt',
    'Defendants misread the Private Securities Litigation Reform Act. Their attack on scienter falls short.',
  ],
  ['opp-gamma.txt', 'The opposition speaks of scienter, and of no statute at all.'],
  ['lunch.txt', 'The menu of the court house: soup and bread.'],
]

describe.each(engines)('the worked example on %s', engine => {
  let store: SharedStore
  let privity: Privity
  const clock = passingClock()

  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance(clock, { domain: legal() })
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  async function brief(order: readonly number[] = FILINGS.map((_, at) => at)) {
    const tenant = store.tenant()
    const host = privity.as({ tenant, actor: 'hana' })
    const cards = new Map<string, string>()
    for (const at of order) {
      const [name, text, more] = FILINGS[at] as (typeof FILINGS)[number]
      cards.set(name, await file(host, name, text, { corpus: CORPUS, ...more }))
    }
    const beta = cards.get('opp-beta.txt') ?? ''
    const [segment] = (await host.documents.read(beta))?.segments ?? []
    const text = FILINGS[2]?.[1] ?? ''
    const start = text.indexOf('Their attack')
    const span = { document: 'opp-beta.txt', start, end: text.length, version: 'opp-beta.txt@1' }
    const { id: memory } = await host.remember({
      kind: 'semantic',
      text: 'Beta argues that the attack on scienter falls short.',
      corpus: CORPUS,
      surface: 'derived_memories',
      derivedFrom: [segment?.id ?? ''],
      spans: [span],
    })
    return { tenant, host, cards, memory, span }
  }
  const asked = { query: QUESTION, scope: { corpusScope: [CORPUS] } }

  it('[SR-1] [SR-2] [SR-3] [SR-5] 21.1: plans by three executors, each with its budget and its reason', async () => {
    const { host } = await brief()
    const { plan, failure } = await host.documents.plan(asked)
    expect(failure).toBeNull()
    expect(plan).toMatchObject({
      queryIntentResolution: {
        resolvedIntent: 'evidence_search',
        resolverKind: 'deterministic_pattern',
        patternId: 'legal_argument_search',
        userCanOverride: true,
      },
      searchScope: {
        retrievalPosture: {
          posture: 'document_text_primary',
          filingContentScope: 'all_filing_parts',
          sourceSpanRequired: true,
          requiredSurfaceDisclosure: true,
        },
        corpusScope: [CORPUS],
      },
      executorAssignments: [
        {
          executorClass: 'doc18_legal_search_direct',
          budgetTokens: 200,
          reasonCode: 'search.legal_citation_lookup',
        },
        {
          executorClass: 'memory_agent',
          budgetTokens: 5_000,
          reasonCode: 'search.derived_memory_argument_synthesis',
        },
        {
          executorClass: 'document_intelligence_agent',
          budgetTokens: 10_000,
          reasonCode: 'search.span_grounded_confirmation_for_synthesis',
        },
      ],
      resultFusionStrategy: 'rrf',
      amendableByExecutor: false,
      topK: 50,
      schemaVersion: 1,
    })
    expect(plan.executorAssignments).toHaveLength(3)
    expect(plan.searchScope.caseScope).toBeUndefined()
    expect(plan.searchScope.temporalScope).toBeUndefined()
    expect(plan.searchIndexSnapshots.length).toBeGreaterThan(0)
    expect(plan.queryExpansionsPlanned).toContainEqual({
      expansionKind: 'citation_normalization',
      appliedTerms: expect.arrayContaining(['Private Securities Litigation Reform Act']),
      source: 'built_in',
      expansionVisibleToSession: true,
    })
  })

  it('[SR-5] [SR-6] [SR-10] 21.1: finds each filing once, as its strongest version, with spans that resolve', async () => {
    const { host, memory, span } = await brief()
    const answer = await host.documents.search({ ...asked, limit: 50 })
    const { results, receipt, expansions } = answer
    expect(new Set(namesOf(answer))).toEqual(
      new Set(['opp-alpha-amended.txt', 'opp-beta.txt', 'opp-gamma.txt', null]),
    )
    const alpha = results.find(({ document }) => document.filingUnit === 'alpha')
    expect(alpha?.versionSelectionDisclosure).toEqual({
      selectedVersion: 'opp-alpha-amended.txt@1',
      excludedVersions: ['opp-alpha.txt@1'],
      selectionBasis: 'legal_version_kind_precedence',
    })
    // Both forms of the act are met, by the executor that looks citations up.
    for (const name of ['opp-alpha-amended.txt', 'opp-beta.txt'])
      expect(results.find(({ document }) => document.documentName === name)?.foundBy).toEqual([
        'doc18_legal_search_direct',
        'document_intelligence_agent',
      ])
    const gamma = results.find(({ document }) => document.documentName === 'opp-gamma.txt')
    expect(gamma?.foundBy).toEqual(['document_intelligence_agent'])
    const remembered = results.find(({ document }) => document.document === memory)
    expect(remembered).toMatchObject({
      resultKind: 'derived_memory',
      foundBy: ['memory_agent'],
      derived: { displayKind: 'synthesis_with_spans', affordance: 'jump_to_source_per_span' },
      sourceSpans: [{ ...span, text: FILINGS[2]?.[1].slice(span.start, span.end) }],
    })
    for (const result of results) {
      expect(result.sourceSpans.length).toBeGreaterThan(0)
      expect(result.matchSurface.length).toBeGreaterThan(0)
    }
    for (const { span: one, text } of await readSpans(host, answer)) expect(text).toBe(one.text)
    // What two found stands before what one found.
    expect(results.at(-1)?.foundBy).toHaveLength(1)
    expect(results.map(({ score }) => score)).toEqual(
      results.map(({ score }) => score).toSorted((a, b) => b - a),
    )
    expect(expansions).toContainEqual(
      expect.objectContaining({
        expansionKind: 'citation_normalization',
        appliedTerms: expect.arrayContaining(['Private Securities Litigation Reform Act']),
        expansionSource: 'built_in',
        expansionVisibleToSession: true,
      }),
    )
    expect(receipt).toMatchObject({
      kind: 'internal',
      searchedCorpora: [CORPUS],
      excludedCount: 0,
      resultSetCompleteness: 'exhaustive_for_scope',
      expansionDisclosureProvided: true,
      scopeDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('[CV-1] 21.1: leaves a plan, a manifest and both receipts, and citing one keeps it', async () => {
    const { host, tenant } = await brief()
    const { plan, receipt } = await host.documents.search(asked)
    const searchRun = receipt?.searchRunId ?? ''
    const kept = await host.receipts.get(searchRun)
    expect(kept?.plan).toMatchObject({
      planId: plan.planId,
      queryIntentResolution: plan.queryIntentResolution,
      executorAssignments: plan.executorAssignments,
      resultFusionStrategy: 'rrf',
    })
    expect(kept?.manifest).toMatchObject({ planId: plan.planId, fusionStrategy: 'rrf' })
    expect(kept?.manifest.executorExecutions.map(one => [one.executorClass, one.resultCount])).toEqual([
      ['doc18_legal_search_direct', 2],
      ['memory_agent', 1],
      ['document_intelligence_agent', 3],
    ])
    expect(kept?.receipt.kind).toBe('internal')
    expect(kept?.expansions.map(({ expansionKind }) => expansionKind)).toContain('citation_normalization')
    expect(kept?.retention.retentionClass).toBe('ephemeral_session_lifetime')
    const cited = await host.receipts.cite({ searchRun })
    expect(cited.retention).toMatchObject({
      retentionClass: 'durable_audit_1y',
      because: ['persisted_in_answer'],
    })
    const agent = privity.as({
      tenant,
      actor: 'aide',
      for: 'hana',
      audience: 'agent',
      trust: { maxSensitivity: 'medium' },
    })
    const seen = (await agent.documents.search(asked)).receipt
    expect(seen?.kind).toBe('visible')
    expect(seen).not.toHaveProperty('policyFilteredCount')
  })

  it('[SR-1] plans the same for the same question, carries that plan out, and orders by content alone', async () => {
    const { host } = await brief()
    const first = await host.documents.plan(asked)
    const second = await host.documents.plan(asked)
    expect(lasting(second.plan)).toEqual(lasting(first.plan))
    expect(second.plan.planId).not.toBe(first.plan.planId)
    const answer = await host.documents.search(asked)
    expect(lasting(answer.plan)).toEqual(lasting(first.plan))
    expect(lastingResults(await host.documents.search(asked))).toEqual(lastingResults(answer))
    const { host: other } = await brief([4, 2, 0, 3, 1])
    const shuffled = await other.documents.search(asked)
    expect(namesOf(shuffled)).toEqual(namesOf(answer))
    expect(shuffled.results.map(({ score }) => score)).toEqual(answer.results.map(({ score }) => score))
    // Another state is another snapshot.
    await file(host, 'more.txt', 'Another brief on scienter.', { corpus: CORPUS })
    const third = await host.documents.plan(asked)
    expect(third.plan.searchIndexSnapshots).not.toEqual(first.plan.searchIndexSnapshots)
    expect(third.plan.executorAssignments).toEqual(first.plan.executorAssignments)
  })

  it('[SR-3] takes the eight examples for what they are', async () => {
    const { host } = await brief()
    for (const [query, posture, filingContentScope, sourceSpanRequired, sourceSpanCountMinimum] of [
      ['What does brief argue about scienter?', 'document_text_primary', 'lead_argument_only', true],
      ['Find risk disclosure defendants cite', 'document_text_primary', 'all_filing_parts', true],
      ['Show me the proposed order', 'document_text_primary', 'proposed_orders_only', true],
      ['What documents were filed with motion?', 'metadata_primary', 'package_metadata_only', false],
      ['Quote what they said', 'document_text_primary', 'lead_argument_only', true],
      ['Themes across briefs', 'cross_source_synthesis', 'all_argument_parts', true, 3],
      [
        'Across these briefs, where did scienter come up',
        'cross_source_synthesis',
        'all_filing_parts',
        true,
        2,
      ],
      ['Show me my notes on this brief', 'derived_memory_primary', undefined, false],
    ] as const) {
      const { plan } = await host.documents.plan({ query })
      expect({ query, ...plan.searchScope.retrievalPosture }).toEqual({
        query,
        posture,
        ...(filingContentScope === undefined ? {} : { filingContentScope }),
        sourceSpanRequired,
        ...(sourceSpanCountMinimum === undefined ? {} : { sourceSpanCountMinimum }),
        requiredSurfaceDisclosure: true,
        schemaVersion: 1,
      })
      expect(plan.topK).toBe(['metadata_primary', 'cross_source_synthesis'].includes(posture) ? 100 : 50)
    }
  })

  it('[SR-3] refuses the names that postures had, and those that none has', async () => {
    const { host } = await brief()
    for (const posture of ['content_primary', 'memory_primary', 'hybrid_disclosed', 'synthesis_disclosed'])
      for (const ask of [host.documents.plan, host.documents.search, host.documents.bundle])
        expect(await refusalOf(ask({ query: 'soup', posture }))).toMatchObject({
          code: 'invalid_input',
          reason: 'posture_name_v3_legacy',
        })
    expect(await refusalOf(host.documents.plan({ query: 'soup', posture: 'constructor' }))).toMatchObject({
      code: 'invalid_input',
      reason: undefined,
    })
  })

  it('[SR-3] looks where the posture says: what is asked of documents is answered by documents', async () => {
    const { host, memory } = await brief()
    const ids = async (posture: string) =>
      (await host.documents.search({ query: 'scienter', posture, limit: 50 })).results.map(
        ({ document }) => document.document,
      )
    expect(await ids('document_text_primary')).not.toContain(memory)
    expect(await ids('derived_memory_primary')).toEqual([memory])
    expect(await ids('mixed_surface_disclosed')).toContain(memory)
    expect((await ids('mixed_surface_disclosed')).length).toBeGreaterThan(2)
    // Cards alone: they speak of documents, not of what stands in them.
    const facts = await host.documents.search({ query: 'What documents were filed with the opposition?' })
    expect(facts.plan.searchScope.retrievalPosture.posture).toBe('metadata_primary')
    for (const { resultKind } of facts.results) expect(resultKind).toBe('filing_unit')
  })
})
