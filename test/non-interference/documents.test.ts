import { describe, expect, it } from 'vitest'
import { builtIn } from '../../src/embedding/built-in.js'
import { legal } from '../../src/legal/index.js'
import { connectTo, describeLeak } from '../../src/testing/index.js'
import {
  checkDocumentNonInterference,
  type ViewerAccount,
} from '../../src/testing/non-interference/documents.js'
import { VIEWERS } from '../../src/testing/non-interference/documents-world.js'
import { deep, few, times } from '../support/depth.js'
import { engines, freshDatabase } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const WORLDS = { postgres: times(1, 3), pglite: 1 }
/** Everybody in the deep run; else an agent. Recipients are asked for in `sharing.test.ts`. */
const ASKING = few(VIEWERS, 1)
const seed = Number(process.env.PRIVITY_SEED ?? 1)

describe('what is hidden of corpora', () => {
  it.each(
    engines,
  )('[NI-1, NI-2, NI-3, NI-4, NI-5, NI-6, NI-9, SC-3, SC-4, QX-2, SR-4, SR-10, CV-2, BK-1] changes nothing that the router, documents and bindings tell, by words and by meaning, on %s', async engine => {
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    const store = database === undefined ? {} : { databaseUrl: database.url, poolSize: 2 }
    const worlds = Number(process.env.PRIVITY_WORLDS ?? WORLDS[engine])
    const accounts: ViewerAccount[] = []
    const leaks = await checkDocumentNonInterference({
      connect: connectTo({ ...store, domain: legal(), embedding: [builtIn()], sweeps: false }),
      seed,
      worlds,
      meaning: true,
      viewers: () => ASKING,
      onViewer: account => accounts.push(account),
    })
    await database?.drop()
    expect(leaks.slice(0, 5).map(describeLeak)).toEqual([])
    // Worlds in which nothing is seen, found or hidden would show nothing.
    for (const viewer of ASKING) {
      const own = accounts.filter(account => account.viewer === viewer)
      const total = (of: (account: ViewerAccount) => number) =>
        own.reduce((sum, account) => sum + of(account), 0)
      expect(total(({ seen }) => seen)).toBeGreaterThan(4 * worlds)
      expect(total(({ hidden }) => hidden)).toBeGreaterThan(10 * worlds)
      expect(total(({ results }) => results)).toBeGreaterThan(8 * worlds)
      expect(total(({ spans }) => spans)).toBeGreaterThan(2 * worlds)
      expect(total(({ expansions }) => expansions)).toBeGreaterThan(2 * worlds)
      expect(total(({ meant }) => meant)).toBeGreaterThan(2 * worlds)
    }
    const brought = (isRecipient: boolean) =>
      accounts
        .filter(({ viewer }) => (viewer === 'live' || viewer === 'snapshot') === isRecipient)
        .reduce((sum, account) => sum + account.brought, 0)
    // A single world need not be like all of them.
    expect(brought(false)).toBeGreaterThan(deep ? 2 * worlds : 0)
    // Recipients are told of no binding.
    expect(brought(true)).toBe(0)
  }, 3_600_000)
})
