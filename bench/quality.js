import { table } from './measure.js'
import { readSets } from './quality/data.js'
import { evenly, measure } from './quality/measures.js'
import { PEERS } from './quality/peers.js'
import { openPrivity } from './quality/privity.js'
import { installPeers } from './search/peers.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {import('./quality/data.js').DataSet} DataSet
 * @typedef {import('./quality/data.js').Group} Group
 * @typedef {import('./quality/measures.js').Figures} Figures
 * @typedef {{ search(group: Group, text: string, limit: number): Promise<string[]>, close(): Promise<void> }} Searcher
 *   what it finds is named by the ids of the data, best first
 */

/** Results that are looked at. */
const LIMIT = 20
const QUICK_QUERIES = 60

/**
 * How much of what is relevant is found, and how far up: the search operation as users call it, by words, by meaning
 * and by both, beside others on the same data.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchQuality({ quick, log, search: picked }) {
  const sets = await readSets(picked.data)
  await installPeers(log)
  /** @type {Record<string, Record<string, Figures>>} */
  const results = {}
  for (const set of sets) results[set.name] = await runSet(set, quick ? QUICK_QUERIES : undefined, log)
  return {
    name: 'quality',
    title: `What is found of what is relevant, in percent${quick ? `, at most ${QUICK_QUERIES} queries a set` : ''}`,
    goal: 'with the built-in provider alone: LoCoMo r10 of 67 and ndcg10 of 51.5; on no set hybrid below text',
    text: Object.entries(results)
      .map(([name, systems]) =>
        table(Object.entries(systems).map(([system, figures]) => ({ [name]: system, ...figures }))),
      )
      .join('\n\n'),
    content: { sets: results },
    plots: {},
  }
}

/**
 * @param {DataSet} set
 * @param {number | undefined} most queries
 * @param {(line: string) => void} log
 */
async function runSet(set, most, log) {
  const queries = evenly(
    set.groups.flatMap(group => group.queries.map(query => ({ group, query }))),
    most,
  )
  const documents = set.groups.reduce((sum, { docs }) => sum + docs.length, 0)
  log(`quality: ${set.name}: ${documents} documents, ${queries.length} queries`)
  /** @type {Record<string, Figures>} */
  const figures = {}
  /** @param {string} name @param {Searcher['search']} search */
  const run = async (name, search) => {
    const found = []
    for (const [at, { group, query }] of queries.entries()) {
      if (at % 500 === 0) log(`quality: ${set.name}: ${name}: query ${at + 1} of ${queries.length}`)
      found.push({ gold: query.gold, ids: await search(group, query.text, LIMIT) })
    }
    figures[name] = measure(found)
  }

  log(`quality: ${set.name}: remembering`)
  const privity = await openPrivity(set)
  try {
    for (const mode of /** @type {const} */ (['text', 'vector', 'hybrid']))
      await run(mode, (group, text, limit) => privity.search(group, text, limit, mode))
    for (const citations of [true, false])
      await run(`routed, citations ${citations ? 'on' : 'off'}`, (group, text, limit) =>
        privity.route(group, text, limit, citations),
      )
  } finally {
    await privity.close()
  }
  for (const [name, { missing, open }] of Object.entries(PEERS)) {
    const reason = await missing()
    if (reason !== null) {
      log(`quality: ${name} is left out: ${reason}`)
      continue
    }
    const peer = await open(set)
    try {
      await run(name, peer.search)
    } finally {
      await peer.close()
    }
  }
  return figures
}
