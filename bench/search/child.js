import { findLeak, makeChecker } from './checks.js'
import { makeQueries, makeWorld, OverBudget } from './data.js'
import { SYSTEMS } from './systems/all.js'

/**
 * One system in a process of its own, so that its memory is not mixed with another's. Answers what `worker.js` asks,
 * one request after the other.
 *
 * @typedef {import('./data.js').Case} Case
 * @typedef {{ buildMs: number, bytesPerRecord: number, coldMs: number | null }} Built
 * @typedef {{
 *   available(): Promise<string | null>,
 *   leaks(given: { seed: number }): Promise<boolean>,
 *   prepare(given: { shape: Case, seed: number, queries: number, budgetMs: number }): Promise<Built | { skipped: string }>,
 *   round(given: { from: number, to: number, expected: readonly number[], budgetMs: number }): Promise<number[]>,
 *   close(): Promise<void>,
 * }} Requests
 * @typedef {{ world: import('./data.js').World, handle: unknown, records: number, built: Built }} Current
 */

const LIMIT = 10
const LEAK_QUERIES = 20
const WARM_UP = { queries: 30, ms: 3_000 }

const system = await SYSTEMS[process.argv[2] ?? '']?.()
if (system === undefined) throw new Error('no such system')

/** @type {Current | undefined} */
let current
/** @type {readonly import('./data.js').Query[]} */
let queries = []

/** @type {Requests} */
const requests = {
  available: () => system.available(),

  leaks: ({ seed }) => findLeak(system, seed, makeQueries(seed, LEAK_QUERIES, 'leak'), LIMIT),

  async prepare({ shape, seed, queries: count, budgetMs }) {
    queries = makeQueries(seed, count, 'timed')
    try {
      current = await changed(shape, seed, budgetMs)
    } catch (e) {
      if (!(e instanceof OverBudget)) throw e
      return { skipped: `its index was not built in ${Math.round(budgetMs / 1000)} s` }
    }
    const end = performance.now() + WARM_UP.ms
    for (const query of makeQueries(seed, WARM_UP.queries, 'warm-up')) {
      if (performance.now() > end) break
      await system.search(current.handle, query, LIMIT)
    }
    return current.built
  },

  async round({ from, to, expected, budgetMs }) {
    if (current === undefined) throw new Error('nothing is built')
    const check = makeChecker(current.world, LIMIT)
    const times = []
    const end = performance.now() + budgetMs
    for (const [at, query] of queries.slice(from, to).entries()) {
      if (performance.now() > end) break
      const start = performance.now()
      const hits = await system.search(current.handle, query, LIMIT)
      times.push(performance.now() - start)
      check(query, hits, expected[at] ?? 0)
    }
    return times
  },

  async close() {
    if (current !== undefined) await system.close(current.handle)
    current = undefined
  },
}

/**
 * The world of that shape: what is there with other permissions if the system can do that, or a new one.
 *
 * @param {Case} shape
 * @param {number} seed
 * @param {number} budgetMs
 * @returns {Promise<Current>}
 */
async function changed(shape, seed, budgetMs) {
  if (current?.records === shape.records) {
    const world = makeWorld({ seed, ...shape })
    if (await system?.change?.(current.handle, world)) return { ...current, world }
  }
  await requests.close()
  return await built(shape, seed, budgetMs)
}

/** @param {Case} shape @param {number} seed @param {number} budgetMs @returns {Promise<Current>} */
async function built(shape, seed, budgetMs) {
  if (system === undefined) throw new Error('no such system')
  const world = makeWorld({ seed, ...shape, deadline: performance.now() + budgetMs })
  const before = memory()
  const start = performance.now()
  let handle = await system.build(world)
  const buildMs = performance.now() - start - world.generationMs()
  const bytes = (await system.bytes(handle)) ?? memory() - before
  const [query] = queries
  let coldMs = null
  if (system.reopen !== undefined && query !== undefined) {
    const cold = performance.now()
    handle = await system.reopen(handle)
    await system.search(handle, query, LIMIT)
    coldMs = performance.now() - cold
  }
  return {
    world,
    handle,
    records: shape.records,
    built: { buildMs, bytesPerRecord: bytes / shape.records, coldMs },
  }
}

function memory() {
  for (let times = 0; times < 3; times++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  // Array buffers are a part of what is external.
  return heapUsed + external
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
process.on('disconnect', () => requests.close().finally(() => process.exit()))
