import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

type Target = Parameters<Handle['overlays']['add']>[0]['target']
type Restriction = Exclude<
  Parameters<Handle['overlays']['add']>[0]['restriction'],
  'access_ceremony_required'
>

/** What an owner and an agent see under each restriction. To a recipient without a view nothing exists. */
const SHOWN: Record<Restriction, string | null> = {
  none: 'full',
  explicit_access_required: null,
  preview_only: 'preview',
  redacted_only: null,
  not_shareable: 'full',
  blocked: null,
}
const RESTRICTIONS = Object.keys(SHOWN) as Restriction[]

/** The six kinds of target and the field of a record that places it there. */
const PLACES = [
  ['corpus', 'corpus'],
  ['filing_unit', 'filingUnit'],
  ['version', 'version'],
  ['part', 'part'],
  ['document', 'document'],
  ['segment', 'segment'],
] as const

const CLASSES = [
  'public_open',
  'party_confidential',
  'work_product_internal',
  'privileged',
  'sealed',
  'firewalled',
] as const

describe.each(engines)('overlays on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const as = (actor: string) => store.privity.as({ tenant, actor })
    const working = (more: Partial<Credential> = {}) =>
      store.privity.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'hyper' },
        ...more,
      })
    return { tenant, as, working, ana: as('ana'), agent: working() }
  }

  const note: z.input<typeof draft> = { kind: 'note', text: 'note' }
  const face = async (caller: Handle, record: string) => (await caller.get(record))?.face ?? null
  const texts = async (caller: Handle) =>
    (await caller.list({ limit: 200 })).records.map(({ payload }) => payload?.text).sort()

  it('[OV-1] shows under each restriction what it leaves, through get and list', async () => {
    const { ana, agent, working } = world()
    const recipient = working({ audience: 'recipient', visibility: { ceiling: 'firewalled' } })
    const stored = await ana.remember(RESTRICTIONS.map(document => ({ ...note, document, text: document })))
    for (const restriction of RESTRICTIONS)
      await ana.overlays.add({ target: { kind: 'document', ref: restriction }, restriction })
    for (const [at, restriction] of RESTRICTIONS.entries()) {
      const id = stored[at]?.id ?? ''
      for (const caller of [ana, agent]) expect(await face(caller, id), restriction).toBe(SHOWN[restriction])
      expect(await recipient.documents.open(id)).toBeNull()
    }
    const visible = RESTRICTIONS.filter(restriction => SHOWN[restriction] !== null).sort()
    for (const caller of [ana, agent]) expect(await texts(caller)).toEqual(visible)
    expect((await recipient.documents.list({ limit: 200 })).documents).toEqual([])
  })

  it('[OV-1] previews the title and the first 200 characters, however many bytes they take', async () => {
    const { ana } = world()
    const whole = `${'🙂'.repeat(199)}é🙃`
    const stored = await ana.remember([
      { ...note, corpus: 'c', title: 'long', text: `${'🙂'.repeat(199)}🙃${'x'.repeat(1_000)}` },
      { ...note, corpus: 'c', title: 'longer', text: whole },
      { ...note, corpus: 'c', text: 'short' },
    ])
    await ana.overlays.add({ target: { kind: 'corpus', ref: 'c' }, restriction: 'preview_only' })
    const previews = await Promise.all(stored.map(({ id }) => ana.get(id)))
    expect(previews.map(view => view?.payload)).toEqual([
      { title: 'long', text: `${'🙂'.repeat(199)}🙃`, contested: false },
      { title: 'longer', text: `${'🙂'.repeat(199)}é`, contested: false },
      { title: null, text: 'short', contested: false },
    ])
  })

  it('[OV-1] constructs no access ceremony and no restriction it does not know', async () => {
    const { ana } = world()
    const { id } = await ana.remember({ ...note, corpus: 'c' })
    const target: Target = { kind: 'corpus', ref: 'c' }
    const ceremony = ana.overlays.add({ target, restriction: 'access_ceremony_required' })
    await expect(ceremony).rejects.toMatchObject({ code: 'b1_not_yet_supported' })
    for (const restriction of ['hidden', '', null, 'BLOCKED']) {
      const asked = ana.overlays.add({ target, restriction: restriction as never })
      await expect(asked).rejects.toMatchObject({ code: 'invalid_input' })
    }
    const unknown = ana.overlays.add({ target: { kind: 'page' as never, ref: 'c' }, restriction: 'blocked' })
    await expect(unknown).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await ana.overlays.list()).toEqual({ overlays: [] })
    expect(await face(ana, id)).toBe('full')
  })

  it('[OV-1] holds on each kind of target for records written before and after, until it is lifted', async () => {
    const { ana, agent } = world()
    const placed = (when: string) =>
      PLACES.flatMap(([kind, field]) => [
        { ...note, text: `${kind} ${when}`, [field]: 'x' },
        { ...note, text: `other ${kind} ${when}`, [field]: 'y' },
      ])
    const all = [...placed('before'), ...placed('after')].map(({ text }) => text).sort()
    const others = all.filter(text => text.startsWith('other'))
    await ana.remember(placed('before'))
    const added = []
    for (const [kind] of PLACES)
      added.push(await ana.overlays.add({ target: { kind, ref: 'x' }, restriction: 'blocked' }))
    await ana.remember(placed('after'))
    for (const caller of [ana, agent]) expect(await texts(caller)).toEqual(others)
    for (const [at, { id }] of added.entries()) {
      await ana.overlays.remove({ overlay: id })
      expect(await texts(ana)).toHaveLength(others.length + 2 * (at + 1))
    }
    expect(await texts(agent)).toEqual(all)
    const [first] = added
    await expect(ana.overlays.remove({ overlay: first?.id ?? '' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('[OV-2] lets the least face win, whichever is nearer and whichever came first', async () => {
    const { ana, working } = world()
    const cases: [far: Restriction, near: Restriction, shown: string | null][] = [
      ['blocked', 'none', null],
      ['none', 'blocked', null],
      ['preview_only', 'none', 'preview'],
      ['none', 'preview_only', 'preview'],
      ['blocked', 'preview_only', null],
      ['preview_only', 'redacted_only', null],
      ['preview_only', 'explicit_access_required', null],
    ]
    for (const [at, [far, near, shown]] of cases.entries()) {
      const { id } = await ana.remember({ ...note, corpus: `c${at}`, segment: `s${at}` })
      const overlays: { target: Target; restriction: Restriction }[] = [
        { target: { kind: 'corpus', ref: `c${at}` }, restriction: far },
        { target: { kind: 'segment', ref: `s${at}` }, restriction: near },
      ]
      for (const overlay of at % 2 ? overlays : overlays.reverse()) await ana.overlays.add(overlay)
      expect(await face(ana, id), `${far} ${near}`).toBe(shown)
    }
    const twice = await ana.remember({ ...note, document: 'twice', sensitivity: 'high' })
    const target: Target = { kind: 'document', ref: 'twice' }
    const blocking = await ana.overlays.add({ target, restriction: 'blocked' })
    await ana.overlays.add({ target, restriction: 'preview_only' })
    expect(await face(ana, twice.id)).toBeNull()
    await ana.overlays.remove({ overlay: blocking.id })
    expect(await face(ana, twice.id)).toBe('preview')
    expect(await face(working({ trust: { maxSensitivity: 'medium' } }), twice.id)).toBe('metadata')
  })

  it('[OV-2, OP-2] lifts explicit access by a grant to an actor, a group or a role, and nothing else', async () => {
    const { ana, as, working } = world()
    const group = await ana.groups.create({ name: 'firm' })
    await ana.groups.addMember({ group: group.id, member: 'ben', role: 'counsel' })
    await ana.groups.addMember({ group: group.id, member: 'cleo' })
    const { id } = await ana.remember({ ...note, owner: group.principal, corpus: 'c', segment: 's' })
    const target: Target = { kind: 'corpus', ref: 'c', owner: group.principal }
    const callers = [ana, as('ben'), as('cleo'), working({ for: 'ben' }), as('dora')]
    const shown = () => Promise.all(callers.map(caller => face(caller, id)))
    const open = (...who: number[]) => callers.map((_, at) => (who.includes(at) ? 'full' : null))
    expect(await shown()).toEqual(open(0, 1, 2, 3))
    await ana.overlays.add({ target, restriction: 'explicit_access_required' })
    expect(await shown()).toEqual(open())
    for (const [grantee, ...who] of [
      ['cleo', 2],
      [`role:${group.id}/counsel`, 1, 3],
      [group.principal, 0, 1, 2, 3],
      ['dora'],
      ['helper'],
    ] as [string, ...number[]][]) {
      const grant = await ana.grants.add({ grantee, target })
      expect(await shown(), grantee).toEqual(open(...who))
      await ana.grants.revoke({ grant: grant.id })
      expect(await shown()).toEqual(open())
    }
    // A grant on what is nearer does not reach what is farther.
    const near: Target = { kind: 'segment', ref: 's', owner: group.principal }
    await ana.grants.add({ grantee: 'ana', target: near })
    expect(await face(ana, id)).toBeNull()
    await ana.grants.add({ grantee: 'ana', target })
    expect(await face(ana, id)).toBe('full')
    for (const [restriction, left] of Object.entries(SHOWN) as [Restriction, string | null][]) {
      if (restriction === 'explicit_access_required') continue
      const added = await ana.overlays.add({ target, restriction })
      expect(await face(ana, id), restriction).toBe(left)
      await ana.overlays.remove({ overlay: added.id })
    }
  })

  it('[OV-2, TR-7] holds for what was made from a record, whenever and wherever it was made', async () => {
    const { ana, as } = world()
    const group = await ana.groups.create({ name: 'firm' })
    await ana.groups.addMember({ group: group.id, member: 'ben' })
    const ben = as('ben')
    const source = await ana.remember({ ...note, owner: group.principal, corpus: 'c' })
    const near = await ana.remember({ ...note, derivedFrom: [source.id] })
    const far = await ben.remember({ ...note, owner: group.principal, derivedFrom: [source.id] })
    const bens = await ben.remember({ ...note, derivedFrom: [far.id] })
    const late = await ben.remember(note)
    const lateChild = await ben.remember({ ...note, derivedFrom: [late.id] })
    await ben.relate({ from: late.id, to: source.id, type: 'derived_from' })
    const fork = (await ana.revise({ how: 'fork', record: near.id, by: { text: 'fork' } })).records[0]
    const faces = async () => [
      ...(await Promise.all([source.id, near.id, fork?.id ?? ''].map(id => face(ana, id)))),
      ...(await Promise.all([far.id, bens.id, late.id, lateChild.id].map(id => face(ben, id)))),
    ]
    expect(await faces()).toEqual(Array(7).fill('full'))
    const corpus: Target = { kind: 'corpus', ref: 'c', owner: group.principal }
    const preview = await ana.overlays.add({ target: corpus, restriction: 'preview_only' })
    expect(await faces()).toEqual(Array(7).fill('preview'))
    await ana.overlays.remove({ overlay: preview.id })
    // Of one record alone, by its id.
    const one: Target = { kind: 'document', ref: far.id, owner: group.principal }
    const added = await ana.overlays.add({ target: one, restriction: 'blocked' })
    expect(await faces()).toEqual(['full', 'full', 'full', null, null, 'full', 'full'])
    await ana.overlays.remove({ overlay: added.id })
    expect(await faces()).toEqual(Array(7).fill('full'))
    // Derived under an overlay that stands.
    await ana.overlays.add({ target: corpus, restriction: 'not_shareable' })
    const after = await ana.remember({ ...note, derivedFrom: [near.id] })
    await ana.overlays.add({ target: corpus, restriction: 'blocked' })
    expect(await face(ana, after.id)).toBeNull()
    expect(await faces()).toEqual(Array(7).fill(null))
  })

  it('[OV-1, OV-2] shows under redacted_only the twin and not the original', async () => {
    const { ana, agent } = world()
    const original = await ana.remember({ ...note, text: 'Ben, 555', corpus: 'c' })
    const twin = await ana.remember({
      ...note,
      text: '[name], [number]',
      corpus: 'c',
      redactedOf: original.id,
    })
    const plain = await ana.remember({ ...note, corpus: 'c' })
    const target: Target = { kind: 'corpus', ref: 'c' }
    const added = await ana.overlays.add({ target, restriction: 'redacted_only' })
    for (const caller of [ana, agent]) {
      expect(await texts(caller)).toEqual(['[name], [number]'])
      expect(await face(caller, twin.id)).toBe('full')
      for (const hidden of [original, plain]) expect(await face(caller, hidden.id)).toBeNull()
    }
    await ana.overlays.add({ target, restriction: 'preview_only' })
    expect(await face(ana, twin.id)).toBe('preview')
    await ana.overlays.remove({ overlay: added.id })
    expect(await face(ana, original.id)).toBe('preview')
  })

  it('[OV-4] hides what is above the ceiling, and counts what is below a floor as at it', async () => {
    const { tenant, ana, agent, working } = world()
    await ana.remember(CLASSES.map(visibilityClass => ({ ...note, text: visibilityClass, visibilityClass })))
    const upTo = (ceiling: string) => CLASSES.slice(0, CLASSES.indexOf(ceiling as never) + 1).toSorted()
    for (const ceiling of CLASSES) {
      expect(await texts(working({ visibility: { ceiling } }))).toEqual(upTo(ceiling))
      expect(await texts(working({ visibility: { ceiling, floor: ceiling } }))).toEqual(upTo(ceiling))
    }
    const owner = store.privity.as({ tenant, actor: 'ana', visibility: { ceiling: 'privileged' } })
    expect(await texts(owner)).toEqual(upTo('privileged'))
    for (const floor of ['sealed', 'firewalled'] as const)
      expect(await texts(working({ visibility: { ceiling: 'privileged', floor } }))).toEqual([])
    // Without one of its own, a credential has the ceiling of its audience.
    expect(await texts(ana)).toEqual(upTo('firewalled'))
    expect(await texts(agent)).toEqual(upTo('privileged'))
  })
})
