import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPrivity } from '../support/privity.js'
import { type Bank, openBank, visit } from '../support/share-links.js'
import { anyEngine } from '../support/stores.js'

/** Looking at a link as whoever comes by it would. */
describe('a preview of a link', () => {
  let opened: Awaited<ReturnType<typeof openTestPrivity>>
  let bank: Bank
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    opened = await openTestPrivity(anyEngine)
    bank = await openBank(opened.privity, opened.tenant())
    ids.open = await bank.keep('Motion to dismiss for lack of scienter')
    ids.sealed = await bank.keep('Sealed: what scienter the firm knows of', { visibilityClass: 'sealed' })
    ids.secret = await bank.keep('Draft on scienter, not for anybody', { sensitivity: 'hyper' })
  })
  afterAll(() => opened.dispose())

  it('[DE-8, NI-1] answers every read as a recipient of the link is answered', async () => {
    const { link, token } = await bank.grant()
    const { handle } = await visit(opened.privity, { token })
    const { profile } = await bank.host.links.preview(link)
    const as = { profile }
    const [theirs, looked] = await Promise.all([
      handle.documents.search({ query: 'scienter' }),
      bank.host.documents.search({ query: 'scienter' }, { as }),
    ])
    const shown = ({ results }: typeof theirs) =>
      results.map(({ document, score, snippet }) => [document.document, document.face, score, snippet])
    expect(shown(looked)).toEqual(shown(theirs))
    expect(looked.results.map(({ document }) => document.document)).toEqual([ids.open])
    expect(await bank.host.documents.list({}, { as })).toEqual(await handle.documents.list())
    expect(await bank.host.documents.open(ids.sealed ?? '', { as })).toBeNull()
    // What a recipient may not call, a preview may not either.
    await expect(bank.host.list({}, { as })).rejects.toMatchObject({ code: 'not_allowed' })
    expect(await bank.host.viewers.look({ as })).toMatchObject({
      audience: 'recipient',
      maxSensitivity: 'medium',
      scopes: ['share_link'],
      ceiling: 'public_open',
    })
  })

  it('[DE-8, DE-4] explains by gates why a recipient does not see a document', async () => {
    const { link } = await bank.grant()
    const as = await bank.host.links.preview(link)
    const deciding = async (record: string) => {
      const explained = await bank.host.explain({ record, as: { profile: as.profile } })
      return [
        explained?.face.level,
        explained?.gates.filter(({ face }) => face.level === 'none').map(({ gate }) => gate),
      ]
    }
    expect(await deciding(ids.open ?? '')).toEqual(['full', []])
    expect(await deciding(ids.sealed ?? '')).toEqual(['none', ['visibility', 'view']])
    expect(await deciding(ids.secret ?? '')).toEqual(['none', ['trust']])
  })

  it('[DE-8, AU-1] is recorded as the host’s, and is nobody who came', async () => {
    const { link, token } = await bank.grant({
      rateLimits: { maxRecipientSessionsConcurrent: 1, maxQueriesPerHour: 1 },
    })
    const { profile, expiresAt } = await bank.host.links.preview(link)
    expect(await bank.host.links.preview(link)).toEqual({ profile, expiresAt })
    for (let times = 0; times < 3; times++)
      await bank.host.documents.search({ query: 'scienter' }, { as: { profile } })
    // The one place and the one query are still there for whoever comes.
    const { handle } = await visit(opened.privity, { token })
    expect((await handle.documents.search({ query: 'scienter' })).resultCount).toBe(1)
    const { entries } = await bank.host.links.accessLog({ link })
    expect(entries.filter(({ operation }) => operation === 'search.execute')).toHaveLength(1)
    const { profiles } = await bank.host.profiles.list({ link })
    expect(profiles.map(one => one.profile)).not.toContain(profile)
    const { entries: own } = await bank.host.audit.list({ limit: 200 })
    const looks = own.filter(
      ({ operation, audience }) => operation === 'search.execute' && audience === 'owner',
    )
    expect(looks.length).toBeGreaterThanOrEqual(3)
  })

  it('[DE-8, NI-5, NI-11] is for its own host with full sight only, and ends with the link', async () => {
    const { link } = await bank.grant()
    const { profile } = await bank.host.links.preview(link)
    const other = opened.privity.as({ tenant: bank.tenant, actor: 'ben' })
    const narrow = opened.privity.as({
      tenant: bank.tenant,
      actor: 'hana',
      trust: { maxSensitivity: 'low' },
    })
    const absent = { code: 'not_found' }
    await expect(other.links.preview(link)).rejects.toMatchObject(absent)
    await expect(narrow.links.preview(link)).rejects.toMatchObject(absent)
    for (const somebody of [other, narrow])
      await expect(
        somebody.documents.search({ query: 'scienter' }, { as: { profile } }),
      ).rejects.toMatchObject(absent)
    await expect(
      bank.host.documents.search(
        { query: 'scienter' },
        { as: { profile }, trust: { maxSensitivity: 'low' } },
      ),
    ).rejects.toMatchObject(absent)
    const agent = opened.privity.as({
      tenant: bank.tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'hana',
      trust: { maxSensitivity: 'hyper' },
    })
    await expect(agent.documents.search({ query: 'scienter' }, { as: { profile } })).rejects.toMatchObject({
      code: 'not_allowed',
    })
    // The profile of somebody who came is no preview.
    const { token } = await bank.grant()
    const visitor = await visit(opened.privity, { token })
    await expect(
      bank.host.documents.search({ query: 'scienter' }, { as: { profile: visitor.profile } }),
    ).rejects.toMatchObject(absent)
    await bank.host.links.revoke({ link, reason: 'over' })
    await expect(
      bank.host.documents.search({ query: 'scienter' }, { as: { profile } }),
    ).rejects.toMatchObject({
      code: 'session_profile_invalid',
    })
    await expect(bank.host.links.preview(link)).rejects.toMatchObject({ code: 'conflict' })
  })
})
