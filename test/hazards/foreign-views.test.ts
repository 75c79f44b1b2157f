import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { openBank, visit } from '../support/share-links.js'
import { textOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

const NOBODY = '00000000-0000-4000-8000-000000000000'

describe.each(engines)('views of what is not one’s own, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      answer => ({ answered: answer }),
      error => ({ code: error.code, message: error.message, reason: error.reason }),
    )
  const titles = async (handle: Handle) =>
    (await handle.documents.list()).documents.map(({ title }) => title).sort()
  const source = {
    kind: 'document',
    corpus: 'bank',
    surface: 'source_documents',
    visibilityClass: 'public_open',
  } as const

  it('[SV-1, NI-5] one corpus name under two owners is two corpora', async () => {
    const { privity } = store
    const tenant = store.tenant()
    const hana = await openBank(privity, tenant, { actor: 'hana' })
    const ben = await openBank(privity, tenant, { actor: 'ben' })
    const doc = await hana.keep('hanas motion')
    await ben.keep('bens motion')
    const byHana = (await visit(privity, await hana.grant())).handle
    const byBen = (await visit(privity, await ben.grant())).handle
    expect(await titles(byHana)).toEqual(['hanas'])
    expect(await titles(byBen)).toEqual(['bens'])
    for (const [handle, own] of [
      [byHana, 1],
      [byBen, 1],
    ] as const)
      expect(
        (await handle.documents.search({ query: 'motion', scope: { corpusScope: ['bank'] } })).count,
      ).toBe(own)
    expect(await byBen.documents.open(doc)).toBeNull()
    expect(await refusal(byBen.documents.download(doc))).toEqual(
      await refusal(byBen.documents.download(NOBODY)),
    )
    // A scope that names the other's document by its id shows nothing of it.
    const scoped = await ben.host.views.create({
      corpus: 'bank',
      documentScope: { kind: 'explicit_document_list', documentRefs: [doc] },
    })
    const { token } = await ben.host.links.grant({
      views: [scoped.view],
      recipientIdentityMode: 'anonymous_share_token',
    })
    expect(await titles((await visit(privity, { token: token ?? '' })).handle)).toEqual([])
  })

  it('[ST-1, SV-1, NI-5] whoever owns nothing of a corpus makes, reads, shares and deletes no view of it', async () => {
    const { privity } = store
    const tenant = store.tenant()
    const hana = await openBank(privity, tenant)
    const ben = privity.as({ tenant, actor: 'ben' })
    const group = await hana.host.groups.create({ name: 'firm' })
    const outside = (await openBank(privity, store.tenant())).view
    const absent = await refusal(ben.views.create({ corpus: 'bank', owner: 'nobody at all' }))
    expect(absent).toMatchObject({ code: 'not_found', message: 'not found' })
    for (const owner of ['hana', group.principal, `role:${group.id}/x`, 'link:x'])
      expect(await refusal(ben.views.create({ corpus: 'bank', owner })), owner).toEqual(absent)
    for (const view of [hana.view, outside, NOBODY]) {
      expect(await ben.views.get(view)).toBeNull()
      expect(await refusal(ben.views.delete(view))).toMatchObject({ code: 'not_found' })
      expect(await refusal(ben.views.effective([view]))).toEqual(await refusal(ben.views.effective([NOBODY])))
      expect(
        await refusal(ben.links.grant({ views: [view], recipientIdentityMode: 'anonymous_share_token' })),
      ).toEqual({
        code: 'not_found',
        message: 'a view does not exist, or belongs to another host session',
        reason: 'share_link_grant_blocked_invalid_view_ref',
      })
      const made = await refusal(ben.profiles.create({ sharedCorpusViewRefs: [view] }))
      expect(made).toEqual(await refusal(ben.profiles.create({ sharedCorpusViewRefs: [NOBODY] })))
    }
    expect((await ben.views.list()).views).toEqual([])
  })

  async function firm() {
    const { privity } = store
    const tenant = store.tenant()
    const hana = privity.as({ tenant, actor: 'hana' })
    const ben = privity.as({ tenant, actor: 'ben' })
    const group = await hana.groups.create({ name: 'firm' })
    await hana.groups.addMember({ group: group.id, member: 'ben' })
    const { id } = await hana.remember({
      ...source,
      owner: group.principal,
      title: 'firm',
      text: 'the motion of the firm',
    })
    const view = await ben.views.create({
      corpus: 'bank',
      owner: group.principal,
      viewTemporalMode: 'live_view',
    })
    const { link, token } = await ben.links.grant({
      views: [view.view],
      recipientIdentityMode: 'anonymous_share_token',
    })
    const leave = () => hana.groups.removeMember({ group: group.id, member: 'ben' })
    const rejoin = () => hana.groups.addMember({ group: group.id, member: 'ben' })
    return {
      privity,
      hana,
      ben,
      group,
      id,
      view: view.view,
      link: link.link,
      token: token ?? '',
      leave,
      rejoin,
    }
  }

  it('[SV-1, ST-1] a member shares what the group owns, and another member may share it too', async () => {
    const { privity, hana, id, view, token } = await firm()
    const { handle } = await visit(privity, { token })
    expect(await titles(handle)).toEqual(['firm'])
    expect((await handle.documents.open(id))?.text).toBe('the motion of the firm')
    expect(textOf(await handle.documents.download(id))).toContain('the motion of the firm')
    expect((await handle.documents.search({ query: 'motion' })).count).toBe(1)
    const again = await hana.links.grant({ views: [view], recipientIdentityMode: 'anonymous_share_token' })
    expect(await titles((await visit(privity, { token: again.token ?? '' })).handle)).toEqual(['firm'])
  })

  it('[SV-1, ST-5, NI-5] a link to what a group owns is the group’s: whoever left has no hold on it', async () => {
    const { privity, hana, ben, group, id, view, link, token, leave, rejoin } = await firm()
    const { handle } = await visit(privity, { token })
    await leave()
    expect(await ben.views.get(view)).toBeNull()
    expect(await ben.links.get(link)).toBeNull()
    expect((await ben.links.list()).links).toEqual([])
    for (const one of [link, NOBODY]) {
      expect(await refusal(ben.links.accessLog({ link: one }))).toMatchObject({ code: 'not_found' })
      expect(await refusal(ben.links.revoke({ link: one, reason: 'x' }))).toMatchObject({ code: 'not_found' })
    }
    expect(
      await refusal(ben.links.grant({ views: [view], recipientIdentityMode: 'anonymous_share_token' })),
    ).toMatchObject({ reason: 'share_link_grant_blocked_invalid_view_ref' })
    expect(await refusal(ben.views.create({ corpus: 'bank', owner: group.principal }))).toMatchObject({
      code: 'not_found',
    })
    // Whoever is still of the group sees what came of it, and ends it.
    await handle.documents.open(id)
    expect(JSON.stringify(await hana.links.accessLog({ link }))).toContain(id)
    await rejoin()
    expect(await ben.links.get(link)).toMatchObject({ link })
    await leave()
    expect(await hana.links.revoke({ link, reason: 'ben left' })).toMatchObject({ sessionsTerminated: 1 })
    await expect(handle.documents.list()).rejects.toMatchObject({ code: 'session_profile_invalid' })
  })
})
