import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import { open, type Privity } from '../../src/open.js'
import { OPERATIONS } from '../../src/operations.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { times } from '../support/depth.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('writes on %s', engine => {
  let store: TestPrivity
  /** On Postgres another process, as far as caches and connections go. */
  let elsewhere: Privity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
    elsewhere = store.url === undefined ? store.privity : await open({ databaseUrl: store.url })
  })
  afterAll(async () => {
    await elsewhere.close()
    await store.dispose()
  })

  function world() {
    const tenant = store.tenant()
    const as = (actor: string) => store.privity.as({ tenant, actor })
    const helper = (more: Partial<Credential> = {}): Credential => ({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'hyper' },
      ...more,
    })
    return { tenant, as, helper, ana: as('ana'), agent: store.privity.as(helper()) }
  }

  const failure = async (asked: Promise<unknown>) => {
    const error = await asked.then(
      () => null,
      (reason: { code: string; message: string; reason?: string }) => reason,
    )
    return error && { code: error.code, message: error.message, reason: error.reason }
  }

  it('[WR-1] answers that a foreign owner or vessel does not exist, and keeps nothing', async () => {
    const { as, ana, helper } = world()
    const group = await ana.groups.create({ name: 'family' })
    await ana.groups.addMember({ group: group.id, member: 'ana', role: 'editor' })
    const ben = as('ben')
    const notFound = { code: 'not_found', message: 'not found', reason: undefined }
    const places: Partial<z.input<typeof draft>>[] = [
      { owner: 'ana' },
      { owner: 'nobody' },
      { owner: group.principal },
      { owner: `role:${group.id}/editor` },
      { owner: `group:${randomUUID()}` },
      { vessel: 'shared' },
      { vessel: 'global' },
    ]
    const writers = [ben, store.privity.as(helper({ for: 'ben' }))]
    for (const writer of writers) {
      for (const place of places) {
        const asked = writer.remember({ kind: 'note', text: 'x', ...place })
        expect(await failure(asked), JSON.stringify(place)).toEqual(notFound)
      }
      expect((await writer.list()).records).toEqual([])
    }
    expect((await ana.list()).records).toEqual([])
  })

  it('[WR-1] answers alike for a record that is foreign and one that is not there', async () => {
    const { as, ana, helper } = world()
    const { id } = await ana.remember({ kind: 'note', text: 'x' })
    const ben = as('ben')
    const agent = store.privity.as(helper({ for: 'ben' }))
    const own = await ben.remember({ kind: 'note', text: 'own' })
    const asks: ((caller: Handle, record: string) => Promise<unknown>)[] = [
      (caller, record) => caller.remember({ kind: 'note', text: 'x', derivedFrom: [own.id, record] }),
      (caller, record) => caller.relate({ from: record, to: own.id, type: 'x' }),
      (caller, record) => caller.relate({ from: own.id, to: record, type: 'x' }),
      (caller, record) => caller.relate({ from: own.id, to: record, type: 'derived_from' }),
      (caller, record) => caller.revise({ how: 'retract', record }),
      (caller, record) => caller.revise({ how: 'merge', records: [own.id, record], by: { text: 'x' } }),
      (caller, record) => caller.relabel({ record, sensitivity: 'hyper' }),
    ]
    const notFound = { code: 'not_found', message: 'not found', reason: undefined }
    for (const record of [id, randomUUID()]) {
      for (const ask of asks)
        for (const caller of [ben, agent]) expect(await failure(ask(caller, record))).toEqual(notFound)
      expect(await failure(ben.forget([own.id, record]))).toEqual(notFound)
      expect(await failure(ben.remember({ kind: 'note', text: 'x', redactedOf: record }))).toEqual(notFound)
    }
    expect(await ana.get(id)).toMatchObject({ face: 'full', sensitivity: 'medium', relations: [] })
    expect((await ben.list()).records.map(record => record.id)).toEqual([own.id])
  })

  it('[WR-1] lets members, and agents of members, write to their group', async () => {
    const { as, ana, helper } = world()
    const group = await ana.groups.create({ name: 'family' })
    await ana.groups.addMember({ group: group.id, member: 'ben' })
    const writers = [ana, as('ben'), store.privity.as(helper()), store.privity.as(helper({ for: 'ben' }))]
    for (const writer of writers) {
      const { id } = await writer.remember({ kind: 'note', text: 'x', owner: group.principal })
      for (const reader of writers) expect(await reader.get(id)).toMatchObject({ face: 'full' })
      await writer.relabel({ record: id, tags: ['x'] })
    }
  })

  it('[WR-3] commits nothing under the lower label of a source that goes up meanwhile', async () => {
    const { tenant, ana } = world()
    const other = elsewhere.as({ tenant, actor: 'ana' })
    const low = { kind: 'note', sensitivity: 'low' } as const
    const sources = await ana.remember(
      Array.from({ length: times(20, 50) }, () => ({ ...low, text: 'source' })),
    )
    const race = async ({ id }: { id: string }, at: number) => {
      const raise = () => ana.relabel({ record: id, sensitivity: 'high' })
      const derive = () => other.remember({ ...low, text: 'derived', derivedFrom: [id] })
      const [derived] =
        at % 2 ? await Promise.all([derive(), raise()]) : (await Promise.all([raise(), derive()])).reverse()
      return (derived as { id: string }).id
    }
    const derived: string[] = []
    for (let from = 0; from < sources.length; from += 5)
      derived.push(
        ...(await Promise.all(sources.slice(from, from + 5).map((source, at) => race(source, from + at)))),
      )
    const { records } = await ana.list({ limit: 200 })
    const labels = new Map(records.map(({ id, sensitivity }) => [id, sensitivity]))
    expect(derived.map(id => labels.get(id))).toEqual(derived.map(() => 'high'))
  })

  it.each([
    'agent',
    'recipient',
  ] as const)('[WR-4] refuses what only an owner or a host may do to the audience %s, whatever its policy', async audience => {
    const { tenant, helper } = world()
    const host = store.privity.as({ tenant, actor: 'ops', audience: 'host' })
    await host.policies.set({ policy: 'everything', mode: 'allow_all_except' })
    const reserved = OPERATIONS.filter(operation => operation.callers !== 'anyone').map(({ name }) => name)
    expect(reserved).toEqual(
      expect.arrayContaining([
        'people.consent',
        'grants.add',
        'overlays.remove',
        'memory.forget',
        'policies.set',
      ]),
    )
    for (const credential of [helper({ audience }), helper({ audience, policy: 'everything' })])
      for (const name of reserved)
        expect(await failure(store.privity.invoke(credential, name, {})), name).toMatchObject({
          code: 'not_allowed',
        })
  })

  it('[WR-4] refuses to an owner what only a host may do', async () => {
    const { tenant } = world()
    const reserved = OPERATIONS.filter(operation => operation.callers === 'host').map(({ name }) => name)
    expect(reserved).toContain('policies.set')
    for (const name of reserved)
      expect(await failure(store.privity.invoke({ tenant, actor: 'ana' }, name, {})), name).toMatchObject({
        code: 'not_allowed',
      })
  })

  it('[WR-4] refuses an agent every change that opens a record, and changes nothing', async () => {
    const { ana, agent } = world()
    const { id } = await ana.remember({
      kind: 'note',
      text: 'x',
      sensitivity: 'high',
      expiresAt: '2900-01-01T00:00:00Z',
    })
    const before = await ana.get(id)
    const asks = [
      () => agent.relabel({ record: id, sensitivity: 'medium' }),
      () => agent.relabel({ record: id, visibilityClass: 'public_open' }),
      () => agent.relabel({ record: id, markedShareable: true }),
      () => agent.relabel({ record: id, tags: ['x'], markedShareable: true }),
      () => agent.relabel({ record: id, expiresAt: '2900-01-01T00:00:01Z' }),
      () => agent.relabel({ record: id, expiresAt: null }),
      () => agent.remember({ kind: 'note', text: 'x', markedShareable: true }),
      () => agent.remember({ kind: 'note', text: 'x', redactedOf: id }),
      () =>
        agent.remember([
          { kind: 'note', text: 'x' },
          { kind: 'note', text: 'x', markedShareable: true },
        ]),
    ]
    for (const ask of asks) expect(await failure(ask())).toMatchObject({ code: 'not_allowed' })
    expect(await ana.get(id)).toEqual(before)
    expect((await ana.list()).records).toHaveLength(1)
    await agent.relabel({ record: id, expiresAt: '2899-01-01T00:00:00Z', markedShareable: false })
    expect(await ana.get(id)).toMatchObject({ payload: { expiresAt: '2899-01-01T00:00:00.000Z' } })
    await ana.relabel({ record: id, expiresAt: null, markedShareable: true, sensitivity: 'low' })
    expect(await ana.get(id)).toMatchObject({
      sensitivity: 'low',
      payload: { expiresAt: null, markedShareable: true },
    })
  })
})

describe('writes that meet half way, on postgres', () => {
  let store: TestPrivity
  let outside: pg.Client
  let watch: pg.Client
  beforeAll(async () => {
    store = await openTestPrivity('postgres')
    outside = new pg.Client({ connectionString: store.url })
    watch = new pg.Client({ connectionString: store.url })
    await Promise.all([outside.connect(), watch.connect()])
  })
  afterAll(async () => {
    await Promise.all([outside.end(), watch.end()])
    await store.dispose()
  })

  async function waiting(count: number): Promise<void> {
    for (let attempt = 0; attempt < 2_000; attempt++) {
      const { rowCount } = await watch.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      if ((rowCount ?? 0) >= count) return
      await sleep(5)
    }
    throw new Error(`fewer than ${count} writers wait for a lock`)
  }

  /** Runs `first` until it resolves ben, with its locks taken, then `second` until it waits, then both to the end. */
  async function meet<First, Second>(
    tenant: string,
    first: () => Promise<First>,
    second: () => Promise<Second>,
  ) {
    await outside.query('begin')
    const people = `insert into privity.people (tenant_id, person_id, owner, name, key, created_at, updated_at)
                    values ($1, $2, 'ana', 'ben', 'ben', now(), now())`
    await outside.query(people, [tenant, randomUUID()])
    try {
      const begun = first()
      await waiting(1)
      const following = second()
      await waiting(2)
      await outside.query('rollback')
      return await Promise.all([begun, following])
    } finally {
      await outside.query('rollback')
    }
  }

  /** ana, a source and what is derived from it, all of it low. */
  async function derivedPair() {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    const low = { kind: 'note', sensitivity: 'low' } as const
    const source = await ana.remember({ ...low, text: 'source' })
    const derived = await ana.remember({ ...low, text: 'derived', derivedFrom: [source.id] })
    const deriveAgain = () =>
      ana.remember({ ...low, text: 'again', derivedFrom: [derived.id], participants: ['ben'] })
    return { tenant, ana, source: source.id, derived: derived.id, deriveAgain }
  }

  it('[WR-3] raises what is being derived from a derived record when the first source goes up', async () => {
    const { tenant, ana, source, derived, deriveAgain } = await derivedPair()
    const raise = () => ana.relabel({ record: source, sensitivity: 'hyper' })
    const [{ id }] = await meet(tenant, deriveAgain, raise)
    expect(await ana.get(derived)).toMatchObject({ sensitivity: 'hyper' })
    expect(await ana.get(id)).toMatchObject({ sensitivity: 'hyper' })
  })

  it('[WR-3] raises a derived record whose own label is moving when its source goes up', async () => {
    const { tenant, ana, source, derived } = await derivedPair()
    const move = () => ana.relabel({ record: derived, sensitivity: 'high', addParticipants: ['ben'] })
    await meet(tenant, move, () => ana.relabel({ record: source, sensitivity: 'hyper' }))
    expect(await ana.get(derived)).toMatchObject({ sensitivity: 'hyper', payload: { participants: ['ben'] } })
  })

  it('[WR-3] forgets what is being derived from a derived record when the first source is forgotten', async () => {
    const { tenant, ana, source, derived, deriveAgain } = await derivedPair()
    const [{ id }] = await meet(tenant, deriveAgain, () => ana.forget(source))
    expect(await ana.get(derived)).toBeNull()
    expect(await ana.get(id)).toBeNull()
  })

  it('[WR-3] makes what is being derived stale when the first source is retracted', async () => {
    const { tenant, ana, source, derived, deriveAgain } = await derivedPair()
    const [{ id }] = await meet(tenant, deriveAgain, () => ana.revise({ how: 'retract', record: source }))
    expect(await ana.get(derived)).toBeNull()
    expect(await ana.get(id)).toBeNull()
  })
})
