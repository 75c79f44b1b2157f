import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadPeer, missingPeer } from '../../search/peers.js'
import { makeSystem } from '../system.js'

/**
 * @typedef {import('../data.js').VectorWorld} VectorWorld
 * @typedef {{
 *   add(rows: unknown): Promise<unknown>,
 *   createIndex(column: string, options: object): Promise<void>,
 *   optimize(options: object): Promise<unknown>,
 *   query(): QueryBuilder,
 *   close(): void,
 * }} Table
 * @typedef {{
 *   nearestTo(query: Float32Array): QueryBuilder,
 *   distanceType(type: string): QueryBuilder,
 *   where(filter: string): QueryBuilder,
 *   select(columns: readonly string[]): QueryBuilder,
 *   limit(count: number): QueryBuilder,
 *   toArray(): Promise<{ id: number }[]>,
 * }} QueryBuilder
 * @typedef {{ folder: string, db: { close(): void }, table: Table, shares: readonly number[], column: string }} Handle
 */

const BATCH = 50_000
const THREADS = String(Math.max(4, availableParallelism()))

/**
 * In its best shape for exact answers: no index of vectors, so that all that pass the filter are compared; products of
 * unit vectors; a boolean column for each caller, with a bitmap index. The filter applies before the search.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  available: () => missingPeer('@lancedb/lancedb'),

  async build(world) {
    process.env.LANCE_CPU_THREADS ??= THREADS
    const { connect, Index } = loadPeer('@lancedb/lancedb')
    const folder = await mkdtemp(join(tmpdir(), 'lancedb-'))
    const db = await connect(folder)
    /** @type {Table | undefined} */
    let table
    for (let from = 0; from < world.records; from += BATCH) {
      const rows = toArrow(world, from, Math.min(from + BATCH, world.records))
      if (table === undefined) table = /** @type {Table} */ (await db.createTable('docs', rows))
      else await table.add(rows)
    }
    if (table === undefined) throw new Error('no records')
    await table.optimize({ cleanupOlderThan: new Date() })
    for (const at of world.shares.keys()) await table.createIndex(`visible${at}`, { config: Index.bitmap() })
    return { folder, db, table, shares: world.shares, column: 'visible0' }
  },

  async permit(handle, share) {
    handle.column = `visible${handle.shares.indexOf(share)}`
  },

  async search({ table, column }, query, limit) {
    const rows = await table
      .query()
      .nearestTo(query)
      .distanceType('dot')
      .where(`${column} = true`)
      .select(['id', '_distance'])
      .limit(limit)
      .toArray()
    return rows.map(({ id }) => id)
  },

  bytes: ({ folder }) => sizeOf(folder),

  async close({ folder, db, table }) {
    table.close()
    db.close()
    await rm(folder, { recursive: true, force: true })
  },
}
export const lancedb = makeSystem(system)

/** @param {VectorWorld} world @param {number} from @param {number} to */
function toArrow(world, from, to) {
  const arrow = loadPeer('apache-arrow')
  const values = new Float32Array((to - from) * world.dims)
  for (let id = from; id < to; id++) values.set(world.vectorOf(id), (id - from) * world.dims)
  const ids = Array.from({ length: to - from }, (_, at) => from + at)
  const type = new arrow.FixedSizeList(world.dims, new arrow.Field('item', new arrow.Float32(), true))
  const child = arrow.makeData({ type: new arrow.Float32(), data: values })
  const vectors = new arrow.Vector([arrow.makeData({ type, length: to - from, nullCount: 0, child })])
  const visible = world.shares.map((share, at) => [
    `visible${at}`,
    arrow.vectorFromArray(
      ids.map(id => world.isVisible(share, id)),
      new arrow.Bool(),
    ),
  ])
  return new arrow.Table({
    id: arrow.vectorFromArray(ids, new arrow.Int32()),
    vector: vectors,
    ...Object.fromEntries(visible),
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
