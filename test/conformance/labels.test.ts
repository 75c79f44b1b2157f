import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('labels on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  /** ana, whose people ben and cleo have consented, and agents that work for her with all the trust there is. */
  async function world() {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    for (const person of ['ben', 'cleo']) {
      await ana.people.add({ person })
      await ana.people.consent({ person, status: 'granted' })
    }
    const agent = (more: Partial<Credential> = {}) =>
      store.privity.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'hyper' },
        visibility: { ceiling: 'firewalled' },
        ...more,
      })
    return { tenant, ana, agent }
  }

  const labelOf = async (caller: Handle, record: string) => {
    const view = await caller.get(record)
    const { visibilityClass, participants } = view?.payload ?? {}
    return [view?.sensitivity, view?.scope, visibilityClass, participants?.join(' ')]
  }

  const LEAST = { sensitivity: 'public', visibilityClass: 'public_open' } as const
  const strict: z.input<typeof draft> = {
    kind: 'note',
    text: 'strict',
    sensitivity: 'high',
    scope: 'work',
    visibilityClass: 'sealed',
    participants: ['ben'],
  }
  const STRICT = ['high', 'work', 'sealed', 'ben']

  it('[TR-7] joins the labels of all sources, whatever lower label is asked for', async () => {
    const { ana } = await world()
    const one = await ana.remember(strict)
    const two = await ana.remember({
      kind: 'note',
      text: 'two',
      sensitivity: 'hyper',
      scope: 'home',
      visibilityClass: 'public_open',
      participants: ['cleo'],
    })
    const derived = await ana.remember({
      kind: 'note',
      text: 'derived',
      ...LEAST,
      derivedFrom: [one.id, two.id, one.id],
    })
    expect(derived).toMatchObject({
      id: derived.id,
      sensitivity: 'hyper',
      scope: 'home+work',
      visibilityClass: 'sealed',
    })
    expect(await labelOf(ana, derived.id)).toEqual(['hyper', 'home+work', 'sealed', 'ben cleo'])
    const stricter = await ana.remember({
      kind: 'note',
      text: 'stricter',
      sensitivity: 'hyper',
      scope: 'more',
      visibilityClass: 'firewalled',
      participants: ['ana'],
      derivedFrom: [one.id],
    })
    expect(await labelOf(ana, stricter.id)).toEqual(['hyper', 'more+work', 'firewalled', 'ana ben'])
  })

  it.each([
    'owner',
    'agent',
  ] as const)('[TR-7] never lowers a label when an %s supersedes, forks or merges', async who => {
    const { ana, agent } = await world()
    const caller = who === 'owner' ? ana : agent()
    for (const by of [
      { text: 'silent' },
      { text: 'lower', ...LEAST, scope: 'work', participants: [] },
      { text: 'elsewhere', ...LEAST, scope: 'home', participants: ['ana'] },
    ]) {
      const joined = by.text === 'elsewhere' ? ['high', 'home+work', 'sealed', 'ana ben'] : STRICT
      const [one, two, three, mild] = (
        await ana.remember([strict, strict, strict, { kind: 'note', text: 'mild', ...LEAST }])
      ).map(({ id }) => id) as [string, string, string, string]
      for (const change of [
        { how: 'fork' as const, record: one, by },
        { how: 'supersede' as const, record: two, by },
        { how: 'merge' as const, records: [mild, three], by },
      ]) {
        const { records } = await caller.revise(change)
        expect(await labelOf(ana, records[0]?.id ?? ''), `${change.how} ${by.text}`).toEqual(joined)
      }
      expect(await labelOf(ana, one)).toEqual(STRICT)
    }
    const { id } = await ana.remember({ kind: 'note', text: 'mild', ...LEAST })
    const fork = await ana.revise({ how: 'fork', record: id, by: { text: 'no stricter' } })
    expect(fork.records[0]).toMatchObject({ ...LEAST, scope: null })
  })

  it('[TR-7] takes up the label of a source named later, with all that stems from the record', async () => {
    const { ana } = await world()
    const [source, record] = (await ana.remember([strict, { kind: 'note', text: 'record', ...LEAST }])).map(
      ({ id }) => id,
    ) as [string, string]
    const child = await ana.remember({ kind: 'note', text: 'child', ...LEAST, derivedFrom: [record] })
    await ana.relate({ from: record, to: source, type: 'about' })
    expect(await labelOf(ana, record)).toEqual(['public', null, 'public_open', ''])
    await ana.relate({ from: record, to: source, type: 'derived_from' })
    expect(await labelOf(ana, record)).toEqual(STRICT)
    expect(await labelOf(ana, child.id)).toEqual(STRICT)
  })

  it('[TR-7] raises all that was derived when a source goes up, and lowers none of it when one goes down', async () => {
    const { ana } = await world()
    const [source, other] = (
      await ana.remember([
        { kind: 'note', text: 'source', ...LEAST },
        { kind: 'note', text: 'other', ...LEAST },
      ])
    ).map(({ id }) => id) as [string, string]
    const derive = async (...derivedFrom: string[]) =>
      (await ana.remember({ kind: 'note', text: 'derived', ...LEAST, derivedFrom })).id
    const near = await derive(source)
    const beside = await derive(source, other)
    const far = await derive(near, beside)
    const fork = (await ana.revise({ how: 'fork', record: far, by: { text: 'fork' } })).records[0]?.id ?? ''
    await ana.relabel({
      record: source,
      sensitivity: 'high',
      scope: 'work',
      visibilityClass: 'sealed',
      addParticipants: ['ben'],
    })
    for (const id of [source, near, beside, far, fork]) expect(await labelOf(ana, id)).toEqual(STRICT)
    expect(await labelOf(ana, other)).toEqual(['public', null, 'public_open', ''])
    await ana.relabel({ record: source, ...LEAST, scope: null, removeParticipants: ['ben'] })
    expect((await labelOf(ana, source)).slice(0, 3)).toEqual(['public', null, 'public_open'])
    for (const id of [near, beside, far, fork]) expect(await labelOf(ana, id)).toEqual(STRICT)
  })

  it('[TR-7] raises what somebody else derived, though whoever raises cannot see it', async () => {
    const { tenant, ana } = await world()
    const group = await ana.groups.create({ name: 'family' })
    await ana.groups.addMember({ group: group.id, member: 'ben' })
    const ben = store.privity.as({ tenant, actor: 'ben' })
    const shared = await ana.remember({ kind: 'note', text: 'shared', ...LEAST, owner: group.principal })
    const own = await ben.remember({ kind: 'note', text: 'own', ...LEAST, derivedFrom: [shared.id] })
    expect(await ana.get(own.id)).toBeNull()
    await ana.relabel({ record: shared.id, sensitivity: 'hyper' })
    expect(await ben.get(own.id)).toMatchObject({ sensitivity: 'hyper' })
  })

  it.each([
    'get',
    'list',
  ] as const)('[WR-2] labels what an agent writes with what %s showed it in the session', async way => {
    const { ana, agent } = await world()
    const { id } = await ana.remember(strict)
    const mild = await ana.remember({ kind: 'note', text: 'mild', ...LEAST, participants: ['cleo'] })
    const reader = agent({ session: 'one' })
    const note = { kind: 'note', text: 'note', ...LEAST } as const
    expect((await reader.remember(note)).sensitivity).toBe('public')
    if (way === 'get') for (const record of [id, mild.id]) await reader.get(record)
    else await reader.list()
    const written = await agent({ session: 'one' }).remember(note)
    expect(await labelOf(ana, written.id)).toEqual(['high', 'work', 'sealed', 'ben cleo'])
    // The successor of something mild is written by the same hand.
    const { records } = await reader.revise({
      how: 'fork',
      record: mild.id,
      by: { text: 'fork', ...LEAST },
    })
    expect(records[0]).toMatchObject({ sensitivity: 'high', scope: 'work', visibilityClass: 'sealed' })

    for (const elsewhere of [{ session: 'two' }, { session: 'one', actor: 'other' }])
      expect((await agent(elsewhere).remember(note)).sensitivity).toBe('public')
    expect((await agent({ session: 'one', for: 'ben' }).remember(note)).sensitivity).toBe('public')
    expect((await ana.remember(note)).sensitivity).toBe('public')
  })

  it('[WR-2] labels what an agent writes outside of a session with all it was ever shown for that person', async () => {
    const { ana, agent } = await world()
    const note = { kind: 'note', text: 'note', ...LEAST } as const
    const [high, scoped] = (
      await ana.remember([
        { ...note, sensitivity: 'high' },
        { ...note, scope: 'work' },
      ])
    ).map(({ id }) => id) as [string, string]
    expect((await agent().remember(note)).sensitivity).toBe('public')
    await agent({ session: 'one' }).get(high)
    expect(await agent().remember(note)).toMatchObject({ sensitivity: 'high', scope: null })
    await agent().get(scoped)
    expect(await agent().remember(note)).toMatchObject({ sensitivity: 'high', scope: 'work' })
    expect(await agent({ session: 'one' }).remember(note)).toMatchObject({ sensitivity: 'high', scope: null })
    expect(await agent({ for: 'ben' }).remember(note)).toMatchObject({ sensitivity: 'public', scope: null })
  })

  it('[WR-2] counts a preview as shown; a metadata face without words, a hidden record and what the owner reads do not count', async () => {
    const { ana, agent } = await world()
    const reader = agent({ session: 'one', trust: { maxSensitivity: 'medium' } })
    const note = { kind: 'note', text: 'note', ...LEAST } as const
    const high = await ana.remember({ ...note, sensitivity: 'high' })
    const hyper = await ana.remember({ ...note, sensitivity: 'hyper' })
    const medium = await ana.remember({ ...note, sensitivity: 'medium', document: 'memo' })
    await ana.list()
    expect(await reader.get(high.id)).toMatchObject({ face: 'metadata' })
    expect(await reader.get(hyper.id)).toBeNull()
    expect(await reader.remember(note)).toMatchObject({ sensitivity: 'public' })
    await ana.overlays.add({ target: { kind: 'document', ref: 'memo' }, restriction: 'preview_only' })
    expect(await reader.get(medium.id)).toMatchObject({ face: 'preview' })
    expect(await reader.remember(note)).toMatchObject({ sensitivity: 'medium' })
  })

  it('[WR-2] labels what an agent writes onto a record: tags, a reason, an edge', async () => {
    const { ana, agent } = await world()
    const { id } = await ana.remember(strict)
    const writer = agent({ session: 'one' })
    const mild = { kind: 'note', text: 'mild', ...LEAST } as const
    const [tagged, contested, related, derived, other] = (
      await ana.remember([mild, mild, mild, mild, mild])
    ).map(record => record.id) as [string, string, string, string, string]
    await writer.relate({ from: other, to: tagged, type: 'before' })
    await writer.get(id)
    await writer.relabel({ record: tagged, tags: ['seen'] })
    await writer.revise({ how: 'contest', record: contested, reason: 'seen' })
    await writer.relate({ from: related, to: other, type: 'seen' })
    await writer.relate({ from: derived, to: other, type: 'derived_from' })
    for (const record of [tagged, contested, related, derived])
      expect(await labelOf(ana, record)).toEqual(STRICT)
    expect(await labelOf(ana, other)).toEqual(['public', null, 'public_open', ''])
  })

  it('[WR-2] leaves lowering to an owner', async () => {
    const { ana, agent } = await world()
    const { id } = await ana.remember(strict)
    const lower: Omit<Parameters<Handle['relabel']>[0], 'record'>[] = [
      { sensitivity: 'medium' },
      { scope: null },
      { scope: 'home' },
      { visibilityClass: 'privileged' },
      { removeParticipants: ['ben'] },
      { sensitivity: 'hyper', visibilityClass: 'public_open' },
    ]
    // Not even one that was shown so much that its writing would be strict anyway.
    const writer = agent({ session: 'one' })
    await writer.get(id)
    for (const change of lower)
      await expect(writer.relabel({ record: id, ...change })).rejects.toMatchObject({ code: 'not_allowed' })
    expect(await labelOf(ana, id)).toEqual(STRICT)
    await writer.relabel({ record: id, sensitivity: 'hyper', addParticipants: ['cleo'] })
    expect(await labelOf(ana, id)).toEqual(['hyper', 'work', 'sealed', 'ben cleo'])
    const { records } = await ana.relabel({ record: id, ...LEAST, scope: null })
    expect(records).toEqual([{ id, sensitivity: 'public', scope: null, visibilityClass: 'public_open' }])
    expect(await labelOf(ana, id)).toEqual(['public', null, 'public_open', 'ben cleo'])
  })
})
