import { describe, expect, it } from 'vitest'
import { checkPartnerNonInterference, connectTo, describeLeak } from '../../src/testing/index.js'
import { times } from '../support/depth.js'
import { byHand, mediated } from '../support/mediated.js'
import { anyEngine, engines, freshDatabase } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const WORLDS = { postgres: times(2, 40), pglite: 8 }
const seed = Number(process.env.PRIVITY_SEED ?? 1)

describe('what one partner keeps to himself', () => {
  it.each(
    engines,
  )('[NI-3, NI-5, NI-8, RC-5, RC-8, RC-18, CB-6, CB-8] changes nothing that the other is told, on %s', async engine => {
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    const connect = connectTo({
      ...(database === undefined ? {} : { databaseUrl: database.url, poolSize: 2 }),
      // Everything is near to every question: what is hidden would be found as soon as anything is.
      embedding: [byHand],
    })
    const worlds = Number(process.env.PRIVITY_WORLDS ?? WORLDS[engine])
    const leaks = await checkPartnerNonInterference({ connect, seed, worlds })
    await database?.drop()
    expect(leaks.map(describeLeak)).toEqual([])
  }, 3_600_000)

  it('[NI-3] and least of all when he first thought of a mediation', async () => {
    const { privity, clock, dispose } = await mediated(anyEngine)
    const told = async (tenant: string, thinksFirst: boolean) => {
      const [ana, ben] = ['ana', 'ben'].map(actor => privity.as({ tenant, actor }))
      if (ana === undefined || ben === undefined) throw new Error('nobody is there')
      clock.set('2026-03-01T09:00:00.000Z')
      if (thinksFirst) await ben.sessions.create({ participants: ['ana'], invite: false })
      clock.set('2026-03-08T09:00:00.000Z')
      const { id: session } = await ana.sessions.create({ participants: ['ben'] })
      await ben.sessions.join(session)
      const { bundle } = await ana.turns.context({ session, message: 'How are we?', turn: 'first' })
      return bundle.items.map(({ type, text, provenance }) => [type, text, provenance.at])
    }
    const [without, having] = [await told('without', false), await told('having', true)]
    await dispose()
    expect(without).toEqual([
      ['relationship_metadata', '1 session since 2026-03-08.', '2026-03-08T09:00:00.000Z'],
    ])
    expect(having).toEqual(without)
  })
})
