import { describe, expect, it } from 'vitest'
import {
  checkRecipientNonInterference,
  connectTo,
  describeLeak,
  type WorldAccount,
} from '../../src/testing/index.js'
import { deep, few, times } from '../support/depth.js'
import { byHand } from '../support/mediated.js'
import { engines, freshDatabase } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const WORLDS = { postgres: times(2, 30), pglite: 6 }
const seed = Number(process.env.PRIVITY_SEED ?? 1)

/** By words alone; and by meaning too, where everything is near to every question: what is hidden would be found. */
const SEARCHES = { words: [], meaning: [byHand] } as const

describe('what a host does not share', () => {
  it.each(
    engines.flatMap(engine => few(['words', 'meaning'] as const, 1).map(search => [search, engine] as const)),
  )(
    '[NI-1, NI-3, NI-5, NI-6, NI-9, SV-2, SV-3, SV-4, CV-4, OV-2] changes nothing that a recipient is told, searching by %s on %s',
    async (search, engine) => {
      const database = engine === 'postgres' ? await freshDatabase() : undefined
      const store = database === undefined ? {} : { databaseUrl: database.url, poolSize: 2 }
      const connect = connectTo({ ...store, embedding: SEARCHES[search], sweeps: false })
      const worlds = Math.ceil(Number(process.env.PRIVITY_WORLDS ?? WORLDS[engine]) / 2)
      const accounts: WorldAccount[] = []
      const leaks = await checkRecipientNonInterference({
        connect,
        // By itself the second world of all shows its recipient nothing.
        seed: seed + (search === 'words' ? 0 : Math.max(worlds, 2)),
        worlds,
        onWorld: (_world, account) => accounts.push(account),
      })
      await database?.drop()
      expect(leaks.map(describeLeak)).toEqual([])
      // Worlds in which nothing is seen, or nothing is hidden, would show nothing.
      const total = (of: (account: WorldAccount) => number) =>
        accounts.reduce((sum, account) => sum + of(account), 0)
      expect(total(({ seen }) => seen)).toBeGreaterThan(0)
      expect(total(({ leftOut }) => leftOut)).toBeGreaterThan(0)
      // A few worlds need not be like all of them.
      if (!deep) return
      expect(total(({ seen }) => seen)).toBeGreaterThan(2 * worlds)
      expect(total(({ leftOut }) => leftOut)).toBeGreaterThan(5 * worlds)
      expect(total(({ everything }) => Number(everything))).toBeLessThanOrEqual(worlds / 4)
    },
    3_600_000,
  )
})
