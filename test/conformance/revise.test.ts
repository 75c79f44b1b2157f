import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { TrustContext } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { testClock } from '../../src/testing/clock.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const SECOND = 1_000

describe.each(engines)('revising and relating on %s', engine => {
  const clock = testClock()
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { clock })
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const agent = (maxSensitivity: TrustContext['maxSensitivity'] = 'hyper') =>
      store.privity.as({ tenant, actor: 'helper', audience: 'agent', for: 'ana', trust: { maxSensitivity } })
    return { ana: store.privity.as({ tenant, actor: 'ana' }), agent }
  }

  const note: z.input<typeof draft> = { kind: 'note', text: 'note', sensitivity: 'low' }
  const successor = (answer: { records: { id: string }[] }) => answer.records[0]?.id ?? ''
  const listed = async (caller: Handle) => (await caller.list()).records.map(({ id }) => id).sort()
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * SECOND)

  it('[TR-8] retrieves nothing that was superseded, merged or retracted, for nobody', async () => {
    const { ana, agent } = world()
    const [old, one, two, gone] = (await ana.remember([note, note, note, note])).map(({ id }) => id) as [
      string,
      string,
      string,
      string,
    ]
    const next = successor(await ana.revise({ how: 'supersede', record: old, by: { text: 'next' } }))
    const merged = successor(await ana.revise({ how: 'merge', records: [one, two], by: { text: 'merged' } }))
    expect(await ana.revise({ how: 'retract', record: gone })).toEqual({ records: [] })
    for (const caller of [ana, agent()]) {
      for (const id of [old, one, two, gone]) expect(await caller.get(id)).toBeNull()
      expect(await listed(caller)).toEqual([next, merged].sort())
      expect((await caller.get(next))?.relations).toEqual([])
    }
    for (const record of [old, one, gone]) {
      await expect(ana.relabel({ record, tags: ['x'] })).rejects.toMatchObject({ code: 'not_found' })
      const again = ana.revise({ how: 'supersede', record, by: { text: 'again' } })
      await expect(again).rejects.toMatchObject({ code: 'not_found' })
      const derived = ana.remember({ ...note, derivedFrom: [record] })
      await expect(derived).rejects.toMatchObject({ code: 'not_found' })
    }
    const last = successor(await ana.revise({ how: 'supersede', record: next, by: { text: 'last' } }))
    expect(await ana.get(last)).toMatchObject({ payload: { text: 'last' } })
  })

  it('[TR-3, TR-8] a turn keeps its conversation, place and speaker, which only a full face shows', async () => {
    const { ana, agent } = world()
    const turn = { conversation: 'call', turn: 3, speaker: 'ben' }
    const { id } = await ana.remember({ ...note, ...turn, sensitivity: 'medium' })
    const next = successor(await ana.revise({ how: 'supersede', record: id, by: { text: 'corrected' } }))
    expect(await ana.get(next)).toMatchObject({ payload: { text: 'corrected', ...turn } })
    expect(JSON.stringify(await agent('low').get(next))).not.toMatch(/call|ben/)
    const placeless = ana.remember({ ...note, turn: 3 })
    await expect(placeless).rejects.toMatchObject({ message: 'records.0.turn: needs a conversation' })
  })

  it('[TR-8] gives the successor the place of the old record and what the revision does not say anew', async () => {
    const { ana } = world()
    const { id } = await ana.remember({
      ...note,
      kind: 'episodic',
      title: 'title',
      corpus: 'c',
      segment: 's',
      tags: ['t'],
      fields: { a: 1 },
      salience: 0.25,
      confidence: 0.75,
      markedShareable: true,
    })
    const next = await ana.revise({ how: 'supersede', record: id, by: { text: 'new', tags: ['u'] } })
    expect(await ana.get(successor(next))).toMatchObject({
      kind: 'episodic',
      tags: ['u'],
      salience: 0.25,
      confidence: 0.75,
      payload: {
        title: 'title',
        text: 'new',
        corpus: 'c',
        segment: 's',
        fields: { a: 1 },
        // To share something is said of each text anew.
        markedShareable: false,
      },
    })
  })

  it('[TR-8] retrieves what is contested with a mark, in full and as a preview', async () => {
    const { ana, agent } = world()
    const { id } = await ana.remember({ ...note, sensitivity: 'medium' })
    const derived = await ana.remember({ ...note, derivedFrom: [id] })
    expect(await ana.get(id)).toMatchObject({ payload: { contested: false, contestedReason: null } })
    await ana.revise({ how: 'contest', record: id, reason: 'not so' })
    expect(await ana.get(id)).toMatchObject({
      face: 'full',
      payload: { contested: true, contestedReason: 'not so' },
    })
    expect(await ana.get(derived.id)).toMatchObject({ face: 'full', payload: { contested: false } })
    expect(await agent('low').get(id)).toMatchObject({ face: 'metadata', payload: null })
    await ana.overlays.add({ target: { kind: 'document', ref: id }, restriction: 'preview_only' })
    const preview = await agent().get(id)
    expect(preview?.payload).toEqual({ title: null, text: 'note', contested: true })
  })

  it.each([
    'supersede',
    'merge',
    'retract',
  ] as const)('[TR-8] takes with it what was derived, when a record is gone by %s, and leaves what stands beside', async how => {
    const { ana, agent } = world()
    const [source, other] = (await ana.remember([note, note])).map(({ id }) => id) as [string, string]
    const derived = await ana.remember({ ...note, derivedFrom: [source, other] })
    const further = await ana.remember({ ...note, derivedFrom: [derived.id] })
    const fork = successor(await ana.revise({ how: 'fork', record: source, by: { text: 'fork' } }))
    const beside = await ana.remember({ ...note, derivedFrom: [other] })
    expect(await listed(ana)).toEqual([source, other, derived.id, further.id, fork, beside.id].sort())
    const mate = (await ana.remember(note)).id
    const by = { text: 'next' }
    const answer = await ana.revise(
      how === 'merge'
        ? { how, records: [source, mate], by }
        : how === 'supersede'
          ? { how, record: source, by }
          : { how, record: source },
    )
    const left = how === 'merge' ? [] : [mate]
    const expected = [other, beside.id, ...left, ...answer.records.map(({ id }) => id)].sort()
    for (const caller of [ana, agent()]) expect(await listed(caller)).toEqual(expected)
  })

  it('[OP-4] holds an expiry at the time of reading, to the very instant', async () => {
    const { ana, agent } = world()
    const { id } = await ana.remember({ ...note, expiresAt: inSeconds(10) })
    const other = await ana.remember(note)
    await ana.relate({ from: other.id, to: id, type: 'about' })
    const seen = async () => [
      await Promise.all([ana, agent()].map(async caller => (await caller.get(id)) !== null)),
      await Promise.all([ana, agent()].map(async caller => (await listed(caller)).includes(id))),
      (await ana.get(other.id))?.relations.length,
    ]
    expect(await seen()).toEqual([[true, true], [true, true], 1])
    clock.advance(10 * SECOND - 1)
    expect(await seen()).toEqual([[true, true], [true, true], 1])
    clock.advance(1)
    expect(await seen()).toEqual([[false, false], [false, false], 0])
    await expect(ana.relabel({ record: id, expiresAt: null })).rejects.toMatchObject({ code: 'not_found' })
    expect(await ana.forget(id)).toMatchObject({ forgotten: [id] })
  })

  it('[OP-4] moves with an extension, a shortening and a removal, and takes no expiry that is past', async () => {
    const { ana } = world()
    const { id } = await ana.remember({ ...note, expiresAt: inSeconds(10) })
    await ana.relabel({ record: id, expiresAt: inSeconds(20) })
    clock.advance(15 * SECOND)
    expect(await ana.get(id)).not.toBeNull()
    await ana.relabel({ record: id, expiresAt: inSeconds(2) })
    clock.advance(SECOND)
    await ana.relabel({ record: id, tags: ['x'] })
    expect(await ana.get(id)).toMatchObject({ payload: { expiresAt: inSeconds(1).toISOString() } })
    await ana.relabel({ record: id, expiresAt: null })
    clock.advance(100 * SECOND)
    expect(await ana.get(id)).toMatchObject({ payload: { expiresAt: null } })
    for (const expiresAt of [clock.now(), inSeconds(-1)]) {
      const asks = [
        () => ana.remember({ ...note, expiresAt }),
        () => ana.relabel({ record: id, expiresAt }),
        () => ana.revise({ how: 'fork', record: id, by: { text: 'x', expiresAt } }),
      ]
      for (const ask of asks) await expect(ask()).rejects.toMatchObject({ code: 'invalid_input' })
    }
    expect(await listed(ana)).toEqual([id])
  })

  it('[TR-7] refuses a derivation that leads back to itself, and changes nothing', async () => {
    const { ana } = world()
    const [a, b, c] = (
      await ana.remember([
        { ...note, sensitivity: 'low' },
        { ...note, sensitivity: 'medium' },
        { ...note, sensitivity: 'high' },
      ])
    ).map(({ id }) => id) as [string, string, string]
    const type = 'derived_from'
    await expect(ana.relate({ from: a, to: a, type })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(ana.relate({ from: a, to: a.toUpperCase(), type: 'x' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await ana.relate({ from: b, to: a, type })
    await ana.relate({ from: c, to: b, type })
    const before = await ana.list()
    for (const [from, to] of [
      [a, b],
      [b, c],
      [a, c],
    ] as const)
      await expect(ana.relate({ from, to, type })).rejects.toMatchObject({ code: 'cyclic_derivation' })
    expect(await ana.list()).toEqual(before)
    // Any other relation may go round.
    await ana.relate({ from: a, to: c, type: 'about' })
    await ana.relate({ from: c, to: a, type: 'about' })
    await ana.relate({ from: c, to: a, type })
  })

  it('[NI-9] keeps one edge of a kind, however often it is made', async () => {
    const { ana } = world()
    const [from, to] = (await ana.remember([note, note])).map(({ id }) => id) as [string, string]
    for (const type of ['about', 'about', 'derived_from', 'derived_from', 'beside'])
      await ana.relate({ from, to, type })
    const edges = (direction: string, record: string) =>
      ['about', 'beside', 'derived_from'].map(type => ({ type, direction, record }))
    expect((await ana.get(from))?.relations).toEqual(edges('out', to))
    expect((await ana.get(to))?.relations).toEqual(edges('in', from))
  })

  it('[TR-3, PC-5] shows an edge only to those who may know both of its ends', async () => {
    const { ana, agent } = world()
    const [low, high] = (await ana.remember([note, { ...note, sensitivity: 'high' }])).map(
      ({ id }) => id,
    ) as [string, string]
    await ana.relate({ from: low, to: high, type: 'points at' })
    await ana.relate({ from: high, to: low, type: 'is told by' })
    const out = { type: 'points at', direction: 'out', record: high }
    const back = { type: 'is told by', direction: 'in', record: high }
    const relations = async (caller: Handle) => (await caller.get(low))?.relations
    expect(await relations(agent('high'))).toEqual([back, out])
    // Of the other end only its metadata is known: an edge that starts there is not part of that.
    expect(await relations(agent('medium'))).toEqual([out])
    expect(await relations(agent('low'))).toEqual([])
    expect((await agent('medium').get(high))?.relations).toEqual([])
    await ana.revise({ how: 'retract', record: high })
    expect(await relations(ana)).toEqual([])
  })

  it('[NI-9] moves version and updatedAt of a face only when the face itself changes', async () => {
    const { ana, agent } = world()
    const { id } = await ana.remember({ ...note, sensitivity: 'high', participants: ['ana'] })
    const other = await ana.remember(note)
    const metadata = agent('medium')
    const first = await metadata.get(id)
    const hidden = [
      () => ana.relabel({ record: id, addParticipants: ['ben'] }),
      () => ana.people.consent({ person: 'ben', status: 'granted' }),
      () => ana.relabel({ record: id, markedShareable: true }),
      () => ana.relabel({ record: id, visibilityClass: 'privileged' }),
      () => ana.relabel({ record: id, expiresAt: inSeconds(1_000) }),
      () => ana.revise({ how: 'contest', record: id, reason: 'no' }),
      () => ana.relate({ from: id, to: other.id, type: 'about' }),
      () => ana.relate({ from: id, to: other.id, type: 'derived_from' }),
      () => ana.remember({ ...note, derivedFrom: [id] }),
      () => ana.overlays.add({ target: { kind: 'document', ref: id }, restriction: 'not_shareable' }),
    ]
    for (const change of hidden) {
      clock.advance(SECOND)
      await change()
      // While ben has not consented there is no face at all.
      const now = await metadata.get(id)
      if (change !== hidden[0]) expect(now).toEqual(first)
    }
    for (const change of [{ tags: ['x'] }, { salience: 0.9 }, { confidence: 0.1 }, { scope: 's' }]) {
      const before = await metadata.get(id)
      clock.advance(SECOND)
      await ana.relabel({ record: id, ...change })
      const now = await metadata.get(id)
      expect(now?.version).not.toBe(before?.version)
      expect(now?.updatedAt).toBe(clock.now().toISOString())
      expect(now?.createdAt).toBe(first?.createdAt)
    }
  })

  it('[NI-9] counts to a preview its title and text, and to a full face all the rest', async () => {
    const { ana } = world()
    const { id } = await ana.remember({ ...note, participants: ['ana'] })
    const faces = async () => {
      const target = { kind: 'document', ref: id } as const
      const full = await ana.get(id)
      const overlay = await ana.overlays.add({ target, restriction: 'preview_only' })
      const preview = await ana.get(id)
      await ana.overlays.remove({ overlay: overlay.id })
      return { full, preview }
    }
    const changes: [moves: 'full' | 'both', change: () => Promise<unknown>][] = [
      ['full', () => ana.relabel({ record: id, markedShareable: true })],
      ['full', () => ana.relabel({ record: id, addParticipants: ['ben'] })],
      ['full', () => ana.relabel({ record: id, visibilityClass: 'sealed' })],
      ['both', () => ana.revise({ how: 'contest', record: id })],
      ['full', () => ana.revise({ how: 'contest', record: id, reason: 'no' })],
      ['both', () => ana.relabel({ record: id, tags: ['x'] })],
    ]
    for (const [moves, change] of changes) {
      const before = await faces()
      clock.advance(SECOND)
      await change()
      const now = await faces()
      expect(now.full?.version).not.toBe(before.full?.version)
      expect(now.full?.updatedAt).toBe(clock.now().toISOString())
      if (moves === 'full') expect(now.preview).toEqual(before.preview)
      else expect(now.preview?.updatedAt).toBe(clock.now().toISOString())
    }
  })
})
