import { loadPeer, missingPeer } from '../peers.js'
import { makeSystem } from '../system.js'

/**
 * @typedef {import('../data.js').World} World
 * @typedef {import('../system.js').Hit} Hit
 * @typedef {{
 *   addAll(items: readonly object[]): void,
 *   search(text: string, options: { filter(hit: Hit): boolean }): Hit[],
 * }} Index
 * @typedef {{ index: Index, visible: Uint8Array }} Handle
 */

/**
 * In its best shape: no stored fields, no prefixes and no typing errors to look for, words split at blanks, and a filter
 * that looks a record up in an array. It has no limit: it ranks all of what passes the filter.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  name: 'minisearch',
  available: () => missingPeer('minisearch'),

  async build(world) {
    const MiniSearch = loadPeer('minisearch')
    const index = new MiniSearch({
      fields: ['text'],
      tokenize: (/** @type {string} */ text) => text.split(' '),
      processTerm: (/** @type {string} */ term) => term,
      searchOptions: { combineWith: 'OR', prefix: false, fuzzy: false },
    })
    for (const items of world.batches()) index.addAll(items)
    return { index, visible: visibleOf(world) }
  },

  async change(handle, world) {
    handle.visible = visibleOf(world)
    return true
  },

  async search({ index, visible }, { terms }, limit) {
    const hits = index.search(terms.join(' '), { filter: ({ id }) => visible[id] === 1 })
    return hits.slice(0, limit).map(({ id, score }) => ({ id, score }))
  },

  bytes: async () => null,
  close: async () => {},
}
export const minisearch = makeSystem(system)

/** @param {World} world */
function visibleOf(world) {
  const visible = new Uint8Array(world.idsBelow)
  for (const id of world.ids) visible[id] = world.isVisible(id) ? 1 : 0
  return visible
}
