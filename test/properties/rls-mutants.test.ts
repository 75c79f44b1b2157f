import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { rlsSettings } from '../../src/runtime/rls-settings.js'
import type { Database } from '../../src/storage/database.js'
import { migrate } from '../../src/storage/migrate.js'
import { policyWorld } from '../../src/testing/worlds.js'
import { chosen, someMutants } from '../support/chosen.js'
import { deep } from '../support/depth.js'
import { SEED } from '../support/generated.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import { LOCK_MUTANTS, ROW_MUTANTS, SETTING_MUTANTS } from '../support/rls-mutants.js'
import { apart, disagreements, installVisibleTo, storeWorlds } from '../support/rls-worlds.js'
import {
  changesOfHistory,
  excessPrivileges,
  fillTables,
  openings,
  readable,
  readableOfEverybody,
} from '../support/second-lock.js'
import { migratedDatabase, type TestDatabase } from '../support/stores.js'

// Row-level security says all there is each time it is installed, so one database serves every mutant.
const worlds = apart(fc.sample(policyWorld({ storable: true }), { seed: SEED, numRuns: deep ? 2000 : 200 }))
let store: TestDatabase
let db: Database

beforeAll(async () => {
  store = await migratedDatabase('postgres')
  db = store.db
  await installVisibleTo(db)
  await storeWorlds(db, worlds)
  await fillTables(db, 'filled')
})

afterAll(() => store.dispose())

/** Installs a copy's row-level security and answers with its settings. */
async function install(mutation: Mutation | null): Promise<typeof rlsSettings> {
  const mutant = await makeMutant(mutation)
  try {
    await migrate(db, { dir: join(mutant.dir, 'sql') })
    const module = (await mutant.import('src/runtime/rls-settings.ts')) as { rlsSettings: typeof rlsSettings }
    return module.rlsSettings
  } finally {
    await mutant.dispose()
  }
}

/** Whether any caller is passed other rows than the gates show; a few worlds first, as most mutants fail there. */
async function passesWrongRows(mutation: Mutation | null): Promise<boolean> {
  const settings = await install(mutation)
  for (const batch of [worlds.slice(0, 25), worlds.slice(25, 200), worlds.slice(200)]) {
    const { found } = await disagreements(db, batch, settings)
    if (found.length > 0) return true
  }
  return false
}

async function weaknesses(mutation: Mutation | null): Promise<string[]> {
  await install(mutation)
  const history = await changesOfHistory(db, { 'privity.tenant': 'filled' })
  return [
    ...(await openings(db)),
    ...(await excessPrivileges(db)),
    ...(await readable(db, {})),
    ...(await readableOfEverybody(db, { 'privity.tenant': 'filled' })),
    ...history.filter(what => !/audited|closed_/.test(what)),
  ]
}

it('[DE-5, DE-6] the unbroken copy passes the right rows and has no weakness', async () => {
  expect(await passesWrongRows(null)).toBe(false)
  expect(await weaknesses(null)).toEqual([])
}, 600_000)

describe('[DE-5] a policy broken on purpose passes other rows than the gates', () => {
  const wrongRows = [...ROW_MUTANTS, ...SETTING_MUTANTS]
  it.each(chosen('rls-rows', wrongRows, someMutants(wrongRows)))('%s', async (_, mutation) => {
    expect(await passesWrongRows(mutation)).toBe(true)
  })
})

describe('[DE-6] a lock broken on purpose is seen', () => {
  it.each(chosen('rls-locks', LOCK_MUTANTS, someMutants(LOCK_MUTANTS)))('%s', async (_, mutation) => {
    expect(await weaknesses(mutation)).not.toEqual([])
  })
})

it('[DE-5, DE-6] installed again, the unbroken copy leaves nothing of the broken ones', async () => {
  expect(await passesWrongRows(null)).toBe(false)
  expect(await weaknesses(null)).toEqual([])
}, 600_000)
