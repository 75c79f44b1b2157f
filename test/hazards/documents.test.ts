import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { legal } from '../../src/legal/index.js'
import type { Privity } from '../../src/open.js'
import { base64 } from '../support/router.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { grantLink, openLink, passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

type Ingest = Parameters<Handle['documents']['ingest']>[0]
type Sensitivity = NonNullable<Ingest['sensitivity']>

/** Long enough for segments of its own. */
const paragraph = (word: string) =>
  `The ${word} of this paragraph is argued at some length. ${'It goes on. '.repeat(60)}`
const FOUR = ['alpha', 'zebra', 'omega', 'beta'].map(paragraph).join('\n\n')
const OPEN = { visibilityClass: 'public_open', sensitivity: 'low' } as const

describe.each(engines)('what documents must not give away or lose, on %s', engine => {
  let store: SharedStore
  let privity: Privity

  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance(passingClock(), { domain: legal() })
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  const world = () => {
    const tenant = store.tenant()
    const trusted = (maxSensitivity: Sensitivity) => ({ trust: { maxSensitivity } })
    return {
      host: privity.as({ tenant, actor: 'hana' }),
      narrow: (most: Sensitivity) => privity.as({ tenant, actor: 'hana', ...trusted(most) }),
      agent: (most: Sensitivity) =>
        privity.as({ tenant, actor: 'aide', for: 'hana', audience: 'agent', ...trusted(most) }),
    }
  }
  const bring = (handle: Handle, text: string, more: Partial<Ingest> = {}) =>
    handle.documents.ingest({ document: 'brief.txt', corpus: 'bank', content: base64(text), ...more })
  const ask = (handle: Handle, query: string, more: object = {}) =>
    handle.documents.search({ query, mode: 'text', ...more })
  const countOf = async (handle: Handle, query: string) => (await ask(handle, query)).count
  const guestOf = async (host: Handle, view: object) => {
    const { view: made } = await host.views.create({ corpus: 'bank', ...view })
    return (await openLink(privity, (await grantLink(host, [made])).token)).guest
  }
  const segmentWith = async (host: Handle, card: string | undefined, word: string) => {
    const { segments = [] } = (await host.documents.read(card ?? '')) ?? {}
    const at = segments.findIndex(({ text }) => text.includes(word))
    return { id: segments[at]?.id ?? '', ref: `brief.txt@1#${at + 1}` }
  }

  it('[NI-3, SR-7] why nothing is searched is told alike whether documents are hidden or there are none', async () => {
    const told = async (hides: boolean) => {
      const { host, agent } = world()
      await host.remember({ kind: 'note', text: 'a note on the zebra', sensitivity: 'low' })
      if (hides) await bring(host, 'The zebra.', { sensitivity: 'hyper' })
      const { failure, results } = await ask(agent('low'), 'zebra', { posture: 'document_text_primary' })
      return { kind: failure?.failureKind, hint: failure?.remediationHint, results }
    }
    expect(await told(true)).toEqual(await told(false))
    expect((await told(true)).kind).toBe('document_required_unavailable')
  })

  describe('a version that waits', () => {
    it('[NI-4, NI-5] is not there for whoever sees no more than that there is a document', async () => {
      const { host, agent } = world()
      await bring(host, 'The first version.', { sensitivity: 'high' })
      await bring(host, 'The zebra version.', { extract: 'later', metadata: { caseNumber: 'S-1' } })
      const aide = agent('medium')
      expect(await aide.documents.fields({ document: 'brief.txt' })).toBeNull()
      expect(await refusalOf(aide.documents.extract({ document: 'brief.txt' }))).toMatchObject({
        code: 'not_found',
      })
      expect(await countOf(aide, 'zebra')).toBe(0)
    })

    it('[TR-7] keeps the label of what it was to replace, though that was taken back', async () => {
      const { host } = world()
      const { card } = await bring(host, 'The first version.', { sensitivity: 'high' })
      await bring(host, 'The zebra version.', { extract: 'later' })
      await host.revise({ record: card?.id ?? '', how: 'retract' })
      const read = await host.documents.extract({ document: 'brief.txt' })
      expect(read.card?.sensitivity).toBe('high')
    })

    it('[NI-3] is not told of by a card whose label is lower than its own', async () => {
      const { host, agent } = world()
      const { card } = await bring(host, 'The first version.', { sensitivity: 'high' })
      await bring(host, 'The zebra version.', {
        extract: 'later',
        sensitivity: 'high',
        metadata: { caseNumber: 'S-1' },
      })
      await host.relabel({ record: card?.id ?? '', sensitivity: 'low' })
      const told = await agent('low').documents.fields({ document: 'brief.txt', fields: ['caseNumber'] })
      expect(told?.fields[0]?.value ?? null).toBeNull()
    })

    it('[SR-14] makes what is found of the one before stale, for whoever may know of it', async () => {
      const { host, agent } = world()
      const { card } = await bring(host, 'Case No. 3:24-cv-01180. The zebra version.', OPEN)
      const framings = async (handle: Handle) => ({
        found: (await ask(handle, 'zebra')).results.map(({ framing }) => framing),
        card: (await handle.documents.get(card?.id ?? ''))?.framing,
        listed: (await handle.documents.cards({})).documents.map(({ framing }) => framing),
      })
      const guest = await guestOf(host, {})
      const guestFraming = async () => (await ask(guest, 'zebra')).results.map(({ framing }) => framing)
      const [before, shared] = [await framings(host), await guestFraming()]
      expect(before).toEqual({ found: ['current'], card: 'current', listed: ['current'] })
      await bring(host, 'Case No. 3:24-cv-01999. The heron version.', { extract: 'later' })
      expect(await framings(host)).toEqual({ found: ['stale'], card: 'stale', listed: ['stale'] })
      expect(await framings(agent('low'))).toEqual(await framings(host))
      await host.relabel({ record: card?.id ?? '', sensitivity: 'public' })
      // The card came down, and the file that waits stayed under its label.
      expect((await framings(agent('low'))).found).toEqual(['current'])
      expect(await guestFraming()).toEqual(shared)
      await host.documents.extract({ document: 'brief.txt' })
      expect((await ask(host, 'heron')).results.map(({ framing }) => framing)).toEqual(['current'])
    })

    it('[CV-3, CV-5] leaves no room for a plain no', async () => {
      const { host } = world()
      await bring(host, 'The zebra one.', { document: 'read.txt' })
      await bring(host, 'The heron two.', { document: 'waits.txt', extract: 'later' })
      const { notice, receipt } = await ask(host, 'heron')
      expect(receipt?.resultSetCompleteness).not.toBe('exhaustive_for_scope')
      expect(notice).not.toBe('No results found.')
    })
  })

  describe('the next version', () => {
    it('[TR-7] does not lower the label that somebody gave to a segment', async () => {
      const { host, agent } = world()
      const { card } = await bring(host, FOUR, OPEN)
      const { id } = await segmentWith(host, card?.id, 'zebra')
      await host.relabel({ record: id, sensitivity: 'hyper' })
      expect(await countOf(agent('low'), 'zebra')).toBe(0)
      await bring(host, `${FOUR}\n`)
      expect(await countOf(agent('low'), 'zebra')).toBe(0)
    })

    it('[TR-7] is made of a file alone: a card cannot be revised', async () => {
      const { host } = world()
      const { card } = await bring(host, 'The first version.', { sensitivity: 'high' })
      const record = card?.id ?? ''
      for (const how of ['supersede', 'fork'] as const)
        expect(await refusalOf(host.revise({ record, how, by: { text: 'A better card.' } }))).toMatchObject({
          code: 'conflict',
        })
      expect((await bring(host, 'The first version.')).card?.id).toBe(record)
      expect((await host.documents.cards({})).documents).toHaveLength(1)
    })

    it('[TR-7] equal bytes under a stricter label are refused, not passed over', async () => {
      const { host } = world()
      await bring(host, 'The first version.', OPEN)
      const refusal = await refusalOf(bring(host, 'The first version.', { sensitivity: 'hyper' }))
      expect(refusal).toMatchObject({ code: 'conflict' })
    })

    it('[OV-2] does not uncover a segment that lies under an overlay', async () => {
      const { host } = world()
      const { card } = await bring(host, FOUR, OPEN)
      const { ref } = await segmentWith(host, card?.id, 'zebra')
      await host.overlays.add({ target: { kind: 'segment', ref }, restriction: 'blocked' })
      expect(await countOf(host, 'zebra')).toBe(0)
      await bring(host, `${FOUR}\n`)
      expect(await countOf(host, 'zebra')).toBe(0)
    })

    it('[OV-2] does not uncover a part that another one was put before', async () => {
      const { host } = world()
      const exhibit = (letter: string, word: string) => `\n\nEXHIBIT ${letter}\n\n${paragraph(word)}\n`
      const motion = `MOTION TO DISMISS\n\n${paragraph('alpha')}`
      await bring(host, `${motion}${exhibit('A', 'apple')}${exhibit('B', 'zebra')}`, OPEN)
      const target = { kind: 'part', ref: 'brief.txt#exhibit-2' } as const
      await host.overlays.add({ target, restriction: 'blocked' })
      expect(await countOf(host, 'zebra')).toBe(0)
      await bring(
        host,
        `${motion}${exhibit('A', 'apple')}${exhibit('B', 'newcomer')}${exhibit('C', 'zebra')}`,
      )
      expect(await countOf(host, 'zebra')).toBe(0)
    })

    it('[AU-4] is forgotten together with the same words of the one before', async () => {
      const { host } = world()
      await bring(host, FOUR, OPEN)
      const guest = await guestOf(host, { viewTemporalMode: 'snapshot_at_share' })
      const { card } = await bring(host, `${FOUR}\nmore`)
      await host.forget([(await segmentWith(host, card?.id, 'zebra')).id])
      expect(await countOf(guest, 'zebra')).toBe(0)
    })
  })

  describe('spans', () => {
    it('[WR-2] show their source: what is written next is labelled as it is', async () => {
      const { host, agent } = world()
      await bring(host, 'The zebra argument is told here.', { ...OPEN, sensitivity: 'high' })
      const spans = [{ document: 'brief.txt', start: 0, end: 18 }]
      await host.remember({ kind: 'semantic', text: 'A giraffe note.', ...OPEN, spans })
      const aide = agent('high')
      const { results } = await ask(aide, 'giraffe', { posture: 'derived_memory_primary' })
      expect(results[0]?.sourceSpans[0]?.text).toBe('The zebra argument')
      const copied = await aide.remember({ kind: 'semantic', text: 'It is the zebra.', sensitivity: 'low' })
      expect(copied.sensitivity).toBe('high')
    })

    it('[SR-9] that no document can have do no harm to a search', async () => {
      const { host } = world()
      const note = (end: number) => ({
        kind: 'semantic' as const,
        text: 'A giraffe note.',
        spans: [{ document: 'brief.txt', start: 0, end }],
      })
      expect(await refusalOf(host.remember(note(3_000_000_000)))).toMatchObject({ code: 'invalid_input' })
      await host.remember(note(2_000_000_000))
      const asked = { posture: 'derived_memory_primary', context: 2_000 }
      expect((await ask(host, 'giraffe', asked)).results).toHaveLength(1)
    })

    it('[SR-9] lead into one document, though another has its name', async () => {
      const { host, agent } = world()
      await bring(host, 'The zebra is told of here.', { ...OPEN, sensitivity: 'hyper' })
      await bring(agent('low'), 'The okapi is told of here, and then somebody else goes on.', OPEN)
      const { results } = await ask(host, 'zebra', { context: 40 })
      expect(results[0]?.sourceSpans[0]?.context).toEqual({ before: '', after: '' })
    })
  })

  it('[SR-13, NI-6] a passage leads to its document, where that is seen', async () => {
    const { host, agent } = world()
    const { card } = await bring(host, FOUR, OPEN)
    const [found] = (await ask(host, 'zebra')).results
    expect(found).toMatchObject({ resultKind: 'artifact_segment', card: card?.id })
    expect((await host.documents.read(found?.card ?? ''))?.text).toBe(FOUR)
    await host.relabel({ record: card?.id ?? '', sensitivity: 'hyper' })
    expect((await ask(agent('low'), 'zebra')).results).toEqual([])
  })

  it('[NI-4] a lesser face does not say whether the document is at hand', async () => {
    const { host, narrow } = world()
    const draft = { kind: 'document' as const, corpus: 'bank', text: 'An ibis.', tags: ['ibis'] }
    await host.remember({ ...draft, fields: { materializationState: 'not_materialized' } })
    await host.remember(draft)
    const { results } = await ask(narrow('low'), 'ibis')
    expect(results.map(({ document }) => document.face)).toEqual(['metadata', 'metadata'])
    expect(new Set(results.map(({ document }) => document.materializationState)).size).toBe(1)
  })

  it('[CV-5] what was found and may not be told of is no plain no', async () => {
    const { host } = world()
    await bring(host, 'Nothing of the kind.', { ...OPEN, partKind: 'lead_argument' })
    await host.remember({ kind: 'semantic', text: 'The argument rests on a giraffe.' })
    const { count, notice } = await ask(host, 'argument giraffe', { posture: 'document_text_primary' })
    expect({ count, notice }).not.toEqual({ count: 1, notice: 'No results found.' })
  })

  it('[SR-3, CV-5] parts of filings are told apart where their names are shown', async () => {
    const { host } = world()
    await bring(
      host,
      `MOTION TO DISMISS\n\n${paragraph('alpha')}\n\nEXHIBIT A\n\n${paragraph('zebra')}`,
      OPEN,
    )
    const guest = await guestOf(host, { exposedSurfaces: ['source_documents'] })
    const partsOf = async (filingContentScope: string) =>
      (await ask(guest, 'zebra', { filingContentScope })).results.map(({ document }) => document.part)
    expect(await partsOf('exhibits_only')).toEqual(['brief.txt#exhibit-1'])
    expect(await partsOf('lead_argument_only')).toEqual([])
  })

  it('[NI-4] a kind of part that stands in fields alone is hidden with them', async () => {
    const { host } = world()
    await host.remember({
      kind: 'document',
      vessel: 'user',
      corpus: 'bank',
      surface: 'source_documents',
      text: 'The zebra of a record that was written by hand.',
      fields: { partKind: 'exhibit' },
      ...OPEN,
    })
    const guest = await guestOf(host, { exposedSurfaces: ['source_documents'] })
    const counts = async (handle: Handle) => [
      (await ask(handle, 'zebra', { filingContentScope: 'exhibits_only' })).count,
      (await ask(handle, 'zebra', { filingContentScope: 'lead_argument_only' })).count,
    ]
    expect(await counts(host)).toEqual([1, 0])
    expect(await counts(guest)).toEqual([0, 1])
  })

  it('[NI-9] a cursor goes on where it stood, though the record there is gone', async () => {
    const { host } = world()
    for (let at = 0; at < 12; at++)
      await bring(host, 'The zebra stands here.', { ...OPEN, document: `d${at}.txt` })
    const idsOf = ({ results }: Awaited<ReturnType<typeof ask>>) =>
      results.map(({ document }) => document.document)
    const all = idsOf(await ask(host, 'zebra', { limit: 100 }))
    const first = await ask(host, 'zebra', { limit: 3 })
    await host.documents.remove({ document: first.results[2]?.document.documentName ?? '' })
    const rest = idsOf(await ask(host, 'zebra', { limit: 3, cursor: first.cursor }))
    expect(rest).toEqual(all.slice(3, 6))
  })
})
