import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadPeer, missingPeer } from '../peers.js'
import { makeSystem } from '../system.js'

/**
 * @typedef {import('../data.js').World} World
 * @typedef {import('../system.js').Hit} Hit
 * @typedef {{ run(...values: unknown[]): void, get(...values: unknown[]): unknown, all(...values: unknown[]): Hit[] }} Statement
 * @typedef {{
 *   exec(sql: string): void,
 *   prepare(sql: string): Statement,
 *   transaction(work: () => void): () => void,
 *   close(): void,
 * }} Sqlite
 * @typedef {{ folder: string, db: Sqlite, search: Statement }} Handle
 */

const FILE = 'docs.sqlite'

/**
 * The joins come before the rank, so that only what the caller may see is ranked: asked for `order by rank`, FTS5 ranks
 * every match first. `cross join` keeps the order of the tables, the other order asks the index once for each visible
 * record.
 */
const SEARCH = `
  select docs.rowid as id, bm25(docs) as score
  from docs
  cross join record_compartment on record_compartment.record = docs.rowid
  cross join visible_compartments on visible_compartments.compartment = record_compartment.compartment
  where docs match ?
  order by score, docs.rowid limit ?`

/**
 * In its best shape: the index alone without the texts, merged into one segment, every table in the order of its key,
 * all of it in the page cache, the statement prepared once.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  name: 'sqlite-fts5',
  available: () => missingPeer('better-sqlite3'),

  async build(world) {
    const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
    const db = open(folder)
    db.exec(`
      pragma journal_mode = memory;
      create virtual table docs using fts5 (text, content = '', tokenize = 'ascii');
      create table record_compartment (record integer primary key, compartment integer not null);
      create table visible_compartments (compartment integer primary key)`)
    const insert = db.prepare('insert into docs (rowid, text) values (?, ?)')
    db.transaction(() => {
      for (const items of world.batches()) for (const { id, text } of items) insert.run(id, text)
    })()
    db.exec(`insert into docs (docs) values ('optimize')`)
    permit(db, world)
    return { folder, db, search: db.prepare(SEARCH) }
  },

  async change({ db }, world) {
    permit(db, world)
    return true
  },

  async reopen({ folder, db }) {
    db.close()
    const opened = open(folder)
    return { folder, db: opened, search: opened.prepare(SEARCH) }
  },

  async search({ search }, { terms }, limit) {
    return search.all(terms.map(term => `"${term}"`).join(' OR '), limit)
  },

  // Without the pages that merging left free.
  async bytes({ db }) {
    const { bytes } = /** @type {{ bytes: number }} */ (
      db
        .prepare(
          `select (page_count - freelist_count) * page_size as bytes
           from pragma_page_count, pragma_freelist_count, pragma_page_size`,
        )
        .get()
    )
    return bytes
  },

  async close({ folder, db }) {
    db.close()
    await rm(folder, { recursive: true, force: true })
  },
}
export const sqliteFts5 = makeSystem(system)

/** @param {string} folder @returns {Sqlite} */
function open(folder) {
  const db = new (loadPeer('better-sqlite3'))(join(folder, FILE))
  db.exec('pragma cache_size = -2000000; pragma mmap_size = 4000000000; pragma synchronous = off')
  return db
}

/** @param {Sqlite} db @param {World} world */
function permit(db, world) {
  const place = db.prepare('insert into record_compartment values (?, ?)')
  const show = db.prepare('insert into visible_compartments values (?)')
  db.transaction(() => {
    db.exec('delete from record_compartment; delete from visible_compartments')
    for (const id of world.ids) place.run(id, world.compartmentOf(id))
    for (const compartment of world.shownCompartments()) show.run(compartment)
  })()
  db.exec('analyze')
}
