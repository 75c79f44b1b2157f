import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import {
  DERIVED_MEMORY_SHARE_POLICIES,
  HOST_ANNOTATION_POLICIES,
  SURFACES,
  TEMPORAL_MODES,
  VISIBILITY_CLASSES,
} from '../../src/policy/vocabulary.js'
import { few } from '../support/depth.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import {
  grantLink,
  keep,
  keepAll,
  openLink,
  type PassingClock,
  passingClock,
  refusalOf,
} from '../support/sharing.js'
import { engines } from '../support/stores.js'

const DRIFT = 'snapshot_at_share_with_drift_disclosure'
const LOG = 'live_view_with_change_log'
const HOUR = 3_600_000

describe.each(engines)('shared views on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let clock: PassingClock

  beforeAll(async () => {
    clock = passingClock()
    store = await sharedStore(engine)
    privity = await store.instance(clock)
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  const world = () => {
    const tenant = store.tenant()
    return { tenant, host: privity.as({ tenant, actor: 'hana' }) }
  }
  type View = Parameters<Handle['views']['create']>[0]
  const viewOf = async (host: Handle, view: Partial<View> = {}) =>
    (await host.views.create({ corpus: 'bank', ...view })).view
  /** Somebody who sees by these views. */
  const shareWith = async (host: Handle, views: readonly string[]) =>
    (await openLink(privity, (await grantLink(host, views)).token)).guest
  const share = async (host: Handle, ...views: Partial<View>[]) => {
    const made: string[] = []
    for (const view of views.length === 0 ? [{}] : views) made.push(await viewOf(host, view))
    return shareWith(host, made)
  }
  const idsOf = async (guest: Handle) =>
    (await guest.documents.list({ limit: 100 })).documents.map(({ document }) => document).sort()
  /** The texts that somebody sees, by listing and reading; searching finds the same ones. */
  const textsOf = async (guest: Handle) => {
    const texts: string[] = []
    const ids = await idsOf(guest)
    for (const document of ids) {
      const opened = await guest.documents.open(document)
      expect(opened).not.toBeNull()
      texts.push(opened?.text ?? '')
    }
    const { results, count } = await guest.documents.search({ query: 'motion', limit: 100 })
    const found = results.flatMap(({ document, more }) => [
      document.document,
      ...more.map(one => one.document),
    ])
    expect(found).toHaveLength(count)
    expect(found.sort()).toEqual(ids)
    return texts.sort()
  }
  const completionsOf = async (guest: Handle, text: string) =>
    (await guest.documents.complete({ text })).completions.map(({ word }) => word)
  /** What a receipt says that views left out. */
  const excludedIn = ({ receipt }: Awaited<ReturnType<Handle['documents']['search']>>) =>
    receipt?.kind === 'visible' ? receipt.excludedCountTotal : 'not visible'
  const corpusOf = async (guest: Handle) => {
    const { corpora } = await guest.profiles.current()
    expect(corpora).toHaveLength(1)
    return corpora?.[0]
  }

  describe('what is said', () => {
    it('[SV-1] is filled in when the view is made: for a link sources only, as they were; for working together, live', async () => {
      const { host } = world()
      const defaults = {
        corpus: 'bank',
        name: 'bank',
        owner: 'hana',
        ownerSessionRef: null,
        exposedSurfaces: [
          'source_documents',
          'filing_metadata',
          'filing_relationships',
          'court_rulings',
          'court_disposition_observations',
        ],
        derivedMemorySharePolicy: 'exclude_all',
        hostAnnotationPolicy: 'exclude_all',
        viewTemporalMode: 'snapshot_at_share',
        snapshotAtTimestamp: null,
        documentScope: { kind: 'all_documents' },
        visibilityClassCeiling: 'public_open',
        disclosesExclusions: false,
        excludedCount: null,
        sharedAt: null,
        schemaVersion: 1,
      }
      const link = await host.views.create({ corpus: 'bank' })
      const { view, createdAt, ...said } = link
      expect(said).toEqual(defaults)
      expect(await host.views.get(view)).toEqual(link)
      const {
        view: _,
        createdAt: __,
        ...live
      } = await host.views.create({
        corpus: 'bank',
        sharing: 'collaborative',
      })
      expect(live).toEqual({ ...defaults, viewTemporalMode: 'live_view' })
      const { profile } = await host.profiles.create()
      await host.profiles.activate(profile)
      const under = await host.views.create({ corpus: 'bank' }, { profile })
      expect(under.ownerSessionRef).toBe(profile)
      expect((await host.views.list({ corpus: 'bank' })).views.map(one => one.view)).toHaveLength(3)
      expect((await host.views.list({ corpus: 'other' })).views).toEqual([])
    })

    it('[SV-1, SV-2] holds every surface, policy, mode, ceiling and scope; the alias is both that it stands for', async () => {
      const { host } = world()
      const stored = async (view: Partial<View>) => {
        const made = await host.views.create({ corpus: 'bank', ...view })
        expect(await host.views.get(made.view)).toEqual(made)
        return made
      }
      for (const surface of few(SURFACES, 2))
        expect((await stored({ exposedSurfaces: [surface] })).exposedSurfaces).toEqual([surface])
      expect(await stored({ exposedSurfaces: [...SURFACES].reverse() })).toMatchObject({
        exposedSurfaces: SURFACES,
      })
      const both = ['court_rulings', 'court_disposition_observations']
      for (const exposedSurfaces of [['rulings_and_outcomes'], ['rulings_and_outcomes', ...both]] as const)
        expect(await stored({ exposedSurfaces: [...exposedSurfaces] as never })).toMatchObject({
          exposedSurfaces: both,
        })
      for (const derivedMemorySharePolicy of few(DERIVED_MEMORY_SHARE_POLICIES, 1))
        expect(await stored({ derivedMemorySharePolicy })).toMatchObject({ derivedMemorySharePolicy })
      for (const hostAnnotationPolicy of few(HOST_ANNOTATION_POLICIES, 1))
        expect(await stored({ hostAnnotationPolicy })).toMatchObject({ hostAnnotationPolicy })
      for (const viewTemporalMode of few(TEMPORAL_MODES, 1))
        expect(await stored({ viewTemporalMode })).toMatchObject({ viewTemporalMode })
      for (const visibilityClassCeiling of few(VISIBILITY_CLASSES, 2))
        expect(await stored({ visibilityClassCeiling })).toMatchObject({ visibilityClassCeiling })
      for (const documentScope of [
        { kind: 'explicit_document_list', documentRefs: ['a', 'b'] },
        { kind: 'filing_unit_version_list', versionRefs: ['v1'] },
        { kind: 'structural_selector', selector: [{ kind: 'part', ref: 'p' }] },
      ] as const)
        expect(await stored({ documentScope: documentScope as never })).toMatchObject({ documentScope })
    })

    it('[SV-1] refuses what no view can say, and makes none', async () => {
      const { tenant, host } = world()
      const future = new Date(clock.now().getTime() + HOUR).toISOString()
      const past = new Date(clock.now().getTime() - HOUR).toISOString()
      for (const wrong of [
        { corpus: '' },
        { exposedSurfaces: [] },
        { exposedSurfaces: ['everything'] },
        { derivedMemorySharePolicy: 'include_all' },
        { hostAnnotationPolicy: 'include_with_provenance' },
        { viewTemporalMode: 'live' },
        { visibilityClassCeiling: 'secret' },
        { documentScope: { kind: 'none' } },
        { documentScope: { kind: 'explicit_document_list', documentRefs: [] } },
        { documentScope: { kind: 'structural_selector', selector: [{ kind: 'corpus', ref: 'other' }] } },
        { snapshotAtTimestamp: future },
        { viewTemporalMode: 'live_view', snapshotAtTimestamp: past },
        { sharing: 'collaborative', snapshotAtTimestamp: past },
        { excludedCount: 7 },
        { sharedAt: past },
      ])
        expect((await refusalOf(host.views.create({ corpus: 'bank', ...wrong } as never)))?.code).toBe(
          'invalid_input',
        )
      // Nor of a corpus that is somebody else's.
      const theirs = await refusalOf(host.views.create({ corpus: 'bank', owner: 'sam' }))
      expect(theirs?.code).toBe('not_found')
      const rows = await store.sql('select 1 from privity.shared_views where tenant_id = $1', [tenant])
      expect(rows).toEqual([])
    })

    it('[SV-1, NI-5] is nobody else’s to read, share or delete, and stays once it was shared', async () => {
      const { tenant, host } = world()
      const view = await viewOf(host)
      const sam = privity.as({ tenant, actor: 'sam' })
      for (const one of [view, randomUUID()]) {
        expect(await sam.views.get(one)).toBeNull()
        expect(await refusalOf(sam.views.delete(one))).toMatchObject({
          code: 'not_found',
          message: 'not found',
        })
        expect((await refusalOf(sam.views.effective([one])))?.code).toBe('not_found')
        expect(await refusalOf(grantLink(sam, [one]))).toMatchObject({
          code: 'not_found',
          reason: 'share_link_grant_blocked_invalid_view_ref',
        })
      }
      expect((await sam.views.list()).views).toEqual([])
      await shareWith(host, [view])
      expect((await refusalOf(host.views.delete(view)))?.code).toBe('conflict')
      const unshared = await viewOf(host)
      expect(await host.views.delete(unshared)).toEqual({ deleted: true })
      expect(await host.views.get(unshared)).toBeNull()
    })
  })

  describe('what is seen', () => {
    it('[SV-1, SV-3] is what its surfaces expose, each by itself', async () => {
      const { host } = world()
      const text: Record<string, string> = {}
      for (const surface of SURFACES) text[surface] = `motion on ${surface}`
      await keepAll(host, [
        ...SURFACES.map(surface => ({ text: text[surface] as string, surface, markedShareable: true })),
        { text: 'motion on no surface at all', surface: undefined },
      ])
      const widest = {
        derivedMemorySharePolicy: 'include_only_user_marked_shareable',
        hostAnnotationPolicy: 'include_all',
      } as const
      for (const surface of few(SURFACES, 4))
        expect(await textsOf(await share(host, { exposedSurfaces: [surface], ...widest })), surface).toEqual([
          text[surface],
        ])
      // What is not said to be shared of a host's own work is not, whatever surfaces are exposed.
      const plain = await share(host, { exposedSurfaces: [...SURFACES] })
      const notes = ['host_annotations', 'host_strategy_notes', 'host_topics', 'derived_memories']
      expect(await textsOf(plain)).toEqual(
        SURFACES.filter(surface => !notes.includes(surface))
          .map(surface => text[surface])
          .sort(),
      )
    })

    it('[SV-1] is of host notes and derived memories what its policies include', async () => {
      const { host } = world()
      await keepAll(
        host,
        ['derived_memories', 'host_annotations', 'host_strategy_notes', 'host_topics'].flatMap(surface =>
          [true, false].map(markedShareable => ({
            text: `motion ${surface} ${markedShareable ? 'marked' : 'plain'}`,
            surface,
            markedShareable,
          })),
        ),
      )
      const sees = async (
        exposed: (typeof SURFACES)[number],
        policies: Pick<View, 'derivedMemorySharePolicy' | 'hostAnnotationPolicy'>,
      ) =>
        (await textsOf(await share(host, { exposedSurfaces: [exposed], ...policies }))).map(
          one => one.split(' ')[2],
        )
      for (const [derivedMemorySharePolicy, seen] of [
        ['exclude_all', []],
        ['include_only_user_marked_shareable', ['marked']],
        ['include_with_provenance', []],
      ] as const)
        expect(
          await sees('derived_memories', { derivedMemorySharePolicy, hostAnnotationPolicy: 'exclude_all' }),
        ).toEqual(seen)
      for (const surface of few(['host_annotations', 'host_strategy_notes', 'host_topics'] as const, 1))
        for (const [hostAnnotationPolicy, seen] of [
          ['exclude_all', []],
          ['include_marked_shareable', ['marked']],
          ['include_all', ['marked', 'plain']],
        ] as const)
          expect(
            await sees(surface, { hostAnnotationPolicy, derivedMemorySharePolicy: 'exclude_all' }),
          ).toEqual(seen)
    })

    it('[DE-1, SV-2] is of memories what both of two views include: one asks for provenance, the other for a mark', async () => {
      const { host } = world()
      await keep(host, 'motion', { document: 'one', surface: 'source_documents' })
      const surface = 'derived_memories'
      const quote = [{ document: 'one', start: 0, end: 6 }]
      for (const [text, spans, markedShareable] of [
        ['motion marked', [], true],
        ['motion quoted', quote, false],
        ['motion marked and quoted', quote, true],
      ] as const)
        await keep(host, text, { kind: 'semantic', surface, spans: [...spans], markedShareable })
      const exposedSurfaces: View['exposedSurfaces'] = ['source_documents', surface]
      const cited: Partial<View> = { exposedSurfaces, derivedMemorySharePolicy: 'include_with_provenance' }
      const marked: Partial<View> = {
        exposedSurfaces,
        derivedMemorySharePolicy: 'include_only_user_marked_shareable',
      }
      const memories = async (...views: Partial<View>[]) =>
        (await textsOf(await share(host, ...views))).filter(text => text !== 'motion')
      expect(await memories(cited)).toEqual(['motion marked and quoted', 'motion quoted'])
      expect(await memories(marked)).toEqual(['motion marked', 'motion marked and quoted'])
      expect(await memories(cited, marked)).toEqual(['motion marked and quoted'])
    })

    it('[SV-1, NI-12] is of memories with provenance those whose every span leads to what the view shows', async () => {
      const { host } = world()
      const named = (document: string, more = {}) =>
        keep(host, `motion ${document}`, { document, surface: 'source_documents', ...more })
      await named('one', { filingUnit: 'first' })
      await named('two', { filingUnit: 'second' })
      await named('ruling', { surface: 'court_rulings' })
      await named('other', { corpus: 'other' })
      const quote = (document: string, end = 6) => ({ document, start: 0, end })
      const memory = (name: string, spans: ReturnType<typeof quote>[]) =>
        keep(host, `motion: ${name}`, { kind: 'semantic', surface: 'derived_memories', spans })
      await memory('of one', [quote('one')])
      await memory('of two', [quote('two')])
      await memory('of one and two', [quote('one'), quote('two')])
      await memory('of one and nothing', [quote('one'), quote('gone')])
      await memory('beyond one', [quote('one', 900)])
      await memory('of a ruling', [quote('ruling')])
      await memory('of another corpus', [quote('other')])
      await memory('of nothing', [])
      const exposedSurfaces = ['source_documents', 'derived_memories'] as const
      const derivedMemorySharePolicy = 'include_with_provenance'
      const shown = async (more: Partial<View> = {}) =>
        (
          await textsOf(
            await share(host, { exposedSurfaces: [...exposedSurfaces], derivedMemorySharePolicy, ...more }),
          )
        ).flatMap(text => (text.startsWith('motion: ') ? [text.slice(8)] : []))
      expect(await shown()).toEqual(['of one', 'of one and two', 'of two'])
      expect(await shown({ exposedSurfaces: ['derived_memories'] })).toEqual([])
      expect(
        await shown({ exposedSurfaces: ['court_rulings', 'derived_memories'] }),
        'by the surface of what is cited',
      ).toEqual(['of a ruling'])
      // What is cited is restricted later: the memory is, too.
      await host.overlays.add({ target: { kind: 'document', ref: 'two' }, restriction: 'blocked' })
      expect(await shown()).toEqual(['of one'])
    })

    it('[SV-1, OV-4] is nothing above its ceiling', async () => {
      const { host } = world()
      await keepAll(
        host,
        VISIBILITY_CLASSES.map(visibilityClass => ({ text: `motion ${visibilityClass}`, visibilityClass })),
      )
      for (const [at, visibilityClassCeiling] of few([...VISIBILITY_CLASSES.entries()], 3))
        expect(await textsOf(await share(host, { visibilityClassCeiling }))).toEqual(
          VISIBILITY_CLASSES.slice(0, at + 1)
            .map(one => `motion ${one}`)
            .sort(),
        )
    })

    it('[SV-1] is limited to the documents of its scope, also to those that come later', async () => {
      const { host } = world()
      const a = await keep(host, 'motion a', { document: 'a', version: 'v1', filingUnit: 'f1' })
      await keep(host, 'motion b', { document: 'b', version: 'v1', filingUnit: 'f2', part: 'p' })
      await keep(host, 'motion c', {
        document: 'c',
        version: 'v2',
        filingUnit: 'f2',
        part: 'p',
        segment: 's',
      })
      const live = { viewTemporalMode: 'live_view' } as const
      const sees = async (documentScope: View['documentScope']) =>
        (await textsOf(await share(host, { ...live, documentScope }))).map(text => text.slice(-1)).join('')
      const by = (kind: 'filing_unit' | 'part' | 'segment' | 'document', ref: string) => ({ kind, ref })
      const select = (...selector: ReturnType<typeof by>[]) => ({
        kind: 'structural_selector' as const,
        selector,
      })
      const scopes: [seen: string, scope: View['documentScope']][] = [
        ['ac', { kind: 'explicit_document_list', documentRefs: ['a', 'c'] }],
        ['', { kind: 'explicit_document_list', documentRefs: ['nowhere'] }],
        ['ab', { kind: 'filing_unit_version_list', versionRefs: ['v1'] }],
        ['bc', select(by('part', 'p'))],
        ['ac', select(by('filing_unit', 'f1'), by('segment', 's'))],
        ['c', select(by('segment', 's'))],
        ['a', { kind: 'explicit_document_list', documentRefs: [a] }],
        ['abc', { kind: 'all_documents' }],
      ]
      for (const [seen, scope] of few(scopes, 4)) expect(await sees(scope)).toBe(seen)
      // Two scopes on one corpus are met.
      const met = await share(
        host,
        { ...live, documentScope: { kind: 'filing_unit_version_list', versionRefs: ['v1'] } },
        { ...live, documentScope: { kind: 'structural_selector', selector: [by('filing_unit', 'f2')] } },
      )
      expect(await textsOf(met)).toEqual(['motion b'])
      expect((await corpusOf(met))?.limitedToDocuments).toBe(true)
      await keep(host, 'motion d', { document: 'd', version: 'v1', filingUnit: 'f2' })
      await keep(host, 'motion e', { document: 'e', version: 'v2', filingUnit: 'f2' })
      expect(await textsOf(met)).toEqual(['motion b', 'motion d'])
    })

    it('[SV-2] does not depend on the order of views or how often they are named, and other corpora are not there', async () => {
      const { host } = world()
      await keep(host, 'motion one')
      await keep(host, 'motion two', { surface: 'court_rulings' })
      await keep(host, 'motion three', { corpus: 'other' })
      await keep(host, 'motion four', { corpus: 'third' })
      const views = [
        await viewOf(host, { exposedSurfaces: ['source_documents', 'court_rulings'] }),
        await viewOf(host, {
          exposedSurfaces: ['source_documents', 'filing_metadata'],
          viewTemporalMode: DRIFT,
        }),
        await viewOf(host, { viewTemporalMode: 'live_view', visibilityClassCeiling: 'sealed' }),
        await viewOf(host, { corpus: 'other' }),
      ]
      const [a = '', b = '', c = '', d = ''] = views
      const seen = []
      for (const order of [
        [a, b, c, d],
        [d, c, b, a],
        [c, a, d, b, a, a, c],
      ]) {
        const guest = await shareWith(host, order)
        seen.push({ corpora: (await guest.profiles.current()).corpora, texts: await textsOf(guest) })
      }
      expect(seen[0]?.texts).toEqual(['motion one', 'motion three'])
      expect(seen[0]?.corpora?.map(({ corpus }) => corpus)).toEqual(['bank', 'other'])
      expect(seen[1]).toEqual(seen[0])
      expect(seen[2]).toEqual(seen[0])
      const accounts = [await host.views.effective([a, b, c]), await host.views.effective([c, b, a, b])]
      expect(accounts[1]).toEqual(accounts[0])
    })

    it('[SV-3, NI-2] is all that ranks, counts and suggests: what a view leaves out changes no figure', async () => {
      const answers = []
      for (const withMore of [false, true]) {
        const { host } = world()
        for (const text of [
          'motion to dismiss the securities complaint',
          'opposition to the motion',
          'securities securities securities',
        ])
          await keep(host, text, { title: text })
        if (withMore)
          for (let more = 0; more < 6; more++)
            await keepAll(host, [
              { text: 'securities motion motion secretary', surface: 'host_strategy_notes' },
              { text: 'securities motion secrecy', visibilityClass: 'privileged' },
              { text: 'securities motion secretion', corpus: 'other' },
              { text: 'securities motion secrete', surface: 'court_rulings' },
            ])
        const guest = await share(host, { exposedSurfaces: ['source_documents'] })
        const told = []
        for (const query of ['motion securities', 'securties', 'secretary', 'oppositon'])
          for (const mode of ['hybrid', 'text'] as const) {
            const found = await guest.documents.search({ query, mode })
            told.push({
              results: found.results.map(({ document, score, snippet, matchSurface }) => ({
                title: document.title,
                score,
                snippet,
                matchSurface,
              })),
              count: found.count,
              suggestion: found.suggestion,
              notice: found.notice,
              searched: found.receipt?.searchedCount,
              completeness: found.receipt?.resultSetCompleteness,
            })
          }
        answers.push({ told, completions: await guest.documents.complete({ text: 'sec' }) })
      }
      expect(answers[1]).toEqual(answers[0])
      expect(answers[0]?.told[0]?.count).toBe(3)
      expect(answers[0]?.completions.completions.map(({ word }) => word)).toEqual(['securities'])
    })

    it('[SV-5] comes with two sentences, whatever the host has', async () => {
      const { host } = world()
      const first =
        'Host annotations and analysis are not included in this share unless the host chose to include them.'
      const empty = await corpusOf(await share(host, { viewTemporalMode: 'live_view' }))
      expect(empty?.notices).toEqual([first, 'You are viewing this corpus as it is now.'])
      await keep(host, 'motion')
      await keep(host, 'motion', { surface: 'host_annotations', markedShareable: true })
      for (const hostAnnotationPolicy of few(HOST_ANNOTATION_POLICIES, 1)) {
        const corpus = await corpusOf(await share(host, { hostAnnotationPolicy }))
        expect(corpus?.notices).toEqual([
          first,
          `You are viewing a snapshot of this corpus as of ${corpus?.snapshotAtTimestamp}.`,
        ])
        const live = { hostAnnotationPolicy, viewTemporalMode: 'live_view' } as const
        expect((await corpusOf(await share(host, live)))?.notices).toEqual(empty?.notices)
      }
    })
  })

  describe('over time', () => {
    it('[SV-4] a snapshot keeps text, versions, counts, suggestions and completions as they were', async () => {
      const { host } = world()
      const brief = await keep(host, 'motion about scienter', { title: 'Brief' })
      await keep(host, 'another motion')
      const guest = await share(host)
      const look = async () => {
        const motion = await guest.documents.search({ query: 'motion' })
        return {
          motion: motion.results.map(({ document, score, snippet }) => ({ document, score, snippet })),
          counts: [motion.count, motion.receipt?.searchedCount],
          scienter: (await guest.documents.search({ query: 'scienter' })).count,
          later: (await guest.documents.search({ query: 'loss causation' })).count,
          suggestion: (await guest.documents.search({ query: 'scientre' })).suggestion,
          nothing: (await guest.documents.search({ query: 'causatoin' })).suggestion,
          completions: [await completionsOf(guest, 'sci'), await completionsOf(guest, 'caus')],
          listed: (await guest.documents.list()).documents,
          opened: await guest.documents.open(brief),
          // Each copy has a number of its own, which stands in its content too.
          copy: { ...(await guest.documents.download(brief)), content: '', watermark: '' },
          corpus: await corpusOf(guest),
          changes: await guest.views.changes(),
        }
      }
      const before = await look()
      expect(before).toMatchObject({
        counts: [2, 2],
        scienter: 1,
        later: 0,
        nothing: null,
        completions: [['scienter'], []],
      })
      const { records } = await host.revise({
        how: 'supersede',
        record: brief,
        by: { text: 'motion about loss causation' },
      })
      const newer = records[0]?.id ?? ''
      await keep(host, 'a motion on causation that came later')
      expect(await look()).toEqual(before)
      expect(await guest.documents.open(newer)).toBeNull()
      // Twice superseded, it still stands as it was shared.
      const again = await host.revise({ how: 'supersede', record: newer, by: { text: 'motion, third try' } })
      expect(await look()).toEqual(before)
      // Whoever it is shared with now sees the newest, and whoever sees it live as well.
      const texts = ['a motion on causation that came later', 'another motion', 'motion, third try']
      expect(await textsOf(await share(host))).toEqual(texts)
      expect(await textsOf(await share(host, { viewTemporalMode: 'live_view' }))).toEqual(texts)
      expect(again.records).toHaveLength(1)
    })

    it('[SV-4] a snapshot of before shows what stood then', async () => {
      const { host } = world()
      const first = await keep(host, 'motion, first version')
      const then = clock.now().toISOString()
      await host.revise({ how: 'supersede', record: first, by: { text: 'motion, second version' } })
      await keep(host, 'motion that came later')
      expect(await textsOf(await share(host, { snapshotAtTimestamp: then }))).toEqual([
        'motion, first version',
      ])
      expect(await textsOf(await share(host))).toEqual(['motion that came later', 'motion, second version'])
    })

    it('[SV-4, NI-7] policy stays live: overlays, retraction, deletion, labels and consent hold at once, on old versions too', async () => {
      const { host } = world()
      await host.people.add({ person: 'Petra' })
      await host.people.consent({ person: 'Petra', status: 'granted' })
      const made: Record<string, string> = {}
      for (const name of ['blocked', 'retracted', 'deleted', 'relabelled', 'consent', 'newer', 'left'])
        made[name] = await keep(host, `motion ${name}`, name === 'consent' ? { participants: ['Petra'] } : {})
      const idOf = (name: string) => made[name] ?? ''
      const guest = await share(host)
      const left = new Set(Object.keys(made))
      const gone = async (name: string) => {
        left.delete(name)
        expect(await idsOf(guest), name).toEqual([...left].map(idOf).sort())
        expect((await guest.documents.search({ query: 'motion' })).count, name).toBe(left.size)
        expect(await guest.documents.open(idOf(name))).toBeNull()
        expect((await refusalOf(guest.documents.download(idOf(name))))?.code).toBe('not_found')
      }
      expect(await textsOf(guest)).toHaveLength(left.size)
      await host.overlays.add({ target: { kind: 'document', ref: idOf('blocked') }, restriction: 'blocked' })
      await gone('blocked')
      await host.revise({ how: 'retract', record: idOf('retracted') })
      await gone('retracted')
      await host.forget(idOf('deleted'))
      await gone('deleted')
      await host.relabel({ record: idOf('relabelled'), visibilityClass: 'privileged' })
      await gone('relabelled')
      await host.people.consent({ person: 'Petra', status: 'revoked' })
      await gone('consent')
      // What is laid over the newer version lies over the one that is still shown.
      const { records } = await host.revise({
        how: 'supersede',
        record: idOf('newer'),
        by: { text: 'motion newer yet' },
      })
      expect(await guest.documents.open(idOf('newer'))).not.toBeNull()
      await host.overlays.add({
        target: { kind: 'document', ref: records[0]?.id ?? '' },
        restriction: 'not_shareable',
      })
      await gone('newer')
    })

    it('[SV-4] deleting or retracting the newer version ends the one that is still shown as well', async () => {
      for (const end of ['forget', 'retract'] as const) {
        const { host } = world()
        const old = await keep(host, 'motion')
        const guest = await share(host)
        const { records } = await host.revise({ how: 'supersede', record: old, by: { text: 'motion anew' } })
        const newer = records[0]?.id ?? ''
        expect(await textsOf(guest)).toEqual(['motion'])
        if (end === 'forget') await host.forget(newer)
        else await host.revise({ how: 'retract', record: newer })
        expect(await textsOf(guest), end).toEqual([])
      }
    })

    it('[SV-4] several views on one corpus never show more than each of them', async () => {
      const { host } = world()
      const old = await keep(host, 'motion one')
      const early = await viewOf(host)
      await shareWith(host, [early])
      clock.pass(HOUR)
      const { records } = await host.revise({ how: 'supersede', record: old, by: { text: 'motion two' } })
      expect(records).toHaveLength(1)
      await keep(host, 'motion between')
      const late = await viewOf(host)
      await shareWith(host, [late])
      clock.pass(HOUR)
      await keep(host, 'motion after')
      const live = await viewOf(host, { viewTemporalMode: 'live_view' })
      const alone: Record<string, string[]> = {}
      for (const view of [early, late, live]) alone[view] = await textsOf(await shareWith(host, [view]))
      expect(Object.values(alone)).toEqual([
        ['motion one'],
        ['motion between', 'motion two'],
        ['motion after', 'motion between', 'motion two'],
      ])
      const together = [
        [early, late],
        [early, live],
        [early, late, live],
        [late, live],
      ]
      for (const views of few(together, 2)) {
        const expected = views
          .map(view => alone[view] ?? [])
          .reduce((a, b) => a.filter(one => b.includes(one)))
        const guest = await shareWith(host, views)
        expect(await textsOf(guest)).toEqual(expected)
        const shared = await host.views.get(views[0] ?? '')
        expect((await corpusOf(guest))?.snapshotAtTimestamp).toBe(shared?.snapshotAtTimestamp)
      }
    })

    it('[SV-4, NI-8] the drift bit says exactly whether a live view would show something else', async () => {
      const { host } = world()
      const brief = await keep(host, 'motion')
      const other = await keep(host, 'another motion')
      const view = await viewOf(host, { viewTemporalMode: DRIFT, exposedSurfaces: ['source_documents'] })
      const guest = await shareWith(host, [view])
      const drifted = async () => (await corpusOf(guest))?.drifted
      expect(await drifted()).toBe(false)
      // What it would not show is no drift.
      await keep(host, 'motion', { surface: 'court_rulings' })
      await keep(host, 'motion', { visibilityClass: 'privileged' })
      await keep(host, 'motion', { corpus: 'other' })
      expect(await drifted()).toBe(false)
      const added = await keep(host, 'a motion that came later')
      expect(await drifted()).toBe(true)
      await host.relabel({ record: added, visibilityClass: 'sealed' })
      expect(await drifted()).toBe(false)
      const more = await keep(host, 'one more motion')
      expect(await drifted()).toBe(true)
      await host.forget(more)
      expect(await drifted()).toBe(false)
      // What is hidden now is hidden from both.
      await host.overlays.add({ target: { kind: 'document', ref: other }, restriction: 'blocked' })
      expect(await drifted()).toBe(false)
      await host.revise({ how: 'supersede', record: brief, by: { text: 'motion, amended' } })
      expect(await drifted()).toBe(true)
      expect(await textsOf(guest)).toEqual(['motion'])
      // What a live view would show no more is drift as well.
      const source = await keep(host, 'motion elsewhere', { corpus: 'other' })
      await keep(host, 'motion made from it', { corpus: 'made', derivedFrom: [source] })
      const derived = await share(host, { corpus: 'made', viewTemporalMode: DRIFT })
      expect((await corpusOf(derived))?.drifted).toBe(false)
      await host.revise({ how: 'supersede', record: source, by: { text: 'motion elsewhere, amended' } })
      expect(await textsOf(derived)).toEqual(['motion made from it'])
      expect((await corpusOf(derived))?.drifted).toBe(true)
      // No other mode says anything of it.
      const others = TEMPORAL_MODES.filter(mode => mode !== DRIFT)
      for (const viewTemporalMode of few(others, 1))
        expect((await corpusOf(await share(host, { viewTemporalMode })))?.drifted).toBeNull()
    })

    it('[SV-4] the change log lists what was added and is visible, and no other view has one', async () => {
      const { host } = world()
      await keep(host, 'motion of before')
      const guest = await share(host, { viewTemporalMode: LOG })
      expect(await guest.views.changes()).toEqual({ changes: [], cursor: null })
      const added = await keep(host, 'motion that came later')
      const hidden = await keep(host, 'motion that was hidden again')
      await keep(host, 'motion on another surface', { surface: 'host_topics' })
      await keep(host, 'motion above the ceiling', { visibilityClass: 'sealed' })
      await keep(host, 'motion elsewhere', { corpus: 'other' })
      await host.overlays.add({ target: { kind: 'document', ref: hidden }, restriction: 'blocked' })
      const listed = async (by: Handle, since?: string) =>
        (await by.views.changes(since === undefined ? {} : { since })).changes.map(({ change, document }) => [
          change,
          document.document,
        ])
      expect(await listed(guest)).toEqual([['added', added]])
      const then = clock.now().toISOString()
      const last = await keep(host, 'the last motion')
      expect(await listed(guest)).toEqual([
        ['added', last],
        ['added', added],
      ])
      expect(await listed(guest, then)).toEqual([['added', last]])
      const page = await guest.views.changes({ limit: 1 })
      expect(page.changes.map(({ document }) => document.document)).toEqual([last])
      expect((await guest.views.changes({ limit: 1, cursor: page.cursor ?? '' })).changes).toHaveLength(1)
      const others = TEMPORAL_MODES.filter(mode => mode !== LOG)
      for (const viewTemporalMode of few(others, 1)) {
        const other = await share(host, { viewTemporalMode })
        await keep(host, 'yet another motion')
        expect(await other.views.changes()).toEqual({ changes: [], cursor: null })
      }
      // Met with a view that stands still, there is nothing to list.
      const met = await share(host, { viewTemporalMode: LOG }, { viewTemporalMode: 'live_view' })
      await keep(host, 'one more motion')
      expect(await met.views.changes()).toEqual({ changes: [], cursor: null })
    })

    it('[SV-4] each corpus has a log of its own, by documents, and every page is full', async () => {
      const { host } = world()
      const early = await viewOf(host, { viewTemporalMode: LOG })
      await shareWith(host, [early])
      const first = await keep(host, 'motion in the first corpus')
      await keep(host, 'motion of before in the other', { corpus: 'other' })
      const views = [
        early,
        await viewOf(host, { corpus: 'other', viewTemporalMode: LOG }),
        await viewOf(host, { corpus: 'quiet', viewTemporalMode: 'live_view' }),
      ]
      const guest = await shareWith(host, views)
      const second = await keep(host, 'motion in the other', { corpus: 'other' })
      for (let more = 0; more < 3; more++) await keep(host, 'motion nobody logs', { corpus: 'quiet' })
      const filed = await host.documents.ingest({
        document: 'motion.txt',
        corpus: 'bank',
        content: Buffer.from('A motion that was filed.').toString('base64'),
        visibilityClass: 'public_open',
      })
      const pages: string[][] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await guest.views.changes({ limit: 1, ...(cursor === undefined ? {} : { cursor }) })
        pages.push(page.changes.map(({ document }) => document.document))
        cursor = page.cursor
      }
      expect(pages).toEqual([[filed.card?.id], [second], [first]])
    })
  })

  describe('what is left out', () => {
    it('[CV-4] is counted once, when a view is first shared, and never again', async () => {
      const { host } = world()
      await keep(host, 'motion')
      for (const surface of ['host_strategy_notes', 'derived_memories'])
        await keep(host, 'motion', { surface })
      await keep(host, 'motion', { visibilityClass: 'privileged' })
      await keep(host, 'motion', { participants: ['Petra'] })
      await keep(host, 'motion', { corpus: 'other' })
      const view = await viewOf(host, { disclosesExclusions: true })
      expect(await host.views.get(view)).toMatchObject({
        excludedCount: null,
        sharedAt: null,
        snapshotAtTimestamp: null,
      })
      const guest = await shareWith(host, [view])
      const shared = await host.views.get(view)
      expect(shared).toMatchObject({ excludedCount: 4, sharedAt: shared?.snapshotAtTimestamp })
      const figures = async (by: Handle) => [
        (await by.profiles.current()).excludedCountTotal,
        excludedIn(await by.documents.search({ query: 'motion' })),
      ]
      expect(await figures(guest)).toEqual([4, 4])
      // Whatever comes or goes, and whoever it is shared with next, it stays.
      await keep(host, 'motion', { surface: 'host_strategy_notes' })
      await keep(host, 'motion')
      clock.pass(HOUR / 2)
      const { token } = await grantLink(host, [view], { maxSensitivity: 'hyper' })
      const next = (await openLink(privity, token)).guest
      expect(await figures(guest)).toEqual([4, 4])
      expect(await figures(next)).toEqual([4, 4])
      expect(await host.views.get(view)).toEqual(shared)
      // One that is made now counts anew, and two are added up.
      const another = await viewOf(host, {
        disclosesExclusions: true,
        corpus: 'other',
        visibilityClassCeiling: 'sealed',
      })
      const both = await shareWith(host, [view, another])
      expect((await host.views.get(another))?.excludedCount).toBe(0)
      expect(await figures(both)).toEqual([4, 4])
    })

    it('[CV-4] is 0 unless the host turns it on, and no figure at all for what is one’s own', async () => {
      const { tenant, host } = world()
      await keep(host, 'motion')
      await keep(host, 'motion', { surface: 'host_topics' })
      const view = await viewOf(host)
      const guest = await shareWith(host, [view])
      expect((await host.views.get(view))?.excludedCount).toBe(0)
      expect((await guest.profiles.current()).excludedCountTotal).toBe(0)
      expect(excludedIn(await guest.documents.search({ query: 'motion' }))).toBe(0)
      const agent = privity.as({
        tenant,
        actor: 'assistant',
        audience: 'agent',
        for: 'hana',
        trust: { maxSensitivity: 'low' },
      })
      const { profile } = await host.profiles.create()
      await host.profiles.activate(profile)
      for (const current of [await host.profiles.current(), await host.profiles.current({ profile })])
        expect(current).toMatchObject({ excludedCountTotal: null, corpora: null })
      const { receipt } = await agent.search('motion')
      expect(receipt).toMatchObject({ kind: 'visible', excludedCountTotal: null })
    })
  })
})
