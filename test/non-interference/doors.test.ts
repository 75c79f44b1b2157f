import { describe, expect, it } from 'vitest'
import { checkNonInterference, describeLeak } from '../../src/testing/index.js'
import { few, times } from '../support/depth.js'
import {
  connectOverConsole,
  connectOverHttp,
  connectOverLeakyHttp,
  connectOverMcp,
} from '../support/doors.js'
import { freshDatabase } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const worlds = Number(process.env.PRIVITY_WORLDS ?? times(1, 15))
const seed = Number(process.env.PRIVITY_SEED ?? 1)

describe('the non-interference harness through doors', () => {
  // The console asks over HTTP too: it is for the deep run.
  it.each(
    few(
      [
        ['HTTP', connectOverHttp],
        ['MCP', connectOverMcp],
        ['the console', connectOverConsole],
      ] as const,
      2,
    ),
  )(
    '[NI-3, NI-5, NI-9, CP-4] finds no difference in status, headers or bytes over %s',
    async (_, connect) => {
      const database = await freshDatabase()
      const leaks = await checkNonInterference({
        connect: connect({ databaseUrl: database.url, poolSize: 2 }),
        seed,
        worlds,
      })
      await database.drop()
      expect(leaks.map(describeLeak)).toEqual([])
    },
    3_600_000,
  )

  it('[NI-3] sees a header that counts what is hidden', async () => {
    const database = await freshDatabase()
    const leaks = await checkNonInterference({
      connect: connectOverLeakyHttp({ databaseUrl: database.url, poolSize: 2 }),
      seed,
      worlds: 10,
      failFast: true,
    })
    await database.drop()
    expect(leaks.map(({ kind }) => kind)).toContain('bytes')
    expect(leaks.map(describeLeak).join()).toContain('x-total-count')
  }, 600_000)
})
