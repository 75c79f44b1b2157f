import { AGENT, makeDrafts, OWNER, PEOPLE } from './drafts.js'
import { medianRates, rounded } from './measure.js'
import { makeRandom } from './random.js'
import { assembleUnaudited, openBenchStore } from './stores.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {import('./stores.js').Store} Store
 */

const CLIENTS = { postgres: [1, 4, 16, 64], pglite: [1, 16] }

/**
 * Reading records one by one as an agent, with the audit and without it. Without it, the second transaction is left
 * out: no entry, no check that the facts still stand.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchReads({ seed, quick, log }) {
  /** @type {Record<string, string | number>[]} */
  const figures = []
  for (const engine of /** @type {const} */ (['postgres', 'pglite'])) {
    const store = await openBenchStore(engine)
    try {
      const bench = await prepare(store, seed, quick)
      for (const clients of CLIENTS[engine]) {
        log(`reads: ${engine}, ${clients} clients`)
        figures.push({ store: engine, clients, ...(await bench.measure(clients)) })
      }
    } finally {
      await store.dispose()
    }
  }
  return {
    name: 'reads',
    title: 'Reading with the audit, against reading without it',
    goal: 'at least 75 % of the unaudited throughput with 16 clients on Postgres',
    figures,
    chart: {
      title: 'Reading with the audit, against reading without it',
      subtitle: 'Records a second, longer is better. Bars are scaled within each group.',
      unit: '/s',
      groups: figures.map(row => ({
        label: `${row.store === 'pglite' ? 'PGlite' : 'Postgres'}, ${row.clients} ${row.clients === 1 ? 'client' : 'clients'}`,
        bars: [
          { label: 'audited', value: Number(row['audited/s']), note: `${row['% of unaudited']} %` },
          { label: 'unaudited', value: Number(row['unaudited/s']) },
        ],
      })),
    },
  }
}

/** @param {Store} store @param {number} seed @param {boolean} quick */
async function prepare({ db, privity }, seed, quick) {
  const random = makeRandom(seed)
  const ways = { audited: privity, unaudited: await assembleUnaudited(db) }
  const owner = privity.as(OWNER)
  /** @type {string[]} */
  const ids = []
  const drafts = makeDrafts(random, quick ? 1_000 : 10_000)
  for (let at = 0; at < drafts.length; at += 1_000)
    for (const { id } of await owner.remember(drafts.slice(at, at + 1_000))) ids.push(id)
  for (const person of PEOPLE) {
    await owner.people.add({ person })
    await owner.people.consent({ person, status: 'granted' })
  }
  await db.script('analyze')
  const seconds = quick ? 0.3 : 2

  /** Each client reads one record after the other. @param {keyof typeof ways} way @param {number} clients */
  const readFor = async (way, clients) => {
    const agent = ways[way].as(AGENT)
    const end = performance.now() + seconds * 1000
    let done = 0
    const client = async () => {
      while (performance.now() < end) {
        const view = await agent.get(random.pick(ids))
        if (view?.face !== 'full') throw new Error('the agent should see every record')
        done++
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    return done
  }

  return {
    /** @param {number} clients */
    async measure(clients) {
      const rates = await medianRates(quick ? 2 : 7, {
        audited: () => readFor('audited', clients),
        unaudited: () => readFor('unaudited', clients),
      })
      return {
        'audited/s': rounded(rates.audited),
        'unaudited/s': rounded(rates.unaudited),
        '% of unaudited': rounded((100 * rates.audited) / rates.unaudited),
        'audited ms': rounded((clients * 1000) / rates.audited),
        'unaudited ms': rounded((clients * 1000) / rates.unaudited),
      }
    },
  }
}
