import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { testClock } from '../../src/testing/clock.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

type Query = NonNullable<Parameters<Handle['timeline']>[0]>
type Draft = z.input<typeof draft>

describe.each(engines)('timelines on %s', engine => {
  const clock = testClock('2026-06-01T00:00:00.000Z')
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { clock })
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const helper: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    }
    return {
      tenant,
      helper,
      ana: store.privity.as({ tenant, actor: 'ana' }),
      agent: store.privity.as(helper),
    }
  }

  /** Writes records one after the other, a second apart; their texts are their names from then on. */
  async function remember(caller: Handle, drafts: Readonly<Record<string, Partial<Draft>>>) {
    const ids = new Map<string, string>()
    for (const [text, more] of Object.entries(drafts)) {
      clock.advance(1_000)
      const { id } = await caller.remember({ kind: 'note', text, sensitivity: 'low', ...more })
      ids.set(id, text)
    }
    return ids
  }

  /** Every page of a query. */
  async function pages(caller: Handle, query: Query) {
    const found: string[][] = []
    const cursors: string[] = []
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const answer: Awaited<ReturnType<Handle['timeline']>> = await caller.timeline({
        ...query,
        ...(cursor !== null && { cursor }),
      })
      found.push(answer.records.map(({ id }) => id))
      cursor = answer.cursor
      if (cursor !== null) cursors.push(cursor)
    }
    return { found, cursors }
  }
  const named = async (names: ReadonlyMap<string, string>, caller: Handle, query: Query = {}) =>
    (await pages(caller, { limit: 200, ...query })).found.flat().map(id => names.get(id))

  const LIVES: Readonly<Record<string, Partial<Draft>>> = {
    'written third': { occurredAt: '2026-07-01T00:00:00Z' },
    'the past': { occurredAt: '0099-03-01T00:00:00Z', kind: 'episodic' },
    'no time': {},
    childhood: { occurredAt: '1969-07-20T20:17:00Z', participants: ['ana'] },
    'also no time': {},
    'far off': { occurredAt: '9999-12-31T23:59:59.999Z' },
  }
  const IN_ORDER = ['the past', 'childhood', 'no time', 'also no time', 'written third', 'far off']

  it('[OP-3] orders by when things happened, or were written where that is not known', async () => {
    const { ana, agent } = world()
    const names = await remember(ana, LIVES)
    for (const caller of [ana, agent]) {
      expect(await named(names, caller)).toEqual(IN_ORDER)
      expect(await named(names, caller, { order: 'newest' })).toEqual(IN_ORDER.toReversed())
      expect(await named(names, caller, { kinds: ['episodic'] })).toEqual(['the past'])
      expect(await named(names, caller, { people: ['ana'] })).toEqual(['childhood'])
      expect(await named(names, caller, { people: ['nobody'] })).toEqual([])
    }
    expect((await ana.timeline({ limit: 1 })).records).toMatchObject([
      { face: 'full', payload: { occurredAt: '0099-03-01T00:00:00.000Z' } },
    ])
  })

  it('[OP-3] shows a window from its first moment to just before its last', async () => {
    const { ana } = world()
    const names = await remember(ana, LIVES)
    const window = (from: string, to: string) => named(names, ana, { from, to })
    expect(await window('1969-07-20T20:17:00Z', '2026-07-01T00:00:00Z')).toEqual([
      'childhood',
      'no time',
      'also no time',
    ])
    expect(await window('1969-07-20T20:17:00.001Z', '2026-07-01T00:00:00.001Z')).toEqual([
      'no time',
      'also no time',
      'written third',
    ])
    expect(await named(names, ana, { to: '1969-07-20T20:17:00Z' })).toEqual(['the past'])
    expect(await named(names, ana, { from: '2026-07-01T00:00:00Z' })).toEqual(['written third', 'far off'])
    await expect(window('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z')).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('[NI-9] pages without gap or double, by cursors of one length that belong to caller and question', async () => {
    const { tenant, ana, agent } = world()
    const names = await remember(ana, LIVES)
    // Two that share a moment are told apart by id.
    const same = { occurredAt: '2020-01-01T00:00:00Z' }
    for (const [id, text] of await remember(ana, { same, 'same too': same })) names.set(id, text)
    const whole = await named(names, ana)
    expect(whole).toHaveLength(8)
    const lengths = new Set<number>()
    for (const order of ['oldest', 'newest'] as const) {
      for (const limit of [1, 3, 8]) {
        const { found, cursors } = await pages(ana, { order, limit })
        const texts = found.flat().map(id => names.get(id))
        expect(texts).toEqual(order === 'oldest' ? whole : whole.toReversed())
        for (const cursor of cursors) lengths.add(cursor.length)
      }
    }
    expect(lengths.size).toBe(1)
    const { cursor } = await ana.timeline({ limit: 2 })
    const next = { limit: 2, cursor: cursor ?? '' }
    expect((await ana.timeline(next)).records).toHaveLength(2)
    for (const refused of [
      ana.timeline({ ...next, order: 'newest' }),
      ana.timeline({ ...next, from: '1900-01-01T00:00:00Z' }),
      ana.list(next),
      agent.timeline(next),
      store.privity.as({ tenant, actor: 'ben' }).timeline(next),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('[NI-4] places a face that does not show when something happened by when it was written', async () => {
    const { ana, agent } = world()
    await ana.overlays.add({ target: { kind: 'corpus', ref: 'papers' }, restriction: 'preview_only' })
    const early = { occurredAt: '1900-01-01T00:00:00Z' }
    const late = { occurredAt: '2100-01-01T00:00:00Z' }
    const names = await remember(ana, {
      first: {},
      'metadata, happened early': { ...early, sensitivity: 'medium' },
      'metadata, happened late': { ...late, sensitivity: 'medium' },
      'preview, happened early': { ...early, corpus: 'papers' },
      'preview, happened late': { ...late, corpus: 'papers', participants: ['ana'] },
      last: {},
    })
    const written = [...names.values()]
    expect(await named(names, agent)).toEqual(written)
    expect(await named(names, agent, { order: 'newest' })).toEqual(written.toReversed())
    const { records } = await agent.timeline()
    expect(records.map(({ face }) => face)).toEqual([
      'full',
      'metadata',
      'metadata',
      'preview',
      'preview',
      'full',
    ])
    for (const { payload } of records.slice(1, 5)) expect(payload?.occurredAt).toBeUndefined()
    // Neither a window over the hidden time finds them, nor a person that only a full face shows.
    expect(await named(names, agent, { to: '1950-01-01T00:00:00Z' })).toEqual([])
    expect(await named(names, agent, { from: '2050-01-01T00:00:00Z' })).toEqual([])
    expect(await named(names, agent, { people: ['ana'] })).toEqual([])
    // The owner sees the metadata ones in full, and the previews as the overlay says.
    expect(await named(names, ana)).toEqual([
      'metadata, happened early',
      'first',
      'preview, happened early',
      'preview, happened late',
      'last',
      'metadata, happened late',
    ])
    // One who asks for less is placed by less.
    const trust = { trust: { maxSensitivity: 'low' as const } }
    expect((await ana.timeline({}, trust)).records.map(({ id }) => names.get(id))).toEqual(written)
  })

  it('[NI-1, PC-2, WR-2] shows what a list shows, and nothing that is hidden', async () => {
    const { ana, agent, helper } = world()
    const when = { occurredAt: '2001-01-01T00:00:00Z' }
    const names = await remember(ana, {
      seen: when,
      'not granted': { ...when, participants: ['ben'] },
      'too sensitive': { ...when, sensitivity: 'high' },
      sealed: { ...when, visibilityClass: 'sealed' },
      synthesis: { ...when, kind: 'ai_synthesis' },
      granted: { ...when, participants: ['cleo'] },
    })
    await ana.people.consent({ person: 'cleo', status: 'granted' })
    const shown = (await named(names, agent)).toSorted()
    expect(shown).toEqual(['granted', 'seen'])
    const listed = (await agent.list()).records.map(({ id }) => names.get(id))
    expect(shown).toEqual(listed.toSorted())
    expect((await named(names, ana)).toSorted()).toEqual(
      (await ana.list()).records.map(({ id }) => names.get(id)).toSorted(),
    )
    // What it shows labels what an agent writes who was shown nothing else.
    const reader = store.privity.as({ ...helper, actor: 'reader' })
    await reader.timeline()
    const { id } = await reader.remember({ kind: 'note', text: 'of it', sensitivity: 'public' })
    expect(await ana.get(id)).toMatchObject({ sensitivity: 'low', payload: { participants: ['cleo'] } })
  })
})
