import { describe, expect, it } from 'vitest'
import { type Connect, checkNonInterference, connectTo, describeLeak } from '../../src/testing/index.js'
import { times } from '../support/depth.js'
import { meaningUnderTest } from '../support/harness-meaning.js'
import { engines, freshDatabase } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const WORLDS = { postgres: times(2, 60), pglite: 10 }
const seed = Number(process.env.PRIVITY_SEED ?? 1)

describe('what records mean, over what is hidden', () => {
  it.each(
    engines,
  )('[NI-1, NI-2, NI-3, NI-4, NI-7, NI-8, NI-9, SC-3, SC-4] is found, ranked, waited for and accounted for alike, while providers come and go, on %s', async engine => {
    const { embedding, weather } = meaningUnderTest()
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    const connect: Connect = connectTo({
      embedding,
      ...(database === undefined ? {} : { databaseUrl: database.url, poolSize: 2 }),
    })
    const worlds = Number(process.env.PRIVITY_WORLDS ?? WORLDS[engine])
    const about = { connect, seed, worlds, weather, focus: 'meaning', requests: 6 } as const
    const leaks = await checkNonInterference(about)
    await database?.drop()
    expect(leaks.map(describeLeak)).toEqual([])
  }, 3_600_000)
})
