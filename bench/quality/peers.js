import { stemmer } from '@orama/stemmers/english'
import { loadPeer, missingPeer } from '../search/peers.js'

/**
 * @typedef {import('./data.js').DataSet} DataSet
 * @typedef {import('./data.js').Group} Group
 * @typedef {import('./data.js').Doc} Doc
 * @typedef {(text: string, limit: number) => Promise<string[]> | string[]} Search
 * @typedef {{
 *   missing(): Promise<string | null>,
 *   open(set: DataSet): Promise<import('../quality.js').Searcher>,
 * }} Peer
 */

/**
 * Each in its best shape: any word of a query counts, words meet by their English stems, titles are searched as text.
 *
 * @type {Record<string, Peer>}
 */
export const PEERS = {
  bm25: {
    missing: async () => null,
    open: async set => {
      const searches = new Map(set.groups.map(group => [group, plainBm25(group.docs)]))
      return {
        search: async (group, text, limit) => searches.get(group)?.(text, limit) ?? [],
        close: async () => searches.clear(),
      }
    },
  },

  minisearch: peer('minisearch', docs => {
    const index = new (loadPeer('minisearch'))({
      fields: ['text'],
      processTerm: (/** @type {string} */ term) => stemmer(term.toLowerCase()),
      searchOptions: { combineWith: 'OR' },
    })
    index.addAll(docs.map(doc => ({ id: doc.id, text: wholeText(doc) })))
    return (text, limit) =>
      index
        .search(text)
        .slice(0, limit)
        .map((/** @type {{ id: string }} */ { id }) => id)
  }),

  orama: peer('@orama/orama', docs => {
    const { create, insert, search } = loadPeer('@orama/orama')
    // It finds every word that begins with a term. A mark at the end of each word finds that word alone, and finds more.
    const tokenizer = {
      language: 'english',
      normalizationCache: new Map(),
      tokenize: (/** @type {string} */ text) => [
        ...new Set(wordsOf(text.toLowerCase()).map(word => `${stemmer(word)}.`)),
      ],
    }
    const db = create({ schema: { text: 'string' }, components: { tokenizer } })
    for (const doc of docs) insert(db, { id: doc.id, text: wholeText(doc) })
    return async (text, limit) => {
      const { hits } = await search(db, { term: text, properties: ['text'], threshold: 1, limit })
      return hits.map((/** @type {{ id: string }} */ { id }) => id)
    }
  }),

  'sqlite-fts5': peer('better-sqlite3', docs => {
    const db = new (loadPeer('better-sqlite3'))(':memory:')
    db.exec(`create virtual table docs using fts5 (id unindexed, text, tokenize = 'porter unicode61')`)
    const insert = db.prepare('insert into docs (id, text) values (?, ?)')
    for (const doc of docs) insert.run(doc.id, wholeText(doc))
    const search = db.prepare('select id from docs where docs match ? order by rank, rowid limit ?')
    return (text, limit) => {
      const words = wordsOf(text)
      if (words.length === 0) return []
      const found = search.all(words.map(word => `"${word}"`).join(' OR '), limit)
      return found.map((/** @type {{ id: string }} */ { id }) => id)
    }
  }),
}

/** @param {string} text */
const wordsOf = text => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** @param {Doc} doc */
const wholeText = ({ title, text }) => (title === undefined ? text : `${title}\n${text}`)

/** BM25 as textbooks have it: English stems, k1 1.2, b 0.75. @param {readonly Doc[]} docs @returns {(text: string, limit: number) => string[]} */
function plainBm25(docs) {
  const stems = (/** @type {string} */ text) => wordsOf(text.toLowerCase()).map(word => stemmer(word))
  /** @type {Map<string, Map<number, number>>} */
  const postings = new Map()
  const lengths = docs.map((doc, at) => {
    const words = stems(wholeText(doc))
    for (const word of words) {
      const own = postings.get(word) ?? new Map()
      postings.set(word, own.set(at, (own.get(at) ?? 0) + 1))
    }
    return words.length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / docs.length
  return (text, limit) => {
    const scores = new Map()
    for (const word of new Set(stems(text))) {
      const own = postings.get(word) ?? new Map()
      const weight = Math.log(1 + (docs.length - own.size + 0.5) / (own.size + 0.5))
      for (const [at, times] of own) {
        const length = 1 - 0.75 + (0.75 * (lengths[at] ?? 0)) / average
        scores.set(at, (scores.get(at) ?? 0) + (weight * times * 2.2) / (times + 1.2 * length))
      }
    }
    return [...scores]
      .sort(([a, one], [b, other]) => other - one || a - b)
      .slice(0, limit)
      .map(([at]) => docs[at]?.id ?? '')
  }
}

/** An index for each group. @param {string} name @param {(docs: readonly Doc[]) => Search} build @returns {Peer} */
function peer(name, build) {
  return {
    missing: () => missingPeer(name),
    async open(set) {
      const searches = new Map(set.groups.map(group => [group, build(group.docs)]))
      return {
        search: async (group, text, limit) => (await searches.get(group)?.(text, limit)) ?? [],
        close: async () => searches.clear(),
      }
    },
  }
}
