import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadPeer, missingPeer } from '../peers.js'
import { makeSystem } from '../system.js'

/**
 * @typedef {import('../data.js').World} World
 * @typedef {{
 *   add(rows: unknown): Promise<unknown>,
 *   createIndex(column: string, options: object): Promise<void>,
 *   optimize(options: object): Promise<unknown>,
 *   query(): QueryBuilder,
 *   close(): void,
 * }} Table
 * @typedef {{
 *   fullTextSearch(query: unknown): QueryBuilder,
 *   where(filter: string): QueryBuilder,
 *   select(columns: readonly string[]): QueryBuilder,
 *   limit(count: number): QueryBuilder,
 *   toArray(): Promise<{ id: number, _score: number }[]>,
 * }} QueryBuilder
 * @typedef {{ folder: string, db: { close(): void }, table: Table }} Handle
 */

const BATCH = 50_000
/** With its own choice on three cores or fewer, building the index of terms waits for itself for ever. */
const THREADS = String(Math.max(4, availableParallelism()))

/**
 * In its best shape: few large fragments, an index of terms without positions, stems or stop words, visibility for this
 * one caller as a boolean column with a bitmap index. A filter of a full-text search applies before the search.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  name: 'lancedb',
  available: () => missingPeer('@lancedb/lancedb'),

  async build(world) {
    process.env.LANCE_CPU_THREADS ??= THREADS
    const { connect, Index } = loadPeer('@lancedb/lancedb')
    const folder = await mkdtemp(join(tmpdir(), 'lancedb-'))
    const db = await connect(folder)
    /** @type {Table | undefined} */
    let table
    for (const items of world.batches(BATCH)) {
      const rows = toArrow(items, world)
      if (table === undefined) table = /** @type {Table} */ (await db.createTable('docs', rows))
      else await table.add(rows)
    }
    if (table === undefined) throw new Error('no records')
    await table.optimize({ cleanupOlderThan: new Date() })
    await table.createIndex('text', {
      config: Index.fts({
        withPosition: false,
        baseTokenizer: 'whitespace',
        lowercase: false,
        stem: false,
        removeStopWords: false,
        asciiFolding: false,
      }),
    })
    await table.createIndex('visible', { config: Index.bitmap() })
    return { folder, db, table }
  },

  async search({ table }, { terms }, limit) {
    const { MatchQuery } = loadPeer('@lancedb/lancedb')
    const rows = await table
      .query()
      .fullTextSearch(new MatchQuery(terms.join(' '), 'text'))
      .where('visible = true')
      .select(['id', '_score'])
      .limit(limit)
      .toArray()
    return rows.map(({ id, _score }) => ({ id, score: _score }))
  },

  bytes: ({ folder }) => sizeOf(folder),

  async close({ folder, db, table }) {
    table.close()
    db.close()
    await rm(folder, { recursive: true, force: true })
  },
}
export const lancedb = makeSystem(system)

/** @param {readonly import('../data.js').Item[]} items @param {World} world */
function toArrow(items, world) {
  const { Bool, Int32, Table: ArrowTable, Utf8, vectorFromArray } = loadPeer('apache-arrow')
  return new ArrowTable({
    id: vectorFromArray(
      items.map(({ id }) => id),
      new Int32(),
    ),
    text: vectorFromArray(
      items.map(({ text }) => text),
      new Utf8(),
    ),
    visible: vectorFromArray(
      items.map(({ id }) => world.isVisible(id)),
      new Bool(),
    ),
  })
}

/** @param {string} folder */
async function sizeOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  const sizes = await Promise.all(
    files.map(async file => (await stat(join(file.parentPath, file.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
