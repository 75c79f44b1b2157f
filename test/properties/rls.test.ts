import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rlsSettings } from '../../src/runtime/rls-settings.js'
import type { Database } from '../../src/storage/database.js'
import { policyWorld } from '../../src/testing/worlds.js'
import { times } from '../support/depth.js'
import { SEED, WORLDS } from '../support/generated.js'
import {
  apart,
  disagreements,
  installVisibleTo,
  settingsOf,
  shownByGates,
  storeWorlds,
} from '../support/rls-worlds.js'
import {
  attempt,
  changesOfHistory,
  excessPrivileges,
  fillTables,
  loadTables,
  openings,
  ROLES,
  readable,
  readableOfEverybody,
} from '../support/second-lock.js'
import { bothEngines, migratedDatabase, type TestDatabase } from '../support/stores.js'

/** Worlds that are stored cost more than those that are only decided. */
const COUNT = process.env.PRIVITY_WORLDS ? WORLDS : times(40, WORLDS)
const CHUNK = 1000
const worldsFrom = (first: number) =>
  apart(
    fc.sample(policyWorld({ storable: true }), {
      seed: SEED + first,
      numRuns: Math.min(CHUNK, COUNT - first),
    }),
    first,
  )

/** All that a caller could say for itself, in a tenant. */
const everything = (tenant: string) => ({
  'privity.tenant': tenant,
  'privity.principal': 'x',
  'privity.audience': 'owner',
  'privity.respect_consent': 'off',
  'privity.max_sensitivity': 'hyper',
  'privity.all_scopes': 'on',
  'privity.scopes': 'x',
  'privity.ceiling': 'firewalled',
  'privity.floor': 'none',
  'privity.now': '2026-01-01T00:00:00.000Z',
  'privity.profile': '00000000-0000-4000-8000-000000000000',
  'privity.bound': 'off',
  'privity.link': 'x',
})

describe.each(bothEngines)('on %s', engine => {
  let store: TestDatabase
  let db: Database

  beforeAll(async () => {
    // One connection, so that a setting which outlived its transaction would be seen.
    store = await migratedDatabase(engine, { poolSize: 1 })
    db = store.db
    await installVisibleTo(db)
    await fillTables(db, 'filled')
  })

  afterAll(() => store.dispose())

  it('[DE-5] passes exactly the rows that the gates show which stored facts settle', async () => {
    console.info(`${COUNT} worlds from seed ${SEED}`)
    for (let first = 0; first < COUNT; first += CHUNK) {
      const worlds = worldsFrom(first)
      await storeWorlds(db, worlds)
      const { found, shown, asked } = await disagreements(db, worlds)
      expect(found[0]).toBeUndefined()
      if (worlds.length === CHUNK) expect(shown / asked).toBeGreaterThan(0.1)
      if (worlds.length === CHUNK) expect(shown / asked).toBeLessThan(0.9)
    }
  }, 600_000)

  it('[DE-5] passes the same rows to one caller in one transaction', async () => {
    const worlds = worldsFrom(0).slice(0, times(15, 50))
    for (const world of worlds) {
      for (const caller of world.callers) {
        const options = { access: 'read', role: 'privity_app', settings: settingsOf(caller) } as const
        const rows = await db.transaction(options, tx =>
          tx.query<{ row: string }>(
            `select tenant_id || ' ' || record_id as row from privity.records order by record_id`,
          ),
        )
        expect(rows.map(({ row }) => row)).toEqual(shownByGates(world, caller))
      }
    }
  })

  it('[DE-2, DE-6] a single variable that is not set shows nobody more', async () => {
    const worlds = worldsFrom(0).slice(0, times(20, 300))
    for (const name of Object.keys(everything(''))) {
      const without: typeof rlsSettings = (caller, now) => ({ ...rlsSettings(caller, now), [name]: '' })
      const { found } = await disagreements(db, worlds, without)
      const more = found.filter(({ inSql, byGates }) => inSql.some(row => !byGates.includes(row)))
      expect([name, more[0]]).toEqual([name, undefined])
    }
  })

  it('[DE-6] no role reads a row of any table while the variables are unset', async () => {
    expect(await readable(db, {})).toEqual([])
  })

  it('[DE-6] no role reads a row of any table under the variables of another tenant', async () => {
    expect(await readable(db, everything('nowhere'))).toEqual([])
  })

  it('[DE-6] every table of a tenant has rows to hide, and shows them to the writer under its own variables', async () => {
    const tables = (await loadTables(db)).filter(table => table.hasTenant)
    const read = await readable(db, everything('filled'))
    expect(read.filter(what => what.startsWith('privity_writer'))).toEqual(
      tables.map(({ name }) => `privity_writer ${name}`),
    )
    expect(tables.length).toBeGreaterThan(20)
  })

  it('[DE-6] variables of a request are gone after its commit, on the same connection', async () => {
    const write = { access: 'write', role: 'privity_writer', settings: everything('filled') } as const
    const inside = await db.transaction(write, tx => tx.query('select 1 from privity.records'))
    expect(inside.length).toBeGreaterThan(0)
    const after = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
      tx.query<{ itself: boolean; set: string | null }>(
        `select current_user = session_user as "itself", string_agg(privity.setting(name), ' ') as "set"
         from unnest(array['tenant', 'principal', 'audience', 'respect_consent', 'max_sensitivity', 'all_scopes',
           'scopes', 'ceiling', 'floor', 'now', 'profile', 'bound', 'link']) as name`,
      ),
    )
    expect(after).toEqual([{ itself: true, set: null }])
    expect(await readable(db, {})).toEqual([])
  })

  it('[DE-6] every table with a tenant has row-level security forced, and every policy but that of the tenant is restrictive', async () => {
    expect(await openings(db)).toEqual([])
    const policies = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
      tx.query<{ policy: string }>(
        `select policyname as "policy"
         from pg_policies
         where schemaname = 'privity'
           and tablename = 'records'
           and permissive = 'RESTRICTIVE'
         order by policyname`,
      ),
    )
    expect(policies.map(({ policy }) => policy)).toEqual([
      'consent',
      'freshness',
      'overlay',
      'participants',
      'trust',
      'vessel',
      'view',
      'visibility',
    ])
  })

  it('[DE-6, AU-1] the writer appends to history: all it may change is that an operation is audited and a lane closed', async () => {
    expect(await changesOfHistory(db, everything('filled'))).toEqual([
      'update audit_lanes.closed_at',
      'update audit_lanes.closed_seq',
      'update audit_lanes.closed_hash',
      'update operations.audited',
    ])
  })

  it('[DE-6] the roles that read change nothing, and none empties a table', async () => {
    expect(await excessPrivileges(db)).toEqual([])
  })

  it('[DE-6] the writer writes into no other tenant', async () => {
    const insert = `insert into privity.overlaid_targets (tenant_id, target) values ('filled', 'y')`
    expect(await attempt(db, 'privity_writer', everything('filled'), insert)).toBe(0)
    expect(await attempt(db, 'privity_writer', everything('nowhere'), insert)).toBe('denied')
    expect(await attempt(db, 'privity_writer', {}, insert)).toBe('denied')
    const move = `update privity.overlaid_targets set tenant_id = 'nowhere'`
    expect(await attempt(db, 'privity_writer', everything('filled'), move)).toBe('denied')
  })

  it('[DE-6] the role that reads for callers may not read the index, nor what it follows', async () => {
    expect(await readableOfEverybody(db, everything('filled'))).toEqual([])
  })

  it.each(ROLES)('[DE-6] %s may not read the keys', async role => {
    expect(await attempt(db, role, everything('filled'), 'select 1 from privity.keys')).toBe('denied')
  })
})
