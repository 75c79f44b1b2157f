import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProviderCalls } from '../../src/embedding/calls.js'
import { VectorLine } from '../../src/runtime/embedding/vector-line.js'
import { testEmbedding } from '../../src/testing/embedding.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

describe.each(engines)('the line behind the writers on %s', engine => {
  const statements: string[] = []
  let store: SharedStore
  beforeAll(async () => {
    store = await sharedStore(engine, { observe: sql => statements.push(sql) })
  })
  afterAll(() => store.dispose())

  const looks = () => statements.filter(sql => sql.includes('row_number() over')).length
  const vectors = async (tenant: string) =>
    (await store.sql('select 1 from privity.embeddings where tenant_id = $1', [tenant])).length

  /** More records than are looked up at once. */
  async function world() {
    const tenant = store.tenant()
    const privity = await store.instance()
    const drafts = Array.from({ length: 10 }, (_, at) => ({ kind: 'note' as const, text: `text ${at}` }))
    await privity.as({ tenant, actor: 'ana' }).remember(drafts)
    await privity.close()
    return tenant
  }

  it('gives way while a provider is down, and does not look again for those it knows', async () => {
    const tenant = await world()
    const provider = testEmbedding()
    provider.fail(true)
    let now = 0
    const calls = new ProviderCalls(provider, { now: () => now, random: () => 0.5, documentsWaitMs: 1_000 })
    const line = new VectorLine(
      store.db,
      calls,
      () => now,
      () => 0.5,
      4,
    )
    statements.length = 0
    line.look(tenant, 'all')
    await line.caughtUp()
    expect(looks()).toBeLessThanOrEqual(2)
    expect(await vectors(tenant)).toBe(0)
    provider.fail(false)
    now += 10_000
    await line.caughtUp()
    expect(await vectors(tenant)).toBe(10)
    await line.close()
  })

  it('lets others have a turn between two batches', async () => {
    const tenant = await world()
    const calls = new ProviderCalls(testEmbedding({ batchSize: 1 }))
    const line = new VectorLine(store.db, calls, Date.now, Math.random)
    let turns = 0
    const others = setInterval(() => turns++, 0)
    line.look(tenant, 'all')
    await line.caughtUp()
    clearInterval(others)
    expect(turns).toBeGreaterThan(3)
    await line.close()
  })
})
