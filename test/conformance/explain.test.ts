import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { testClock } from '../../src/testing/clock.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const GATES = [
  'tenant',
  'vessel',
  'contract',
  'consent',
  'participants',
  'trust',
  'visibility',
  'view',
  'overlay',
  'freshness',
  'evidence',
]

type Viewer = Omit<Credential, 'tenant'>
const helper: Viewer = { actor: 'helper', audience: 'agent', for: 'ana', trust: { maxSensitivity: 'medium' } }

describe.each(engines)('explain on %s', engine => {
  const clock = testClock()
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { clock })
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const as = (viewer: Viewer) => store.privity.as({ tenant, ...viewer })
    return { tenant, as, ana: as({ actor: 'ana' }) }
  }

  const note: z.input<typeof draft> = { kind: 'note', text: 'note', sensitivity: 'low' }

  it('[DE-4, DE-3] gives an owner who sees all of a record the verdict of every gate on it', async () => {
    const { ana } = world()
    const { id } = await ana.remember(note)
    const full = { form: 'original', level: 'full' }
    const told = await ana.explain({ record: id })
    expect(told).toMatchObject({ record: id, shown: 'full', face: full })
    expect(told?.gates.map(({ gate }) => gate)).toEqual(GATES)
    for (const { face, reason, description } of told?.gates ?? []) {
      expect(face).toEqual(full)
      expect(reason).toMatch(/^access\.\w+$/)
      expect(description.length).toBeGreaterThan(0)
      expect(description).not.toBe(reason)
    }
  })

  it('[DE-4] says for another caller what get shows it, and which gate left out the rest', async () => {
    const { as, ana } = world()
    const situations: {
      says: string
      record?: Partial<z.input<typeof draft>>
      as: Viewer
      narrowed: string[]
    }[] = [
      { says: 'all', as: helper, narrowed: [] },
      { says: 'one above', record: { sensitivity: 'high' }, as: helper, narrowed: ['trust'] },
      { says: 'two above', record: { sensitivity: 'hyper' }, as: helper, narrowed: ['trust'] },
      {
        says: 'out of scope',
        record: { scope: 'work' },
        as: { ...helper, trust: { maxSensitivity: 'hyper', scopes: ['home'] } },
        narrowed: ['trust'],
      },
      { says: 'no consent', record: { participants: ['ben'] }, as: helper, narrowed: ['participants'] },
      { says: 'consent', record: { participants: ['ana'] }, as: helper, narrowed: [] },
      { says: 'an owner browsing', record: { participants: ['ben'] }, as: { actor: 'ana' }, narrowed: [] },
      { says: 'sealed', record: { visibilityClass: 'sealed' }, as: helper, narrowed: ['visibility'] },
      {
        says: 'a floor above the ceiling',
        as: { ...helper, visibility: { ceiling: 'privileged', floor: 'sealed' } },
        narrowed: ['visibility'],
      },
      {
        says: 'a recipient without a view',
        record: { visibilityClass: 'public_open' },
        as: { ...helper, audience: 'recipient' },
        narrowed: ['view'],
      },
      {
        says: 'several at once',
        record: { sensitivity: 'hyper', participants: ['ben'], visibilityClass: 'firewalled' },
        as: helper,
        narrowed: ['participants', 'trust', 'visibility'],
      },
      {
        says: 'an owner of less trust',
        record: { sensitivity: 'hyper' },
        as: { actor: 'ana', trust: { maxSensitivity: 'high' } },
        narrowed: ['trust'],
      },
      {
        says: 'a recipient of what is not shareable',
        record: { visibilityClass: 'public_open', corpus: 'kept' },
        as: { ...helper, audience: 'recipient' },
        narrowed: ['view', 'overlay'],
      },
    ]
    await ana.overlays.add({ target: { kind: 'corpus', ref: 'kept' }, restriction: 'not_shareable' })
    for (const { says, record, as: viewer, narrowed } of situations) {
      const { id } = await ana.remember({ ...note, ...record })
      const told = await ana.explain({ record: id, as: viewer })
      const { documents, get } = as(viewer)
      const shown = await (viewer.audience === 'recipient' ? documents.open(id) : get(id))
      expect(told?.shown, says).toBe(shown?.face ?? 'none')
      expect(told?.gates.map(({ gate }) => gate)).toEqual(GATES)
      const less = told?.gates.filter(({ face }) => face.level !== 'full' || face.form !== 'original')
      expect(
        less?.map(({ gate }) => gate),
        says,
      ).toEqual(narrowed)
    }
  })

  it('[DE-4] is absent for whoever does not see all of the record, as if there were none', async () => {
    const { as, ana } = world()
    const { id } = await ana.remember({ ...note, sensitivity: 'high' })
    const group = await ana.groups.create({ name: 'family' })
    await ana.groups.addMember({ group: group.id, member: 'ben' })
    const ben = as({ actor: 'ben' })
    const lesser = as({ actor: 'ana', trust: { maxSensitivity: 'medium' } })
    const least = as({ actor: 'ana', trust: { maxSensitivity: 'low' } })
    expect(await ana.explain({ record: id })).not.toBeNull()
    expect(await lesser.get(id)).toMatchObject({ face: 'metadata' })
    for (const asker of [ben, lesser, least, as({ actor: 'ops', audience: 'host' })])
      expect(await asker.explain({ record: id })).toBeNull()
    expect(await lesser.explain({ record: id, as: { actor: 'ana' } })).toBeNull()
    expect(await ana.explain({ record: id }, { trust: { maxSensitivity: 'medium' } })).toBeNull()
    expect(await ana.explain({ record: randomUUID() })).toBeNull()
    expect(await world().ana.explain({ record: id })).toBeNull()
    const overlay = await ana.overlays.add({
      target: { kind: 'document', ref: id },
      restriction: 'preview_only',
    })
    expect(await ana.get(id)).toMatchObject({ face: 'preview' })
    expect(await ana.explain({ record: id })).toBeNull()
    await ana.overlays.remove({ overlay: overlay.id })
    expect(await ana.explain({ record: id })).not.toBeNull()

    const short = await ana.remember({ ...note, expiresAt: new Date(clock.now().getTime() + 1_000) })
    expect(await ana.explain({ record: short.id })).not.toBeNull()
    clock.advance(1_000)
    expect(await ana.explain({ record: short.id })).toBeNull()
  })

  it('[DE-4] looks through the eyes of those who work for the asker, and of nobody else', async () => {
    const { as, ana } = world()
    const group = await ana.groups.create({ name: 'family' })
    await ana.groups.addMember({ group: group.id, member: 'ben' })
    const [own, common] = (await ana.remember([note, { ...note, owner: group.principal }])).map(
      ({ id }) => id,
    ) as [string, string]
    for (const record of [own, common]) {
      for (const viewer of [
        { actor: 'ana' },
        helper,
        { actor: 'other', for: 'ana', audience: 'recipient' as const },
      ])
        expect(await ana.explain({ record, as: viewer }), JSON.stringify(viewer)).toMatchObject({ record })
      for (const viewer of [
        { actor: 'ben' },
        { ...helper, for: 'ben' },
        { actor: 'ana', for: 'ben' },
        { actor: 'nobody' },
      ])
        expect(await ana.explain({ record, as: viewer }), JSON.stringify(viewer)).toBeNull()
    }
    const ben = as({ actor: 'ben' })
    expect(await ben.explain({ record: common, as: { ...helper, for: 'ben' } })).toMatchObject({
      shown: 'full',
    })
    expect(await ben.explain({ record: common, as: helper })).toBeNull()
  })

  it('[DE-4] tells an agent audience nothing, not even about itself', async () => {
    const { as, ana } = world()
    const { id } = await ana.remember({ ...note, visibilityClass: 'public_open' })
    for (const audience of ['agent', 'recipient'] as const)
      for (const record of [id, randomUUID()])
        await expect(as({ ...helper, audience }).explain({ record, as: helper })).rejects.toMatchObject({
          code: 'not_allowed',
        })
    const unknown = ana.explain({ record: id, as: { ...helper, audience: 'admin' as never } })
    await expect(unknown).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
