import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { open, type Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { type Capacity, Leases } from '../../src/runtime/leases.js'
import type { Database } from '../../src/storage/database.js'
import { testEmbedding } from '../../src/testing/embedding.js'
import { testClock } from '../../src/testing/index.js'
import { program } from '../support/child.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const FULL = { code: 'busy', reason: 'session.capability_capacity_blocked' }

/** Searches wait in it while it is shut, admitted and with their lease. */
function turnstile() {
  let open = () => {}
  let shut = Promise.resolve()
  const provider = testEmbedding({ local: false })
  const embedding = {
    ...provider,
    embed: async (...asked: Parameters<typeof provider.embed>) => {
      if (asked[1] === 'query') await shut
      return provider.embed(...asked)
    },
  }
  return {
    embedding: [embedding],
    open: () => open(),
    shut() {
      shut = new Promise<void>(resolve => {
        open = resolve
      })
      onTestFinished(() => open())
    },
  }
}

/** Searches for ever. */
const HOLDER = `
  import { open } from './src/index.ts'
  import { testEmbedding } from './src/testing/embedding.ts'

  const { databaseUrl, tenant } = JSON.parse(process.argv[2])
  const embed = (texts, purpose) => {
    if (purpose === 'query') console.log('searching')
    return new Promise(() => {})
  }
  const embedding = [{ ...testEmbedding({ local: false }), embed }]
  const privity = await open({ databaseUrl, capacity: { slow: 1 }, embedding })
  await privity.as({ tenant, actor: 'ana' }).search('storm')
`

describe.each(engines)('leases on %s', engine => {
  let store: SharedStore
  const statements: string[] = []
  beforeAll(async () => {
    store = await sharedStore(engine, { observe: sql => void statements.push(sql) })
  })
  afterAll(async () => {
    await store.dispose()
  })

  const ownerOf = (tenant: string, actor = 'ana'): Credential => ({ tenant, actor })
  const hostOf = (tenant: string): Credential => ({ tenant, actor: 'warden', audience: 'host' })
  const agentOf = (tenant: string): Credential => ({
    tenant,
    actor: 'helper',
    audience: 'agent',
    for: 'ana',
    trust: { maxSensitivity: 'high' },
  })

  async function instance(capacity: Record<string, Capacity>, options: object = {}, clock = SYSTEM_CLOCK) {
    const made = await store.instance(clock, { capacity, ...options })
    onTestFinished(() => made.close())
    return made
  }

  /** A tenant in which searching takes a lease of the class `slow`. */
  async function tenantWithSlowSearch(privity: Privity): Promise<string> {
    const tenant = store.tenant()
    const host = privity.as(hostOf(tenant))
    await host.capabilities.setCapacity({ capability: 'memory.search', leaseClass: 'slow' })
    return tenant
  }

  const heldIn = (tenant: string) =>
    store.sql<{ holder: string; expires_at: Date }>(
      `select holder, expires_at from privity.capacity_leases where tenant_id = $1 and lease_class = 'slow'`,
      [tenant],
    )
  async function until(met: () => Promise<boolean>): Promise<void> {
    const giveUpAt = Date.now() + 10_000
    while (!(await met())) {
      if (Date.now() > giveUpAt) throw new Error('it never came to be')
      await sleep(5)
    }
  }
  const search = (privity: Privity, credential: Credential) => privity.as(credential).search('storm')

  it('[CP-3] hold in all processes of a store together, and for each tenant by itself', async () => {
    const gate = turnstile()
    const first = await instance({ slow: 1 }, gate)
    const second = await instance({ slow: 1 })
    const [tenant, other] = [await tenantWithSlowSearch(first), await tenantWithSlowSearch(first)]
    gate.shut()
    const running = search(first, ownerOf(tenant))
    await until(async () => (await heldIn(tenant)).length === 1)
    await expect(search(second, ownerOf(tenant, 'ben'))).rejects.toMatchObject(FULL)
    expect(await search(second, ownerOf(other))).toMatchObject({ results: [] })
    gate.open()
    expect(await running).toMatchObject({ results: [] })
    await until(async () => (await heldIn(tenant)).length === 0)
    expect(await search(second, ownerOf(tenant, 'ben'))).toMatchObject({ results: [] })
  })

  it('[CP-3] one that is refused says so, was asked for once, and holds nothing', async () => {
    const gate = turnstile()
    const privity = await instance({ slow: 1 }, gate)
    const tenant = await tenantWithSlowSearch(privity)
    gate.shut()
    const running = search(privity, ownerOf(tenant))
    await until(async () => (await heldIn(tenant)).length === 1)
    const before = await heldIn(tenant)
    for (const credential of [ownerOf(tenant), agentOf(tenant)]) {
      statements.length = 0
      await expect(search(privity, credential)).rejects.toMatchObject(FULL)
      expect(statements.filter(sql => sql.includes('insert into privity.capacity_leases'))).toHaveLength(1)
    }
    expect(await heldIn(tenant)).toEqual(before)
    gate.open()
    await running
  })

  it('[CP-3] none is taken by what a policy refuses, nor by what is of no class', async () => {
    const privity = await instance({ slow: 1 })
    const tenant = await tenantWithSlowSearch(privity)
    statements.length = 0
    await expect(search(privity, { ...ownerOf(tenant), policy: 'unknown' })).rejects.toMatchObject({
      reason: 'session.capability_blocked_by_policy',
    })
    expect(await privity.as(ownerOf(tenant)).list()).toMatchObject({ records: [] })
    expect(statements.filter(sql => sql.includes('capacity_leases'))).toEqual([])
    await search(privity, ownerOf(tenant))
    expect(statements.filter(sql => sql.includes('capacity_leases'))).not.toEqual([])
  })

  it('[CP-3] a quota for each credential leaves room for others', async () => {
    const gate = turnstile()
    const privity = await instance({ slow: { total: 4, perCredential: 1 } }, gate)
    const tenant = await tenantWithSlowSearch(privity)
    const { key } = await privity.as(hostOf(tenant)).keys.create({ name: 'laptop', actor: 'ana' })
    const credentials = [
      ownerOf(tenant),
      { ...ownerOf(tenant), key: key.id },
      agentOf(tenant),
      ownerOf(tenant, 'ben'),
    ]
    gate.shut()
    const running: Promise<unknown>[] = []
    for (const [at, credential] of credentials.entries()) {
      running.push(search(privity, credential))
      await until(async () => (await heldIn(tenant)).length === at + 1)
      if (at < 3) await expect(search(privity, credential)).rejects.toMatchObject(FULL)
    }
    const holders = (await heldIn(tenant)).map(({ holder }) => holder)
    expect(new Set(holders).size).toBe(4)
    // Names of people are not kept where nobody would look for them.
    expect(holders.join()).not.toMatch(/ana|ben|helper/)
    await expect(search(privity, ownerOf(tenant, 'cleo'))).rejects.toMatchObject(FULL)
    gate.open()
    await Promise.all(running)
  })

  it('[CP-3] are renewed while a request runs, however long that is', async () => {
    const clock = testClock()
    const gate = turnstile()
    const privity = await instance({ slow: { total: 1, seconds: 1 } }, gate, clock)
    const other = await instance({ slow: { total: 1, seconds: 1 } }, {}, clock)
    const tenant = await tenantWithSlowSearch(privity)
    gate.shut()
    const running = search(privity, ownerOf(tenant))
    await until(async () => (await heldIn(tenant)).length === 1)
    for (let round = 0; round < 3; round++) {
      clock.advance(900)
      const renewed = clock.now().getTime() + 1_000
      await until(async () => (await heldIn(tenant))[0]?.expires_at.getTime() === renewed)
    }
    clock.advance(900)
    await expect(search(other, ownerOf(tenant))).rejects.toMatchObject(FULL)
    gate.open()
    await running
    await until(async () => (await heldIn(tenant)).length === 0)
  })

  it('[CP-3] one that is not renewed stands for its time and no longer, and then is not given back twice', async () => {
    const clock = testClock()
    const stuck = new Leases(store.db, clock, { slow: { total: 1, seconds: 60 } })
    const next = new Leases(store.db, clock, { slow: { total: 1, seconds: 60 } })
    const tenant = await tenantWithSlowSearch(await instance({}))
    const lost = await stuck.take(tenant, 'slow', 'a')
    clock.advance(59_999)
    expect(await next.take(tenant, 'slow', 'b')).toBeNull()
    clock.advance(1)
    expect(await next.take(tenant, 'slow', 'b')).not.toBeNull()
    // Whoever lost it has nothing to give back, nor to renew.
    await lost?.release()
    await lost?.release()
    await stuck.close()
    expect(await heldIn(tenant)).toMatchObject([{ holder: 'b' }])
    expect(await stuck.take(tenant, 'slow', 'a')).toBeNull()
    await next.close()
    expect(await heldIn(tenant)).toEqual([])
  })

  it('[CP-3] a hundred takers at once never get more than there is, nor one of them more than its quota', async () => {
    const capacity = { slow: { total: 7, perCredential: 2 }, quick: 100 }
    const processes = [1, 2, 3].map(() => new Leases(store.db, SYSTEM_CLOCK, capacity))
    const tenant = await tenantWithSlowSearch(await instance({}))
    for (let round = 0; round < 3; round++) {
      const taken = await Promise.all(
        Array.from({ length: 100 }, (_, at) => processes[at % 3]?.take(tenant, 'slow', `holder ${at % 5}`)),
      )
      const holders = (await heldIn(tenant)).map(({ holder }) => holder)
      expect(taken.filter(lease => lease !== null)).toHaveLength(7)
      expect(holders).toHaveLength(7)
      for (const one of new Set(holders))
        expect(holders.filter(holder => holder === one).length).toBeLessThanOrEqual(2)
      expect(await processes[0]?.take(tenant, 'quick', 'holder 0')).not.toBeNull()
      expect(await processes[0]?.take(tenant, 'unheard of', 'holder 0')).toBeNull()
      await Promise.all(taken.map(lease => lease?.release()))
      expect(await heldIn(tenant)).toEqual([])
    }
    // Closing gives back what is left.
    await processes[0]?.take(tenant, 'slow', 'holder 0')
    await Promise.all(processes.map(leases => leases.close()))
    expect(await heldIn(tenant)).toEqual([])
  })

  it('[CP-3] who asks one after the other is never refused for its own last request', async () => {
    let slowly = 0
    const db: Database = {
      ...store.db,
      engine: store.db.engine,
      transaction: async (options, fn) => {
        await sleep(slowly)
        return store.db.transaction(options, fn)
      },
    }
    const leases = new Leases(db, SYSTEM_CLOCK, { slow: 1 })
    const tenant = await tenantWithSlowSearch(await instance({}))
    const first = await leases.take(tenant, 'slow', 'a')
    slowly = 100
    const returned = first?.release()
    slowly = 0
    expect(await leases.take(tenant, 'slow', 'a')).not.toBeNull()
    await returned
    await leases.close()

    const privity = await instance({ slow: 1 })
    for (let again = 0; again < 5; again++)
      expect(await search(privity, ownerOf(tenant))).toMatchObject({ results: [] })
  })

  it('[CP-3] one that cannot be given back is nobody’s error', async () => {
    let broken = false
    const db: Database = {
      ...store.db,
      engine: store.db.engine,
      transaction: (options, fn) =>
        broken ? Promise.reject(new Error('lost')) : store.db.transaction(options, fn),
    }
    const leases = new Leases(db, SYSTEM_CLOCK, { slow: 1 })
    const tenant = await tenantWithSlowSearch(await instance({}))
    const lease = await leases.take(tenant, 'slow', 'a')
    broken = true
    await expect(lease?.release()).resolves.toBeUndefined()
    await expect(leases.close()).resolves.toBeUndefined()
    expect(await heldIn(tenant)).toHaveLength(1)
  })

  it('[CP-3] a host says how much of a class its tenant has, within what the operator gives, and takes it back', async () => {
    const gate = turnstile()
    const privity = await instance({ slow: 2 }, gate)
    const tenant = await tenantWithSlowSearch(privity)
    const host = privity.as(hostOf(tenant))
    const bound = { capability: 'memory.search', leaseClass: 'slow' }
    gate.shut()
    const running: Promise<unknown>[] = []
    /** How many searches run at once under these limits. */
    async function room(limits: { total: number; perCredential?: number }, most: number) {
      await host.capabilities.setCapacity({ ...bound, limits })
      for (let at = running.length; at < most; at++) {
        running.push(search(privity, ownerOf(tenant, `person ${at}`)))
        await until(async () => (await heldIn(tenant)).length === at + 1)
      }
      await expect(search(privity, ownerOf(tenant, 'one more'))).rejects.toMatchObject(FULL)
    }
    await room({ total: 1 }, 1)
    await room({ total: 9 }, 2)
    await room({ total: 0 }, 0)
    await host.capabilities.setCapacity({ ...bound, leaseClass: null })
    const free = search(privity, ownerOf(tenant, 'another'))
    gate.open()
    await Promise.all([...running, free])
    for (const capability of ['capabilities.set_capacity', 'capabilities.release'])
      await expect(host.capabilities.setCapacity({ ...bound, capability })).rejects.toMatchObject({
        code: 'conflict',
      })
    const unknown = host.capabilities.setCapacity({ ...bound, capability: 'no.such' })
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  })

  it('[CP-3, CP-1] a tool of the host is admitted by the four checks, in their order, and by its capacity', async () => {
    const clock = testClock()
    const privity = await instance({}, {}, clock)
    const tenant = store.tenant()
    const host = privity.as(hostOf(tenant))
    const [ana, ben] = [privity.as(ownerOf(tenant)), privity.as(ownerOf(tenant, 'ben'))]
    const capability = 'ocr.read'
    const tool = { capability }
    const reasonOf = (asked: Promise<unknown>) =>
      asked.then(
        () => null,
        ({ reason }) => reason,
      )
    expect(await reasonOf(ana.capabilities.acquire(tool))).toBe('session.capability_not_available')
    await host.capabilities.register({
      namespace: { namespace: 'ocr', description: 'Reads scans.' },
      capability: { name: 'read', description: 'Reads a scan.' },
    })
    // Nothing bounds it yet.
    expect(await ana.capabilities.acquire(tool)).toEqual({ lease: null, leaseClass: null, expiresAt: null })
    const limits = { total: 3, perCredential: 1, seconds: 30 }
    await host.capabilities.setCapacity({ capability, leaseClass: 'scanner', limits })
    await host.capabilities.setLifecycle({ capability, lifecycleState: 'retired' })
    expect(await reasonOf(ana.capabilities.acquire(tool))).toBe('session.capability_not_active')
    await host.capabilities.setLifecycle({ capability, lifecycleState: 'active' })
    await host.policies.set({
      policy: 'no scans',
      mode: 'allow_all_except',
      deniedCapabilities: [{ kind: 'exact', capability }],
    })
    const barred = privity.as({ ...ownerOf(tenant), policy: 'no scans' })
    expect(await reasonOf(barred.capabilities.acquire(tool))).toBe('session.capability_blocked_by_policy')

    const taken = await ana.capabilities.acquire(tool, { idempotencyKey: 'once' })
    expect(taken).toMatchObject({
      leaseClass: 'scanner',
      expiresAt: new Date(clock.now().getTime() + 30_000).toISOString(),
    })
    expect(await ana.capabilities.acquire(tool, { idempotencyKey: 'once' })).toEqual(taken)
    await expect(ana.capabilities.acquire(tool)).rejects.toMatchObject(FULL)
    const other = await ben.capabilities.acquire(tool)
    // Only who took it gives it back, and once.
    const release = (by: typeof ana, lease: string | null) => by.capabilities.release(lease ?? '')
    expect(await release(ben, taken.lease)).toEqual({ released: false })
    expect(await release(ana, taken.lease)).toEqual({ released: true })
    expect(await release(ana, taken.lease)).toEqual({ released: false })
    expect((await ana.capabilities.acquire(tool)).lease).not.toBeNull()
    // Who died with it loses it by its time, and not before.
    clock.advance(29_999)
    await expect(ben.capabilities.acquire(tool)).rejects.toMatchObject(FULL)
    clock.advance(1)
    expect((await ben.capabilities.acquire(tool)).lease).not.toBe(other.lease)
    // What runs here takes its capacity itself.
    const here = ana.capabilities.acquire({ capability: 'memory.search' })
    await expect(here).rejects.toMatchObject({ code: 'conflict' })
  })

  it.runIf(engine === 'postgres')(
    '[CP-3] that a killed process leaves stand for their time and no longer',
    async () => {
      const holder = await program(HOLDER)
      onTestFinished(() => holder.dispose())
      const clock = testClock()
      const survivor = await instance({ slow: 1 }, {}, clock)
      const tenant = await tenantWithSlowSearch(survivor)
      const child = holder.start(JSON.stringify({ databaseUrl: store.url, tenant }))
      onTestFinished(() => child.kill())
      expect(await child.line()).toBe('searching')
      await child.kill()
      const [left] = await heldIn(tenant)
      const expiresAt = left?.expires_at.getTime() ?? 0
      expect(Math.abs(expiresAt - Date.now())).toBeLessThan(61_000)
      clock.set(expiresAt - 1)
      await expect(search(survivor, ownerOf(tenant))).rejects.toMatchObject(FULL)
      clock.set(expiresAt)
      expect(await search(survivor, ownerOf(tenant))).toMatchObject({ results: [] })
    },
  )
})

describe('capacity, as it is given', () => {
  it.each([
    -1,
    0.5,
    '3',
    { total: -1 },
    { total: 1, perCredential: 0 },
    { total: 1, perCredential: 2 },
    { total: 1, seconds: 0 },
    { total: 1, seconds: 0.5 },
    { total: 1, each: 1 },
    {},
    null,
  ])('[CP-3] is not %j', async capacity => {
    await expect(open({ capacity: { slow: capacity as number } })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})
