import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Privity } from '../../src/open.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

describe.each(engines)('what audit entries are about, on %s', engine => {
  let store: SharedStore
  let privity: Privity
  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance()
  })
  afterAll(async () => {
    await privity.close()
    await store.dispose()
  })

  async function world() {
    const tenant = store.tenant()
    const [ana, ben] = ['ana', 'ben'].map(actor => privity.as({ tenant, actor }))
    await ana?.remember({ kind: 'note', text: 'first' }, { idempotencyKey: 'once' })
    await ana?.people.consent({ person: 'cy', status: 'granted' }).catch(() => {})
    await ben?.remember({ kind: 'note', text: 'second' })
    await ben?.list()
    const host = privity.as({ tenant, actor: 'warden', audience: 'host' })
    expect(await host.audit.verify()).toMatchObject({ ok: true, erased: 0, problems: [] })
    const kinds = async () => {
      const { ok, problems } = await host.audit.verify()
      expect(ok).toBe(problems.length === 0)
      return [...new Set(problems.map(({ kind }) => kind))]
    }
    return { tenant, host, kinds }
  }

  it('[AU-1] finds two names that were swapped, with or without their keys, and one that was changed', async () => {
    const { tenant, kinds } = await world()
    const rename = (from: string, to: string) =>
      store.sql('update privity.actors set actor = $3 where tenant_id = $1 and actor = $2', [
        tenant,
        from,
        to,
      ])
    const swap = async () => {
      await rename('ana', '?')
      await rename('ben', 'ana')
      await rename('?', 'ben')
    }
    await swap()
    expect(await kinds()).toEqual(['actor_altered'])
    await store.sql(
      `update privity.actors a set digest_key = b.digest_key from privity.actors b
       where a.tenant_id = $1 and b.tenant_id = $1 and a.actor in ('ana', 'ben') and b.actor in ('ana', 'ben')
         and a.actor <> b.actor`,
      [tenant],
    )
    expect(await kinds()).toEqual(['actor_altered'])
    await swap()
    expect(await kinds()).toEqual(['actor_altered'])
    await rename('ana', 'zoe')
    expect(await kinds()).toEqual(['actor_altered'])
  })

  it('[AU-1] finds every field of an operation that was altered, one that is gone and one that was slipped in', async () => {
    const { tenant, kinds, host } = await world()
    const id = '00000000-0000-4000-8000-000000000001'
    const fields = [
      `name = 'memory.forget'`,
      `actor_id = '${id}'`,
      `for_id = '${id}'`,
      `audience = 'host'`,
      `authenticated = not authenticated`,
      `effects = effects || 'more'::text`,
      `reversibility = 'irreversible?'`,
      `refs = '{}'`,
      `causal_parents = array ['${id}']::uuid[]`,
      `idempotency_key = 'twice'`,
      `request_digest = '\\x00'`,
      `policy_generation = '${id}'`,
      `created_at = created_at + interval '1 microsecond'`,
      `label = '{}'`,
      `credential = 'another'`,
    ]
    const columns = await store.sql<{ name: string }>(
      `select column_name::text as name from information_schema.columns
       where table_schema = 'privity' and table_name = 'operations'`,
    )
    // Whatever is added to the table is bound as well, or does not belong to what was done.
    expect(new Set(columns.map(({ name }) => name))).toEqual(
      new Set(['tenant_id', 'operation_id', 'audited', ...fields.map(set => set.split(' ')[0] ?? '')]),
    )
    const restore = async () => {
      await store.sql('delete from privity.operations where tenant_id = $1', [tenant])
      await store.sql('insert into privity.operations select * from kept_operations')
    }
    await store.sql('create table kept_operations as select * from privity.operations where tenant_id = $1', [
      tenant,
    ])
    try {
      for (const set of fields) {
        await store.sql(
          `update privity.operations set ${set}
           where tenant_id = $1 and operation_id = (
             select operation_id from privity.operations where tenant_id = $1 and idempotency_key = 'once')`,
          [tenant],
        )
        expect(await kinds(), set).toEqual(['operation_altered'])
        await restore()
        expect(await kinds(), set).toEqual([])
      }
      await store.sql(`delete from privity.operations where tenant_id = $1 and idempotency_key = 'once'`, [
        tenant,
      ])
      expect(await kinds()).toEqual(['operation_missing'])
      await restore()
      await store.sql(
        `insert into privity.operations
           (tenant_id, operation_id, name, actor_id, for_id, audience, authenticated, effects, reversibility, refs,
            created_at, audited)
         select tenant_id, gen_random_uuid(), name, actor_id, for_id, audience, authenticated, effects, reversibility,
           refs, created_at, true
         from kept_operations limit 1`,
      )
      expect(await kinds()).toEqual(['operation_unrecorded'])
      await restore()
      expect(await host.audit.verify()).toMatchObject({ ok: true })
    } finally {
      await store.sql('drop table kept_operations')
    }
  })

  it('[AU-1] reports a name that was erased as erased, and the chain still verifies', async () => {
    const { tenant, host } = await world()
    await store.sql(`delete from privity.actors where tenant_id = $1 and actor = 'ana'`, [tenant])
    expect(await host.audit.verify()).toMatchObject({ ok: true, erased: 1, problems: [] })
    const { entries } = await host.audit.list({ limit: 200 })
    expect(entries.some(({ actor }) => actor === null)).toBe(true)
    expect(entries.some(({ actor }) => actor === 'ana')).toBe(false)
    // Somebody of that name who comes later is somebody else.
    const later = await store.instance()
    await later.as({ tenant, actor: 'ana' }).list()
    await later.close()
    expect(await host.audit.verify()).toMatchObject({ ok: true, erased: 1, problems: [] })
  })
})
