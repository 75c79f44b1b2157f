import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { serve as listen } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { https, opening } from '../built.js'
import { AGENT, makeDrafts, OWNER, PEOPLE, TENANT } from '../drafts.js'
import { makeRandom } from '../random.js'

/**
 * A server in a process of its own, so that whoever asks does not take its time: ours, or a bare one that reads the same
 * rows by their id and does nothing else. It tells where it is and what is in it, and on request how large it is.
 *
 * @typedef {{ url: string, key: string, ids: string[], words: string[] }} Ready
 * @typedef {(sql: string, params: readonly unknown[]) => Promise<{ rows: unknown[] }>} Query
 */

const [kind = 'privity', seed = '1', records = '2000', database = ''] = process.argv.slice(2)
const drafts = makeDrafts(makeRandom(Number(seed)), Number(records))
const ready = await (kind === 'bare' ? startBare() : startPrivity())
process.send?.(ready)
process.on('message', () => {
  globalThis.gc?.()
  process.send?.(process.memoryUsage())
})
process.on('disconnect', () => process.exit(0))

async function startPrivity() {
  const privity = await opening.open(await placeOf())
  const owner = privity.as(OWNER)
  /** @type {string[]} */
  const ids = []
  for (let at = 0; at < drafts.length; at += 500)
    ids.push(...(await owner.remember(drafts.slice(at, at + 500))).map(({ id }) => id))
  for (const person of PEOPLE) {
    await owner.people.add({ person })
    await owner.people.consent({ person, status: 'granted' })
  }
  await privity.caughtUp()
  const { tenant: _, ...agent } = AGENT
  const host = privity.as({ tenant: TENANT, actor: 'host', audience: 'host' })
  const { secret } = await host.keys.create({ name: 'bench', ...agent, trust: { maxSensitivity: 'hyper' } })
  const server = await https.serve(privity, { port: 0, maxRequests: 1_000 })
  return { url: server.url, key: secret ?? '', ids, words: wordsOf() }
}

async function placeOf() {
  if (database !== '') return { databaseUrl: database }
  // A folder: a store that lasts as long as the process grows with everything that is written to it.
  const folder = await mkdtemp(join(tmpdir(), 'privity-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { dataDir: join(folder, 'store') }
}

async function startBare() {
  const query = database === '' ? ofPglite() : ofPostgres()
  await query(
    'create table records (id uuid primary key default gen_random_uuid(), text text, tags text[])',
    [],
  )
  /** @type {string[]} */
  const ids = []
  for (const { text, tags = [] } of drafts) {
    const { rows } = await query('insert into records (text, tags) values ($1, $2) returning id', [
      text,
      [...tags],
    ])
    ids.push(/** @type {{ id: string }} */ (rows[0]).id)
  }
  const app = new Hono()
  app.get('/api/v1/records/:id', async c => {
    const { rows } = await query('select id, text, tags from records where id = $1', [c.req.param('id')])
    return rows.length === 0 ? c.json({ success: false }, 404) : c.json({ success: true, data: rows[0] })
  })
  const port = await new Promise(resolve =>
    listen({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port)),
  )
  return { url: `http://127.0.0.1:${port}`, key: '', ids, words: wordsOf() }
}

/** @returns {Query} */
function ofPglite() {
  const db = new PGlite()
  return (sql, params) => db.query(sql, [...params])
}

/** Prepared once for each connection, as a program that cares would have it. @returns {Query} */
function ofPostgres() {
  const pool = new pg.Pool({ connectionString: database })
  return (sql, params) => pool.query({ name: sql.slice(0, 60), text: sql, values: [...params] })
}

function wordsOf() {
  return [...new Set(drafts.slice(0, 200).flatMap(({ text }) => text.split(/[ .]+/).filter(Boolean)))].slice(
    0,
    500,
  )
}
