import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../postgres.js'
import { makeRandom } from '../random.js'
import { loadPeer } from '../search/peers.js'
import { count, share, times } from './goals.js'

/**
 * @typedef {import('./goals.js').Run} Run
 * @typedef {import('./goals.js').Engine} Engine
 * @typedef {import('./server.js').Ready} Ready
 * @typedef {ReturnType<typeof makeRandom>} Random
 * @typedef {Ready & { size(): Promise<number>, stop(): void }} Started
 */

const CLIENTS = 16
const MEBIBYTE = 2 ** 20
const RECORDS = { quick: '500', plain: '10000' }
const SECONDS = { quick: 10, plain: 60 }
const BARE_SECONDS = { quick: 5, plain: 15 }
const GOALS = { pglite: { get: 0.5, search: 0.25 }, postgres: { get: 0.4, search: 0.2 } }
const TAIL = 5
const BARE = { pglite: 'bare Hono + PGlite, get', postgres: 'bare Hono + pg, get' }

/**
 * Requests over HTTP against a bare server that reads the same rows; then, with --soak, so many minutes of everything at
 * once, with errors and memory by the minute.
 *
 * @param {Run} run
 */
export async function measureRequests(run) {
  for (const engine of run.engines) await measureEngine(engine, run)
}

/** @param {Engine} engine @param {Run} run */
async function measureEngine(engine, { seed, quick, picked: { soak }, log, add }) {
  const size = quick ? 'quick' : 'plain'
  const postgres = engine === 'postgres' ? await startPostgres() : null
  /** @param {'privity' | 'bare'} kind */
  const begin = kind => start(kind, [String(seed), RECORDS[size], postgres?.url ?? ''])
  try {
    const bare = await begin('bare')
    const random = makeRandom(seed)
    const plain = await load(bare, gets(bare, random), BARE_SECONDS[size])
    log(`${engine}: bare get ${Math.round(plain.requests.average)}/s, p99 ${plain.latency.p99} ms`)
    const ours = await begin('privity')
    for (const way of /** @type {const} */ (['get', 'search'])) {
      const requests = (way === 'get' ? gets : searches)(ours, random)
      const { requests: rate, latency, non2xx, errors } = await load(ours, requests, SECONDS[size])
      if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`)
      add(
        share({
          what: `HTTP ${way}, ${CLIENTS} clients, ${Number(RECORDS[size]).toLocaleString('en-US')} records`,
          store: engine,
          ours: rate.average,
          peer: plain.requests.average,
          unit: '/s',
          peerName: BARE[engine],
          atLeast: GOALS[engine][way],
        }),
      )
      add(
        times({
          what: `p99 of HTTP ${way} against its p50, ${SECONDS[size]} s`,
          store: engine,
          ours: latency.p99,
          peer: latency.p50,
          unit: 'ms',
          peerName: 'p50',
          atMost: TAIL,
        }),
      )
    }
    bare.stop()
    if (soak !== undefined) await soakFor(Number(soak), engine, ours, random, add)
    ours.stop()
  } finally {
    await postgres?.dispose()
  }
}

/** @param {Started} server @param {readonly object[]} requests @param {number} seconds */
async function load(server, requests, seconds) {
  await send(server, { requests: [...requests], duration: Math.min(3, seconds) })
  const done = await send(server, { requests: [...requests], duration: seconds })
  if (done.requests.total === 0) throw new Error(`no request was answered in ${seconds} s`)
  return done
}

/** @param {Started} server @param {Random} random */
const gets = ({ ids }, random) =>
  Array.from({ length: 200 }, () => ({ path: `/api/v1/records/${random.pick(ids)}` }))

/** @param {Started} server @param {Random} random */
const searches = ({ words }, random) =>
  Array.from({ length: 200 }, () => ({
    method: /** @type {const} */ ('POST'),
    path: '/api/v1/search',
    body: JSON.stringify({ query: random.sample(words, 3).join(' ') }),
  }))

/** @param {Started} server @param {Random} random */
function mixed(server, random) {
  const remember = () => ({
    method: /** @type {const} */ ('POST'),
    path: '/api/v1/records',
    body: JSON.stringify({ records: [{ kind: 'note', text: random.sample(server.words, 20).join(' ') }] }),
  })
  const [reads, questions] = [gets(server, random), searches(server, random)]
  const wrong = { path: '/api/v1/records/00000000-0000-4000-8000-000000000000' }
  return Array.from({ length: 400 }, (_, at) => {
    if (at % 40 === 0) return remember()
    if (at % 10 === 1) return wrong
    return random.pick(/** @type {object[]} */ (at % 3 === 0 ? questions : reads))
  })
}

/**
 * @param {number} minutes
 * @param {Engine} engine
 * @param {Started} server
 * @param {Random} random
 * @param {Run['add']} add
 */
async function soakFor(minutes, engine, server, random, add) {
  const requests = mixed(server, random)
  let first = Number.NaN
  for (let minute = 1; minute <= minutes; minute++) {
    const done = await send(server, { requests, duration: 60 })
    const size = (await server.size()) / MEBIBYTE
    if (minute === 1) first = size
    const what = `mixed load, minute ${minute}, ${Math.round(done.requests.average)}/s, p99 ${done.latency.p99} ms`
    // What nobody has is asked for in every tenth request, and answered so.
    const failed = done.errors + done.timeouts + done['5xx']
    add(count({ what: `${what}: failed`, store: engine, ours: failed, unit: '', atMost: 0 }))
    add(
      times({
        what: `${what}: memory after gc`,
        store: engine,
        ours: size,
        peer: first,
        unit: 'MiB',
        peerName: 'minute 1',
      }),
    )
  }
}

/** @param {Started} server @param {Partial<import('autocannon').Options>} options */
function send({ url, key }, options) {
  /** @type {typeof import('autocannon')} */
  const autocannon = loadPeer('autocannon')
  return autocannon({
    url,
    connections: CLIENTS,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...options,
  })
}

/**
 * @param {'privity' | 'bare'} kind
 * @param {readonly string[]} given
 * @returns {Promise<Started>}
 */
async function start(kind, given) {
  const program = fileURLToPath(new URL('server.js', import.meta.url))
  const child = fork(program, [kind, ...given], { execArgv: ['--expose-gc'] })
  const next = () =>
    new Promise((resolve, reject) => {
      const ended = () => reject(new Error(`the ${kind} server ended`))
      child.once('exit', ended)
      child.once('message', message => {
        child.off('exit', ended)
        resolve(message)
      })
    })
  const ready = /** @type {Ready} */ (await next())
  return {
    ...ready,
    async size() {
      child.send('size')
      const { heapUsed, external } = /** @type {NodeJS.MemoryUsage} */ (await next())
      return heapUsed + external
    },
    stop: () => void child.disconnect(),
  }
}
