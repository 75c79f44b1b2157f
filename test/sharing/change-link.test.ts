import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { openBank, visit } from '../support/share-links.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { type PassingClock, passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

type Action = NonNullable<Parameters<Handle['links']['grant']>[0]['allowedActions']>[number]
const all = (namespace: string): Action => ({ kind: 'namespace_all', namespace })

describe.each(engines)('a link that was handed out, on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let clock: PassingClock
  beforeAll(async () => {
    store = await sharedStore(engine)
    clock = passingClock()
    privity = await store.instance(clock)
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  const soon = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString()

  it('[ST-10] is narrowed in place: open sessions have less at their next request, and the address stays', async () => {
    const bank = await openBank(privity, store.tenant())
    const id = await bank.keep('the motion')
    const { link, token } = await bank.grant()
    const guest = await visit(privity, { token })
    expect((await guest.handle.documents.download(id)).document).toBe(id)
    const narrowed = await bank.host.links.change({
      link,
      name: 'Less',
      allowedActions: [all('search'), { kind: 'exact', capability: 'document_view.list' }],
      rateLimits: { maxQueriesPerHour: 1 },
    })
    expect(narrowed).toMatchObject({
      name: 'Less',
      rateLimits: { maxQueriesPerHour: 1, maxUploadsPerDay: 10 },
    })
    expect(await bank.host.links.get(link)).toEqual(narrowed)
    for (const { handle } of [guest, await visit(privity, { token })]) {
      expect((await handle.documents.list()).documents).toHaveLength(1)
      expect(await refusalOf(handle.documents.open(id))).toMatchObject({ code: 'not_allowed' })
      expect(await refusalOf(handle.documents.download(id))).toMatchObject({ code: 'not_allowed' })
    }
    await guest.handle.documents.search({ query: 'motion' })
    expect(await refusalOf(guest.handle.documents.search({ query: 'motion' }))).toMatchObject({
      code: 'rate_limit_exceeded',
    })
  })

  it('[ST-10] ends earlier, and its open sessions with it', async () => {
    const bank = await openBank(privity, store.tenant())
    const { link, token } = await bank.grant()
    const guest = await visit(privity, { token })
    await bank.host.links.change({ link, expiresAt: soon(1) })
    expect((await guest.handle.documents.list()).documents).toEqual([])
    clock.pass(2 * 3_600_000)
    expect(await refusalOf(guest.handle.documents.list())).toMatchObject({
      code: 'session_profile_invalid',
      reason: 'session.profile_expired',
    })
    expect(await refusalOf(privity.redeem({ token }))).toMatchObject({ code: 'not_found' })
  })

  it('[ST-10] is extended and allows more, in open sessions too, under the same address', async () => {
    const bank = await openBank(privity, store.tenant())
    const id = await bank.keep('the motion')
    const { link, token } = await bank.grant({
      expiresAt: soon(1),
      allowedActions: [{ kind: 'exact', capability: 'document_view.list' }],
    })
    const guest = await visit(privity, { token })
    expect(await refusalOf(guest.handle.documents.open(id))).toMatchObject({ code: 'not_allowed' })
    const later = soon(9)
    const changed = await bank.host.links.change({
      link,
      expiresAt: later,
      allowedActions: [all('document_view')],
      rateLimits: { maxQueriesPerHour: 500 },
      sessionIdleSeconds: 20 * 3_600,
    })
    expect(changed).toMatchObject({ expiresAt: later, rateLimits: { maxQueriesPerHour: 500 } })
    expect((await guest.handle.documents.open(id))?.text).toBe('the motion')
    clock.pass(2 * 3_600_000)
    // The session ends when it was to end; the link opens another.
    expect(await refusalOf(guest.handle.documents.list())).toMatchObject({ code: 'session_profile_invalid' })
    await visit(privity, { token })
  })

  it('[ST-10] shows less by another view of the same corpus, and never more', async () => {
    const bank = await openBank(privity, store.tenant())
    await bank.keep('the motion')
    const ruling = await bank.keep('the ruling', { surface: 'court_rulings' })
    const { link, token } = await bank.grant()
    const guest = await visit(privity, { token })
    expect((await guest.handle.documents.list()).documents).toHaveLength(2)
    const view = (more: object) =>
      bank.host.views.create({ corpus: 'bank', viewTemporalMode: 'live_view', ...more })
    const rulings = await view({ exposedSurfaces: ['court_rulings'] })
    const elsewhere = await view({ corpus: 'other' })
    for (const views of [[rulings.view], [bank.view, elsewhere.view]])
      expect(await refusalOf(bank.host.links.change({ link, views }))).toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/^views: must show no more/),
      })
    await bank.host.links.change({ link, views: [bank.view, rulings.view] })
    const { documents } = await guest.handle.documents.list()
    expect(documents.map(({ document }) => document)).toEqual([ruling])
  })

  it('[ST-10] is not changed into what no link can be, nor by anybody else or once it is revoked', async () => {
    const bank = await openBank(privity, store.tenant())
    const { link } = await bank.grant({ expiresAt: soon(5) })
    const before = await bank.host.links.get(link)
    for (const [wrong, field] of [
      [{ expiresAt: soon(-1) }, 'expiresAt'],
      [{ allowList: ['@court.example'] }, 'allowList'],
      [{ rateLimits: { maxQueriesPerHour: -1 } }, 'rateLimits.maxQueriesPerHour'],
      [{ sessionIdleSeconds: 1 }, 'sessionIdleSeconds'],
    ] as const)
      expect(await refusalOf(bank.host.links.change({ link, ...wrong } as never))).toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(new RegExp(`^${field}:`)),
      })
    expect(
      await refusalOf(bank.host.links.change({ link, notices: { email: 'hana@firm.example' } })),
    ).toMatchObject({ code: 'setup_incomplete' })
    const other = privity.as({ tenant: bank.tenant, actor: 'olaf' })
    expect(await refusalOf(other.links.change({ link, name: 'Mine' }))).toMatchObject({ code: 'not_found' })
    expect(await bank.host.links.get(link)).toEqual(before)
    await bank.host.links.revoke({ link, reason: 'over' })
    expect(await refusalOf(bank.host.links.change({ link, name: 'Late' }))).toMatchObject({
      code: 'conflict',
    })
  })

  it('[SV-4, ST-1] a second link on a snapshot says of which moment it is', async () => {
    const host = privity.as({ tenant: store.tenant(), actor: 'hana' })
    const { view } = await host.views.create({ corpus: 'bank' })
    const grant = () => host.links.grant({ views: [view], recipientIdentityMode: 'anonymous_share_token' })
    const first = await grant()
    expect(first.asOf).toBe(first.link.createdAt)
    clock.pass(3 * 86_400_000)
    const second = await grant()
    expect(second.asOf).toBe(first.link.createdAt)
    expect(second.link.createdAt).not.toBe(first.link.createdAt)
  })

  it('[TR-3, SV-3] a list of one corpus has what is shown of it through a lesser face too', async () => {
    const bank = await openBank(privity, store.tenant())
    const id = await bank.keep('the motion', { document: 'd' })
    await bank.host.overlays.add({ target: { kind: 'document', ref: 'd' }, restriction: 'preview_only' })
    const { token } = await bank.grant()
    const { handle } = await visit(privity, { token })
    const { documents } = await handle.documents.list()
    expect(documents).toMatchObject([{ document: id, face: 'preview' }])
    expect((await handle.documents.list({ corpus: 'bank' })).documents).toEqual(documents)
    expect((await handle.documents.list({ corpus: 'other' })).documents).toEqual([])
  })

  it('views.effective gives a snapshot that was not shared yet no time', async () => {
    const host = privity.as({ tenant: store.tenant(), actor: 'hana' })
    const { view } = await host.views.create({ corpus: 'bank' })
    const { corpora } = await host.views.effective([view])
    expect(JSON.stringify(corpora)).not.toContain('271821')
  })
})
