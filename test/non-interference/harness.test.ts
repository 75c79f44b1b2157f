import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.js'
import {
  type Connect,
  checkNonInterference,
  connectTo,
  describeLeak,
  sampleOf,
} from '../../src/testing/index.js'
import { random } from '../../src/testing/non-interference/random.js'
import { times } from '../support/depth.js'
import { engines, freshDatabase } from '../support/stores.js'

/** More worlds with PRIVITY_WORLDS; another set of them with PRIVITY_SEED. */
const WORLDS = { postgres: times(2, 45), pglite: 8 }
const seed = Number(process.env.PRIVITY_SEED ?? 1)

/** Repeats whatever it is told, so that nothing it should not be told goes unseen. */
const SCRIBE = {
  name: 'scribe',
  local: false,
  summarise: async (texts: readonly string[]) => texts.join('\n'),
  complete: async ([, { content } = { content: '' }]: readonly { content: string }[]) =>
    JSON.stringify({ facts: [...content.matchAll(TURN)].map(factOf) }),
}

const TURN = /<<<turn (\d+), [^,]+, (.*)>>>\n([\s\S]*?)\n<<<end of turn>>>/g
const factOf = ([, turn, subject, text = '']: readonly string[]) => {
  const said = {
    quote: text,
    says: `said ${text}`.slice(0, 200),
    attribute: 'said',
    value: text.slice(0, 200),
  }
  return { turn: Number(turn), subject, person: true, ...said, confidence: 0.5 }
}

describe('the non-interference harness', () => {
  it.each(
    OPERATIONS.map(operation => [operation.name, operation] as const),
  )('[NI-3] asks for %s by an input that it takes', (name, { input }) => {
    const known = {
      records: Array.from({ length: 40 }, () => randomUUID()),
      others: [randomUUID()],
      key: 'k:9',
    }
    const draws = Array.from({ length: 40 }, (_, at) =>
      input.safeParse(sampleOf(name, random(at + 1), known)),
    )
    // Now and then a draw relates a record to itself.
    expect(draws.filter(({ success }) => success).length).toBeGreaterThan(35)
  })

  it.each(
    engines,
  )('[NI-3, NI-5, NI-6, NI-7, NI-9, WR-2] finds no difference between histories that differ in what is hidden, on %s', async engine => {
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    const connect: Connect = connectTo({
      ...(database === undefined ? {} : { databaseUrl: database.url, poolSize: 2 }),
      consolidation: { model: SCRIBE },
      capture: { model: SCRIBE, inBackground: false },
    })
    const worlds = Number(process.env.PRIVITY_WORLDS ?? WORLDS[engine])
    const leaks = await checkNonInterference({ connect, seed, worlds })
    await database?.drop()
    expect(leaks.map(describeLeak)).toEqual([])
  }, 3_600_000)
})
