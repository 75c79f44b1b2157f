import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('a share link, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())
  it('runs from grant to revocation', async () => {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'hana' })
    const doc = (text: string, more = {}) =>
      host.remember({
        kind: 'document',
        corpus: 'bank',
        surface: 'source_documents',
        visibilityClass: 'public_open',
        title: text.slice(0, 12),
        text,
        tags: ['weak'],
        ...more,
      })
    const a = await doc('the motion to dismiss securities')
    await doc('secret strategy of the motion', { surface: 'host_strategy_notes' })
    const view = await host.views.create({ corpus: 'bank' })
    const { link, token } = await host.links.grant({
      views: [view.view],
      recipientIdentityMode: 'anonymous_share_token',
    })
    await doc('a later motion about dismissal')
    const opened = await store.privity.redeem({ token: token as string })
    expect(opened.status).toBe('open')
    if (opened.status !== 'open') return
    const access = await store.privity.authenticate(opened.key)
    const recipient = store.privity.as(access.credential)
    const current = await recipient.profiles.current()
    console.log(JSON.stringify(current, null, 1))
    const found = await recipient.documents.search({ query: 'motion' })
    expect(found.results.map(r => r.document.document)).toEqual([a.id])
    console.log(JSON.stringify(found, null, 1))
    expect((await recipient.documents.search({ query: 'weak' })).count).toBe(0)
    expect((await recipient.documents.list({})).documents).toHaveLength(1)
    const text = await recipient.documents.open(a.id)
    expect(text?.text).toContain('securities')
    await recipient.documents.download(a.id)
    await host.revise({ how: 'supersede', record: a.id, by: { text: 'the amended motion to dismiss' } })
    expect((await recipient.documents.open(a.id))?.text).toContain('securities')
    expect((await recipient.documents.search({ query: 'amended' })).count).toBe(0)
    expect((await recipient.documents.search({ query: 'securities' })).count).toBe(1)
    console.log(JSON.stringify(await host.links.accessLog({ link: link.link }), null, 1))
    console.log(JSON.stringify(await host.links.revoke({ link: link.link, reason: 'over' }), null, 1))
    await expect(recipient.documents.list({})).rejects.toMatchObject({
      code: 'session_profile_invalid',
      reason: 'session.profile_revoked',
    })
    await expect(store.privity.redeem({ token: token as string })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
