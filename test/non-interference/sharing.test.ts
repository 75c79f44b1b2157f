import { describe, expect, it } from 'vitest'
import {
  checkRecipientNonInterference,
  connectTo,
  describeLeak,
  type WorldAccount,
} from '../../src/testing/index.js'
import { freshDatabase } from '../support/privity.js'
import { engines } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const WORLDS = { postgres: 40, pglite: 8 }
const seed = Number(process.env.PRIVITY_SEED ?? 1)

describe('what a host does not share', () => {
  it.each(
    engines,
  )('[NI-1, NI-3, NI-5, NI-6, NI-9, SV-3, SV-4, CV-4, OV-2] changes nothing that a recipient is told, on %s', async engine => {
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    const store = database === undefined ? {} : { databaseUrl: database.url, poolSize: 2 }
    const connect = connectTo({ ...store, embedding: [], sweeps: false })
    const worlds = Number(process.env.PRIVITY_WORLDS ?? WORLDS[engine])
    const accounts: WorldAccount[] = []
    const leaks = await checkRecipientNonInterference({
      connect,
      seed,
      worlds,
      onWorld: (_world, account) => accounts.push(account),
    })
    await database?.drop()
    expect(leaks.map(describeLeak)).toEqual([])
    // Worlds in which nothing is seen, or nothing hidden, would show nothing.
    const total = (of: (account: WorldAccount) => number) =>
      accounts.reduce((sum, account) => sum + of(account), 0)
    expect(total(({ seen }) => seen)).toBeGreaterThan(2 * worlds)
    expect(total(({ leftOut }) => leftOut)).toBeGreaterThan(5 * worlds)
    expect(total(({ everything }) => Number(everything))).toBeLessThan(worlds / 4)
  }, 3_600_000)
})
