import pg from 'pg'
import { startPostgres } from '../../postgres.js'
import { makeSystem } from '../system.js'

/**
 * @typedef {import('../data.js').World} World
 * @typedef {{ client: pg.Client, compartments: number, dispose(): Promise<void> }} Handle
 */

/**
 * More memory than by default, and the costs of data in memory: then the policy asks an index for each match. By default
 * it often makes a hash table of all visible compartments in every query, which takes twice as long.
 */
const SETTINGS = {
  shared_buffers: '512MB',
  work_mem: '64MB',
  maintenance_work_mem: '512MB',
  fsync: 'off',
  random_page_cost: '1.1',
  plan_cache_mode: 'force_generic_plan',
}
const CHUNK = 100_000

const SCHEMA = `
  create table records (id int primary key, compartment int not null, terms tsvector not null);
  create table visible_compartments (compartment int primary key);
  alter table records enable row level security;
  create policy reading on records for select using (exists (
    select from visible_compartments visible where visible.compartment = records.compartment));
  create role reader nologin nosuperuser nobypassrls;
  grant select on records, visible_compartments to reader;
  alter function ts_match_vq(tsvector, tsquery) leakproof`

const SEARCH = {
  name: 'search',
  text: `
    select id, ts_rank(terms, to_tsquery('simple', $1)) as score
    from records
    where terms @@ to_tsquery('simple', $1)
    order by score desc, id limit $2`,
}

/**
 * In its best shape: a stored `tsvector` without the text, a GIN index made after the rows, one connection, the
 * statement prepared. The reader is a role that the policy binds.
 *
 * A policy comes before conditions that might tell what they see, and `@@` counts as one of them: then no index is
 * used and every record is read. As is often done, it is declared to tell nothing.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  name: 'postgres-rls',
  available: async () => null,

  async build(world) {
    const server = await startPostgres(SETTINGS)
    const client = new pg.Client(server.url)
    try {
      await client.connect()
      await client.query(SCHEMA)
      for (const items of world.batches())
        await client.query(
          `insert into records select id, compartment, to_tsvector('simple', text)
           from unnest($1::int[], $2::int[], $3::text[]) as item (id, compartment, text)`,
          [
            items.map(({ id }) => id),
            items.map(({ compartment }) => compartment),
            items.map(({ text }) => text),
          ],
        )
      await client.query('create index on records using gin (terms)')
      await permit(client, world)
      await client.query('vacuum analyze')
      await client.query('set role reader')
    } catch (e) {
      await client.end()
      await server.dispose()
      throw e
    }
    return { client, compartments: world.compartments, dispose: server.dispose }
  },

  async change({ client, compartments }, world) {
    if (compartments !== world.compartments) return false
    await client.query('reset role')
    await permit(client, world)
    await client.query('vacuum analyze visible_compartments')
    await client.query('set role reader')
    return true
  },

  async search({ client }, { terms }, limit) {
    const { rows } = await client.query({ ...SEARCH, values: [terms.join(' | '), limit] })
    return rows
  },

  async bytes({ client }) {
    const { rows } = await client.query(
      `select (pg_total_relation_size('records') + pg_total_relation_size('visible_compartments'))::float8 as bytes`,
    )
    return rows[0].bytes
  },

  async close({ client, dispose }) {
    await client.end()
    await dispose()
  },
}
export const postgresRls = makeSystem(system)

/** @param {pg.Client} client @param {World} world */
async function permit(client, world) {
  await client.query('truncate visible_compartments')
  const shown = world.shownCompartments()
  for (let from = 0; from < shown.length; from += CHUNK)
    await client.query('insert into visible_compartments select unnest($1::int[])', [
      shown.slice(from, from + CHUNK),
    ])
}
