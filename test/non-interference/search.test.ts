import { describe, expect, it } from 'vitest'
import { type Connect, checkNonInterference, connectTo, describeLeak } from '../../src/testing/index.js'
import { times } from '../support/depth.js'
import { engines, freshDatabase } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const WORLDS = { postgres: times(3, 130), pglite: 15 }
const seed = Number(process.env.PRIVITY_SEED ?? 1)

describe('search over what is hidden', () => {
  it.each(
    engines,
  )('[NI-1, NI-2, NI-3, NI-4, NI-6, NI-7, NI-9, QX-2] finds, ranks, counts, suggests and accounts alike, on %s', async engine => {
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    const connect: Connect = connectTo(
      database === undefined ? {} : { databaseUrl: database.url, poolSize: 2 },
    )
    const worlds = Number(process.env.PRIVITY_WORLDS ?? WORLDS[engine])
    const leaks = await checkNonInterference({ connect, seed, worlds, focus: 'search', requests: 6 })
    await database?.drop()
    expect(leaks.map(describeLeak)).toEqual([])
  }, 3_600_000)
})
