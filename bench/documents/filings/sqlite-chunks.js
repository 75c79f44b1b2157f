import { loadPeer } from '../../search/peers.js'

const CHUNK = 1_000

/**
 * SQLite FTS5 in its best shape: stems of English, any word counts, titles are searched too.
 *
 * @param {ReadonlyMap<string, { title: string, text: string }>} texts
 * @param {{ count(text: string): number }} tokenizer
 */
export function openChunks(texts, tokenizer) {
  const db = new (loadPeer('better-sqlite3'))(':memory:')
  db.exec(
    `create virtual table chunks using fts5 (document unindexed, title, text, tokenize = 'porter unicode61')`,
  )
  const insert = db.prepare('insert into chunks values (?, ?, ?)')
  for (const [document, { title, text }] of texts)
    for (const chunk of cut(text)) insert.run(document, title, chunk)
  const search = db.prepare(
    'select document, title, text from chunks where chunks match ? order by rank, rowid limit ?',
  )
  /** @param {string} query @param {number} limit @returns {{ document: string, title: string, text: string }[]} */
  const find = (query, limit) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
    return words.length === 0 ? [] : search.all(words.map(word => `"${word}"`).join(' OR '), limit)
  }
  return {
    /** @param {string} query */
    passages: async query => find(query, 10),
    /** @param {string} query @param {number} tokens */
    async bundle(query, tokens) {
      const told = []
      let left = tokens
      for (const chunk of find(query, 50)) {
        const cost = tokenizer.count(JSON.stringify({ title: chunk.title, text: chunk.text }))
        if (cost > left) continue
        left -= cost
        told.push(chunk)
      }
      return told
    },
  }
}

/** Chunks of at most so many characters, cut between words. @param {string} text */
function* cut(text) {
  for (let at = 0; at < text.length; ) {
    const most = Math.min(text.length, at + CHUNK)
    const space = most === text.length ? most : text.lastIndexOf(' ', most)
    const end = space > at ? space : most
    yield text.slice(at, end)
    at = end
  }
}
