import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { SUSPENDED_AFTER } from '../../src/runtime/rates.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { textOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

const refused = { code: 'not_allowed' }

describe.each(engines)('who shares, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  const filed = { kind: 'document', corpus: 'bank', surface: 'source_documents' } as const
  const open = { ...filed, visibilityClass: 'public_open' } as const
  const by = async (secret: string) => store.privity.as((await store.privity.authenticate(secret)).credential)
  async function guestOf(host: Handle, views: string[], more = {}): Promise<Handle> {
    const { token } = await host.links.grant({
      views,
      recipientIdentityMode: 'anonymous_share_token',
      ...more,
    })
    const opened = await store.privity.redeem({ token: token ?? '' })
    if (opened.status !== 'open') throw new Error(opened.status)
    return by(opened.key)
  }

  it('[DE-3, ST-1] a credential that holds less than its owner shares nothing, and ends nothing', async () => {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'hana' })
    const { view } = await host.views.create({ corpus: 'bank' })
    const { link } = await host.links.grant({ views: [view], recipientIdentityMode: 'anonymous_share_token' })
    const { profile } = await host.profiles.create({})
    await host.profiles.activate(profile)
    const weakly: Partial<Parameters<Handle['keys']['create']>[0]>[] = [
      { trust: { maxSensitivity: 'public', scopes: ['errands'] } },
      { visibility: { ceiling: 'public_open' } },
    ]
    for (const [at, less] of weakly.entries()) {
      const { secret } = await host.keys.create({ name: `weak ${at}`, ...less })
      const weak = await by(secret ?? '')
      const attempts = [
        weak.views.create({ corpus: 'bank', visibilityClassCeiling: 'firewalled' }),
        weak.links.grant({ views: [view], recipientIdentityMode: 'anonymous_share_token' }),
        weak.links.revoke({ link: link.link, reason: 'because' }),
        weak.profiles.revoke({ profile }),
        weak.profiles.suspend({ profile }),
        weak.profiles.setPolicy({ kind: 'output_policy', policy: 'x' }),
      ]
      for (const attempt of attempts) await expect(attempt).rejects.toMatchObject(refused)
    }
    expect((await host.links.get(link.link))?.revokedAt).toBeNull()
  })

  it('[SP-1, DE-3] what is granted in a host session sees no more than it, and ends with it', async () => {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'hana' })
    await host.remember({
      ...filed,
      visibilityClass: 'privileged',
      sensitivity: 'low',
      text: 'the privileged one',
    })
    const shown = await host.remember({ ...open, sensitivity: 'low', text: 'the open one' })
    const { profile } = await host.profiles.create({ visibilityClassCeiling: 'public_open' })
    await host.profiles.activate(profile)
    const under = { profile }
    const { view } = await host.views.create({ corpus: 'bank', visibilityClassCeiling: 'firewalled' }, under)
    const granted = await host.links.grant(
      { views: [view], recipientIdentityMode: 'anonymous_share_token' },
      under,
    )
    const opened = await store.privity.redeem({ token: granted.token ?? '' })
    if (opened.status !== 'open') throw new Error(opened.status)
    const guest = await by(opened.key)
    expect((await guest.documents.list()).documents.map(({ document }) => document)).toEqual([shown.id])
    await host.profiles.revoke({ profile })
    await expect(guest.documents.list()).rejects.toMatchObject({ code: 'session_profile_invalid' })
    await expect(store.privity.redeem({ token: granted.token ?? '' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  /** Somebody by a link that was granted in a host session of this kind. */
  async function guestUnder(host: Handle, fields: Parameters<Handle['profiles']['create']>[0], view: object) {
    const { profile } = await host.profiles.create(fields)
    await host.profiles.activate(profile)
    const made = await host.views.create({ corpus: 'bank', ...view }, { profile })
    const granted = await host.links.grant(
      { views: [made.view], recipientIdentityMode: 'anonymous_share_token' },
      { profile },
    )
    const opened = await store.privity.redeem({ token: granted.token ?? '' })
    if (opened.status !== 'open') throw new Error(opened.status)
    return { profile, guest: await by(opened.key) }
  }

  it('[DE-3, SP-1, SR-13] what may not leave a host session does not leave by a link granted in it, nor is it offered', async () => {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'hana' })
    const { id } = await host.remember({ ...open, sensitivity: 'low', text: 'the open one' })
    const kind = 'document_delivery_policy'
    await host.profiles.setPolicy({ kind, policy: 'looks only', settings: { delivery: 'view_only' } })
    const { profile, guest } = await guestUnder(host, { documentDeliveryPolicyRef: 'looks only' }, {})
    const spawned = await host.agents.spawn({ agent: 'reader', maxSensitivity: 'medium' }, { profile })
    const agent = await by(spawned.secret ?? '')
    for (const one of [store.privity.as({ tenant, actor: 'hana', profile }), agent, guest])
      await expect(one.documents.download(id)).rejects.toMatchObject(refused)
    const { documents } = await guest.documents.list()
    expect(documents.map(({ affordances }) => affordances)).toEqual([['view', 'quote', 'cite']])
    const { results } = await guest.documents.search({ query: 'open' })
    expect(results.flatMap(({ document }) => document.affordances)).not.toContain('download')
    expect((await guest.profiles.current()).actions).not.toContain('document_download.fetch')
    expect((await guest.profiles.current()).actions).toContain('document_view.open')
    // Without it, all of that is there: so it was the policy.
    const { guest: other } = await guestUnder(host, {}, {})
    expect(textOf(await other.documents.download(id))).toContain('the open one')
    expect((await other.documents.list()).documents[0]?.affordances).toContain('download')
    expect((await other.profiles.current()).actions).toContain('document_download.fetch')
  })

  it('[DE-3, SP-1] what a host session keeps for itself of notes and memories is in no link granted in it', async () => {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'hana' })
    const shown = await host.remember({ ...open, sensitivity: 'low', text: 'the open one' })
    const note = await host.remember({
      ...open,
      surface: 'host_annotations',
      sensitivity: 'low',
      text: 'a note on it',
    })
    const memory = await host.remember({
      ...open,
      kind: 'semantic',
      surface: 'derived_memories',
      sensitivity: 'low',
      text: 'what it says',
      spans: [{ document: shown.id, start: 0, end: 8 }],
    })
    const all = {
      exposedSurfaces: ['source_documents', 'host_annotations', 'derived_memories'],
      hostAnnotationPolicy: 'include_all',
      derivedMemorySharePolicy: 'include_with_provenance',
    }
    const listed = async (fields: object) => {
      const { guest } = await guestUnder(host, fields, all)
      return (await guest.documents.list()).documents.map(({ document }) => document).sort()
    }
    expect(await listed({})).toEqual([shown.id, note.id, memory.id].sort())
    expect(await listed({ hostAnnotationPolicy: 'exclude_all' })).toEqual([shown.id, memory.id].sort())
    expect(await listed({ derivedMemorySharePolicy: 'exclude_all' })).toEqual([shown.id, note.id].sort())
  })

  it('[OP-2, NI-7] an agent sees by the views of a group only while its person is in it', async () => {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'hana' })
    const group = await host.groups.create({ name: 'firm' })
    await host.groups.addMember({ group: group.id, member: 'mark' })
    const { id } = await host.remember({
      ...open,
      owner: group.principal,
      sensitivity: 'low',
      text: 'of the firm',
    })
    const mark = store.privity.as({ tenant, actor: 'mark' })
    const { view } = await mark.views.create({ corpus: 'bank', owner: group.principal })
    const spawned = await mark.agents.spawn({
      agent: 'reader',
      external: true,
      maxSensitivity: 'medium',
      sharedCorpusViewRefs: [view],
    })
    const agent = await by(spawned.secret ?? '')
    const guest = await guestOf(mark, [view])
    expect(await agent.get(id)).not.toBeNull()
    expect(await guest.documents.open(id)).not.toBeNull()
    await host.groups.removeMember({ group: group.id, member: 'mark' })
    expect(await agent.get(id)).toBeNull()
    // The link is the group's: whoever is left looks after it.
    expect(await guest.documents.open(id)).not.toBeNull()
    expect((await mark.links.list()).links).toEqual([])
    const [link] = (await host.links.list()).links
    await host.links.revoke({ link: link?.link ?? '', reason: 'mark left' })
    await expect(guest.documents.open(id)).rejects.toMatchObject({ code: 'session_profile_invalid' })
  })

  it.each([
    ['relabelled', (host: Handle, b: string) => host.relabel({ record: b, visibilityClass: 'privileged' })],
    ['retracted', (host: Handle, b: string) => host.revise({ how: 'retract', record: b })],
    [
      'blocked by its id',
      (host: Handle, b: string) =>
        host.overlays.add({ target: { kind: 'document', ref: b }, restriction: 'blocked' }),
    ],
    ['forgotten', (host: Handle, b: string) => host.forget([b])],
  ])('[SV-4, TR-7] what a snapshot shows of a record and of what was made from it goes once its successor is %s', async (_how, end) => {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'hana' })
    const a = await host.remember({ ...open, sensitivity: 'low', text: 'the first motion' })
    const m = await host.remember({
      ...open,
      kind: 'semantic',
      surface: 'derived_memories',
      sensitivity: 'low',
      text: 'what the motion says',
      spans: [{ document: a.id, start: 0, end: 9 }],
    })
    const { view } = await host.views.create({
      corpus: 'bank',
      exposedSurfaces: ['source_documents', 'derived_memories'],
      derivedMemorySharePolicy: 'include_with_provenance',
    })
    const guest = await guestOf(host, [view])
    const { records } = await host.revise({
      how: 'supersede',
      record: a.id,
      by: { text: 'the second motion' },
    })
    const b = records[0]?.id ?? ''
    for (const id of [a.id, m.id]) expect(await guest.documents.open(id)).not.toBeNull()
    await end(host, b)
    for (const id of [a.id, m.id]) expect(await guest.documents.open(id)).toBeNull()
  })

  it('[SV-4, NI-3] what the host notes of a newer record takes nothing from a snapshot', async () => {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'hana' })
    const a = await host.remember({ ...open, sensitivity: 'low', text: 'the first motion' })
    const early = await host.remember({ kind: 'semantic', text: 'an early note', derivedFrom: [a.id] })
    const { view } = await host.views.create({ corpus: 'bank' })
    const guest = await guestOf(host, [view])
    const { records } = await host.revise({
      how: 'supersede',
      record: a.id,
      by: { text: 'the second motion' },
    })
    const note = await host.remember({
      kind: 'semantic',
      text: 'a private note',
      derivedFrom: [records[0]?.id ?? ''],
    })
    await host.relabel({ record: note.id, visibilityClass: 'firewalled', sensitivity: 'hyper' })
    await host.revise({ how: 'retract', record: note.id })
    await host.forget([early.id])
    expect((await guest.documents.open(a.id))?.text).toBe('the first motion')
  })

  it('[SP-10] whoever uses up a link gets nobody else suspended', async () => {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'hana' })
    const { view } = await host.views.create({ corpus: 'bank' })
    const { token } = await host.links.grant({
      views: [view],
      recipientIdentityMode: 'anonymous_share_token',
      rateLimits: { maxQueriesPerHour: 1 },
    })
    const guests: Handle[] = []
    for (let n = 0; n < 2; n++) {
      const opened = await store.privity.redeem({ token: token ?? '' })
      if (opened.status === 'open') guests.push(await by(opened.key))
    }
    const [greedy, other] = guests as [Handle, Handle]
    const ask = (guest: Handle) => guest.documents.search({ query: 'motion' }).catch(error => error.code)
    await ask(greedy)
    for (let n = 1; n < SUSPENDED_AFTER; n++) expect(await ask(greedy)).toBe('rate_limit_exceeded')
    expect(await ask(greedy)).toBe('session_profile_invalid')
    expect(await ask(other)).toBe('rate_limit_exceeded')
    expect((await other.documents.list()).documents).toEqual([])
  })
})
