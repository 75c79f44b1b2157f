import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open, type Privity } from '../../src/open.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('groups on %s', engine => {
  let store: TestPrivity
  /** On Postgres another process, as far as caches go. */
  let elsewhere: Privity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
    elsewhere = store.url === undefined ? store.privity : await open({ databaseUrl: store.url })
  })
  afterAll(async () => {
    await elsewhere.close()
    await store.dispose()
  })

  /** ana's group, and everyone who might look into it: ana, ben, cleo, agents of theirs, and ben in another process. */
  async function world() {
    const tenant = store.tenant()
    const as = (actor: string) => store.privity.as({ tenant, actor })
    const agentOf = (owner: string) =>
      store.privity.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: owner,
        trust: { maxSensitivity: 'hyper' },
      })
    const callers = {
      ana: as('ana'),
      ben: as('ben'),
      cleo: as('cleo'),
      "ana's agent": agentOf('ana'),
      "ben's agent": agentOf('ben'),
      "cleo's agent": agentOf('cleo'),
      'ben elsewhere': elsewhere.as({ tenant, actor: 'ben' }),
    }
    const group = await callers.ana.groups.create({ name: 'family' })
    /** Who sees a record, through get and list alike. */
    const seers = async (record: string) => {
      const seen: string[] = []
      for (const [who, caller] of Object.entries(callers)) {
        const got = await caller.get(record)
        const { records } = await caller.list()
        expect(records.some(({ id }) => id === record)).toBe(got !== null)
        if (got !== null) seen.push(who)
      }
      return seen
    }
    return { tenant, as, agentOf, group, seers, ...callers }
  }

  const ANA = ['ana', "ana's agent"]
  const BEN = ['ben', "ben's agent", 'ben elsewhere']
  const CLEO = ['cleo', "cleo's agent"]
  const note = { kind: 'note', text: 'note' } as const
  const sorted = (...names: string[][]) => names.flat().sort()

  it('[OP-2] lets a group own memory, which its members read and write from their next request on', async () => {
    const { ana, ben, cleo, group, seers, agentOf } = await world()
    const owner = group.principal
    const { id } = await ana.remember({ ...note, owner })
    expect(sorted(await seers(id))).toEqual(sorted(ANA))
    await ana.groups.addMember({ group: group.id, member: 'ben' })
    expect(sorted(await seers(id))).toEqual(sorted(ANA, BEN))
    const bens = await agentOf('ben').remember({ ...note, owner, derivedFrom: [id] })
    await ben.relabel({ record: id, tags: ['x'] })
    expect(sorted(await seers(bens.id))).toEqual(sorted(ANA, BEN))
    await ana.groups.removeMember({ group: group.id, member: 'ben' })
    for (const record of [id, bens.id]) expect(sorted(await seers(record))).toEqual(sorted(ANA))
    for (const writer of [ben, agentOf('ben'), cleo]) {
      await expect(writer.remember({ ...note, owner })).rejects.toMatchObject({ code: 'not_found' })
      await expect(writer.relabel({ record: id, tags: ['y'] })).rejects.toMatchObject({ code: 'not_found' })
    }
    await ana.groups.addMember({ group: group.id, member: 'ben' })
    expect(sorted(await seers(bens.id))).toEqual(sorted(ANA, BEN))
  })

  it('[OP-2] lets a role own memory, and takes one role without taking the others or the membership', async () => {
    const { ana, ben, group, seers } = await world()
    const member = (who: string, role?: string) => ({ group: group.id, member: who, ...(role && { role }) })
    await ana.groups.addMember(member('ben', 'editor'))
    await ana.groups.addMember(member('ben', 'treasurer'))
    await ana.groups.addMember(member('cleo', 'treasurer'))
    const principal = (role: string) => `role:${group.id}/${role}`
    const edited = await ben.remember({ ...note, owner: principal('editor') })
    const counted = await ben.remember({ ...note, owner: principal('treasurer') })
    const common = await ben.remember({ ...note, owner: group.principal })
    expect(sorted(await seers(edited.id))).toEqual(sorted(BEN))
    expect(sorted(await seers(counted.id))).toEqual(sorted(BEN, CLEO))
    expect(sorted(await seers(common.id))).toEqual(sorted(ANA, BEN, CLEO))
    // Owning the group is not holding its roles.
    await expect(ana.remember({ ...note, owner: principal('editor') })).rejects.toMatchObject({
      code: 'not_found',
    })

    const { members } = await ana.groups.removeMember(member('ben', 'treasurer'))
    expect(members).toEqual([
      { member: 'ana', role: null },
      { member: 'ben', role: null },
      { member: 'ben', role: 'editor' },
      { member: 'cleo', role: null },
      { member: 'cleo', role: 'treasurer' },
    ])
    expect(sorted(await seers(edited.id))).toEqual(sorted(BEN))
    expect(sorted(await seers(counted.id))).toEqual(sorted(CLEO))
    expect(sorted(await seers(common.id))).toEqual(sorted(ANA, BEN, CLEO))
    await ana.groups.removeMember(member('ben'))
    expect(await seers(edited.id)).toEqual([])
    expect(sorted(await seers(common.id))).toEqual(sorted(ANA, CLEO))
  })

  it('[OP-2, OV-2] lets groups and roles be granted access, for as long as one belongs to them', async () => {
    const { ana, group, seers } = await world()
    await ana.groups.addMember({ group: group.id, member: 'ben' })
    const other = await ana.groups.create({ name: 'board' })
    const { id } = await ana.remember({ ...note, owner: group.principal, corpus: 'c' })
    const target = { kind: 'corpus', ref: 'c', owner: group.principal } as const
    await ana.overlays.add({ target, restriction: 'explicit_access_required' })
    await ana.grants.add({ grantee: other.principal, target })
    expect(sorted(await seers(id))).toEqual(sorted(ANA))
    await ana.groups.addMember({ group: other.id, member: 'ben' })
    expect(sorted(await seers(id))).toEqual(sorted(ANA, BEN))
    await ana.groups.removeMember({ group: other.id, member: 'ben' })
    expect(sorted(await seers(id))).toEqual(sorted(ANA))
    await ana.grants.add({ grantee: `role:${group.id}/guest`, target })
    await ana.groups.addMember({ group: group.id, member: 'ben', role: 'guest' })
    expect(sorted(await seers(id))).toEqual(sorted(ANA, BEN))
    // The grant opens the target, not the vessel.
    await ana.groups.addMember({ group: other.id, member: 'cleo', role: 'guest' })
    expect(sorted(await seers(id))).toEqual(sorted(ANA, BEN))
    await ana.groups.removeMember({ group: group.id, member: 'ben', role: 'guest' })
    expect(sorted(await seers(id))).toEqual(sorted(ANA))
  })

  it('[OP-2] lets members act on what the group has: its people, overlays and records', async () => {
    const { ana, ben, group, agentOf } = await world()
    const owner = group.principal
    await ana.groups.addMember({ group: group.id, member: 'ben' })
    const { id } = await ana.remember({ ...note, owner, corpus: 'c', participants: ['dora'] })
    expect(await agentOf('ben').get(id)).toBeNull()
    await ben.people.consent({ person: 'dora', status: 'granted', owner })
    for (const who of ['ana', 'ben']) expect(await agentOf(who).get(id)).toMatchObject({ face: 'full' })
    const overlay = await ben.overlays.add({
      target: { kind: 'corpus', ref: 'c', owner },
      restriction: 'preview_only',
    })
    expect(await ana.get(id)).toMatchObject({ face: 'preview' })
    expect((await ana.overlays.list()).overlays).toEqual([overlay])
    await ana.groups.removeMember({ group: group.id, member: 'ben' })
    await expect(ben.overlays.remove({ overlay: overlay.id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(ben.people.consent({ person: 'dora', status: 'revoked', owner })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(ben.forget(id)).rejects.toMatchObject({ code: 'not_found' })
    await ana.forget(id)
  })

  it('[OP-2] leaves its members to the owner of a group, and shows them to nobody else', async () => {
    const { ana, ben, cleo, group } = await world()
    await ana.groups.addMember({ group: group.id, member: 'ben', role: 'editor' })
    await ana.groups.addMember({ group: group.id, member: 'dora' })
    const notFound = { code: 'not_found', message: 'not found' }
    for (const id of [group.id, randomUUID()])
      for (const caller of id === group.id ? [ben, cleo] : [ana, ben]) {
        await expect(caller.groups.addMember({ group: id, member: 'cleo' })).rejects.toMatchObject(notFound)
        await expect(caller.groups.removeMember({ group: id, member: 'dora' })).rejects.toMatchObject(
          notFound,
        )
      }
    await expect(ana.groups.removeMember({ group: group.id, member: 'cleo' })).rejects.toMatchObject(notFound)
    await expect(
      ana.groups.removeMember({ group: group.id, member: 'ben', role: 'treasurer' }),
    ).rejects.toMatchObject(notFound)
    const shown = { id: group.id, name: 'family', principal: `group:${group.id}`, owner: 'ana' }
    const [a, b, c, d] = [
      { member: 'ana', role: null },
      { member: 'ben', role: null },
      { member: 'ben', role: 'editor' },
      { member: 'dora', role: null },
    ]
    expect(await ana.groups.list()).toEqual({ groups: [{ ...shown, members: [a, b, c, d] }] })
    expect(await ben.groups.list()).toEqual({ groups: [{ ...shown, members: [b, c] }] })
    expect(await cleo.groups.list()).toEqual({ groups: [] })
  })

  it('[NI-9] keeps equal names of two owners apart: corpora, groups, overlays and grants', async () => {
    const { ana, ben } = await world()
    const mine = await ana.remember({ ...note, corpus: 'c' })
    const yours = await ben.remember({ ...note, corpus: 'c' })
    const seen = () => Promise.all([ana.get(mine.id), ben.get(yours.id), ana.get(yours.id)])
    const target = { kind: 'corpus', ref: 'c' } as const
    const added = await ana.overlays.add({ target, restriction: 'explicit_access_required' })
    expect(await seen()).toMatchObject([null, { face: 'full' }, null])
    const grant = await ben.grants.add({ grantee: 'ana', target })
    expect(await seen()).toMatchObject([null, { face: 'full' }, null])
    const notFound = { code: 'not_found', message: 'not found' }
    const foreign = { ...target, owner: 'ana' }
    await expect(ben.overlays.add({ target: foreign, restriction: 'none' })).rejects.toMatchObject(notFound)
    await expect(ben.grants.add({ grantee: 'ben', target: foreign })).rejects.toMatchObject(notFound)
    await expect(ben.overlays.remove({ overlay: added.id })).rejects.toMatchObject(notFound)
    await expect(ana.grants.revoke({ grant: grant.id })).rejects.toMatchObject(notFound)
    expect(await ben.overlays.list()).toEqual({ overlays: [] })
    expect(await ana.grants.list()).toEqual({ grants: [] })
    await ben.groups.create({ name: 'family' })
    for (const caller of [ana, ben])
      await expect(caller.groups.create({ name: 'family' })).rejects.toMatchObject({ code: 'conflict' })
  })
})
