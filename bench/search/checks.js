import { makeLeakWorlds } from './data.js'

/**
 * @typedef {import('./data.js').World} World
 * @typedef {import('./data.js').Query} Query
 * @typedef {import('./system.js').Hit} Hit
 * @typedef {import('./system.js').System} System
 */

/**
 * Times of a system that shows what is hidden, or that looks for something else, would say nothing.
 *
 * @param {World} world
 * @param {number} limit
 * @returns {(query: Query, hits: readonly Hit[], expected: number) => void} expected: the visible records that match
 */
export function makeChecker(world, limit) {
  return ({ terms }, hits, expected) => {
    const wanted = new Set(terms)
    if (hits.length !== Math.min(limit, expected))
      throw new Error(`found ${hits.length} of ${Math.min(limit, expected)} records`)
    if (new Set(hits.map(({ id }) => id)).size !== hits.length) throw new Error('found a record twice')
    for (const { id, score } of hits) {
      if (!world.isVisible(id)) throw new Error('found a hidden record')
      if (
        !world
          .textOf(id)
          .split(' ')
          .some(word => wanted.has(word))
      )
        throw new Error('found a record without a term')
      if (!Number.isFinite(score)) throw new Error('found a record without a score')
    }
  }
}

/**
 * Whether a caller can tell from ranks or scores that there are hidden records.
 *
 * @param {System} system
 * @param {number} seed
 * @param {readonly Query[]} queries
 * @param {number} limit
 */
export async function findLeak(system, seed, queries, limit) {
  const { without, among } = makeLeakWorlds(seed, queries)
  const alone = await searchAll(system, without, queries, limit)
  const mixed = await searchAll(system, among, queries, limit)
  return JSON.stringify(alone) !== JSON.stringify(mixed)
}

/** @param {System} system @param {World} world @param {readonly Query[]} queries @param {number} limit */
async function searchAll(system, world, queries, limit) {
  const handle = await system.build(world)
  try {
    /** @type {[number, number][][]} */
    const found = []
    for (const query of queries) {
      const hits = await system.search(handle, query, limit)
      if (hits.some(({ id }) => !world.isVisible(id))) throw new Error('found a hidden record')
      found.push(hits.map(({ id, score }) => [id, score]))
    }
    return found
  } finally {
    await system.close(handle)
  }
}
