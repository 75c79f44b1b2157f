import { fork } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ATTACKS } from './fairness/attacks.js'
import { startPostgres } from './postgres.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {import('./fairness/server.js').Ready} Ready
 * @typedef {import('./fairness/server.js').Strain} Strain
 * @typedef {Ready & { strain(): Promise<Strain>, stop(): void }} Started
 * @typedef {{ done: number, failed: number, slowestMs: number, notReady: number }} Served
 */

const CLIENTS = 4
const MEBIBYTE = 2 ** 20
const HERE = fileURLToPath(new URL('..', import.meta.url))

/**
 * What one tenant, or somebody without a credential, can do to everybody else: how long the event loop stands still, how
 * large the process gets, and what an honest tenant still gets, as a ratio to being alone.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchFairness({
  seed,
  quick,
  log,
  search: { data = HERE, only, systems = 'postgres' },
}) {
  const seconds = quick ? 5 : 10
  const wanted = ATTACKS.filter(({ name }) => only === undefined || only.split(',').includes(name))
  /** @type {Record<string, string | number>[]} */
  const figures = []
  for (const engine of systems.split(','))
    for (const attack of wanted) {
      log(`fairness: ${engine}, ${attack.name}`)
      // A fresh server and store for each: what an attack leaves behind would strain the next one.
      const postgres = engine === 'postgres' ? await startPostgres() : null
      const server = await start(data, postgres?.url ?? '')
      try {
        await ask(server, 1_000)
        await server.strain()
        // What the machine does to a server that does nothing: no figure below this says anything about the server.
        await sleep(seconds * 500)
        const { blockedMs: idle } = await server.strain()
        const alone = await ask(server, seconds * 1_000)
        const { blockedMs: usual, turnMs: usualTurn } = await server.strain()
        const attacking = new AbortController()
        setMaxListeners(0, attacking.signal)
        const attack_ = attack.run({
          url: server.url,
          key: server.keys.attacker,
          seed,
          signal: attacking.signal,
        })
        await sleep(500)
        const under = await ask(server, seconds * 1_000)
        const { blockedMs, turnMs, peakRss } = await server.strain()
        attacking.abort()
        await Promise.race([attack_, sleep(2_000)])
        figures.push({
          engine,
          attack: attack.name,
          'turn CPU ms': Math.round(turnMs),
          'alone CPU ms': Math.round(usualTurn),
          'blocked ms': Math.round(blockedMs),
          'alone ms': Math.round(usual),
          'idle ms': Math.round(idle),
          'honest/s': Math.round((under.done / seconds) * 10) / 10,
          ratio: Math.round((under.done / alone.done) * 100) / 100,
          refused: under.failed,
          'slowest ms': Math.round(under.slowestMs),
          'peak MiB': Math.round(peakRss / MEBIBYTE),
          what: attack.what,
        })
        log(JSON.stringify(figures.at(-1)))
      } finally {
        server.stop()
        await postgres?.dispose()
      }
    }
  return {
    name: 'fairness',
    title: `An honest tenant with ${CLIENTS} clients while another attacks, ${seconds} s each`,
    goal: 'the event loop is never blocked for more than 50 ms; a ratio of at least 0.5; nobody honest is refused',
    figures,
    chart: {
      title: 'Served while another attacks',
      subtitle: 'Requests of an honest tenant as a ratio to being alone, longer is better.',
      unit: '',
      groups: [
        {
          label: data === HERE ? 'this version' : 'another version',
          bars: figures.map(row => ({
            label: `${row.engine}, ${row.attack}`,
            value: Number(row.ratio),
            note: `longest turn ${row['turn CPU ms']} ms`,
          })),
        },
      ],
    },
  }
}

/** Gets and searches in a closed loop. @param {Started} server @param {number} milliseconds @returns {Promise<Served>} */
async function ask({ url, keys, ids }, milliseconds) {
  const served = { done: 0, failed: 0, slowestMs: 0, notReady: 0 }
  const until = Date.now() + milliseconds
  const headers = { authorization: `Bearer ${keys.honest}`, 'content-type': 'application/json' }
  const client = async (/** @type {number} */ first) => {
    for (let at = first; Date.now() < until; at++) {
      const began = performance.now()
      try {
        const response = await (at % 4 === 0
          ? fetch(`${url}/api/v1/search`, {
              method: 'POST',
              headers,
              body: JSON.stringify({ query: `garden lamp ${at % 17}`, limit: 5 }),
              signal: AbortSignal.timeout(60_000),
            })
          : fetch(`${url}/api/v1/records/${ids[at % ids.length]}`, {
              headers,
              signal: AbortSignal.timeout(60_000),
            }))
        await response.arrayBuffer()
        if (response.status === 200) served.done++
        else {
          served.failed++
          await sleep(100)
        }
      } catch {
        served.failed++
        await sleep(100)
      }
      served.slowestMs = Math.max(served.slowestMs, performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)))
  return served
}

/** @param {string} root @param {string} databaseUrl @returns {Promise<Started>} */
async function start(root, databaseUrl) {
  const child = fork(new URL('fairness/server.js', import.meta.url), [root, databaseUrl])
  const next = () => new Promise(resolve => child.once('message', resolve))
  const ready = /** @type {Ready} */ (await next())
  return {
    ...ready,
    async strain() {
      const answer = next()
      child.send('strain')
      return /** @type {Strain} */ (await answer)
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
