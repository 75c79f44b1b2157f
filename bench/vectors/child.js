import { makeVectors } from './data.js'
import { LIMIT, SYSTEMS } from './system.js'

/**
 * One system in a process of its own, so that its memory and its threads are not mixed with another's. Answers what
 * `bench/vectors.js` asks, one request after the other.
 *
 * @typedef {{
 *   available(): Promise<string | null>,
 *   prepare(given: { shape: import('./data.js').Shape, budgetMs: number }): Promise<{ buildMs: number, bytesPerRecord: number }>,
 *   permit(given: { share: number }): Promise<void>,
 *   round(given: { from: number, to: number, budgetMs: number }): Promise<{ ms: number, ids: number[] }[]>,
 *   scan(): Promise<import('./system.js').Scan | null>,
 * }} Requests
 */

const WARM_UP = { queries: 10, ms: 3_000, first: 1_000_000 }
const SCANNED = 10

const system = await SYSTEMS[process.argv[2] ?? '']?.()
if (system === undefined) throw new Error('no such system')

/** @type {{ world: import('./data.js').VectorWorld, handle: unknown } | undefined} */
let current
const built = () => {
  if (current === undefined) throw new Error('nothing is built')
  return current
}

/** @type {Requests} */
const requests = {
  available: () => system.available(),

  async prepare({ shape }) {
    const world = makeVectors(shape)
    const start = performance.now()
    const handle = await system.build(world)
    const buildMs = performance.now() - start
    current = { world, handle }
    return { buildMs, bytesPerRecord: (await system.bytes(handle)) / shape.records }
  },

  async permit({ share }) {
    const { world, handle } = built()
    await system.permit(handle, share)
    const end = performance.now() + WARM_UP.ms
    for (let query = 0; query < WARM_UP.queries && performance.now() < end; query++)
      await system.search(handle, world.queryOf(WARM_UP.first + query), LIMIT)
  },

  async round({ from, to, budgetMs }) {
    const { world, handle } = built()
    const end = performance.now() + budgetMs
    const answers = []
    for (let query = from; query < to && performance.now() < end; query++) {
      const vector = world.queryOf(query)
      const start = performance.now()
      const ids = await system.search(handle, vector, LIMIT)
      answers.push({ ms: performance.now() - start, ids })
    }
    return answers
  },

  async scan() {
    const { world, handle } = built()
    const queries = Array.from({ length: SCANNED }, (_, query) => world.queryOf(query))
    return (await system.scan?.(handle, queries, LIMIT)) ?? null
  },
}

process.on('message', async (/** @type {{ name: keyof Requests, given: never }} */ { name, given }) => {
  try {
    process.send?.({ answer: (await requests[name](given)) ?? null })
  } catch (e) {
    process.send?.({ error: e instanceof Error ? (e.stack ?? e.message) : String(e) })
  }
})
// An interrupt in the terminal comes here too; the end of the benchmark is what counts, so that files are removed.
process.on('SIGINT', () => {})
// Without the benchmark there is nobody to answer.
process.on('disconnect', () => process.exit())
