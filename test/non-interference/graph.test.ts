import { describe, expect, it } from 'vitest'
import { type Connect, checkNonInterference, connectTo, describeLeak } from '../../src/testing/index.js'
import { times } from '../support/depth.js'
import { engines, freshDatabase } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const WORLDS = { postgres: times(2, 80), pglite: 12 }
const seed = Number(process.env.PRIVITY_SEED ?? 1)

describe('graphs over what is hidden', () => {
  it.each(
    engines,
  )('[TR-6, PC-5, NI-1, NI-3, NI-4, NI-5, NI-6, NI-7] lead, end and are cut alike, on %s', async engine => {
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    const connect: Connect = connectTo(
      database === undefined ? {} : { databaseUrl: database.url, poolSize: 2 },
    )
    const worlds = Number(process.env.PRIVITY_WORLDS ?? WORLDS[engine])
    const leaks = await checkNonInterference({ connect, seed, worlds, focus: 'graph', requests: 8 })
    await database?.drop()
    expect(leaks.map(describeLeak)).toEqual([])
  }, 3_600_000)
})
