import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Credential, inSession } from '../../src/runtime/caller.js'
import { testClock } from '../../src/testing/clock.js'
import { times } from '../support/depth.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const DAY = 86_400_000

describe.each(engines)('API keys on %s', engine => {
  const clock = testClock()
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { clock })
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const as = (actor: string, more: Partial<Credential> = {}) => store.privity.as({ tenant, actor, ...more })
    return { tenant, as, ana: as('ana'), host: as('warden', { audience: 'host' }) }
  }
  const secretOf = async (made: Promise<{ secret: string | null }>) => (await made).secret ?? ''
  const present = async (secret: string) =>
    store.privity.as((await store.privity.authenticate(secret)).credential)
  const refused = { code: 'unauthenticated', message: 'a valid credential is required' }

  it('[TR-2] [DE-3] fixes tenant, actor, audience, trust, scopes, policy and session', async () => {
    const { tenant, host } = world()
    await host.policies.set({ policy: 'reading', mode: 'deny_all_except', allowedCapabilities: [] })
    const secret = await secretOf(
      host.keys.create({
        name: 'reader',
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'low', scopes: ['work'] },
        policy: 'reading',
        visibility: { ceiling: 'public_open' },
        session: 'one',
      }),
    )
    const access = await store.privity.authenticate(secret)
    expect(access.choosesSession).toBe(false)
    expect(access.credential).toEqual({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low', scopes: ['work'], authenticated: true },
      policy: 'reading',
      visibility: { ceiling: 'public_open' },
      session: 'one',
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(inSession(access, 'another').session).toBe('one')
    expect(inSession({ ...access, choosesSession: true }, 'another').session).toBe('another')
    await expect((await present(secret)).list()).rejects.toMatchObject({ code: 'not_allowed' })
  })

  it('[NI-5] refuses what is malformed, unknown, forged or of another tenant alike', async () => {
    const { ana } = world()
    const other = world()
    const secret = await secretOf(ana.keys.create({ name: 'mine' }))
    const [tenant = '', id = '', proof = ''] = secret.split('.')
    const theirs = (await secretOf(other.ana.keys.create({ name: 'theirs' }))).split('.')
    const wrong = [
      '',
      'privity_',
      'privity_..',
      'Bearer x',
      `${tenant}.${id}`,
      `${tenant}.${id}.`,
      `${secret}.more`,
      ` ${secret}`,
      `${secret}=`,
      `${tenant}.${id}.${proof.replace(/^./, first => (first === 'A' ? 'B' : 'A'))}`,
      `${tenant}.${id}.${theirs[2]}`,
      `${theirs[0]}.${id}.${proof}`,
      `${tenant}.${theirs[1]}.${proof}`,
      `${tenant}.${id}.${proof.slice(1)}`,
      `${tenant}..${proof}`,
      `${tenant}.AAAA.${proof}`,
      `${tenant}.${id}AAAA.${proof}`,
      `privity_${Buffer.from('a\0b').toString('base64url')}.${id}.${proof}`,
      'x'.repeat(100_000),
    ]
    for (const presented of wrong)
      await expect(store.privity.authenticate(presented), presented.slice(0, 80)).rejects.toMatchObject(
        refused,
      )
    await expect((await present(secret)).list()).resolves.toMatchObject({ records: [] })
  })

  it('[NI-7] ends with its revocation at the next request, and so does every key made with it', async () => {
    const { ana } = world()
    const first = await ana.keys.create({ name: 'first' })
    const holder = await present(first.secret ?? '')
    const second = await holder.keys.create({ name: 'second' })
    const third = await (await present(second.secret ?? '')).keys.create({ name: 'third' })
    const beside = await ana.keys.create({ name: 'beside' })
    const last = await present(third.secret ?? '')
    await expect(last.list()).resolves.toMatchObject({ records: [] })
    const revoked = await ana.keys.revoke(first.key.id)
    expect(revoked.revokedAt).toBe(clock.now().toISOString())
    for (const handle of [holder, last]) await expect(handle.list()).rejects.toMatchObject(refused)
    for (const { secret } of [first, second, third])
      await expect(store.privity.authenticate(secret ?? '')).rejects.toMatchObject(refused)
    await expect(last.remember({ kind: 'note', text: 'late' })).rejects.toMatchObject(refused)
    await expect((await present(beside.secret ?? '')).list()).resolves.toMatchObject({ records: [] })
    // Again is the same, with the time of the first.
    clock.advance(1_000)
    expect((await ana.keys.revoke(first.key.id)).revokedAt).toBe(revoked.revokedAt)
    const { entries } = await ana.audit.list({ limit: 200 })
    expect(
      entries.filter(({ outcome }) => outcome === 'unauthenticated').map(({ reason }) => reason),
    ).toEqual(Array(3).fill('session.key_not_standing'))
  })

  it('[NI-7] a revocation that comes while a request runs leaves it without an answer', async () => {
    const { ana, tenant } = world()
    const { key, secret } = await ana.keys.create({ name: 'racing' })
    await ana.remember({ kind: 'note', text: 'kept' })
    const holder = await present(secret ?? '')
    const reads = Array.from({ length: 20 }, () => holder.list().catch((error: unknown) => error))
    await store.privity.as({ tenant, actor: 'ana' }).keys.revoke(key.id)
    const answers = await Promise.all(reads)
    await expect(holder.list()).rejects.toMatchObject(refused)
    for (const answer of answers)
      expect(answer instanceof Error ? answer : (answer as object)).toMatchObject(
        answer instanceof Error ? refused : { cursor: null },
      )
  })

  it('[TR-2] expires at its time, and what it makes does not outlast it', async () => {
    const { ana } = world()
    const expiresAt = new Date(clock.now().getTime() + DAY)
    const { secret } = await ana.keys.create({ name: 'a day', expiresAt })
    const holder = await present(secret ?? '')
    const { key } = await holder.keys.create({
      name: 'longer',
      expiresAt: new Date(clock.now().getTime() + 9 * DAY),
    })
    expect(key.expiresAt).toBe(expiresAt.toISOString())
    expect((await holder.keys.create({ name: 'for ever' })).key.expiresAt).toBe(expiresAt.toISOString())
    await expect(ana.keys.create({ name: 'past', expiresAt: clock.now() })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    clock.advance(DAY - 1)
    await expect(holder.list()).resolves.toBeDefined()
    clock.advance(1)
    await expect(holder.list()).rejects.toMatchObject(refused)
  })

  it('[DE-3] hands on no more than its maker holds', async () => {
    const { host, as } = world()
    await host.policies.set({ policy: 'most', mode: 'allow_all_except' })
    const narrow = as('ana', {
      trust: { maxSensitivity: 'medium', scopes: ['work', 'home'] },
      visibility: { ceiling: 'privileged', floor: 'party_confidential' },
      policy: 'most',
    })
    const { key } = await narrow.keys.create({
      name: 'wide',
      trust: { maxSensitivity: 'hyper', scopes: ['work', 'secret'] },
      visibility: { ceiling: 'firewalled', floor: 'public_open' },
    })
    expect(key).toMatchObject({
      trust: { maxSensitivity: 'medium', scopes: ['work'] },
      visibility: { ceiling: 'privileged', floor: 'party_confidential' },
      policy: 'most',
    })
    expect((await narrow.keys.create({ name: 'plain' })).key).toMatchObject({
      trust: { maxSensitivity: 'medium', scopes: ['home', 'work'] },
      visibility: { ceiling: 'privileged', floor: 'party_confidential' },
    })
    await expect(
      narrow.keys.create({ name: 'none', trust: { maxSensitivity: 'low', scopes: ['secret'] } }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(narrow.keys.create({ name: 'free', policy: 'other' })).rejects.toMatchObject({
      code: 'not_allowed',
    })
  })

  it('[WR-4] is made by an owner for themselves and their agents, by a host for anyone, by an agent never', async () => {
    const { ana, host, as } = world()
    const agent = as('helper', { audience: 'agent', for: 'ana', trust: { maxSensitivity: 'hyper' } })
    await expect(agent.keys.create({ name: 'mine' })).rejects.toMatchObject({ code: 'not_allowed' })
    await expect(agent.keys.list()).rejects.toMatchObject({ code: 'not_allowed' })
    const trust = { maxSensitivity: 'low' as const }
    for (const asked of [
      { actor: 'ben' },
      { audience: 'agent' as const, actor: 'helper', for: 'ben', trust },
      { audience: 'host' as const },
      { audience: 'recipient' as const, actor: 'x', trust },
    ])
      await expect(ana.keys.create({ name: 'other', ...asked })).rejects.toMatchObject({
        code: 'not_allowed',
      })
    await expect(ana.keys.create({ name: 'a', audience: 'agent', actor: 'x' })).rejects.toMatchObject({
      code: 'trust_required',
    })
    await expect(ana.keys.create({ name: 'a', audience: 'agent', trust })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(host.keys.create({ name: 'a', actor: 'ben', for: 'ana' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    const made = await host.keys.create({ name: 'ben', actor: 'ben' })
    expect(made.key).toMatchObject({ actor: 'ben', for: 'ben', audience: 'owner', createdBy: 'warden' })
    // Names are unique per owner, and what is another's is not there (NI-5, NI-9).
    await ana.keys.create({ name: 'ben' })
    await expect(ana.keys.create({ name: 'ben' })).rejects.toMatchObject({ code: 'conflict' })
    await expect(ana.keys.revoke(made.key.id)).rejects.toMatchObject({ code: 'not_found' })
    expect((await ana.keys.list()).keys.map(({ actor }) => actor)).toEqual(['ana'])
    expect((await host.keys.list()).keys.map(({ actor }) => actor).sort()).toEqual(['ana', 'ben'])
    await host.keys.revoke(made.key.id)
    await host.keys.create({ name: 'ben', actor: 'ben' })
  })

  it('[AU-3] a key presented under another tenant leaves nothing there', async () => {
    const { ana } = world()
    const victim = world()
    const secret = await secretOf(ana.keys.create({ name: 'mine' }))
    await (await present(secret)).list()
    const [, id, proof] = secret.split('.')
    const foreign = `privity_${Buffer.from(victim.tenant).toString('base64url')}.${id}.${proof}`
    await victim.host.audit.list()
    const before = (await victim.host.audit.list({ limit: 200 })).entries.length
    await expect(store.privity.authenticate(foreign)).rejects.toMatchObject(refused)
    expect((await victim.host.audit.list({ limit: 200 })).entries).toHaveLength(before + 1)
  })

  it('[WR-4] an agent has the name of its owner before its own, unless a host made it', async () => {
    const { ana, host } = world()
    const agent = { audience: 'agent' as const, trust: { maxSensitivity: 'low' as const } }
    expect((await ana.keys.create({ name: 'a', actor: 'ceo', ...agent })).key.actor).toBe('ana/ceo')
    expect((await host.keys.create({ name: 'b', actor: 'ceo', for: 'ana', ...agent })).key.actor).toBe('ceo')
  })

  it('[DE-3] a credential that holds less revokes itself and what it made, and nothing of its owner', async () => {
    const { ana } = world()
    const full = await ana.keys.create({ name: 'full' })
    const low = await ana.keys.create({ name: 'low', trust: { maxSensitivity: 'low' } })
    const beside = await ana.keys.create({ name: 'beside', trust: { maxSensitivity: 'low' } })
    const holder = await present(low.secret ?? '')
    const made = await holder.keys.create({ name: 'made' })
    for (const { key } of [full, beside])
      await expect(holder.keys.revoke(key.id)).rejects.toMatchObject({ code: 'not_found' })
    await holder.keys.revoke(made.key.id)
    await holder.keys.revoke(low.key.id)
    await expect(holder.list()).rejects.toMatchObject(refused)
  })

  it('[TR-2] what a credential with an end makes ends with it', async () => {
    const { as } = world()
    const expiresAt = new Date(clock.now().getTime() + DAY)
    const { key } = await as('ana', { expiresAt }).keys.create({ name: 'from a token' })
    expect(key.expiresAt).toBe(expiresAt.toISOString())
  })

  it('[AU-2] shows a secret once: not in a list, not to a repeated request, nowhere in the store', async () => {
    const { ana } = world()
    const idempotencyKey = 'once'
    const first = await ana.keys.create({ name: 'once' }, { idempotencyKey })
    const again = await ana.keys.create({ name: 'once' }, { idempotencyKey })
    expect(again).toEqual({ key: first.key, secret: null })
    expect(first.secret).toMatch(/^privity_/)
    const proof = first.secret?.split('.')[2] ?? 'none'
    expect(JSON.stringify([await ana.keys.list(), await ana.audit.list()])).not.toContain(proof)
  })

  it('[DE-6] no role that reads for callers can read what secrets are compared with', async () => {
    if (store.url === undefined) return
    const client = new pg.Client({ connectionString: store.url })
    await client.connect()
    try {
      await client.query('set role privity_app')
      await expect(client.query('select secret_hash from privity.api_keys')).rejects.toMatchObject({
        code: '42501',
      })
      await expect(client.query('select name from privity.api_keys')).resolves.toMatchObject({ rowCount: 0 })
    } finally {
      await client.end()
    }
  })

  it('shows when it was last used, and pages', async () => {
    const { ana } = world()
    const { secret } = await ana.keys.create({ name: 'used' })
    for (const name of ['b', 'c', 'd']) {
      clock.advance(1)
      await ana.keys.create({ name })
    }
    expect((await ana.keys.list()).keys.find(({ name }) => name === 'used')?.lastUsedAt).toBeNull()
    await (await present(secret ?? '')).list()
    await expect
      .poll(async () => (await ana.keys.list()).keys.find(({ name }) => name === 'used')?.lastUsedAt)
      .toBe(clock.now().toISOString())
    const names: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await ana.keys.list({ limit: 3, ...(cursor ? { cursor } : {}) })
      names.push(...page.keys.map(({ name }) => name))
      cursor = page.cursor
    } while (cursor !== null)
    expect(names).toEqual(['d', 'c', 'b', 'used'])
  })

  it('[NI-5] notes the use of a key whatever another tenant did with one of the same id', async () => {
    const [one, two] = [world(), world()]
    const used = async ({ ana }: ReturnType<typeof world>) => {
      clock.seed('the same id')
      const { secret, key } = await ana.keys.create({ name: 'twin' })
      await (await present(secret ?? '')).list()
      return key
    }
    const ids = [await used(one), await used(two)]
    expect(ids[0]).toEqual(ids[1])
    for (const { ana } of [one, two])
      await expect
        .poll(async () => (await ana.keys.list()).keys.find(({ name }) => name === 'twin')?.lastUsedAt)
        .not.toBeNull()
  })
})

describe.each(engines)('conditions on a version on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  it('[NI-9] changes a record only while its version is the one named', async () => {
    const ana = store.privity.as({ tenant: store.tenant(), actor: 'ana' })
    const { id } = await ana.remember({ kind: 'note', text: 'kept' })
    const seen = await ana.get(id)
    const ifVersion = seen?.version ?? ''
    await expect(
      ana.relabel({ record: id, sensitivity: 'high' }, { ifVersion: 'another' }),
    ).rejects.toMatchObject({ code: 'version_conflict' })
    expect((await ana.get(id))?.version).toBe(ifVersion)
    const outcomes = await Promise.allSettled(
      ['high', 'hyper'].map(sensitivity =>
        ana.relabel({ record: id, sensitivity: sensitivity as 'high' }, { ifVersion }),
      ),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'version_conflict' },
    })
  })

  it('[NI-9] is never taken as having held where nothing looked at it', async () => {
    const ana = store.privity.as({ tenant: store.tenant(), actor: 'ana' })
    await expect(ana.people.add({ person: 'ben' }, { ifVersion: 'any' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect((await ana.people.list()).people.map(({ name }) => name)).toEqual(['ana'])
    await expect(ana.list({}, { ifVersion: 'any' })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('keys made while the one they are made with is revoked', () => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity('postgres')
  })
  afterAll(() => store.dispose())

  it('[NI-7] never stand, whichever comes first', async () => {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'warden', audience: 'host' })
    const other = store.privity.as({ tenant, actor: 'second', audience: 'host' })
    const present = async (secret: string | null) =>
      store.privity.as((await store.privity.authenticate(secret ?? '')).credential)
    let made = 0
    for (let round = 0; round < times(8, 15); round++) {
      const root = await host.keys.create({ name: `root ${round}`, audience: 'host' })
      const holder = await present(root.secret)
      const child = await holder.keys.create({ name: `child ${round}`, audience: 'host' })
      const second = await present(child.secret)
      const [attempts] = await Promise.all([
        Promise.allSettled(
          [holder, second].map((by, at) => by.keys.create({ name: `late ${round} ${at}`, audience: 'host' })),
        ),
        other.keys.revoke(root.key.id),
      ])
      for (const attempt of attempts) {
        if (attempt.status === 'rejected') {
          expect(attempt.reason).toMatchObject({ code: 'unauthenticated' })
          continue
        }
        made++
        await expect(present(attempt.value.secret)).rejects.toMatchObject({ code: 'unauthenticated' })
      }
    }
    expect(made).toBeGreaterThan(0)
  })
})
