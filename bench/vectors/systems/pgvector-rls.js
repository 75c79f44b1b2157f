import { loadPeer, missingPeer } from '../../search/peers.js'
import { makeSystem } from '../system.js'

/**
 * @typedef {import('../data.js').VectorWorld} VectorWorld
 * @typedef {{ db: import('@electric-sql/pglite').PGlite, world: VectorWorld }} Handle
 */

const EXTENSION = '@electric-sql/pglite-pgvector'
const BATCH = 20_000

/** @param {number} dims */
const schema = dims => `
  create extension vector;
  create table records (id int not null, compartment int not null, embedding vector(${dims}) not null);
  alter table records alter column embedding set storage plain;
  create table visible_compartments (compartment int primary key);
  alter table records enable row level security;
  create policy reading on records for select using (
    compartment = any ((select array_agg(compartment) from visible_compartments)::int[]));
  create role reader nologin nosuperuser nobypassrls;
  grant select on records, visible_compartments to reader`

/**
 * In its best shape for exact answers: no index of vectors, products of unit vectors, rows in one piece, in memory. The
 * reader is a role that the policy binds, and the policy is one that can use the index of compartments: as a subquery it
 * would read every record.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  available: () => missingPeer(EXTENSION),

  async build(world) {
    // Of the version that the extension was built for.
    const { PGlite } = loadPeer('@electric-sql/pglite')
    const { vector } = loadPeer(EXTENSION)
    const db = await PGlite.create({ extensions: { vector } })
    await db.exec(schema(world.dims))
    for (let from = 0; from < world.records; from += BATCH) {
      const blob = new Blob([toCopy(world, from, Math.min(from + BATCH, world.records))])
      await db.query(`copy records from '/dev/blob' with (format binary)`, [], { blob })
    }
    await db.exec('create index on records (compartment)')
    await db.exec('vacuum analyze records')
    return { db, world }
  },

  async permit({ db, world }, share) {
    const shown = Array.from({ length: world.compartments }, (_, at) => at).filter(at =>
      world.isShown(share, at),
    )
    await db.exec('reset role; truncate visible_compartments')
    await db.query('insert into visible_compartments select unnest($1::int[])', [shown])
    await db.exec('vacuum analyze visible_compartments')
    await db.exec('set role reader')
  },

  async search({ db }, query, limit) {
    const { rows } = await db.query(
      `select id from records order by embedding <#> $1::text::vector limit ${limit}`,
      [`[${query.join()}]`],
    )
    return rows.map(row => /** @type {{ id: number }} */ (row).id)
  },

  async bytes({ db }) {
    const { rows } = await db.query(`select pg_total_relation_size('records')::float8 as bytes`)
    return /** @type {{ bytes: number }} */ (rows[0]).bytes
  },

  close: ({ db }) => db.close(),
}
export const pgvectorRls = makeSystem(system)

/**
 * Rows in the binary form of `copy`.
 *
 * @param {VectorWorld} world
 * @param {number} from
 * @param {number} to
 */
function toCopy(world, from, to) {
  const head = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
  const vectorBytes = 4 + 4 * world.dims
  const rowBytes = 2 + (4 + 4) * 2 + 4 + vectorBytes
  const bytes = Buffer.alloc(head.length + (to - from) * rowBytes + 2)
  let at = head.copy(bytes)
  for (let id = from; id < to; id++) {
    at = bytes.writeInt16BE(3, at)
    for (const number of [id, world.compartmentOf(id)])
      at = bytes.writeInt32BE(number, bytes.writeInt32BE(4, at))
    at = bytes.writeInt32BE(vectorBytes, at)
    at = bytes.writeInt16BE(0, bytes.writeInt16BE(world.dims, at))
    for (const value of world.vectorOf(id)) at = bytes.writeFloatBE(value, at)
  }
  bytes.writeInt16BE(-1, at)
  return bytes
}
