import { markdown, table } from './measure.js'
import { readSets } from './quality/data.js'
import { evenly, measure } from './quality/measures.js'
import { PEERS } from './quality/peers.js'
import { openDocuments, openPrivity } from './quality/privity.js'
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
/** Queries after which a line says how far it is. */
const PROGRESS = 100

/** What may be run on its own. */
const PARTS = /** @type {const} */ (['search', 'legal', 'peers'])

/** What the router may do with what a question cites and names; all else is the same in each. */
const ROUTED = {
  'routed, neither': { citations: false, legalTerms: false },
  'routed, legal terms': { citations: false, legalTerms: true },
  'routed, citations': { citations: true, legalTerms: false },
  'routed, both': { citations: true, legalTerms: true },
}

/**
 * How much of what is relevant is found, and how far up: the search operation as users call it, by words, by meaning
 * and by both; documents by the router, with its citation executor and its legal terms on and off; beside others on the
 * same data.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchQuality({ seed, quick, log, search: picked }) {
  const parts = partsOf(picked)
  const sets = await readSets(picked.data, { seed, quick })
  if (parts.has('peers')) await installPeers(log)
  /** @type {Record<string, Record<string, Figures>>} */
  const results = {}
  for (const set of sets)
    results[set.name] = await runSet(set, { most: quick ? QUICK_QUERIES : undefined, parts, log })
  const shown = picked.markdown ? markdown : table
  return {
    name: 'quality',
    title: `What is found of what is relevant, in percent${quick ? `, at most ${QUICK_QUERIES} queries a set` : ''}`,
    goal: 'with the built-in provider alone: LoCoMo r10 of 67 and ndcg10 of 51.5; on no set hybrid below text',
    text: Object.entries(results)
      .map(([name, systems]) =>
        shown(Object.entries(systems).map(([system, figures]) => ({ [name]: system, ...figures }))),
      )
      .join('\n\n'),
    content: { sets: results },
    plots: {},
  }
}

/**
 * Those that are named. Of given data, what the router finds is measured only if it is asked for: every document is taken
 * in as a file then.
 *
 * @param {Options['search']} picked
 * @returns {ReadonlySet<string>}
 */
function partsOf({ only, data }) {
  if (only === undefined) return new Set(PARTS.filter(part => part !== 'legal' || data === undefined))
  const named = only.split(',')
  const unknown = named.find(part => !PARTS.some(known => known === part))
  if (unknown !== undefined)
    throw new RangeError(`quality: --only takes ${PARTS.join(', ')}, and not ${unknown}`)
  return new Set(named)
}

/**
 * @param {DataSet} set
 * @param {{ most: number | undefined, parts: ReadonlySet<string>, log: (line: string) => void }} how
 */
async function runSet(set, { most, parts, log }) {
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
      if (at % PROGRESS === 0) log(`quality: ${set.name}: ${name}: query ${at + 1} of ${queries.length}`)
      found.push({ gold: query.gold, ids: await search(group, query.text, LIMIT) })
    }
    figures[name] = measure(found)
  }
  if (parts.has('search')) await runSearch(set, run, log)
  if (parts.has('legal')) await runRouted(set, run, log)
  if (parts.has('peers')) await runPeers(set, run, log)
  return figures
}

/**
 * @typedef {(name: string, search: Searcher['search']) => Promise<void>} Run
 * @param {DataSet} set
 * @param {Run} run
 * @param {(line: string) => void} log
 */
async function runSearch(set, run, log) {
  log(`quality: ${set.name}: remembering`)
  const privity = await openPrivity(set)
  try {
    for (const mode of /** @type {const} */ (['text', 'vector', 'hybrid']))
      await run(mode, (group, text, limit) => privity.search(group, text, limit, mode))
  } finally {
    await privity.close()
  }
}

/** @param {DataSet} set @param {Run} run @param {(line: string) => void} log */
async function runRouted(set, run, log) {
  const privity = await openDocuments(set, log)
  try {
    for (const [name, told] of Object.entries(ROUTED))
      await run(name, (group, text, limit) => privity.route(group, text, limit, told))
  } finally {
    await privity.close()
  }
}

/** @param {DataSet} set @param {Run} run @param {(line: string) => void} log */
async function runPeers(set, run, log) {
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
}
