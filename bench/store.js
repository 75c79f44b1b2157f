import pg from 'pg'
import { columnTypes } from './built.js'
import { AGENT, makeDrafts, TENANT } from './drafts.js'
import { medianRates, rounded } from './measure.js'
import { makeRandom } from './random.js'
import { openBenchStore } from './stores.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {import('./stores.js').Engine} Engine
 * @typedef {import('./stores.js').Store} Store
 * @typedef {import('./drafts.js').Draft} Draft
 * @typedef {Readonly<Record<string, unknown>>} Row
 * @typedef {{ name: string, type: string }} Column
 * @typedef {(sql: string, params: readonly (string | null)[]) => Promise<unknown>} Send
 * @typedef {{ size: number, batches: number, writers: number }} Load
 */

/** @type {Load[]} */
export const LOADS = [
  { size: 1, batches: 200, writers: 1 },
  { size: 1, batches: 1_600, writers: 16 },
  { size: 100, batches: 25, writers: 1 },
  { size: 1_000, batches: 6, writers: 1 },
]

/** The most parameters that a statement takes. Beyond its own, PGlite answers this statement and all later ones wrongly. */
const MOST_PARAMS = { pglite: 32_767, postgres: 65_535 }

/**
 * Remembering, with decision, compartments, change log, operation and audit, against inserting the same rows into a
 * table with the same columns and indexes and nothing else.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchStore(options) {
  const figures = [
    ...(await measureWrites('pglite', LOADS, options)),
    ...(await measureWrites('postgres', LOADS, options)),
  ]
  return {
    name: 'store',
    title: 'Remembering, against bare inserts of the same rows',
    goal: 'at least half the rate of bare inserts, with audit and compartments',
    figures,
    chart: {
      title: 'Remembering, against bare inserts of the same rows',
      subtitle: 'Records a second on disk, longer is better. Bars are scaled within each group.',
      unit: '/s',
      groups: figures.map(row => ({
        label: `${row.store === 'pglite' ? 'PGlite' : 'Postgres'}, batches of ${row.batch}${row.writers === 1 ? '' : `, ${row.writers} writers`}`,
        bars: [
          { label: 'remember', value: Number(row['remember/s']), note: `${row['% of raw']} %` },
          { label: 'bare insert', value: Number(row['raw/s']) },
        ],
      })),
    },
  }
}

/**
 * @param {Engine} engine
 * @param {readonly Load[]} loads
 * @param {Pick<Options, 'seed' | 'quick' | 'log'>} options
 */
export async function measureWrites(engine, loads, { seed, quick, log }) {
  const store = await openBenchStore(engine)
  try {
    const bench = await prepare(store, seed, quick)
    const figures = []
    for (const load of loads) {
      // One connection, so writers would only queue.
      if (engine === 'pglite' && load.writers > 1) continue
      log(`store: ${engine}, batches of ${load.size}, ${load.writers} at once`)
      figures.push({ store: engine, ...(await bench.measure(load)) })
    }
    await bench.close()
    return figures
  } finally {
    await store.dispose()
  }
}

/** @param {Store} store @param {number} seed @param {boolean} quick */
async function prepare(store, seed, quick) {
  const agent = store.privity.as(AGENT)
  const drafts = makeDrafts(makeRandom(seed), 2_000)
  for (let at = 0; at < drafts.length; at += 500) await agent.remember(drafts.slice(at, at + 500))
  const raw = await prepareRaw(store)
  const rounds = quick ? 2 : 7

  return {
    /** @param {Load} load */
    async measure({ size, batches, writers }) {
      const count = quick ? Math.ceil(batches / 10) : batches
      const ours = batchesOf(drafts, size)
      const theirs = batchesOf(raw.rows, size)
      /** @type {Record<string, () => Promise<number>>} */
      const ways = {
        remember: () => run(count, writers, at => agent.remember(ours(at)), size),
        json: () => run(count, writers, at => raw.insertJson(theirs(at)), size),
      }
      if (raw.fits(size)) ways.values = () => run(count, writers, at => raw.insertValues(theirs(at)), size)
      const { remember = 0, json = 0, values = 0 } = await medianRates(rounds, ways)
      const best = Math.max(json, values)
      return {
        batch: size,
        writers,
        'remember/s': rounded(remember),
        'raw/s': rounded(best),
        '% of raw': rounded((100 * remember) / best),
        'raw by json/s': rounded(json),
        'raw by values/s': rounded(values),
        'remember ms': rounded((size * writers * 1000) / remember),
        'raw ms': rounded((size * writers * 1000) / best),
      }
    },
    close: raw.close,
  }
}

/**
 * Runs batches, some at once, and says how many records they held.
 *
 * @param {number} batches
 * @param {number} writers
 * @param {(at: number) => Promise<unknown>} write
 * @param {number} size
 */
async function run(batches, writers, write, size) {
  let next = 0
  const writer = async () => {
    while (next < batches) await write(next++)
  }
  await Promise.all(Array.from({ length: writers }, writer))
  return batches * size
}

/** @template T @param {readonly T[]} items @param {number} size */
function batchesOf(items, size) {
  const count = Math.floor(items.length / size)
  /** @param {number} at */
  return at => items.slice((at % count) * size, ((at % count) + 1) * size)
}

/** The same rows, read back from what was remembered, and a table for them without anything around it. @param {Store} store */
async function prepareRaw({ db, url }) {
  await db.script(`
    create schema bare;
    create table bare.records (like privity.records including defaults including indexes)`)
  const { columns, rows } = await db.transaction({ access: 'read', role: null, settings: {} }, async tx => ({
    columns: await tx.query(
      `select attname as "name", format_type(atttypid, atttypmod) as "type"
       from pg_attribute
       where attrelid = 'bare.records'::regclass
         and attnum > 0
       order by attnum`,
    ),
    rows: await tx.query(`select to_jsonb(r) as "row" from privity.records r where tenant_id = $1`, [TENANT]),
  }))
  const sender = url === null ? throughStore(db) : throughPool(url)
  const contents = rows.map(({ row }) => row)
  return { ...bareInserts(columns, contents, sender.send, MOST_PARAMS[db.engine]), close: sender.close }
}

/**
 * @param {readonly Column[]} columns
 * @param {readonly Row[]} rows
 * @param {Send} send
 * @param {number} mostParams
 */
function bareInserts(columns, rows, send, mostParams) {
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const byJson = `
    insert into bare.records (${names})
    select ${names}
    from json_to_recordset($1::json) as row (${columns.map(({ name, type }) => `"${name}" ${type}`).join(', ')})`
  /** @type {Map<number, string>} */
  const byValues = new Map()
  /** @param {number} count */
  const valuesSql = count => {
    const tuples = Array.from({ length: count }, (_, row) => {
      const places = columns.map((_, at) => `$${row * columns.length + at + 1}`)
      return `(${places.join(', ')})`
    })
    return `insert into bare.records (${names}) values ${tuples.join(', ')}`
  }
  return {
    rows,
    /** @param {number} count */
    fits: count => count * columns.length <= mostParams,
    /** @param {readonly Row[]} batch */
    insertJson: batch =>
      send(byJson, [JSON.stringify(batch.map(row => ({ ...row, record_id: crypto.randomUUID() })))]),
    /** @param {readonly Row[]} batch */
    insertValues(batch) {
      const sql = byValues.get(batch.length) ?? valuesSql(batch.length)
      byValues.set(batch.length, sql)
      const params = batch.flatMap(row =>
        columns.map(column =>
          column.name === 'record_id' ? crypto.randomUUID() : paramOf(column, row[column.name]),
        ),
      )
      return send(sql, params)
    },
  }
}

/** @param {Column} column @param {unknown} value @returns {string | null} */
function paramOf({ type }, value) {
  if (value === null || value === undefined) return null
  if (type === 'jsonb') return JSON.stringify(value)
  return columnTypes.encodeParam(/** @type {string | string[]} */ (value))
}

/** PGlite has one connection, so the store sends it, in a transaction of its own. @param {import('./stores.js').Database} db */
function throughStore(db) {
  return {
    /** @type {Send} */
    send: (sql, params) =>
      db.transaction({ access: 'write', role: null, settings: {} }, tx => tx.query(sql, params)),
    close: async () => {},
  }
}

/** One statement that commits by itself: the least there is. @param {string} url */
function throughPool(url) {
  const pool = new pg.Pool({ connectionString: url })
  return {
    /** @type {Send} */
    send: (sql, params) => pool.query(sql, [...params]),
    close: () => pool.end(),
  }
}
