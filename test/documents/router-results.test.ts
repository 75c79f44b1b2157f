import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { legal } from '../../src/legal/index.js'
import type { Privity } from '../../src/open.js'
import { testEmbedding } from '../../src/testing/embedding.js'
import { base64, file, foundBy, namesOf, readSpans } from '../support/router.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { grantLink, keep, openLink, type PassingClock, passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

const ACROSS = 'Across these briefs, where did laches come up'

describe.each(engines)('what a routed question answers on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let clock: PassingClock

  beforeAll(async () => {
    clock = passingClock()
    store = await sharedStore(engine)
    privity = await store.instance(clock, { domain: legal() })
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  const world = () => {
    const tenant = store.tenant()
    const agent = (maxSensitivity: 'low' | 'medium' = 'low') =>
      privity.as({ tenant, actor: 'aide', for: 'hana', audience: 'agent', trust: { maxSensitivity } })
    return { tenant, host: privity.as({ tenant, actor: 'hana' }), agent }
  }
  const guestOf = async (
    host: Handle,
    view: Record<string, unknown> = {},
    link: Record<string, unknown> = {},
  ) => {
    const { view: made } = await host.views.create({ corpus: 'bank', ...view })
    return (await openLink(privity, (await grantLink(host, [made], link)).token)).guest
  }
  const kindOf = async (answer: Promise<{ failure: { failureKind: string } | null }>) =>
    (await answer).failure?.failureKind ?? null

  describe('failures', () => {
    it('[SR-7] an empty result is none, and says that it is complete', async () => {
      const { host } = world()
      await file(host, 'brief.txt', 'The brief.')
      const { failure, results, notice, receipt } = await host.documents.search({
        query: 'zebra',
        mode: 'text',
      })
      expect({ failure, results, notice }).toEqual({
        failure: null,
        results: [],
        notice: 'No results found.',
      })
      expect(receipt?.resultSetCompleteness).toBe('exhaustive_for_scope')
    })

    it('[SR-7] documents are asked for and there is none, with memories or without', async () => {
      const { host } = world()
      const query = 'Quote what they said about laches'
      const asked = [host.documents.plan, host.documents.search, host.documents.bundle]
      for (const ask of asked) expect(await kindOf(ask({ query }))).toBe('document_required_unavailable')
      await host.remember({ kind: 'semantic', text: 'They said nothing about laches.' })
      for (const ask of asked) expect(await kindOf(ask({ query }))).toBe('document_required_unavailable')
      const { results, receipt, notice, count } = await host.documents.search({ query })
      expect({ results, receipt, notice, count }).toEqual({
        results: [],
        receipt: null,
        notice: null,
        count: 0,
      })
      expect(await host.documents.expand({ query })).toEqual({ expansions: [] })
      expect(await kindOf(host.documents.search({ query: 'laches' }))).toBeNull()
      await file(host, 'brief.txt', 'Something else.')
      expect(await kindOf(host.documents.search({ query }))).toBeNull()
    })

    it('[SR-7] [SR-14] what is asked about is still being read', async () => {
      const { host } = world()
      await host.documents.ingest({
        document: 'late.txt',
        corpus: 'bank',
        content: base64('The late brief.'),
        extract: 'later',
      })
      const ask = { query: 'brief', scope: { corpusScope: ['bank'] } }
      expect(await kindOf(host.documents.search(ask))).toBe('extraction_in_flight_required_for_query')
      expect(
        await kindOf(host.documents.plan({ query: 'brief', scope: { filingUnitScope: ['late.txt'] } })),
      ).toBe('extraction_in_flight_required_for_query')
      // What waits elsewhere is no matter.
      expect(
        await kindOf(host.documents.plan({ query: 'brief', scope: { corpusScope: ['other'] } })),
      ).toBeNull()
      await host.documents.extract({ document: 'late.txt' })
      expect(await kindOf(host.documents.search(ask))).toBeNull()
      expect(await foundBy(host, 'brief')).toEqual(['late.txt'])
    })

    it('[SR-7] what waits beside what was read keeps nothing from being answered', async () => {
      const { host } = world()
      await file(host, 'read.txt', 'The brief that was read.')
      await host.documents.ingest({
        document: 'late.txt',
        corpus: 'bank',
        content: base64('The late brief.'),
        extract: 'later',
      })
      expect(await foundBy(host, 'brief')).toEqual(['read.txt'])
    })

    it('[SR-7] a session that is shown no memories is asked for them', async () => {
      const { host } = world()
      await keep(host, 'A brief.')
      const guest = await guestOf(host)
      expect(await kindOf(guest.documents.search({ query: 'Show me my notes on this brief' }))).toBe(
        'scope_exceeds_session_capability',
      )
      expect(await kindOf(guest.documents.search({ query: 'brief' }))).toBeNull()
    })

    it('[SR-7] an index that is not current is no ground for a complete answer', async () => {
      const { tenant } = world()
      const embedding = testEmbedding()
      const meaning = await store.instance(clock, { domain: legal(), embedding: [embedding] })
      const host = meaning.as({ tenant, actor: 'hana' })
      embedding.fail('documents')
      await keep(host, 'A brief.')
      const ask = { query: 'brief', requireComplete: true }
      expect(await kindOf(host.documents.search(ask))).toBe('index_stale_blocks_completeness')
      const partial = await host.documents.search({ query: 'brief' })
      expect(partial.failure).toBeNull()
      expect(partial.receipt?.resultSetCompleteness).toBe('partial_due_to_staleness')
      const empty = await host.documents.bundle({ query: 'zebra', mode: 'text' })
      expect(empty.notice).toBe('No results found.')
      const none = await host.documents.search({ query: 'zebra' })
      if (none.results.length === 0)
        expect(none.notice).toBe('No results in what was searched; the index was not current.')
      expect(await kindOf(host.documents.search({ ...ask, mode: 'text' }))).toBeNull()
      await meaning.close()
    })

    it('[SR-7, CV-3] files that wait or could not be read are named, and leave no complete answer', async () => {
      const { host, agent } = world()
      await file(host, 'read.txt', 'A brief on laches.')
      await host.documents.ingest({
        document: 'waits.txt',
        corpus: 'bank',
        content: base64('A brief that waits.'),
        extract: 'later',
      })
      const ask = { query: 'laches', mode: 'text' as const }
      const waits = (await host.documents.search(ask)).receipt
      expect(waits).toMatchObject({ waitingFiles: ['waits.txt'], unreadFiles: [], stalenessFilteredCount: 1 })
      expect(await kindOf(host.documents.search({ ...ask, requireComplete: true }))).toBe(
        'extraction_in_flight_required_for_query',
      )
      const other = world()
      await file(other.host, 'read.txt', 'A brief on laches.')
      await other.host.documents.ingest({
        document: 'broken.pdf',
        corpus: 'bank',
        content: base64('%PDF-1.7 of nothing'),
      })
      const { receipt, failure } = await other.host.documents.search(ask)
      expect(failure).toBeNull()
      expect(receipt).toMatchObject({
        waitingFiles: [],
        unreadFiles: ['broken.pdf'],
        resultSetCompleteness: 'partial_due_to_index_health',
      })
      expect(await kindOf(other.host.documents.search({ ...ask, requireComplete: true }))).toBe(
        'index_stale_blocks_completeness',
      )
      // Names of files are not kept, and an agent is told none.
      const kept = await other.host.receipts.get(receipt?.searchRunId ?? '')
      expect(kept?.receipt).toMatchObject({ unreadFiles: [] })
      expect(JSON.stringify((await agent().documents.search(ask)).receipt)).not.toContain('waits.txt')
    })

    it('[SR-3] whoever names the posture of facts gets cards', async () => {
      const { host } = world()
      await file(host, 'brief.txt', 'A brief on laches.', { title: 'On laches' })
      const kinds = async (more: object) =>
        (await host.documents.search({ query: 'laches', posture: 'metadata_primary', ...more })).results.map(
          ({ resultKind }) => resultKind,
        )
      expect(await kinds({})).toEqual(['filing_unit'])
      expect(await kinds({ filingContentScope: 'all_filing_parts' })).toEqual(['artifact_segment'])
    })

    it('[SR-10] what an amended version replaced says so, where only it matches', async () => {
      const { host, agent } = world()
      const version = (name: string, versionKind: 'original_as_filed' | 'amended', text: string, more = {}) =>
        file(host, name, text, { filingUnit: 'u-1', versionKind, ...more })
      await version('a.txt', 'original_as_filed', 'We rely on laches.')
      const told = async (handle: Handle) =>
        (await handle.documents.search({ query: 'laches', mode: 'text' })).results.map(
          ({ supersededBy }) => supersededBy,
        )
      expect(await told(host)).toEqual([[]])
      await version('b.txt', 'amended', 'We rely on estoppel.', { sensitivity: 'high' })
      expect(await told(host)).toEqual([['b.txt@1']])
      const { text } = await host.documents.bundle({ query: 'laches', mode: 'text' })
      expect(text).toContain('"supersededBy":["b.txt@1"]')
      expect(await told(agent())).toEqual([[]])
    })

    it('[SR-4] a document of which a guest sees the beginning is found in its corpus', async () => {
      const { host } = world()
      await file(host, 'brief.txt', 'Laches bars it.')
      await host.overlays.add({ target: { kind: 'document', ref: 'brief.txt' }, restriction: 'preview_only' })
      const guest = await guestOf(host)
      const faces = async (corpus: string) =>
        (
          await guest.documents.search({ query: 'laches', mode: 'text', scope: { corpusScope: [corpus] } })
        ).results.map(({ document }) => document.face)
      expect(await faces('bank')).toContain('preview')
      expect(await faces('vault')).toEqual([])
      // Whoever is bound by no view is not told the corpus of what it sees in part.
      const own = await host.documents.search({ query: 'laches', scope: { corpusScope: ['bank'] } })
      expect(own.results).toEqual([])
    })

    it('[SR-16] something derived says how far it can be relied on', async () => {
      const { host } = world()
      await keep(host, 'A brief on laches.')
      await host.remember({ kind: 'semantic', text: 'Laches, they argue.', confidence: 0.6 })
      const { results } = await host.documents.search({ query: 'laches', mode: 'text' })
      expect(results.map(({ derived }) => derived?.cuAuthority ?? null).sort()).toEqual([0.6, null].sort())
    })

    it('[CV-1, CV-2] an internal receipt names what was searched and what the question left out', async () => {
      const { tenant, host } = world()
      await file(host, 'one.txt', 'A brief on laches.', { filingUnit: 'unit-1' })
      await file(host, 'two.txt', 'Another brief on laches.', { filingUnit: 'unit-2', corpus: 'vault' })
      await host.documents.ingest({
        document: 'three.txt',
        corpus: 'bank',
        content: base64('A brief that waits.'),
        extract: 'later',
      })
      const answer = await host.documents.search({
        query: 'laches',
        mode: 'text',
        filingContentScope: 'lead_argument_only',
        scope: { corpusScope: ['bank'] },
      })
      const named = {
        kind: 'internal',
        searchedCorpora: ['bank'],
        searchedCorpusSegments: ['bank/source_documents'],
        searchedFilingUnits: ['unit-1'],
        excludedCorpora: ['vault'],
        excludedFilingUnits: ['unit-2'],
        excludedFilingParts: expect.arrayContaining(['exhibit', 'proposed_order']),
        stalenessFilteredCount: 1,
        anyIndexStale: true,
        stalenessSummary: [{ indexId: expect.any(String), staleSeconds: expect.any(Number) }],
      }
      expect(answer.receipt).toMatchObject(named)
      const kept = await host.receipts.get(answer.receipt?.searchRunId ?? '')
      expect(kept?.receipt).toMatchObject(named)
      expect({ resultCount: answer.resultCount, manifestRef: answer.manifestRef }).toEqual({
        resultCount: answer.results.length,
        manifestRef: kept?.manifest.manifestId,
      })
      // A filing that is gone is not named by what was searched before.
      await host.documents.remove({ document: 'one.txt' })
      const after = (await host.receipts.get(answer.receipt?.searchRunId ?? ''))?.receipt
      expect(after).toMatchObject({ searchedFilingUnits: [], excludedFilingUnits: ['unit-2'] })
      const trust = { maxSensitivity: 'low' } as const
      const agent = privity.as({ tenant, actor: 'aide', for: 'hana', audience: 'agent', trust })
      const seen = (await agent.documents.search({ query: 'laches', mode: 'text' })).receipt
      expect(seen).not.toHaveProperty('searchedFilingUnits')
    })

    it('[SR-7] a session that does not stand is refused before there is a plan', async () => {
      const { tenant, host } = world()
      await keep(host, 'A brief.')
      const { profile } = await host.profiles.create()
      const bound = privity.as({ tenant, actor: 'hana', profile })
      expect(await refusalOf(bound.documents.search({ query: 'brief' }))).toMatchObject({
        code: 'session_profile_invalid',
      })
      await host.profiles.activate(profile)
      expect(await refusalOf(bound.documents.search({ query: 'brief' }))).toBeNull()
    })

    it('[SR-7] one whose policy forbids to search is refused as well, and nothing is left of it', async () => {
      const { tenant, host } = world()
      await keep(host, 'A brief.')
      await privity.as({ tenant, actor: 'root', audience: 'host' }).policies.set({
        policy: 'no-search',
        mode: 'allow_all_except',
        deniedCapabilities: [{ kind: 'namespace_all', namespace: 'search' }],
      })
      const { profile } = await host.profiles.create({ capabilityPolicyRef: 'no-search' })
      await host.profiles.activate(profile)
      const bound = privity.as({ tenant, actor: 'hana', profile })
      const runs = async () =>
        (await store.sql('select 1 from privity.search_runs where tenant_id = $1', [tenant])).length
      const before = await runs()
      for (const ask of ['search', 'plan', 'expand', 'bundle'] as const)
        expect(await refusalOf(bound.documents[ask]({ query: 'brief' }))).toMatchObject({
          code: 'not_allowed',
          reason: 'session.capability_blocked_by_policy',
        })
      expect(await runs()).toBe(before)
    })
  })

  describe('a synthesis', () => {
    it('[SR-9] rests on as many documents as it needs, each with spans that resolve, or fails', async () => {
      const { host } = world()
      const text = 'We say that laches bars it, and argue so.'
      const card = await file(host, 'one.txt', text)
      const [segment] = (await host.documents.read(card))?.segments ?? []
      const remember = (more: Record<string, unknown> = {}) =>
        host.remember({
          kind: 'semantic',
          text: 'Laches comes up everywhere.',
          corpus: 'bank',
          derivedFrom: [segment?.id ?? ''],
          ...more,
        })
      await remember()
      const failed = await host.documents.search({ query: ACROSS })
      expect(failed.plan.searchScope.retrievalPosture).toMatchObject({
        posture: 'cross_source_synthesis',
        sourceSpanCountMinimum: 2,
      })
      expect(failed.failure).toMatchObject({
        failureKind: 'memory_only_source_unavailable',
        failureReasonCode: 'search.memory_only_source_unavailable',
        schemaVersion: 1,
      })
      expect({ results: failed.results, notice: failed.notice }).toEqual({ results: [], notice: null })
      // Two places in one document are one document.
      await file(host, 'one.txt', `${text} Laches again.`)
      expect(await kindOf(host.documents.search({ query: ACROSS }))).toBe('memory_only_source_unavailable')
      await file(host, 'two.txt', 'Nor does laches help them here.')
      const { id: grounded } = await remember({
        derivedFrom: [],
        spans: [{ document: 'two.txt', start: 4, end: 15 }],
      })
      const answer = await host.documents.search({ query: ACROSS, limit: 50 })
      expect(answer.failure).toBeNull()
      expect(answer.results.map(({ document }) => document.document)).toContain(grounded)
      expect(new Set(namesOf(answer))).toEqual(new Set(['one.txt', 'two.txt', null]))
      const spans = await readSpans(host, answer)
      expect(spans.length).toBeGreaterThan(2)
      for (const { span, text } of spans) expect(text).toBe(span.text)
      for (const { sourceSpans } of answer.results) expect(sourceSpans.length).toBeGreaterThan(0)
    })

    it('[SR-9] themes need three', async () => {
      const { host } = world()
      const themes = { query: 'Themes of laches across briefs' }
      for (const at of [1, 2]) await file(host, `${at}.txt`, `Laches is a theme of brief ${at}.`)
      expect(await kindOf(host.documents.search(themes))).toBe('memory_only_source_unavailable')
      await file(host, '3.txt', 'Laches is a theme here too.')
      expect(await kindOf(host.documents.search(themes))).toBeNull()
    })

    it('[SR-9] documents of one name that two owners have are two', async () => {
      const { host } = world()
      const group = await host.groups.create({ name: 'team' })
      await host.groups.addMember({ group: group.id, member: 'hana' })
      await file(host, 'brief.txt', 'We say laches.')
      await file(host, 'brief.txt', 'So say laches.', { owner: group.principal })
      const remember = (owner?: string) =>
        host.remember({
          kind: 'semantic',
          text: 'Who says what?',
          spans: [{ document: 'brief.txt', start: 0, end: 6 }],
          ...(owner === undefined ? {} : { owner }),
        })
      await remember()
      await remember(group.principal)
      const memories = await host.documents.search({ query: 'who', posture: 'derived_memory_primary' })
      expect(memories.results.map(({ sourceSpans }) => sourceSpans[0]?.text).toSorted()).toEqual([
        'So say',
        'We say',
      ])
      const answer = await host.documents.search({ query: ACROSS })
      expect(answer.failure).toBeNull()
      expect(answer.results).toHaveLength(2)
      const { citations } = await host.documents.bundle({ query: ACROSS })
      expect(new Set(citations.map(({ record }) => record)).size).toBe(2)
    })

    it('[SR-9] [NI-6] a document that is not seen bears nothing out', async () => {
      const { host, agent } = world()
      await file(host, 'open.txt', 'We say laches.')
      await file(host, 'closed.txt', 'They say laches.', { sensitivity: 'hyper' })
      await host.remember({
        kind: 'semantic',
        text: 'All say laches.',
        corpus: 'bank',
        sensitivity: 'low',
        spans: [
          { document: 'open.txt', start: 0, end: 6 },
          { document: 'closed.txt', start: 0, end: 8 },
          { document: 'open.txt', start: 7, end: 99 },
          { document: 'nowhere.txt', start: 0, end: 1 },
        ],
      })
      expect(await kindOf(host.documents.search({ query: ACROSS }))).toBeNull()
      expect(await kindOf(agent().documents.search({ query: ACROSS }))).toBe('memory_only_source_unavailable')
      const spansOf = async (handle: Handle) =>
        (
          await handle.documents.search({ query: 'laches', posture: 'derived_memory_primary' })
        ).results[0]?.sourceSpans.map(({ document, text }) => [document, text])
      expect(await spansOf(host)).toEqual([
        ['open.txt', 'We say'],
        ['closed.txt', 'They say'],
      ])
      expect(await spansOf(agent())).toEqual([['open.txt', 'We say']])
    })
  })

  describe('results', () => {
    it('[SR-16] what was derived leads to its sources, or says that it is a summary', async () => {
      const { host } = world()
      await file(host, 'brief.txt', 'We say laches.')
      await host.remember({
        kind: 'semantic',
        text: 'Laches with a source.',
        spans: [{ document: 'brief.txt', start: 7, end: 13 }],
      })
      await host.remember({ kind: 'semantic', text: 'Laches without one.' })
      const { results } = await host.documents.search({ query: 'laches', limit: 50 })
      const shown = (start: string) =>
        results.find(({ snippet }) => snippet.passages[0]?.text.startsWith(start))
      expect(shown('Laches with a')).toMatchObject({
        resultKind: 'derived_memory',
        derived: { displayKind: 'synthesis_with_spans', affordance: 'jump_to_source_per_span' },
        sourceSpans: [{ document: 'brief.txt', start: 7, end: 13, text: 'laches' }],
      })
      expect(shown('Laches without')).toMatchObject({
        derived: { displayKind: 'synthesis_summary_no_spans', affordance: 'synthesis_summary_framing_only' },
        sourceSpans: [],
      })
      expect(shown('We say')?.derived).toBeNull()
      // Where a source is asked for, what leads to none is no answer.
      const evidence = await host.documents.search({
        query: 'What do the plaintiffs argue about laches?',
        limit: 50,
      })
      expect(evidence.plan.executorAssignments.map(one => one.executorClass)).toContain('memory_agent')
      expect(evidence.results.map(({ derived }) => derived?.displayKind ?? null).toSorted()).toEqual(
        [null, 'synthesis_with_spans'].toSorted(),
      )
    })

    it('[SR-16] places are counted as JavaScript counts them, in documents that were written whole as well', async () => {
      const { host } = world()
      const text = `${'😀'.repeat(40)} laches 😀 ends here`
      await keep(host, text, { document: 'faces.txt' })
      await file(host, 'ingested.txt', text)
      for (const document of ['faces.txt', 'ingested.txt']) {
        const start = text.indexOf('ends')
        await host.remember({
          kind: 'semantic',
          text: `It ends in ${document}`,
          spans: [{ document, start, end: start + 9 }],
        })
      }
      // There is nothing behind the end of a text.
      const beyond = { document: 'faces.txt', start: text.length - 4, end: text.length + 1 }
      await host.remember({ kind: 'semantic', text: 'It goes on.', spans: [beyond] })
      const [past] = (await host.documents.search({ query: 'goes', posture: 'derived_memory_primary' }))
        .results
      expect(past?.sourceSpans).toEqual([])
      const { results } = await host.documents.search({ query: 'ends', posture: 'derived_memory_primary' })
      expect(results.map(({ sourceSpans }) => sourceSpans.map(one => one.text))).toEqual([
        ['ends here'],
        ['ends here'],
      ])
    })

    it('[SR-11] a memory whose source changed is found in no posture until it is made again', async () => {
      const { host } = world()
      const card = await file(host, 'brief.txt', 'We say laches.')
      const [segment] = (await host.documents.read(card))?.segments ?? []
      const derive = async (from: string, version: number) =>
        (
          await host.remember({
            kind: 'semantic',
            text: 'They argue laches.',
            derivedFrom: [from],
            spans: [{ document: 'brief.txt', start: 0, end: 6, version: `brief.txt@${version}` }],
          })
        ).id
      const memory = await derive(segment?.id ?? '', 1)
      const postures = [
        'document_text_primary',
        'derived_memory_primary',
        'metadata_primary',
        'mixed_surface_disclosed',
        'cross_source_synthesis',
      ]
      const ids = async (posture: string) =>
        (await host.documents.search({ query: 'arguments laches', posture, limit: 50 })).results.map(
          ({ document }) => document.document,
        )
      expect(await ids('derived_memory_primary')).toEqual([memory])
      const next = await file(host, 'brief.txt', 'We say laches, and more.')
      for (const posture of postures) expect(await ids(posture)).not.toContain(memory)
      const [changed] = (await host.documents.read(next))?.segments ?? []
      const again = await derive(changed?.id ?? '', 2)
      expect(await ids('derived_memory_primary')).toEqual([again])
    })

    it('[SR-9] a span leads to the version it names, and to no other', async () => {
      const { host } = world()
      await file(host, 'brief.txt', 'We say laches.')
      const span = { document: 'brief.txt', start: 0, end: 6 }
      await host.remember({
        kind: 'semantic',
        text: 'Of laches.',
        spans: [{ ...span, version: 'brief.txt@1' }, span],
      })
      const spansNow = async () =>
        (await host.documents.search({ query: 'laches', posture: 'derived_memory_primary' })).results[0]
          ?.sourceSpans
      expect((await spansNow())?.map(({ text }) => text)).toEqual(['We say', 'We say'])
      await file(host, 'brief.txt', 'They say laches.')
      // The text that it rested on was replaced, so it is stale and bears nothing out (SR-11).
      expect(await spansNow()).toBeUndefined()
    })

    it('[SR-13] counts each record once, whoever found it', async () => {
      const { host } = world()
      await keep(host, 'A brief on laches.')
      await host.remember({ kind: 'semantic', text: 'Laches, they argue.' })
      const { count, results, plan } = await host.documents.search({ query: 'laches', mode: 'text' })
      expect(plan.executorAssignments).toHaveLength(2)
      expect(results.some(one => one.foundBy.length === 2)).toBe(true)
      expect(count).toBe(2)
    })

    it('[SR-12] rollups of activity are no results, and move none', async () => {
      const { host } = world()
      await file(host, 'a.txt', 'A brief on laches.')
      await file(host, 'b.txt', 'A longer brief that comes to laches at its end.')
      const ask = { query: 'laches', limit: 50, mode: 'text' as const }
      const before = await host.documents.search(ask)
      for (let at = 0; at < 5; at++)
        await host.remember({
          kind: 'activity_rollup',
          text: `laches laches b.txt ${at}`,
          corpus: 'bank',
          document: 'b.txt',
        })
      const after = await host.documents.search(ask)
      expect(after.results.map(({ document, score }) => [document.document, score])).toEqual(
        before.results.map(({ document, score }) => [document.document, score]),
      )
      expect(after.count).toBe(before.count)
    })

    it('[SR-13] carry what this reader may do, and what that reader may not', async () => {
      const { host } = world()
      const original = await keep(host, 'The full brief on laches.', { title: 'Original', document: 'o' })
      await keep(host, 'The short brief on laches.', { title: 'Preview', document: 'p' })
      await keep(host, 'The closed brief on laches.', { document: 'b' })
      await host.remember({
        kind: 'document',
        corpus: 'bank',
        surface: 'source_documents',
        visibilityClass: 'public_open',
        text: 'The redacted brief on laches.',
        redactedOf: original,
      })
      const of = async (handle: Handle) =>
        (await handle.documents.search({ query: 'brief', posture: 'document_text_primary' })).results
          .map(({ document, matchSurface, resultKind, sourceSpans }) => ({
            face: document.face,
            affordances: document.affordances.join(),
            visibilityClass: document.visibilityClass,
            matchSurface,
            resultKind,
            spans: sourceSpans.length,
          }))
          .toSorted((a, b) => (a.affordances < b.affordances ? -1 : 1))
      const restrict = (ref: string, restriction: 'redacted_only' | 'preview_only' | 'blocked') =>
        host.overlays.add({ target: { kind: 'document', ref }, restriction })
      const guest = await guestOf(host)
      const whole = {
        face: 'full',
        visibilityClass: 'public_open',
        matchSurface: ['text'],
        resultKind: 'filing_unit',
        spans: 1,
      }
      const redacted = 'download_redacted,view_redacted,quote_from_redacted,cite'
      expect(await of(guest)).toEqual([
        ...[1, 2, 3].map(() => ({ ...whole, affordances: 'download,view,quote,cite' })),
        { ...whole, affordances: redacted },
      ])
      await restrict('o', 'redacted_only')
      await restrict('p', 'preview_only')
      await restrict('b', 'blocked')
      const seen = await of(guest)
      expect(seen.map(one => [one.face, one.affordances])).toEqual([
        ['preview', 'cite'],
        ['full', redacted],
      ])
      expect(seen[0]).toMatchObject({ visibilityClass: null, spans: 0 })
    })

    it('[SR-10] merge the versions that are seen, and name no other', async () => {
      const { host, agent } = world()
      const version = (name: string, versionKind: string | undefined, more: Record<string, unknown> = {}) =>
        file(host, name, `The motion, ${name}.`, {
          filingUnit: 'motion',
          ...(versionKind === undefined ? {} : { versionKind: versionKind as 'amended' }),
          ...more,
        })
      await version('original.txt', 'original_as_filed')
      await version('public.txt', 'public_redacted')
      await version('unknown.txt', undefined)
      await version('amended.txt', 'amended', { sensitivity: 'hyper' })
      const of = async (handle: Handle) => {
        const answer = await handle.documents.search({ query: 'motion', mode: 'text' })
        return [namesOf(answer), answer.results[0]?.versionSelectionDisclosure?.excludedVersions]
      }
      expect(await of(host)).toEqual([['amended.txt'], ['original.txt@1', 'public.txt@1', 'unknown.txt@1']])
      expect(await of(agent())).toEqual([['public.txt'], ['original.txt@1', 'unknown.txt@1']])
      // A memory of the filing is no version of it.
      const { id } = await host.remember({
        kind: 'semantic',
        text: 'The motion is long.',
        filingUnit: 'motion',
      })
      const { results } = await host.documents.search({ query: 'motion', mode: 'text' })
      expect(results.map(({ document }) => document.document)).toContain(id)
      expect(results).toHaveLength(2)
      const scoped = await host.documents.search({
        query: 'long',
        mode: 'text',
        scope: { filingUnitScope: ['motion'] },
      })
      expect(scoped.results.map(({ document }) => document.document)).toEqual([id])
    })

    it('[SR-9] [NI-6] a span into what is seen in part is no span', async () => {
      const { host } = world()
      await file(host, 'brief.txt', 'We say laches.')
      await host.remember({
        kind: 'semantic',
        text: 'Of laches.',
        corpus: 'bank',
        surface: 'derived_memories',
        visibilityClass: 'public_open',
        sensitivity: 'public',
        spans: [{ document: 'brief.txt', start: 0, end: 6 }],
      })
      const guest = await guestOf(host, {
        exposedSurfaces: ['source_documents', 'derived_memories'],
        derivedMemorySharePolicy: 'include_with_provenance',
      })
      const spansOf = async () =>
        (await guest.documents.search({ query: 'laches', posture: 'derived_memory_primary' })).results.map(
          ({ sourceSpans }) => sourceSpans.map(({ text }) => text),
        )
      expect(await spansOf()).toEqual([['We say']])
      await host.overlays.add({ target: { kind: 'document', ref: 'brief.txt' }, restriction: 'preview_only' })
      expect(await spansOf()).toEqual([[]])
    })

    it('[SR-10] [NI-4] a lesser face does not say what it is a version of, and gives way to none', async () => {
      const { host } = world()
      const version = (name: string, versionKind: 'original_as_filed' | 'amended') =>
        keep(host, `The motion, ${name}.`, {
          document: name,
          filingUnit: 'motion',
          version: name,
          versionKind,
        })
      await version('original', 'original_as_filed')
      await version('amended', 'amended')
      const guest = await guestOf(host)
      expect((await guest.documents.search({ query: 'motion' })).results).toHaveLength(1)
      await host.overlays.add({ target: { kind: 'document', ref: 'amended' }, restriction: 'preview_only' })
      const { results } = await guest.documents.search({ query: 'motion' })
      expect(results.map(({ document }) => document.face).toSorted()).toEqual(['full', 'preview'])
      expect(results.map(one => one.versionSelectionDisclosure)).toEqual([null, null])
    })

    it('[SR-10] merge again after fusion, where another executor found a stronger version', async () => {
      const { host } = world()
      // The citation is in the original alone, so that one executor meets that one and another the amended.
      await file(host, 'original.txt', 'The opposition argues that the PSLRA fails.', {
        filingUnit: 'opposition',
        versionKind: 'original_as_filed',
      })
      await file(host, 'amended.txt', 'The opposition argues more.', {
        filingUnit: 'opposition',
        versionKind: 'amended',
      })
      const answer = await host.documents.search({
        query: 'Find oppositions that argue the PSLRA fails',
        mode: 'text',
      })
      expect(answer.plan.executorAssignments).toHaveLength(3)
      expect(namesOf(answer)).toEqual(['amended.txt'])
      expect(answer.results[0]?.versionSelectionDisclosure).toEqual({
        selectedVersion: 'amended.txt@1',
        excludedVersions: ['original.txt@1'],
        selectionBasis: 'legal_version_kind_precedence',
      })
    })

    it('[SR-13] of one filing unit stand together, and pages follow one another without a gap', async () => {
      const { host } = world()
      const parts = Array.from(
        { length: 12 },
        (_, at) => `Part ${at}. Laches. ${'It goes on. '.repeat(60 + at)}`,
      )
      await file(host, 'long.txt', parts.join('\n\n'))
      for (let at = 0; at < 7; at++)
        await file(host, `s${at}.txt`, `Short ${at} on laches${' indeed'.repeat(at)}.`)
      const ask = { query: 'laches', mode: 'text' as const }
      const whole = await host.documents.search({ ...ask, limit: 50 })
      expect(whole.cursor).toBeNull()
      const long = whole.results.find(({ document }) => document.filingUnit === 'long.txt')
      expect(long?.unitMatches).toBeGreaterThan(2)
      expect(long?.more.length).toBeGreaterThan(0)
      expect(long?.more.length).toBeLessThanOrEqual(4)
      const paged: string[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<Handle['documents']['search']>> = await host.documents.search({
          ...ask,
          limit: 3,
          ...(cursor === null ? {} : { cursor }),
        })
        paged.push(...page.results.map(({ document }) => document.document))
        cursor = page.cursor
      } while (cursor !== null)
      expect(paged).toEqual(whole.results.map(({ document }) => document.document))
      const first = await host.documents.search({ ...ask, limit: 3 })
      expect(
        await refusalOf(host.documents.search({ query: 'other', limit: 3, cursor: first.cursor ?? '' })),
      ).toMatchObject({ code: 'invalid_input' })
    })

    it('[SR-8] are fifty at most, and a hundred where metadata is asked for', async () => {
      const { host } = world()
      await host.remember(
        Array.from({ length: 120 }, (_, at) => ({
          kind: 'document' as const,
          corpus: 'bank',
          text: `Brief ${at} on laches.`,
        })),
      )
      const of = async (posture: string) => {
        const { results, count, receipt } = await host.documents.search({
          query: 'laches',
          mode: 'text',
          posture,
          limit: 100,
        })
        return [results.length, count, receipt?.resultSetCompleteness]
      }
      expect(await of('document_text_primary')).toEqual([50, 120, 'ranked_top_k_not_exhaustive'])
      expect(await of('metadata_primary')).toEqual([100, 120, 'ranked_top_k_not_exhaustive'])
    })
  })
})
