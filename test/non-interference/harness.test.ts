import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.js'
import {
  type Connect,
  checkNonInterference,
  connectTo,
  describeLeak,
  REQUESTS,
} from '../../src/testing/index.js'
import { freshDatabase } from '../support/privity.js'
import { engines } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const WORLDS = { postgres: 45, pglite: 8 }
const seed = Number(process.env.PRIVITY_SEED ?? 1)

/** Repeats whatever it is told, so that nothing it should not be told goes unseen. */
const SCRIBE = {
  name: 'scribe',
  local: false,
  summarise: async (texts: readonly string[]) => texts.join('\n'),
}

describe('the non-interference harness', () => {
  it('[NI-3] knows how to ask for every operation there is', () => {
    expect(Object.keys(REQUESTS).sort()).toEqual(OPERATIONS.map(({ name }) => name).sort())
  })

  it.each(
    engines,
  )('[NI-3, NI-5, NI-6, NI-7, NI-9, WR-2] finds no difference between histories that differ in what is hidden, on %s', async engine => {
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    const connect: Connect = connectTo({
      ...(database === undefined ? {} : { databaseUrl: database.url, poolSize: 2 }),
      consolidation: { model: SCRIBE },
    })
    const worlds = Number(process.env.PRIVITY_WORLDS ?? WORLDS[engine])
    const leaks = await checkNonInterference({ connect, seed, worlds })
    await database?.drop()
    expect(leaks.map(describeLeak)).toEqual([])
  }, 3_600_000)
})
