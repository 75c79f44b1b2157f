import { loadPeer, missingPeer } from '../peers.js'
import { makeSystem } from '../system.js'

/**
 * @typedef {import('../data.js').World} World
 * @typedef {{
 *   internalDocumentIDStore: { idToInternalId: Map<string, number> },
 *   data: { index: { indexes: { visible: { node: { true: Set<number>, false: Set<number> } } } } },
 * }} Orama
 * @typedef {{ db: Orama }} Handle
 */

/**
 * In its best shape: visibility for this one caller as a boolean of each record, which it keeps a set for, and nothing
 * to sort by. It always keeps the documents.
 *
 * It finds every word that begins with a term; `exact` would ask for all terms at once, and read the texts. A mark at
 * the end of each word finds that word alone.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  name: 'orama',
  available: () => missingPeer('@orama/orama'),

  async build(world) {
    const { create, insert } = loadPeer('@orama/orama')
    const tokenizer = {
      language: 'english',
      normalizationCache: new Map(),
      // Each word once, as its own tokenizer does.
      tokenize: (/** @type {string} */ text) => [...new Set(text.split(' '))].map(word => `${word}.`),
    }
    const db = create({
      schema: { text: 'string', visible: 'boolean' },
      sort: { enabled: false },
      components: { tokenizer },
    })
    for (const items of world.batches())
      for (const { id, text } of items) insert(db, { id: String(id), text, visible: world.isVisible(id) })
    return { db }
  },

  // Puts in place the sets that a new build would make: it takes minutes where there are many records.
  async change({ db }, world) {
    const { node } = db.data.index.indexes.visible
    node.true = new Set()
    node.false = new Set()
    for (const id of world.ids) {
      const place = db.internalDocumentIDStore.idToInternalId.get(String(id))
      if (place !== undefined) node[world.isVisible(id) ? 'true' : 'false'].add(place)
    }
    return true
  },

  async search({ db }, { terms }, limit) {
    const { search } = loadPeer('@orama/orama')
    const { hits } = await search(db, {
      term: terms.join(' '),
      properties: ['text'],
      where: { visible: true },
      threshold: 1,
      limit,
    })
    return hits.map((/** @type {{ id: string, score: number }} */ { id, score }) => ({
      id: Number(id),
      score,
    }))
  },

  bytes: async () => null,
  close: async () => {},
}
export const orama = makeSystem(system)
