import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { legal } from '../../src/legal/index.js'
import { open, type Privity } from '../../src/open.js'
import { EXECUTORS } from '../../src/runtime/search/router/executors.js'
import { type Asked, file, foundBy, namesOf } from '../support/router.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { type PassingClock, passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

describe.each(engines)('executors on %s', engine => {
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

  async function bank(texts: Readonly<Record<string, string>>) {
    const tenant = store.tenant()
    const host = privity.as({ tenant, actor: 'hana' })
    for (const [name, text] of Object.entries(texts)) await file(host, name, text)
    return { tenant, host }
  }
  const cites: Partial<Asked> = { posture: 'document_text_primary' }

  it('[SR-5] finds a decision in whatever way it is cited, here and there', async () => {
    const { host } = await bank({
      'full.txt': 'Tellabs, Inc. v. Makor Issues & Rights, Ltd., 551 U.S. 308, 324 (2007), controls.',
      'spaced.txt': 'As 551 U. S. 308 holds, the inference must be cogent.',
      'short.txt': 'They rely on Tellabs, 551 U.S. at 324, for that.',
      'other.txt': 'Bell Atlantic Corp. v. Twombly, 550 U.S. 544, 570 (2007), is another one.',
      'number.txt': 'They paid 551 dollars to 308 people.',
    })
    for (const query of [
      '551 U.S. 308',
      '551 U. S. 308',
      '551 US 308',
      '551 u.s. 308',
      'Tellabs, Inc. v. Makor Issues & Rights, Ltd., 551 U.S. 308, 324 (2007)',
      'Which briefs cite 551 U.S. 308?',
    ]) {
      const { plan, results } = await host.documents.search({ query, mode: 'text', limit: 50, ...cites })
      expect(plan.executorAssignments[0]?.executorClass).toBe('doc18_legal_search_direct')
      const citing = results.filter(one => one.foundBy.includes('doc18_legal_search_direct'))
      const names = citing.map(({ document }) => document.documentName)
      expect({ query, names: names.toSorted() }).toEqual({
        query,
        names: query.includes('324') ? ['full.txt', 'short.txt', 'spaced.txt'] : ['full.txt', 'spaced.txt'],
      })
    }
  })

  it('[SR-5] knows statutes, regulations and rules by their citations', async () => {
    const { host } = await bank({
      'statute.txt': 'Under 15 U.S.C. § 78u-4(b)(2)(A) the complaint must plead facts.',
      'regulation.txt': 'They violated 17 C.F.R. § 240.10b-5 by that.',
      'rule.txt': 'Dismissal is sought under Fed. R. Civ. P. 12(b)(6) alone.',
    })
    for (const [query, name] of [
      ['15 USC 78u-4(b)(2)(A)', 'statute.txt'],
      ['15 U.S.C. sec. 78u-4(b)(2)(A)', 'statute.txt'],
      ['17 CFR 240.10b-5', 'regulation.txt'],
      ['FRCP 12(b)(6)', 'rule.txt'],
    ] as const) {
      const { results } = await host.documents.search({ query, mode: 'text', ...cites })
      expect({ query, first: results[0]?.document.documentName, by: results[0]?.foundBy }).toMatchObject({
        query,
        first: name,
        by: expect.arrayContaining(['doc18_legal_search_direct']),
      })
    }
  })

  it('[SR-5] prefers what cites the page that is asked for', async () => {
    const { host } = await bank({
      'elsewhere.txt': 'See Tellabs, 551 U.S. 308, 313 (2007), on the standard of pleading.',
      'there.txt': 'See Tellabs, 551 U.S. 308, 324 (2007), on the standard of pleading.',
      'nowhere.txt': 'See Tellabs, 551 U.S. 308 (2007), on the standard of pleading.',
    })
    const answer = await host.documents.search({ query: '551 U.S. 308, 324', mode: 'text', ...cites })
    expect(namesOf(answer)[0]).toBe('there.txt')
    const other = await host.documents.search({ query: '551 U.S. 308, 313', mode: 'text', ...cites })
    expect(namesOf(other)[0]).toBe('elsewhere.txt')
  })

  it('[SR-5] [SR-6] the passage with the page that is asked for comes first, whoever else finds more of the words', async () => {
    const filler = 'The officers spoke to the market about the quarter and its returns. '
    const { host } = await bank({
      // Shorter, cites it more often, and has the number of the page as a word.
      'often.txt':
        '123 F.3d 456, 458. See 123 F.3d 456. Also 123 F.3d 456, 459. They paid 460 of 460 dollars.',
      'there.txt': `${filler.repeat(6)}Compare Smith v. Jones, 123 F.3d 456, 460 (9th Cir. 1997). ${filler.repeat(6)}`,
      'bare.txt': 'Smith v. Jones, 123 F.3d 456 (9th Cir. 1997), controls.',
      'other.txt': 'They cite 124 F.3d 456, 460, which is another decision.',
    })
    for (const query of [
      '123 F.3d 456, 460',
      '123 F. 3d 456, 460',
      '123 F3d 456, 460',
      'Which briefs cite 123 F.3d 456, 460?',
      'What did Smith v. Jones, 123 F.3d 456, 460 (9th Cir. 1997), hold?',
    ])
      for (const posture of [undefined, 'document_text_primary', 'mixed_surface_disclosed'] as const)
        for (const mode of ['text', 'hybrid'] as const) {
          const answer = await host.documents.search({ query, mode, ...(posture && { posture }) })
          expect({ query, posture, mode, first: namesOf(answer)[0] }).toEqual({
            query,
            posture,
            mode,
            first: 'there.txt',
          })
        }
  })

  it('[SR-5] [SR-13] of a long document, the passage with the page that is asked for is the place it is found at', async () => {
    const filler = 'The officers spoke to the market about the quarter and its returns. '.repeat(20)
    const at = (page: number) => `See Smith v. Jones, 123 F.3d 456, ${page} (9th Cir. 1997).`
    const text = [458, 459, 460, 461].map(page => `${filler}${at(page)} ${filler}`).join('\n\n')
    const { host } = await bank({ 'long.txt': text })
    for (const page of [459, 460, 461]) {
      const { results } = await host.documents.search({ query: `123 F.3d 456, ${page}`, mode: 'text' })
      const [span] = results[0]?.sourceSpans ?? []
      const found = text.slice(span?.start, span?.end)
      expect({ page, found: found.includes(`456, ${page}`) }).toEqual({ page, found: true })
    }
  })

  it('[SR-5] does not take Id. and supra for words', async () => {
    const { host } = await bank({
      'id.txt': 'The witness showed an id at the door. Supra stands here as a word.',
      'case.txt': 'See 551 U.S. 308 (2007). Id. at 324.',
    })
    const { results } = await host.documents.search({
      query: 'Tellabs, supra, 551 U.S. 308; id. at 324',
      mode: 'text',
      ...cites,
    })
    const byCitation = results.filter(one => one.foundBy.includes('doc18_legal_search_direct'))
    expect(byCitation.map(({ document }) => document.documentName)).toEqual(['case.txt'])
  })

  it('[SR-5] lets acronyms and what they stand for meet, and orders by the rest of the question', async () => {
    const { host } = await bank({
      'short.txt': 'The PSLRA stayed discovery in this action.',
      'long.txt': 'The Private Securities Litigation Reform Act raised the bar for scienter.',
      'both.txt': 'Nothing of the sort is said here about scienter.',
    })
    const byCitation = async (query: string) =>
      (await host.documents.search({ query, mode: 'text', ...cites })).results
        .filter(one => one.foundBy.includes('doc18_legal_search_direct'))
        .map(({ document }) => document.documentName)
    expect((await byCitation('PSLRA')).toSorted()).toEqual(['long.txt', 'short.txt'])
    expect((await byCitation('Private Securities Litigation Reform Act')).toSorted()).toEqual([
      'long.txt',
      'short.txt',
    ])
    expect(await byCitation('PSLRA scienter')).toEqual(['long.txt', 'short.txt'])
    expect(await byCitation('PSLRA discovery')).toEqual(['short.txt', 'long.txt'])
    expect(await byCitation('PSLRA -scienter')).toEqual(['short.txt'])
  })

  it('[SR-5] [SR-3] looks citations up where the posture looks: in documents, in memories, or in both', async () => {
    const { host } = await bank({ 'brief.txt': 'See 551 U.S. 308 (2007).' })
    const { id } = await host.remember({
      kind: 'note',
      text: 'Read 551 U. S. 308 again.',
      spans: [{ document: 'brief.txt', start: 4, end: 16 }],
    })
    const of = async (query: string, more: Partial<Asked> = {}) =>
      (await host.documents.search({ query, mode: 'text', ...more })).results
        .map(({ document }) => (document.document === id ? 'note' : document.documentName))
        .toSorted()
    expect(await of('551 US 308', cites)).toEqual(['brief.txt'])
    expect(await of('Show me my notes on 551 US 308')).toEqual(['note'])
    expect(await of('551 US 308')).toEqual(['brief.txt', 'note'])
  })

  it('[QX-1] what is written as it was asked is no other form', async () => {
    const { host } = await bank({ 'brief.txt': 'See 551 U.S. 308 (2007).' })
    const formsOf = async (query: string) =>
      (await host.documents.search({ query, mode: 'text', ...cites })).expansions.map(
        ({ expansionKind, appliedTerms }) => [expansionKind, appliedTerms],
      )
    expect(await formsOf('551 U.S. 308')).toEqual([])
    expect(await formsOf('551 US 308')).toEqual([['citation_normalization', ['551 U.S. 308']]])
  })

  it('[SR-5] [QX-1] keeps to what was written where citations are turned off', async () => {
    const { host } = await bank({
      'short.txt': 'The PSLRA stayed discovery.',
      'long.txt': 'The Private Securities Litigation Reform Act raised the bar.',
    })
    expect(await foundBy(host, 'PSLRA', { ...cites, citations: false })).toEqual(['short.txt'])
    const { plan } = await host.documents.plan({ query: 'PSLRA', ...cites, citations: false })
    expect(plan.executorAssignments.map(({ executorClass }) => executorClass)).toEqual(['primary_direct'])
  })

  it('[SR-5] asks memory where an argument or a theme is asked for, and says who found what', async () => {
    const { host } = await bank({ 'brief.txt': 'The brief argues laches at length.' })
    const { id: memory } = await host.remember({
      kind: 'semantic',
      text: 'They argue laches in every brief.',
      corpus: 'bank',
    })
    const { id: note } = await host.remember({ kind: 'note', text: 'Laches: look this up.', corpus: 'bank' })
    const of = async (query: string, more: Partial<Asked> = {}) => {
      const { results, plan } = await host.documents.search({ query, mode: 'text', ...more })
      return {
        executors: plan.executorAssignments.map(({ executorClass }) => executorClass),
        found: new Map(results.map(one => [one.document.documentName ?? one.document.document, one.foundBy])),
      }
    }
    const notes = await of('Show me my notes on laches')
    expect(notes.executors).toEqual(['memory_agent'])
    expect(notes.found.get(memory)).toEqual(['memory_agent'])
    expect(notes.found.get(note)).toEqual(['memory_agent'])
    expect(notes.found.has('brief.txt')).toBe(false)
    const mixed = await of('laches')
    expect(mixed.executors).toEqual(['primary_direct', 'memory_agent'])
    expect(mixed.found.get('brief.txt')).toEqual(['primary_direct'])
    expect(mixed.found.get(memory)).toEqual(['primary_direct', 'memory_agent'])
    const text = await of('laches', { posture: 'document_text_primary' })
    expect([...text.found.keys()]).toEqual(['brief.txt'])
    const argued = await of('What does the brief argue about laches?')
    expect(argued.executors).toEqual(['primary_direct', 'memory_agent', 'document_intelligence_agent'])
  })

  it('[SR-5] [SP-7] writes nothing but the account of the search', async () => {
    const { host } = await bank({ 'brief.txt': 'The PSLRA bars it, they argue.' })
    const wanted = (table: string) => !/^(search_runs|audit|rate|lease|actors|saved)/.test(table)
    const ask = { query: 'Find briefs that argue the PSLRA bars it' }
    await host.documents.search(ask)
    const before = await dumpTables(store.sql, wanted)
    await host.documents.search(ask)
    await host.documents.bundle(ask)
    await host.documents.plan(ask)
    await host.documents.expand(ask)
    expect(await dumpTables(store.sql, wanted)).toEqual(before)
  })

  it('[SR-5] [CV-3] answers in part where one of them fails, and says so', async () => {
    const { host } = await bank({ 'brief.txt': 'The brief argues that the PSLRA bars it.' })
    const { id: memory } = await host.remember({
      kind: 'semantic',
      text: 'They argue the PSLRA.',
      spans: [{ document: 'brief.txt', start: 0, end: 9 }],
    })
    const ask = { query: 'Find briefs that argue the PSLRA bars it', mode: 'text' as const }
    const idsOf = (answer: Awaited<ReturnType<typeof host.documents.search>>) =>
      answer.results.map(({ document }) => document.document)
    expect(idsOf(await host.documents.search(ask))).toContain(memory)
    const broken = vi.spyOn(EXECUTORS, 'memory_agent').mockRejectedValue(new Error('broken'))
    try {
      const answer = await host.documents.search(ask)
      expect(answer.failure).toBeNull()
      expect(namesOf(answer)).toEqual(['brief.txt'])
      expect(answer.receipt?.resultSetCompleteness).toBe('partial_due_to_index_health')
      const { manifest, receipt } = (await host.receipts.get(answer.receipt?.searchRunId ?? '')) ?? {}
      expect(receipt?.resultSetCompleteness).toBe('partial_due_to_index_health')
      expect(
        manifest?.executorExecutions.map(({ resultCount, failures }) => [resultCount, failures]),
      ).toEqual([
        [1, undefined],
        [0, [{ failureKind: 'executor_failed', failureReasonCode: 'search.executor_failed' }]],
        [2, undefined],
      ])
      // Nothing found is then no plain no.
      const nothing = await host.documents.search({ query: 'Find briefs that argue zebra', mode: 'text' })
      expect(nothing.results.filter(({ snippet }) => /zebra/.test(JSON.stringify(snippet)))).toEqual([])
      const { notice } = await host.documents.bundle({
        query: 'zebra',
        mode: 'text',
        posture: 'derived_memory_primary',
      })
      expect(notice).toBe('No results in what was searched; part of the index could not be used.')
    } finally {
      broken.mockRestore()
    }
  })

  it('[SR-6] fuses as the caller says, and the first executor stays first by priority', async () => {
    const { host } = await bank(
      Object.fromEntries(
        Array.from({ length: 7 }, (_, at) => [
          `brief-${at}.txt`,
          `Laches ${'is pleaded here. '.repeat(at + 1)}`,
        ]),
      ),
    )
    for (let at = 0; at < 3; at++)
      await host.remember({ kind: 'semantic', text: `Laches, laches ${at}.`, corpus: 'bank' })
    const ask = { query: 'laches', mode: 'text' as const, posture: 'mixed_surface_disclosed', limit: 50 }
    const rrf = await host.documents.search(ask)
    expect(rrf.plan.resultFusionStrategy).toBe('rrf')
    expect(rrf.results[0]?.score).toBeCloseTo(1 / 61 + 1 / 61, 5)
    const priority = await host.documents.search({ ...ask, fusion: 'executor_priority' })
    expect(priority.plan.resultFusionStrategy).toBe('executor_priority')
    for (const { foundBy } of priority.results) expect(foundBy).toContain('primary_direct')
    const weighted = await host.documents.search({ ...ask, fusion: 'weighted_sum' })
    expect(weighted.results).toHaveLength(10)
    expect(weighted.results.map(({ score }) => score)).not.toEqual(rrf.results.map(({ score }) => score))
  })

  it('[TR-5, SR-6] equal scores of one executor stand by layer, however its list is fused', async () => {
    const { host } = await bank({})
    const kinds = ['episodic', 'semantic', 'working', 'entity', 'competence'] as const
    for (const kind of [...kinds, ...kinds]) await host.remember({ kind, text: 'Laches.', corpus: 'bank' })
    const ask = { query: 'laches', mode: 'text' as const, posture: 'derived_memory_primary', limit: 50 }
    for (const fusion of ['weighted_sum', 'rrf', 'executor_priority'] as const) {
      const { results } = await host.documents.search({ ...ask, fusion })
      expect(
        results.map(({ document }) => document.kind),
        fusion,
      ).toEqual(['working', 'entity', 'semantic', 'competence', 'episodic'].flatMap(kind => [kind, kind]))
    }
  })

  it('[SR-6] weights move the order of a weighted sum, and count nowhere else', async () => {
    const { tenant, host } = await bank({
      'brief.txt': 'Laches is pleaded in this brief, and laches is argued.',
      'other.txt': 'Nothing of that is said in here, at all.',
    })
    for (const text of ['Laches was a topic of the hearing.', 'Another hearing.'])
      await host.remember({ kind: 'semantic', text, corpus: 'bank' })
    const ask = { query: 'laches', mode: 'text' as const, posture: 'mixed_surface_disclosed' }
    const weighing = (handle: typeof host, weights?: Asked['weights']) =>
      handle.documents.search({ ...ask, fusion: 'weighted_sum', ...(weights && { weights }) })
    const kindsIn = async (...asked: Parameters<typeof weighing>) =>
      (await weighing(...asked)).results.map(({ document }) => document.kind)
    expect(await kindsIn(host, { primary_direct: 10, memory_agent: 0 })).toEqual(['segment', 'semantic'])
    expect(await kindsIn(host, { primary_direct: 0.1, memory_agent: 10 })).toEqual(['semantic', 'segment'])
    const { plan } = await weighing(host, { memory_agent: 10 })
    expect(plan.executorAssignments.map(({ weight }) => weight)).toEqual([1, 10])
    const other = await store.instance(clock, {
      domain: legal(),
      search: { weights: { primary_direct: 0.1, memory_agent: 10 } },
    })
    const set = other.as({ tenant, actor: 'hana' })
    expect(await kindsIn(set)).toEqual(['semantic', 'segment'])
    expect(await kindsIn(set, { primary_direct: 10, memory_agent: 0 })).toEqual(['segment', 'semantic'])
    await other.close()
    for (const wrong of [
      { weights: { memory_agent: 2 } },
      { weights: { memory_agent: -1 }, fusion: 'weighted_sum' as const },
      { weights: { memory_agent: 101 }, fusion: 'weighted_sum' as const },
    ])
      expect(await refusalOf(host.documents.search({ ...ask, ...wrong }))).toMatchObject({
        code: 'invalid_input',
      })
  })

  it('[SR-3] notes that were taken in as files are found with the notes, and no other file', async () => {
    const { host } = await bank({ 'brief.txt': 'The brief quotes CW3 on the dashboard.' })
    await file(host, 'notes.txt', 'CW3 seemed sure of the dates.', { surface: 'host_strategy_notes' })
    const { results } = await host.documents.search({ query: 'my notes on CW3', mode: 'text' })
    expect(results.map(({ document }) => document.documentName)).toEqual(['notes.txt'])
  })

  it('[SR-13] what is found of one filing comes in one order with what is found of others', async () => {
    const { host } = await bank({
      'long.txt': `Laches is equity.\n\n${'Nothing of note. '.repeat(200)}\n\nLaches needs delay.`,
      'other.txt': 'Laches is not law.',
    })
    const { results } = await host.documents.search({ query: 'laches', mode: 'text', context: 100 })
    const long = results.find(({ document }) => document.documentName === 'long.txt')
    expect(long?.more.length).toBeGreaterThan(0)
    for (const other of long?.more ?? []) expect(other.score).toBeLessThanOrEqual(long?.score ?? 0)
    const told = [...(long?.sourceSpans ?? []), ...(long?.more ?? []).flatMap(one => one.sourceSpans)]
    expect(told.every(({ context }) => context !== undefined)).toBe(true)
  })

  it('[SR-13] context that holds another passage of the record is shown once', async () => {
    const { host } = await bank({
      'brief.txt': `The garden is old. ${'It rained then. '.repeat(25)}The shed is new.`,
    })
    const spansOf = async (context: number) =>
      (await host.documents.search({ query: 'garden shed', mode: 'text', context })).results[0]?.sourceSpans
    expect(await spansOf(0)).toHaveLength(2)
    expect(await spansOf(500)).toHaveLength(1)
  })

  it('[SR-5] a direct search and document intelligence prefer the passage that holds a question together', async () => {
    const filler = 'One more thing is said about the weather of that day. '.repeat(12)
    const { host } = await bank({
      'apart.txt': `The loss was large; loss, loss and loss again. ${filler}The causation is another matter; causation, causation.`,
      'together.txt': `${filler}They never plead loss causation in it. ${filler}`,
      'neither.txt': filler,
    })
    const ask = { query: 'loss causation', mode: 'text' as const, posture: 'cross_source_synthesis' }
    const orderOf = async (asked: object) => {
      const { results, receipt } = await host.documents.search({
        ...ask,
        ...asked,
        fusion: 'executor_priority',
      })
      const { manifest } = (await host.receipts.get(receipt?.searchRunId ?? '')) ?? {}
      return { names: results.map(({ document }) => document.documentName), manifest }
    }
    // By its words alone, the other comes first.
    const { results } = await host.search('loss causation', { mode: 'text', kinds: ['segment'] })
    expect(results.map(({ record }) => record.payload?.text?.startsWith('The loss'))).toEqual([true, false])
    expect((await orderOf({ posture: 'document_text_primary' })).names).toEqual(['together.txt', 'apart.txt'])
    const { names, manifest } = await orderOf({})
    expect(names).toEqual(['together.txt', 'apart.txt'])
    const read = manifest?.executorExecutions.at(-1)
    expect(read?.tokensRead).toBeGreaterThan(100)
    expect(read?.tokensRead).toBeLessThanOrEqual(10_000)
    expect(read?.unreadCount).toBe(0)
  })

  it('[SR-5] [CV-3] one whose time is up leaves a partial answer that says so', async () => {
    const { host } = await bank({ 'brief.txt': 'The brief argues that the PSLRA bars it.' })
    const { memory_agent: real } = EXECUTORS
    const late = vi.spyOn(EXECUTORS, 'memory_agent').mockImplementation(async (field, allowance) => {
      const begun = performance.now()
      vi.spyOn(performance, 'now').mockReturnValue(begun + 5_000)
      return real(field, allowance)
    })
    try {
      const answer = await host.documents.search({ query: 'Find briefs that argue the PSLRA', mode: 'text' })
      vi.spyOn(performance, 'now').mockRestore()
      expect(namesOf(answer)).toEqual(['brief.txt'])
      expect(answer.receipt?.resultSetCompleteness).toBe('partial_due_to_resource_limit')
      const { manifest } = (await host.receipts.get(answer.receipt?.searchRunId ?? '')) ?? {}
      expect(manifest?.executorExecutions.map(({ failures }) => failures?.[0]?.failureKind)).toEqual([
        undefined,
        'deadline_exceeded',
        undefined,
      ])
    } finally {
      vi.spyOn(performance, 'now').mockRestore()
      late.mockRestore()
    }
  })

  it('[CV-1] [NI-3] a manifest says when each executor ran, to whom nothing is held back from', async () => {
    const { tenant, host } = await bank({ 'brief.txt': 'The brief argues that the PSLRA bars it.' })
    const ask = { query: 'Find briefs that argue the PSLRA', mode: 'text' as const }
    const timesOf = async (handle: typeof host) => {
      const { receipt } = await handle.documents.search(ask)
      const { manifest } = (await handle.receipts.get(receipt?.searchRunId ?? '')) ?? {}
      const times = manifest?.executorExecutions.flatMap(one => [one.startedAt, one.completedAt]) ?? []
      return { at: manifest?.executedAt, times: [...times, manifest?.fusionCompletedAt] }
    }
    const { at, times } = await timesOf(host)
    expect(times).toEqual(times.toSorted())
    expect(new Set([at, ...times]).size).toBeGreaterThan(times.length / 2)
    const trust = { maxSensitivity: 'low' } as const
    const agent = privity.as({ tenant, actor: 'aide', for: 'hana', audience: 'agent', trust })
    const seen = await timesOf(agent)
    expect(new Set(seen.times)).toEqual(new Set([seen.at]))
  })

  it('[SR-15] [SR-6] settings of fusion and of how much is ranked change what is found', async () => {
    const { tenant, host } = await bank({})
    for (let at = 0; at < 4; at++) {
      const text = `Laches ${'and more '.repeat(at)}`
      await host.remember({ kind: 'document', text, corpus: 'bank', document: `d${at}` })
      await host.remember({ kind: 'semantic', text: `Laches again ${at}`, corpus: 'bank' })
    }
    const other = await store.instance(clock, {
      domain: legal(),
      search: { rrfK: 1, backfillBelow: 3, topK: 2 },
    })
    const set = other.as({ tenant, actor: 'hana' })
    const ask = { query: 'laches', mode: 'text' as const, limit: 50 }
    const usual = await host.documents.search(ask)
    expect(usual.plan.topK).toBe(50)
    expect(usual.results[0]?.score).toBeLessThan(0.033)
    expect(usual.receipt?.resultSetCompleteness).toBe('exhaustive_for_scope')
    const changed = await set.documents.search(ask)
    expect(changed.plan.topK).toBe(2)
    expect(changed.results[0]?.score).toBeGreaterThan(0.5)
    expect(changed.results).toHaveLength(2)
    expect(changed.receipt?.resultSetCompleteness).toBe('ranked_top_k_not_exhaustive')
    const synthesis = await set.documents.plan({ query: 'Themes across briefs' })
    expect(synthesis.plan.topK).toBe(4)
    await other.close()
    for (const search of [
      { rrfK: 0 },
      { backfillBelow: -1 },
      { topK: 0 },
      { topK: 501 },
      { disclosureBelow: 1.1 },
      { overlayTtlSeconds: -1 },
      { weights: { memory_agent: -1 } },
      { weights: { somebody: 1 } } as object,
      { timeZone: '+02:00' },
      { timeZone: 'Mars/Olympus' },
      { more: true } as object,
    ])
      expect(await refusalOf(open({ search }))).toMatchObject({ code: 'invalid_input' })
  })
})
