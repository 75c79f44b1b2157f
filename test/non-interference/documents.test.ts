import { describe, expect, it } from 'vitest'
import { connectTo, describeLeak } from '../../src/testing/index.js'
import {
  checkDocumentNonInterference,
  type ViewerAccount,
} from '../../src/testing/non-interference/documents.js'
import { freshDatabase } from '../support/privity.js'
import { engines } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const WORLDS = { postgres: 6, pglite: 2 }
const seed = Number(process.env.PRIVITY_SEED ?? 1)

describe('what is hidden of corpora', () => {
  it.each(
    engines,
  )('[NI-1, NI-2, NI-3, NI-4, NI-5, NI-6, NI-9, QX-2, SR-4, SR-10, CV-2] changes nothing that the router and documents tell, on %s', async engine => {
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    const store = database === undefined ? {} : { databaseUrl: database.url, poolSize: 2 }
    const worlds = Number(process.env.PRIVITY_WORLDS ?? WORLDS[engine])
    const accounts: ViewerAccount[] = []
    const leaks = await checkDocumentNonInterference({
      connect: connectTo({ ...store, embedding: [], sweeps: false }),
      seed,
      worlds,
      onViewer: account => accounts.push(account),
    })
    await database?.drop()
    console.table(accounts)
    const kinds = new Map<string, number>()
    for (const { kind, viewer, request, world } of leaks) {
      const k = `${world} ${viewer.actor.slice(0, 5)} ${kind} ${request.operation}`
      kinds.set(k, (kinds.get(k) ?? 0) + 1)
    }
    console.log(kinds)
    expect(leaks.slice(0, 5).map(describeLeak)).toEqual([])
  }, 3_600_000)
})
