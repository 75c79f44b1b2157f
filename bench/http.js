import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { makeRandom } from './random.js'
import { installPeers, loadPeer } from './search/peers.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {import('./http/server.js').Ready} Ready
 * @typedef {Ready & { size(): Promise<number>, stop(): void }} Started
 */

const CLIENTS = 16
const MEBIBYTE = 2 ** 20

/**
 * Requests over HTTP, against the same server's health and against a bare server that reads the same rows; then, with
 * --soak, so many minutes of everything at once, and whether the process has grown.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchHttp({ seed, quick, log, search: { soak } }) {
  const seconds = quick ? 2 : 10
  await installPeers(log)
  const ours = await start('privity', seed, quick)
  const bare = await start('bare', seed, quick)
  const random = makeRandom(seed)
  /** @type {Record<string, [Started, Partial<import('autocannon').Options>]>} */
  const ways = {
    '/healthz': [ours, { requests: [{ path: '/healthz' }] }],
    'bare Hono + PGlite, get': [bare, gets(bare, random)],
    'privity, get': [ours, gets(ours, random)],
    'privity, search': [ours, searches(ours, random)],
  }
  /** @type {Record<string, string | number>[]} */
  const figures = []
  let health = Number.NaN
  let plain = Number.NaN
  for (const [way, [server, asked]] of Object.entries(ways)) {
    log(`http: ${way}`)
    await run(server, { ...asked, duration: Math.min(2, seconds) })
    const { requests, latency, non2xx, errors } = await run(server, { ...asked, duration: seconds })
    if (way === '/healthz') health = requests.average
    if (way.startsWith('bare')) plain = requests.average
    figures.push({
      way,
      'requests/s': Math.round(requests.average),
      'p50 ms': latency.p50,
      'p99 ms': latency.p99,
      '% of /healthz': percent(requests.average, health),
      '% of bare get': percent(requests.average, plain),
      failed: non2xx + errors,
      'MiB after gc': '',
    })
  }
  if (soak !== undefined) figures.push(...(await soakFor(Number(soak), ours, random, log)))
  bare.stop()
  ours.stop()
  return {
    name: 'http',
    title: `HTTP, ${CLIENTS} clients on the same machine, PGlite`,
    goal: 'none is set; with --soak, no errors and no growth after the first minutes',
    figures,
    chart: {
      title: 'Requests over HTTP',
      subtitle: `Requests a second with ${CLIENTS} clients, longer is better.`,
      unit: '/s',
      groups: [
        {
          label: 'PGlite',
          bars: figures
            .filter(row => 'p50 ms' in row)
            .map(row => ({
              label: String(row.way),
              value: Number(row['requests/s']),
              note: `p99 ${row['p99 ms']} ms`,
            })),
        },
      ],
    },
  }
}

/** @param {number} part @param {number} whole */
const percent = (part, whole) => (Number.isNaN(whole) ? '' : Math.round((part / whole) * 1_000) / 10)

/** @param {Started} server @param {ReturnType<typeof makeRandom>} random */
const gets = ({ ids }, random) => ({
  requests: Array.from({ length: 200 }, () => ({ path: `/api/v1/records/${random.pick(ids)}` })),
})

/** @param {Started} server @param {ReturnType<typeof makeRandom>} random */
const searches = ({ words }, random) => ({
  requests: Array.from({ length: 200 }, () => ({
    method: /** @type {const} */ ('POST'),
    path: '/api/v1/search',
    body: JSON.stringify({ query: random.sample(words, 3).join(' ') }),
  })),
})

/** @param {Started} server @param {ReturnType<typeof makeRandom>} random */
function mixed(server, random) {
  const remember = () => ({
    method: /** @type {const} */ ('POST'),
    path: '/api/v1/records',
    body: JSON.stringify({ records: [{ kind: 'note', text: random.sample(server.words, 20).join(' ') }] }),
  })
  const [reads, questions] = [gets(server, random).requests, searches(server, random).requests]
  const wrong = { path: '/api/v1/records/00000000-0000-4000-8000-000000000000' }
  return Array.from({ length: 400 }, (_, at) => {
    if (at % 40 === 0) return remember()
    if (at % 10 === 1) return wrong
    return random.pick(at % 3 === 0 ? questions : reads)
  })
}

/**
 * @param {number} minutes
 * @param {Started} server
 * @param {ReturnType<typeof makeRandom>} random
 * @param {(line: string) => void} log
 */
async function soakFor(minutes, server, random, log) {
  const requests = mixed(server, random)
  /** @type {Record<string, string | number>[]} */
  const figures = []
  for (let minute = 1; minute <= minutes; minute++) {
    const done = await run(server, { requests, duration: 60 })
    const size = Math.round((await server.size()) / MEBIBYTE)
    log(`http: soak, minute ${minute} of ${minutes}: ${Math.round(done.requests.average)}/s, ${size} MiB`)
    figures.push({
      way: `mixed, minute ${minute}`,
      'requests/s': Math.round(done.requests.average),
      'p99 ms': done.latency.p99,
      // What nobody has is asked for in every tenth request, and answered so.
      failed: done.errors + done.timeouts + done['5xx'],
      'MiB after gc': size,
    })
  }
  return figures
}

/** @param {Started} server @param {Partial<import('autocannon').Options>} options */
function run({ url, key }, options) {
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
 * @param {number} seed
 * @param {boolean} quick
 * @returns {Promise<Started>}
 */
async function start(kind, seed, quick) {
  const program = fileURLToPath(new URL('http/server.js', import.meta.url))
  const child = fork(program, [kind, String(seed), quick ? '500' : '10000'], { execArgv: ['--expose-gc'] })
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
