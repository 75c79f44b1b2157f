import { markdown, table } from './measure.js'
import { readSets } from './quality/data.js'
import { compare, evenly, measure, ndcg } from './quality/measures.js'
import { PEERS } from './quality/peers.js'
import { openDocuments, openPrivity } from './quality/privity.js'
import { installPeers } from './search/peers.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {import('./quality/data.js').DataSet} DataSet
 * @typedef {import('./quality/data.js').Group} Group
 * @typedef {import('./quality/measures.js').Figures} Figures
 * @typedef {import('./quality/measures.js').Comparison} Comparison
 * @typedef {{ figures: Record<string, Figures>, comparisons: Record<string, Comparison> }} SetResults
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
  const most = quick ? QUICK_QUERIES : undefined
  const half = halfOf(picked.half)
  /** @type {Record<string, SetResults>} */
  const results = {}
  for (const set of sets) results[set.name] = await runSet(set, { most, half, parts, seed, log })
  const shown = picked.markdown ? markdown : table
  return {
    name: 'quality',
    title: `What is found of what is relevant, in percent${quick ? `, at most ${QUICK_QUERIES} queries a set` : ''}`,
    goal: 'with the built-in provider alone: LoCoMo r10 of 78 and ndcg10 of 61; on no set hybrid below text or a peer',
    text: [
      ...Object.entries(results).map(([name, set]) => shown(rowsOf(name, set))),
      shown(overview(results)),
    ].join('\n\n'),
    content: { sets: results },
    plots: {},
  }
}

/** What changes are tuned on, and what they are judged by. */
const HALVES = /** @type {const} */ (['tuned', 'held-back'])

/** @param {string | undefined} name @returns {number | undefined} */
function halfOf(name) {
  if (name === undefined) return undefined
  const at = /** @type {readonly string[]} */ (HALVES).indexOf(name)
  if (at < 0) throw new RangeError(`quality: --half takes ${HALVES.join(' or ')}, and not ${name}`)
  return at
}

/** @param {string} name @param {SetResults} set */
const rowsOf = (name, { figures, comparisons }) =>
  Object.entries(figures).map(([system, own]) => ({
    [name]: system,
    ...own,
    'hybrid is better by': comparisons[system]?.difference ?? '',
    p: comparisons[system]?.p.toFixed(3) ?? '',
  }))

/** Recall and nDCG at 10 of every system on every set. @param {Record<string, SetResults>} results */
function overview(results) {
  const systems = [...new Set(Object.values(results).flatMap(({ figures }) => Object.keys(figures)))]
  return Object.entries(results).map(([name, { figures }]) => ({
    'ndcg10 / r10': name,
    ...Object.fromEntries(
      systems.map(system => {
        const own = figures[system]
        return [system, own === undefined ? '' : `${own.ndcg10.toFixed(1)} / ${own.r10.toFixed(1)}`]
      }),
    ),
  }))
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
 * @param {{ most: number | undefined, half: number | undefined, parts: ReadonlySet<string>, seed: number, log: (line: string) => void }} how
 * @returns {Promise<SetResults>}
 */
async function runSet(set, { most, half, parts, seed, log }) {
  const all = set.groups.flatMap(group => group.queries.map(query => ({ group, query })))
  const queries = evenly(half === undefined ? all : all.filter((_, at) => at % 2 === half), most)
  const documents = set.groups.reduce((sum, { docs }) => sum + docs.length, 0)
  log(`quality: ${set.name}: ${documents} documents, ${queries.length} queries`)
  /** @type {Record<string, Figures>} */
  const figures = {}
  /** nDCG at 10 of each query. @type {Record<string, number[]>} */
  const gains = {}
  /** @param {string} name @param {Searcher['search']} search */
  const run = async (name, search) => {
    const found = []
    for (const [at, { group, query }] of queries.entries()) {
      if (at % PROGRESS === 0) log(`quality: ${set.name}: ${name}: query ${at + 1} of ${queries.length}`)
      found.push({ gold: query.gold, ids: await search(group, query.text, LIMIT) })
    }
    figures[name] = measure(found)
    gains[name] = found.map(query => ndcg(query, 10))
  }
  if (parts.has('search')) await runSearch(set, run, log)
  if (parts.has('legal')) await runRouted(set, run, log)
  if (parts.has('peers')) await runPeers(set, run, log)
  const { hybrid, ...others } = gains
  const comparisons = Object.entries(hybrid === undefined ? {} : others).map(([name, own]) => [
    name,
    compare(hybrid ?? [], own, seed),
  ])
  return { figures, comparisons: Object.fromEntries(comparisons) }
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
