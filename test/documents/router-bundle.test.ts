import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { legal } from '../../src/legal/index.js'
import type { Privity } from '../../src/open.js'
import { CLOSING, OPENING } from '../../src/runtime/data-markers.js'
import { o200k } from '../../src/runtime/tokenizer.js'
import { testEmbedding } from '../../src/testing/embedding.js'
import { type Asked, base64, file } from '../support/router.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { grantLink, openLink, type PassingClock, passingClock } from '../support/sharing.js'
import { engines } from '../support/stores.js'

describe.each(engines)('bundles and expansions on %s', engine => {
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
    const agent = () =>
      privity.as({
        tenant,
        actor: 'aide',
        for: 'hana',
        audience: 'agent',
        trust: { maxSensitivity: 'low' },
      })
    return { tenant, host: privity.as({ tenant, actor: 'hana' }), agent }
  }
  interface Told {
    readonly question?: string
    readonly notice?: string
    readonly items?: readonly {
      readonly itemKind: string
      readonly text: string
      readonly framing?: string
    }[]
    readonly sources: readonly { readonly ref: number; readonly text: string; readonly derived?: boolean }[]
  }
  const toldIn = (text: string): Told =>
    JSON.parse(text.slice(text.indexOf(OPENING) + OPENING.length, text.lastIndexOf(CLOSING)))
  const bundle = (handle: Handle, query: string, more: Record<string, unknown> = {}) =>
    handle.documents.bundle({ query, mode: 'text', ...more })
  const paragraphs = (word: string, count: number) =>
    Array.from(
      { length: count },
      (_, at) => `${at + 1}. We say ${word} in paragraph ${at}. ${'It goes on at length. '.repeat(30)}`,
    ).join('\n\n')

  describe('a bundle', () => {
    it('[CV-5] [SR-9] cites exactly what it tells, which reads the same in its document', async () => {
      const { host } = world()
      const cards = new Map<string, string>()
      for (const name of ['one.txt', 'two.txt'])
        cards.set(name, await file(host, name, paragraphs(`laches of ${name}`, 8)))
      const { text, citations, tokens, notice, failure, searchRun } = await bundle(host, 'laches')
      expect({ notice, failure }).toEqual({ notice: null, failure: null })
      expect(tokens).toBe(o200k.count(text))
      expect(citations.length).toBeGreaterThan(1)
      const { sources, question } = toldIn(text)
      expect(question).toBe('laches')
      expect(sources.map(({ ref }) => ref)).toEqual(citations.map((_, at) => at + 1))
      expect(citations.map(({ ref }) => ref)).toEqual(citations.map((_, at) => at + 1))
      for (const [at, { document, start, end, version }] of citations.entries()) {
        const read = await host.documents.read(cards.get(document) ?? '', { from: start, to: end })
        expect(read?.text).toHaveLength(end - start)
        expect(sources[at]?.text).toBe(read?.text)
        expect(version).toBe(`${document}@1`)
      }
      const places = citations.map(({ document, start, end }) => `${document} ${start} ${end}`)
      expect(new Set(places).size).toBe(places.length)
      // What is cited is kept.
      const kept = await host.receipts.cite({ searchRun: searchRun ?? '' })
      expect(kept.retention.because).toEqual(['persisted_in_answer'])
    })

    it('[CV-5] stays within its budget, leaves whole passages out and says how many', async () => {
      const { host } = world()
      for (let at = 0; at < 6; at++) await file(host, `${at}.txt`, paragraphs(`laches ${at}`, 3))
      const all = await bundle(host, 'laches', { tokenBudget: 50_000 })
      expect(all.leftOut).toBe(0)
      for (const tokenBudget of [100, 200, 400, 800, 1_600]) {
        const some = await bundle(host, 'laches', { tokenBudget })
        expect(o200k.count(some.text)).toBeLessThanOrEqual(tokenBudget)
        expect(some.tokens).toBe(o200k.count(some.text))
        // What stood around one passage may be another, once there is no room for what stands around.
        expect(some.citations.length + some.leftOut).toBeGreaterThanOrEqual(all.citations.length)
        expect(toldIn(some.text).sources).toHaveLength(some.citations.length)
      }
      const few = await bundle(host, 'laches', { tokenBudget: 400 })
      expect(few.citations.length).toBeGreaterThan(0)
      expect(few.leftOut).toBeGreaterThan(0)
      // A question that would fill it is left out first.
      const long = `laches ${'very '.repeat(390)}`
      const tight = await bundle(host, long, { tokenBudget: 300 })
      expect(tight.tokens).toBeLessThanOrEqual(300)
      expect(toldIn(tight.text).question).toBeUndefined()
      expect(tight.citations.length).toBeGreaterThan(0)
    })

    it('[CV-5] is measured by the tokenizer that the store was opened with', async () => {
      const tokenizer = { name: 'letters', count: (text: string) => text.length }
      const other = await store.instance(clock, { domain: legal(), tokenizer })
      try {
        const { tenant, host } = world()
        for (let at = 0; at < 6; at++) await file(host, `${at}.txt`, paragraphs(`laches ${at}`, 3))
        const told = await bundle(other.as({ tenant, actor: 'hana' }), 'laches', { tokenBudget: 4_000 })
        expect(told).toMatchObject({ tokenizer: 'letters', tokens: told.text.length })
        expect(told.text.length).toBeLessThanOrEqual(4_000)
        expect(told.text.length).toBeGreaterThan(2_000)
        expect(told.leftOut).toBeGreaterThan(0)
      } finally {
        await other.close()
      }
    })

    it('[CV-5] a place that two results lead to is told once', async () => {
      const { host } = world()
      await file(host, 'a.txt', 'We say that laches bars it.')
      for (const text of ['Laches bars it.', 'It is barred by laches.'])
        await host.remember({
          kind: 'semantic',
          text,
          spans: [{ document: 'a.txt', start: 12, end: 18 }],
        })
      const { results } = await host.documents.search({ query: 'laches', mode: 'text' })
      expect(results.flatMap(({ sourceSpans }) => sourceSpans)).toHaveLength(3)
      const { citations, leftOut } = await bundle(host, 'laches')
      const places = citations.map(({ start, end }) => `${start} ${end}`)
      expect(new Set(places).size).toBe(places.length)
      expect(places).toContain('0 27')
      expect(leftOut).toBe(0)
    })

    it('[CV-5] what stands around a passage goes before the passage does', async () => {
      const { host } = world()
      const text = `${'before '.repeat(200)}laches${' after'.repeat(200)}`
      await file(host, 'a.txt', text)
      const span = { document: 'a.txt', start: 1_400, end: 1_406 }
      await host.remember({ kind: 'semantic', text: 'It says so.', spans: [span] })
      const of = async (tokenBudget: number) =>
        toldIn(
          (
            await bundle(host, 'says', {
              posture: 'derived_memory_primary',
              context: 1_000,
              tokenBudget,
            })
          ).text,
        ).sources.map(one => one.text)
      // Cut between words, as there is no sentence.
      expect(await of(5_000)).toEqual([text.slice(406, 2_402)])
      expect(await of(200)).toEqual(['laches'])
    })

    it('[CV-5] holds to what the profile of a session allows, down to nothing', async () => {
      const { host, tenant } = world()
      await file(host, 'a.txt', paragraphs('laches', 3))
      for (const maxContextTokens of [150, 0]) {
        const { profile } = await host.profiles.create({ maxContextTokens })
        await host.profiles.activate(profile)
        const bound = privity.as({ tenant, actor: 'hana', profile })
        const { text, tokens, citations } = await bundle(bound, 'laches', { tokenBudget: 10_000 })
        expect(tokens).toBeLessThanOrEqual(maxContextTokens)
        if (maxContextTokens === 0) expect({ text, citations }).toEqual({ text: '', citations: [] })
      }
    })

    it('[CV-5] says no only where the search was complete and current, and a scoped no otherwise', async () => {
      const { tenant, host } = world()
      await file(host, 'a.txt', 'A brief.')
      const nothing = await bundle(host, 'zebra')
      expect(nothing).toMatchObject({
        citations: [],
        notice: 'No results found.',
        completeness: 'exhaustive_for_scope',
      })
      expect(toldIn(nothing.text)).toEqual({ question: 'zebra', sources: [], notice: 'No results found.' })
      const embedding = testEmbedding({ near: 2 })
      const meaning = await store.instance(clock, { domain: legal(), embedding: [embedding] })
      embedding.fail(true)
      const blind = await meaning
        .as({ tenant, actor: 'hana' })
        .documents.bundle({ query: 'zebra', mode: 'hybrid' })
      expect(blind.completeness).toBe('partial_due_to_index_health')
      expect(blind.notice).toBe('No results in what was searched; part of the index could not be used.')
      await meaning.close()
    })

    it('[CV-3] [CV-5] is as complete as a search for the same, where files could not be read', async () => {
      const { host } = world()
      await file(host, 'a.txt', 'A brief on laches.')
      const broken = Buffer.from('%PDF-1.7\nnot a PDF at all').toString('base64')
      const { state } = await host.documents.ingest({
        document: 'broken.pdf',
        corpus: 'bank',
        content: broken,
      })
      expect(state).toBe('failed')
      for (const query of ['laches', 'zebra']) {
        const { receipt, notice } = await host.documents.search({ query, mode: 'text' })
        const bundled = await bundle(host, query)
        expect(receipt?.resultSetCompleteness).toBe('partial_due_to_index_health')
        expect(bundled.completeness).toBe('partial_due_to_index_health')
        expect(bundled.notice).toBe(notice)
      }
    })

    it('[CV-3] [PC-2] is not told of an unread file about somebody who did not agree', async () => {
      const { host } = world()
      await file(host, 'a.txt', 'A brief on laches.')
      await host.documents.ingest({
        document: 'broken.pdf',
        corpus: 'bank',
        content: Buffer.from('%PDF-1.7\nnot a PDF at all').toString('base64'),
        participants: ['kim'],
      })
      expect((await bundle(host, 'laches')).completeness).toBe('exhaustive_for_scope')
    })

    it('[CV-5] [SR-16] says so where what was found has no place to be cited', async () => {
      const { host } = world()
      await file(host, 'a.txt', 'A brief.', { title: 'A brief' })
      await host.remember({ kind: 'note', text: 'My note on laches.' })
      for (const query of ['Show me my notes on laches', 'When was the brief filed?']) {
        const { citations, notice, text } = await bundle(host, query)
        expect({ query, citations, notice }).toEqual({
          query,
          citations: [],
          notice: expect.stringMatching(/^What was found cannot be cited\./),
        })
        expect(toldIn(text).notice).toBe(notice)
      }
    })

    it('[CV-5] a file whose card was found first is found and cited by its best passage', async () => {
      const { host } = world()
      await host.documents.ingest({
        document: 'update.txt',
        corpus: 'bank',
        title: 'Second surgery, second surgery',
        content: base64(`${'Nothing of note. '.repeat(30)}\n\nThe second surgery is on May 19.`),
      })
      const [best] = (await host.search('second surgery', { mode: 'text' })).results
      expect(best?.record.kind).toBe('document')
      const [first] = (await host.documents.search({ query: 'second surgery', mode: 'text' })).results
      expect(first?.document.kind).toBe('segment')
      expect(first?.sourceSpans[0]?.text).toContain('May 19')
      const { citations, text } = await bundle(host, 'second surgery')
      expect(citations.map(({ document }) => document)).toEqual(['update.txt'])
      expect(toldIn(text).sources[0]?.text).toContain('May 19')
    })

    it('[SR-16] tells cards as metadata and notes as summaries without spans, and neither as a source', async () => {
      const { host } = world()
      await file(host, 'a.txt', 'A brief.', { title: 'A brief', metadata: { caseNumber: '3:24-cv-01180' } })
      await host.remember({ kind: 'note', text: 'My note on laches.' })
      const notes = await bundle(host, 'Show me my notes on laches')
      expect(toldIn(notes.text)).toMatchObject({
        sources: [],
        items: [
          {
            itemKind: 'synthesis_summary_no_spans',
            framing: 'summary without spans',
            text: 'My note on laches.',
          },
        ],
      })
      expect(notes.items).toMatchObject([{ title: null, itemKind: 'synthesis_summary_no_spans' }])
      const cards = await bundle(host, 'When was the brief filed?')
      expect(toldIn(cards.text)).toMatchObject({
        sources: [],
        items: [{ itemKind: 'document_metadata', title: 'A brief', fields: { caseNumber: '3:24-cv-01180' } }],
      })
      const tight = await bundle(host, 'When was the brief filed?', { tokenBudget: 100 })
      expect(o200k.count(tight.text)).toBeLessThanOrEqual(100)
      expect({ items: tight.items, leftOut: tight.leftOut }).toEqual({ items: [], leftOut: 1 })
    })

    it('[SR-7, CV-5] tells a model that nothing was searched, and why', async () => {
      const { host } = world()
      const { text, notice, failure } = await bundle(host, 'anything', { posture: 'document_text_primary' })
      expect(failure?.failureKind).toBe('document_required_unavailable')
      expect(notice).toContain('document_required_unavailable')
      expect(toldIn(text)).toEqual({ question: 'anything', sources: [], notice })
    })

    it('[SR-3, CV-5] shows nothing around a passage that is of another part', async () => {
      const { host } = world()
      const text = `MOTION TO DISMISS\n\nWe say laches here.\n\nEXHIBIT A\n\nThe zebra of the exhibit.`
      const card = await file(host, 'a.txt', text, { partKind: undefined })
      for (const [query, filingContentScope] of [
        ['laches', 'lead_argument_only'],
        ['zebra', 'exhibits_only'],
      ] as const) {
        const told = await bundle(host, query, { filingContentScope, context: 2_000 })
        const [source] = toldIn(told.text).sources
        expect(source?.text).toContain(query)
        expect(source?.text).not.toContain(query === 'zebra' ? 'laches' : 'zebra')
        const [{ start = 0, end = 0 } = {}] = told.citations
        expect(await host.documents.read(card, { from: start, to: end })).toMatchObject({
          text: source?.text,
        })
      }
    })

    it('[SR-14] tells what a newer version is to replace as stale', async () => {
      const { host } = world()
      await file(host, 'a.txt', 'We say laches.')
      expect(toldIn((await bundle(host, 'laches')).text).sources).not.toMatchObject([{ framing: 'stale' }])
      await host.documents.ingest({
        document: 'a.txt',
        corpus: 'bank',
        content: base64('We say estoppel.'),
        extract: 'later',
      })
      expect(toldIn((await bundle(host, 'laches')).text).sources).toMatchObject([{ framing: 'stale' }])
    })

    it('[CV-5] [NI-6] shows nothing around a passage that is hidden', async () => {
      const { host, agent } = world()
      const text = paragraphs('laches', 9)
      const card = await file(host, 'a.txt', text)
      const segments = (await host.documents.read(card))?.segments ?? []
      expect(segments.length).toBeGreaterThan(2)
      const hidden = segments[1]
      await host.relabel({ record: hidden?.id ?? '', sensitivity: 'hyper' })
      const wide = { context: 2_000, tokenBudget: 100_000 }
      const seen = await bundle(agent(), 'laches', wide)
      const apart = `${text.slice(0, hidden?.start)}\u0000${text.slice(hidden?.end)}`
      expect(seen.citations.length).toBeGreaterThan(0)
      for (const { text: told } of toldIn(seen.text).sources) expect(apart).toContain(told)
      for (const { start, end } of seen.citations)
        expect(end <= (hidden?.start ?? 0) || start >= (hidden?.end ?? 0)).toBe(true)
      const whole = toldIn((await bundle(host, 'laches', wide)).text).sources
      expect(whole.some(({ text: told }) => !apart.includes(told))).toBe(true)
    })

    it('[CV-5] [NI-6] nor anything around a passage that is seen in part', async () => {
      const { host } = world()
      const text = paragraphs('laches', 9)
      const card = await file(host, 'a.txt', text, { sensitivity: 'public' })
      const part = (await host.documents.read(card))?.segments[1]
      const { view } = await host.views.create({ corpus: 'bank' })
      const { guest } = await openLink(privity, (await grantLink(host, [view])).token)
      const told = async () =>
        toldIn((await bundle(guest, 'laches', { context: 2_000, tokenBudget: 100_000 })).text).sources
      const apart = `${text.slice(0, part?.start)}\u0000${text.slice(part?.end)}`
      expect((await told()).some(one => !apart.includes(one.text))).toBe(true)
      await host.overlays.add({
        target: { kind: 'document', ref: part?.id ?? '' },
        restriction: 'preview_only',
      })
      const left = await told()
      expect(left.length).toBeGreaterThan(0)
      for (const one of left) expect(apart).toContain(one.text)
    })

    it('[SR-13] results show as much around each span as was asked for', async () => {
      const { host } = world()
      const text = `${'before '.repeat(20)}laches${' after'.repeat(20)}`
      await file(host, 'a.txt', text)
      await host.remember({
        kind: 'semantic',
        text: 'It says laches.',
        spans: [{ document: 'a.txt', start: 140, end: 146 }],
      })
      const of = async (context: number) =>
        (await host.documents.search({ query: 'laches', posture: 'derived_memory_primary', context }))
          .results[0]?.sourceSpans[0]
      expect(await of(0)).toEqual({ document: 'a.txt', start: 140, end: 146, text: 'laches' })
      expect((await of(10))?.context).toEqual({
        before: text.slice(133, 140),
        after: text.slice(146, 152),
      })
      expect((await of(2_000))?.context).toEqual({ before: text.slice(0, 140), after: text.slice(146) })
    })
  })

  describe('expansions', () => {
    const kindsOf = async (handle: Handle, query: string, more: Partial<Asked> = {}) =>
      Object.fromEntries(
        (await handle.documents.search({ query, mode: 'text', ...more })).expansions.map(one => [
          one.expansionKind,
          one.appliedTerms,
        ]),
      )

    it('[QX-1] each of the five that was used is disclosed with its source, and each can be turned off', async () => {
      const { tenant } = world()
      const embedding = testEmbedding({ same: [['delay', 'laches']] })
      const meaning = await store.instance(clock, { domain: legal(), embedding: [embedding] })
      const host = meaning.as({ tenant, actor: 'hana' })
      await file(host, 'a.txt', 'The Private Securities Litigation Reform Act is pleaded.')
      await file(host, 'b.txt', 'A motion to dismiss for laches; the brief argues it.')
      const query = 'PSLRA MTD delay arguing memo'
      const synonyms = [{ of: 'memo', terms: ['brief'] }]
      const on = { synonyms, neighbours: true }
      const answer = await host.documents.search({ query, mode: 'text', ...on })
      const disclosed = new Map(answer.expansions.map(one => [one.expansionKind, one]))
      expect([...disclosed.keys()].toSorted()).toEqual([
        'citation_normalization',
        'embedding_neighbor',
        'legal_term_expansion',
        'stemming',
        'synonym',
      ])
      for (const { expansionSource, expansionVisibleToSession } of answer.expansions)
        expect({ expansionSource, expansionVisibleToSession }).toEqual({
          expansionSource: 'built_in',
          expansionVisibleToSession: true,
        })
      expect(disclosed.get('citation_normalization')?.appliedTerms).toEqual([
        'Private Securities Litigation Reform Act',
      ])
      expect(disclosed.get('synonym')?.appliedTerms).toEqual(['brief'])
      expect(disclosed.get('embedding_neighbor')?.appliedTerms).toEqual(['laches'])
      for (const [off, kind] of [
        [{ citations: false }, 'citation_normalization'],
        [{ legalTerms: false }, 'legal_term_expansion'],
        [{ stemming: false }, 'stemming'],
        [{ synonyms: [] }, 'synonym'],
        [{ neighbours: false }, 'embedding_neighbor'],
      ] satisfies [Partial<Asked>, string][]) {
        const without = await kindsOf(host, query, { ...on, ...off })
        expect(Object.keys(without)).not.toContain(kind)
        expect(Object.keys(without)).toHaveLength(4)
      }
      const expanded = await host.documents.expand({ query, mode: 'text', ...on })
      expect(expanded.expansions.map(({ expansionKind }) => expansionKind).toSorted()).toEqual(
        [...disclosed.keys()].toSorted(),
      )
      for (const { expansionKind, appliedTerms, source } of expanded.expansions) {
        expect(appliedTerms).toEqual(disclosed.get(expansionKind)?.appliedTerms)
        expect(source).toBe('built_in')
      }
      await meaning.close()
    })

    it('[QX-2] a form that only hidden documents have leaves no trace, in a plan or after it', async () => {
      const { host, agent } = world()
      await file(host, 'a.txt', 'The PSLRA is what they have pleaded in this action.')
      await file(
        host,
        'b.txt',
        'They are pleading it under the Private Securities Litigation Reform Act, as they have said.',
        { sensitivity: 'hyper' },
      )
      const ask = { query: 'PSLRA plead', mode: 'text' as const }
      const long = 'Private Securities Litigation Reform Act'
      const traces = async (handle: Handle) => {
        const { plan, expansions, suggestion } = await handle.documents.search(ask)
        const { expansions: expanded } = await handle.documents.expand(ask)
        const planned = (await handle.documents.plan(ask)).plan.queryExpansionsPlanned
        return JSON.stringify([plan, expansions, suggestion, expanded, planned])
      }
      expect(await traces(host)).toContain(long)
      expect(await traces(host)).toContain('pleading')
      expect(await traces(agent())).not.toContain(long)
      expect(await traces(agent())).not.toContain('pleading')
      expect(await traces(agent())).toContain('pleaded')
    })

    it('[QX-3] what a corpus brings counts for who sees something of it, and is named with it', async () => {
      const { host, agent } = world()
      await file(host, 'a.txt', 'The brief says laches.')
      await file(host, 'b.txt', 'Another one.', { corpus: 'closed', sensitivity: 'hyper' })
      const synonyms = (corpus: string) => [{ of: 'delay', terms: ['laches'], corpus }]
      const of = async (handle: Handle, corpus: string) =>
        (await handle.documents.search({ query: 'delay', mode: 'text', synonyms: synonyms(corpus) }))
          .expansions
      expect(await of(host, 'closed')).toMatchObject([
        { expansionKind: 'synonym', expansionSource: 'corpus', expansionSourceCorpusRef: 'closed' },
      ])
      expect(await of(agent(), 'closed')).toEqual([])
      expect(await of(agent(), 'nowhere')).toEqual([])
      expect(await of(agent(), 'bank')).toHaveLength(1)
    })
  })
})
