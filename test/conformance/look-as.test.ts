import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { InputOf } from '../../src/operations.js'
import { times } from '../support/depth.js'
import { openTestPrivity } from '../support/privity.js'
import { anyEngine } from '../support/stores.js'

const HELPER = { actor: 'helper', audience: 'agent', trust: { maxSensitivity: 'medium' } } as const

describe('looking as somebody', () => {
  let opened: Awaited<ReturnType<typeof openTestPrivity>>
  let tenant: string
  let ana: Handle
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    opened = await openTestPrivity(anyEngine)
    tenant = opened.tenant()
    ana = opened.privity.as({ tenant, actor: 'ana' })
    await ana.people.add({ person: 'Ben' })
    const notes: readonly (readonly [string, Partial<InputOf<'memory.remember'>['records'][number]>])[] = [
      ['Tea at four', { sensitivity: 'low' }],
      ['Tea with Ben', { sensitivity: 'low', participants: ['Ben'] }],
      ['Tea for the heart', { sensitivity: 'high' }],
      ['Tea and poison', { sensitivity: 'hyper', scope: 'home' }],
    ]
    for (const [title, more] of notes) {
      const [stored] = await ana.remember([{ kind: 'note', title, text: `${title}, a note.`, ...more }])
      ids[title] = stored?.id ?? ''
    }
  })
  afterAll(() => opened.dispose())

  const faces = async (handle: Handle, as?: Parameters<Handle['search']>[2] & object) => {
    const { results } = await handle.search('tea', { mode: 'text', limit: 50 }, as)
    return results.map(({ record, score }) => [record.id, record.face, score])
  }
  const refused = { code: 'not_allowed', reason: 'session.audience_not_allowed' }

  it('[DE-7, NI-1] answers as the agent itself would be answered', async () => {
    const agent = opened.privity.as({ tenant, ...HELPER, for: 'ana' })
    const own = await faces(agent)
    expect(await faces(ana, { as: HELPER })).toEqual(own)
    expect(own.map(([id]) => id)).not.toContain(ids['Tea with Ben'])
    expect(await ana.get(ids['Tea with Ben'] ?? '', { as: HELPER })).toBeNull()
    expect((await ana.list({}, { as: HELPER })).records.map(({ id }) => id)).toEqual(
      (await agent.list()).records.map(({ id }) => id),
    )
    // Nor does it take more than the agent's own policy lets it do.
    await expect(ana.keys.list({}, { as: HELPER })).rejects.toMatchObject(refused)
  })

  it('[DE-7, DE-3] shows a narrowed key no more than it sees itself', async () => {
    const { secret } = await ana.keys.create({ name: 'narrow', trust: { maxSensitivity: 'low' } })
    const { credential } = await opened.privity.authenticate(secret ?? '')
    const narrow = opened.privity.as(credential)
    const wide = { ...HELPER, trust: { maxSensitivity: 'hyper' as const } }
    const seen = new Map((await faces(narrow)).map(([id, face]) => [id, face]))
    for (const [id, face] of await faces(narrow, { as: wide })) expect(seen.get(id)).toBe(face)
    const self = { actor: 'ana', audience: 'owner', trust: { maxSensitivity: 'hyper' } } as const
    expect(await faces(narrow, { as: self })).toEqual(await faces(narrow))
    expect(await narrow.viewers.look({ as: wide })).toMatchObject({ maxSensitivity: 'low', for: 'ana' })
    const home = opened.privity.as({
      tenant,
      actor: 'ana',
      trust: { maxSensitivity: 'hyper', scopes: ['work'] },
    })
    const elsewhere = { ...HELPER, trust: { maxSensitivity: 'hyper' as const, scopes: ['home'] } }
    await expect(faces(home, { as: elsewhere })).rejects.toMatchObject(refused)
  })

  it('[DE-7, NI-5] refuses to look as others alike, whether they exist or not, and for agents', async () => {
    await opened.privity.as({ tenant, actor: 'ben' }).remember({ kind: 'note', text: 'Tea of Ben.' })
    const host = opened.privity.as({ tenant, actor: 'root', audience: 'host' })
    const agent = opened.privity.as({ tenant, ...HELPER, for: 'ana' })
    for (const [handle, as] of [
      [ana, { actor: 'ben' }],
      [ana, { actor: 'nobody' }],
      [ana, { ...HELPER, for: 'ben' }],
      [ana, { ...HELPER, for: 'nobody' }],
      [ana, { actor: 'ana', audience: 'host' }],
      [ana, { actor: 'ana', audience: 'recipient', trust: { maxSensitivity: 'low' } }],
      [host, { actor: 'ana' }],
      [agent, { ...HELPER, for: 'ana' }],
    ] as const)
      await expect(handle.search('tea', {}, { as }), JSON.stringify(as)).rejects.toMatchObject(refused)
    await expect(ana.remember({ kind: 'note', text: 'x' }, { as: HELPER })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('[DE-7, CP-3] needs the capability to look, and that of what is looked at', async () => {
    const host = opened.privity.as({ tenant, actor: 'root', audience: 'host' })
    for (const [policy, patterns] of [
      ['searching', ['memory.search']],
      ['looking', ['viewers.look']],
      ['both', ['memory.search', 'viewers.look']],
    ] as const)
      await host.policies.set({
        policy,
        mode: 'deny_all_except',
        allowedCapabilities: patterns.map(capability => ({ kind: 'exact' as const, capability })),
      })
    const asked = async (policy: string) => {
      try {
        await opened.privity.as({ tenant, actor: 'ana', policy }).search('tea', {}, { as: HELPER })
        return 'ok'
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    expect([await asked('searching'), await asked('looking'), await asked('both')]).toEqual([
      'not_allowed',
      'not_allowed',
      'ok',
    ])
  })

  it('[DE-7, WR-2, AU-1] is recorded as the looker’s, marked, and labels nothing that the agent writes', async () => {
    const agent = { tenant, ...HELPER, for: 'ana', session: 'quiet' }
    await ana.get(ids['Tea at four'] ?? '', { as: { ...HELPER, session: 'quiet' } })
    const [stored] = await opened.privity
      .as(agent)
      .remember([{ kind: 'note', text: 'Written.', sensitivity: 'public' }])
    expect(stored?.sensitivity).toBe('public')
    const host = opened.privity.as({ tenant, actor: 'root', audience: 'host' })
    const { entries } = await host.audit.list({ limit: 20 })
    const entry = entries.find(({ operation, counts }) => operation === 'memory.get' && counts.lookedAs === 1)
    expect(entry).toMatchObject({ audience: 'owner', outcome: 'ok' })
  })

  it('[DE-7] falls with the key of the one who looks', async () => {
    const { key, secret } = await ana.keys.create({ name: 'short' })
    const { credential } = await opened.privity.authenticate(secret ?? '')
    expect(await faces(opened.privity.as(credential), { as: HELPER })).not.toEqual([])
    await ana.keys.revoke(key.id)
    await expect(faces(opened.privity.as(credential), { as: HELPER })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  it('[AU-4, NI-6] tells before forgetting what would be deleted too, as far as it can be seen', async () => {
    const [first] = await ana.remember([{ kind: 'episodic', text: 'First.' }])
    const root = first?.id ?? ''
    const [second] = await ana.remember([{ kind: 'semantic', text: 'Second.', derivedFrom: [root] }])
    await ana.remember([
      { kind: 'semantic', text: 'Third.', derivedFrom: [second?.id ?? ''], sensitivity: 'hyper' },
    ])
    expect((await ana.forgetPreview([root])).derived.map(({ payload }) => payload?.text)).toEqual([
      'Second.',
      'Third.',
    ])
    const narrow = opened.privity.as({ tenant, actor: 'ana', trust: { maxSensitivity: 'low' } })
    expect((await narrow.forgetPreview([root])).count).toBe(1)
    const unknown = '00000000-0000-4000-8000-000000000000'
    const ben = opened.privity.as({ tenant, actor: 'ben' })
    expect(await ben.forgetPreview([root])).toEqual(await ben.forgetPreview([unknown]))
  })

  it('[NI-4, AU-4] shows what would be deleted too, however much that is hidden was made from the same record', async () => {
    const narrow = opened.privity.as({ tenant, actor: 'ana', trust: { maxSensitivity: 'low' } })
    const [first] = await ana.remember([{ kind: 'episodic', text: 'Much is made of it.' }])
    const root = first?.id ?? ''
    const made = (text: string, more: object = {}) => ({
      kind: 'semantic' as const,
      text,
      derivedFrom: [root],
      ...more,
    })
    await ana.remember([made('Seen.'), made('Seen too.')])
    const before = await narrow.forgetPreview([root])
    expect(before).toMatchObject({ count: 2, complete: true })
    // One batch reaches the limit; with more of them some that are seen would hardly be among the first.
    for (let batch = 0; batch < times(1, 4); batch++)
      await ana.remember(
        Array.from({ length: 999 }, (_, at) => made(`Hidden ${at}.`, { sensitivity: 'hyper' })),
      )
    expect(await narrow.forgetPreview([root])).toEqual(before)
    // Whoever sees all of it is told that there is more than was counted.
    expect(await ana.forgetPreview([root])).toMatchObject({ count: 1_000, complete: false })
  })
})
