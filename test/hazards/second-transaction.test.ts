import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const agentOf = (tenant: string) =>
  ({ tenant, actor: 'helper', audience: 'agent', for: 'ana', trust: { maxSensitivity: 'high' } }) as const
const hostOf = (tenant: string) => ({ tenant, actor: 'warden', audience: 'host' }) as const
const noAnswer = {
  code: 'audit_unavailable',
  message: 'the audit log could not be written, so the request was not answered; try again',
}

describe.each(engines)('the second transaction on %s', engine => {
  let store: SharedStore
  let privity: Privity
  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance()
    await store.sql(`
      create function refuse() returns trigger language plpgsql as $$
      begin
        raise exception 'no space left on device' using errcode = 'disk_full';
      end $$`)
  })
  afterAll(async () => {
    await privity.close()
    await store.dispose()
  })
  afterEach(() => repair())

  const BREAKS: Readonly<Record<string, string>> = {
    'may not be written': 'revoke insert on privity.audit_entries from privity_writer',
    'has no room':
      'create trigger refuse before insert on privity.audit_entries for each statement execute function refuse()',
  }
  async function repair(): Promise<void> {
    await store.sql('grant insert on privity.audit_entries to privity_writer')
    await store.sql('drop trigger if exists refuse on privity.audit_entries')
  }
  const unaudited = async (tenant: string) =>
    (await store.sql(`select 1 from privity.operations where tenant_id = $1 and not audited`, [tenant]))
      .length
  const verify = (tenant: string) => privity.as(hostOf(tenant)).audit.verify()

  describe.each(Object.keys(BREAKS))('while the audit %s', why => {
    const fail = () => store.sql(BREAKS[why] ?? '')

    it('[AU-1] nothing is answered, not even that there is nothing, and afterwards all is as before', async () => {
      const tenant = store.tenant()
      const ana = privity.as({ tenant, actor: 'ana' })
      const { id } = await ana.remember({ kind: 'note', text: 'secret' })
      await fail()
      const asked: Readonly<Record<string, () => Promise<unknown>>> = {
        get: () => ana.get(id),
        'get of nothing': () => ana.get(randomUUID()),
        list: () => ana.list(),
        explain: () => ana.explain({ record: id }),
        'get by an agent': () => privity.as(agentOf(tenant)).get(id),
        'forget of nothing': () => ana.forget(randomUUID()),
        'a malformed request': () => ana.get('no id'),
        'a forbidden one': () => privity.as(agentOf(tenant)).forget(id),
        'people.list': () => ana.people.list(),
        'audit.list': () => ana.audit.list(),
        'audit.verify': () => verify(tenant),
      }
      for (const [name, ask] of Object.entries(asked))
        await expect(ask(), name).rejects.toMatchObject({ ...noAnswer, reason: undefined })
      await repair()
      expect(await ana.get(id)).toMatchObject({ id })
      expect(await verify(tenant)).toMatchObject({ ok: true })
    })

    it('[AU-2] a write is kept and the caller told so far as can be; its entry is taken in by the next lane', async () => {
      const tenant = store.tenant()
      const ana = privity.as({ tenant, actor: 'ana' })
      const once = { idempotencyKey: 'once' }
      await ana.list()
      await fail()
      await expect(ana.remember({ kind: 'note', text: 'kept' }, once)).rejects.toMatchObject(noAnswer)
      await expect(ana.people.add({ person: 'ben' })).rejects.toMatchObject(noAnswer)
      expect(await unaudited(tenant)).toBe(2)
      await repair()
      // Another process would do as well as this one.
      const next = await store.instance()
      const { records } = await next.as({ tenant, actor: 'ana' }).list()
      expect(records.map(({ payload }) => payload?.text)).toEqual(['kept'])
      expect(await unaudited(tenant)).toBe(0)
      expect(await entriesOf(tenant)).toEqual({ 'memory.remember': 1, 'people.add': 1 })
      // Repeated with its key it is answered, and not done again.
      expect(await ana.remember({ kind: 'note', text: 'kept' }, once)).toMatchObject({ id: records[0]?.id })
      expect((await ana.list()).records).toHaveLength(1)
      expect(await entriesOf(tenant)).toEqual({ 'memory.remember': 1, 'people.add': 1 })
      expect(await verify(tenant)).toMatchObject({ ok: true })
      await next.close()
    })
  })

  /** How many entries the operations of each name have. */
  async function entriesOf(tenant: string): Promise<Record<string, number>> {
    const rows = await store.sql<{ name: string; entries: number }>(
      `select o.name, count(e.seq)::int as entries
       from privity.operations o
       left join privity.audit_entries e on e.tenant_id = o.tenant_id and e.operation_id = o.operation_id
       where o.tenant_id = $1
       group by o.name`,
      [tenant],
    )
    return Object.fromEntries(rows.map(({ name, entries }) => [name, entries]))
  }

  /** Copies of the tenant's one operation, as processes leave them that die before the entry. */
  const leaveUnaudited = (tenant: string, count: number) =>
    store.sql(
      `insert into privity.operations
       select (jsonb_populate_record(o, jsonb_build_object('operation_id', gen_random_uuid(), 'audited', false))).*
       from privity.operations o
       cross join generate_series(1, $2::int)
       where tenant_id = $1`,
      [tenant, count],
    )

  it('[AU-1] an agent that was shown nothing is not marked as having seen it', async () => {
    const tenant = store.tenant()
    const agent = privity.as(agentOf(tenant))
    const { id } = await privity
      .as({ tenant, actor: 'ana' })
      .remember({ kind: 'note', text: 'secret', sensitivity: 'high' })
    await store.sql(BREAKS['has no room'] ?? '')
    await expect(agent.get(id)).rejects.toMatchObject(noAnswer)
    await repair()
    expect(await agent.remember({ kind: 'note', text: 'mine', sensitivity: 'low' })).toMatchObject({
      sensitivity: 'low',
    })
    await agent.get(id)
    expect(await agent.remember({ kind: 'note', text: 'mine', sensitivity: 'low' })).toMatchObject({
      sensitivity: 'high',
    })
  })

  it('[AU-2] after a long outage every operation gets its entry, however many there are', async () => {
    const tenant = store.tenant()
    const ana = privity.as({ tenant, actor: 'ana' })
    await ana.people.add({ person: 'ben' })
    await leaveUnaudited(tenant, 2500)
    const next = await store.instance()
    await next.as({ tenant, actor: 'ana' }).list()
    await next.close()
    expect(await unaudited(tenant)).toBe(0)
    expect(await entriesOf(tenant)).toEqual({ 'people.add': 2_501 })
    expect(await verify(tenant)).toMatchObject({ ok: true })
  })

  it('[AU-2] two lanes that open at once take in each operation once', async () => {
    const tenant = store.tenant()
    await privity.as({ tenant, actor: 'ana' }).people.add({ person: 'ben' })
    await leaveUnaudited(tenant, 40)
    const lanes = await Promise.all([1, 2, 3, 4].map(() => store.instance()))
    await Promise.all(lanes.map(lane => lane.as({ tenant, actor: 'ana' }).list()))
    expect(await unaudited(tenant)).toBe(0)
    expect(await entriesOf(tenant)).toEqual({ 'people.add': 41 })
    expect(await verify(tenant)).toMatchObject({ ok: true })
    await Promise.all(lanes.map(lane => lane.close()))
  })
})

describe('between decision and answer on postgres', () => {
  let store: SharedStore
  let other: Privity
  let locker: pg.Client
  beforeAll(async () => {
    store = await sharedStore('postgres')
    other = await store.instance()
    locker = new pg.Client({ connectionString: store.url })
    await locker.connect()
  })
  afterAll(async () => {
    await locker.end()
    await other.close()
    await store.dispose()
  })

  /** What an answer gives when facts change after it was decided and before its entry can be written. */
  async function heldBack<T>(
    tenant: string,
    ask: (fresh: Privity) => Promise<T>,
    change: () => Promise<unknown>,
  ) {
    // A lane's first entry opens it, so the second transaction of a fresh process waits before anything else.
    const fresh = await store.instance()
    await other.as({ tenant, actor: 'ana' }).list()
    await locker.query('begin')
    // Opening a lane waits for this; writing to one that is open does not.
    await locker.query('lock table privity.audit_lanes in share mode')
    const answer = ask(fresh)
    for (;;) {
      const { rowCount } = await locker.query(
        `select 1 from pg_locks where relation = 'privity.audit_lanes'::regclass and not granted`,
      )
      if (rowCount) break
      await sleep(2)
    }
    await change()
    await locker.query('rollback')
    try {
      return await answer
    } finally {
      await fresh.close()
    }
  }

  const world = async (): Promise<{ tenant: string; ana: Handle; id: string }> => {
    const tenant = store.tenant()
    const ana = other.as({ tenant, actor: 'ana' })
    const { id } = await ana.remember({ kind: 'note', text: 'secret', participants: ['ben'], document: 'd' })
    await ana.people.consent({ person: 'ben', status: 'granted' })
    return { tenant, ana, id }
  }

  it('[NI-7] an answer is decided again when consent was revoked meanwhile', async () => {
    const { tenant, ana, id } = await world()
    const revoke = () => ana.people.consent({ person: 'ben', status: 'revoked' })
    expect(await heldBack(tenant, fresh => fresh.as(agentOf(tenant)).get(id), revoke)).toBeNull()
  })

  it('[NI-7] so is what an agent is told of a person, and of a stretch of time', async () => {
    const { tenant, ana } = await world()
    const setTo = (status: 'granted' | 'revoked') => () => ana.people.consent({ person: 'ben', status })
    const person = (fresh: Privity) => fresh.as(agentOf(tenant)).people.get('ben')
    expect(await heldBack(tenant, person, setTo('revoked'))).toBeNull()
    await setTo('granted')()
    const time = async (fresh: Privity) => (await fresh.as(agentOf(tenant)).timeline()).records
    expect(await heldBack(tenant, time, setTo('revoked'))).toEqual([])
  })

  it('[NI-7] so is one when an overlay came, a person was removed, or a membership ended', async () => {
    const { tenant, ana, id } = await world()
    const target = { kind: 'document', ref: 'd' } as const
    const list = async (fresh: Privity) => (await fresh.as({ tenant, actor: 'ana' }).list()).records
    expect(await heldBack(tenant, list, () => ana.overlays.add({ target, restriction: 'blocked' }))).toEqual(
      [],
    )
    const [overlay] = (await ana.overlays.list()).overlays
    await ana.overlays.remove({ overlay: overlay?.id ?? '' })
    const get = (fresh: Privity) => fresh.as(agentOf(tenant)).get(id)
    expect(await heldBack(tenant, get, () => ana.people.remove({ person: 'ben' }))).toBeNull()

    const group = await ana.groups.create({ name: 'team' })
    await ana.groups.addMember({ group: group.id, member: 'cyd' })
    const ours = await ana.remember({ kind: 'note', text: 'ours', owner: group.principal })
    const member = (fresh: Privity) => fresh.as({ tenant, actor: 'cyd' }).get(ours.id)
    const leave = () => ana.groups.removeMember({ group: group.id, member: 'cyd' })
    expect(await heldBack(tenant, member, leave)).toBeNull()
  })

  it('[NI-7] so is one when the policy of the caller changed', async () => {
    const { tenant, id } = await world()
    const set = (deniedCapabilities: { kind: 'exact'; capability: string }[]) =>
      other.as(hostOf(tenant)).policies.set({ policy: 'p', mode: 'allow_all_except', deniedCapabilities })
    await set([])
    const get = (fresh: Privity) => fresh.as({ tenant, actor: 'ana', policy: 'p' }).get(id)
    await expect(
      heldBack(tenant, get, () => set([{ kind: 'exact', capability: 'memory.get' }])),
    ).rejects.toMatchObject({ code: 'not_allowed' })
  })

  it('[NI-7] there is none when the key it was asked with was revoked meanwhile', async () => {
    const { tenant, ana, id } = await world()
    const { key, secret } = await ana.keys.create({ name: 'phone' })
    const get = async (fresh: Privity) =>
      fresh.as((await fresh.authenticate(secret ?? '')).credential).get(id)
    await expect(heldBack(tenant, get, () => ana.keys.revoke(key.id))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  it('[NI-7] an answer is given as it was decided when the facts of somebody else changed', async () => {
    const { tenant, id } = await world()
    const change = () => other.as({ tenant, actor: 'dov' }).groups.create({ name: 'other' })
    expect(await heldBack(tenant, fresh => fresh.as(agentOf(tenant)).get(id), change)).toMatchObject({ id })
    const entries = (await other.as({ tenant, actor: 'ana' }).audit.list()).entries
    expect(entries.filter(({ operation }) => operation === 'memory.get')).toHaveLength(1)
  })
})
