import { machine, quantile } from './measure.js'
import { makeCases, nameCase } from './search/cases.js'
import { findMatches, makeQueries, makeWorld } from './search/data.js'
import { installPeers } from './search/peers.js'
import { makePlots } from './search/plots.js'
import { showCases } from './search/show.js'
import { SYSTEMS } from './search/systems/all.js'
import { Worker } from './search/worker.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {import('./search/data.js').Case} Case
 * @typedef {{
 *   p50: number,
 *   p95: number,
 *   buildMs: number,
 *   bytesPerRecord: number,
 *   leaks: boolean,
 *   coldMs: number | null,
 *   queries: number,
 * }} Figures times in milliseconds
 * @typedef {Case & { systems: Record<string, Figures>, skipped: Record<string, string> }} Result
 * @typedef {{ queries: number, roundOf: number, buildMs: number, queriesMs: number }} Limits
 */

/** @type {Record<'quick' | 'plain' | 'full', Limits>} */
export const LIMITS = {
  quick: { queries: 40, roundOf: 10, buildMs: 30_000, queriesMs: 5_000 },
  plain: { queries: 200, roundOf: 20, buildMs: 120_000, queriesMs: 20_000 },
  full: { queries: 200, roundOf: 20, buildMs: 900_000, queriesMs: 60_000 },
}
/** Up to so many records the systems are in memory together and take turns; beyond, one comes after the other. */
const TURNS_UP_TO = 250_000
/** How much longer a system may take until it answers that it took too long. */
const GRACE_MS = 60_000
const LEAK_MS = 120_000

/**
 * Searching where the caller may see a part: ours against others, on the same records, queries and permissions.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchSearch({ seed, quick, log, search: picked }) {
  const limits = { ...LIMITS[picked.full ? 'full' : quick ? 'quick' : 'plain'] }
  if (picked.budget !== undefined) limits.buildMs = Number(picked.budget) * 1000
  const names = picked.systems?.split(',') ?? Object.keys(SYSTEMS)
  const unknown = names.find(name => !Object.hasOwn(SYSTEMS, name))
  if (unknown !== undefined) throw new RangeError(`no such system: ${unknown}`)
  if (!(limits.buildMs > 0)) throw new RangeError(`not a number of seconds: ${picked.budget}`)
  const cases = makeCases({ quick, ...picked })
  await installPeers(log)
  const results = await measureCases(cases, names, { seed, limits, log })
  return {
    name: 'search',
    title: `Searching among what a caller may see, 3 terms of which any counts, the best 10 (seed ${seed})`,
    goal: 'privity-core against sqlite-fts5 at 200,000 records: 30 times faster at 1 % visible, 5 times at 100 %',
    text: showCases(results),
    content: { cases: results, queries: limits.queries, seed, quick, machine: machine() },
    plots: makePlots(results),
  }
}

/**
 * Each case with each system. What is measured of a size is logged as a table before the next one begins.
 *
 * @param {readonly Case[]} cases
 * @param {readonly string[]} names of systems
 * @param {{ seed: number, limits: Limits, log: (line: string) => void }} run
 * @returns {Promise<Result[]>}
 */
export async function measureCases(cases, names, { seed, limits, log }) {
  /** @type {Result[]} */
  const results = cases.map(shape => ({ ...shape, systems: {}, skipped: {} }))
  const leaks = new Map()
  for (const records of new Set(cases.map(shape => shape.records))) {
    const matches = findMatches(seed, records, makeQueries(seed, limits.queries, 'timed'))
    const sized = results.filter(result => result.records === records)
    const groups = records <= TURNS_UP_TO ? [names] : names.map(name => [name])
    for (const group of groups) await runGroup(group, sized, { seed, limits, matches, leaks, log })
    for (const line of showCases(sized).split('\n')) log(line)
  }
  return results
}

/**
 * @param {readonly string[]} names
 * @param {readonly Result[]} results of one size; filled in
 * @param {{
 *   seed: number,
 *   limits: Limits,
 *   matches: readonly Uint32Array[],
 *   leaks: Map<string, boolean>,
 *   log: (line: string) => void,
 * }} run
 */
async function runGroup(names, results, run) {
  const workers = await Promise.all(names.map(name => Worker.start(name)))
  /** Those that cannot be measured at this size. @type {Map<Worker, string>} */
  const out = new Map()
  /** @param {Worker} worker @param {unknown} e */
  const leaveOut = async (worker, e) => {
    const [reason = ''] = (e instanceof Error ? e.message : String(e)).split('\n')
    out.set(worker, reason)
    run.log(`search: ${worker.name} is left out: ${reason}`)
    // What it may still be at must not slow the others down.
    await worker.stop()
  }
  try {
    for (const worker of workers) {
      try {
        const reason = await worker.ask('available', LEAK_MS)
        if (reason !== null) await leaveOut(worker, reason)
        else if (!run.leaks.has(worker.name)) {
          run.log(`search: does ${worker.name} leak?`)
          run.leaks.set(worker.name, await worker.ask('leaks', LEAK_MS, { seed: run.seed }))
        }
      } catch (e) {
        await leaveOut(worker, e)
      }
    }
    for (const result of results) {
      await runCase(
        workers.filter(worker => !out.has(worker)),
        result,
        { ...run, leaveOut },
      )
      for (const [worker, reason] of out)
        if (result.systems[worker.name] === undefined) result.skipped[worker.name] = reason
    }
  } finally {
    await Promise.all(workers.map(worker => worker.stop()))
  }
}

/**
 * @param {readonly Worker[]} workers
 * @param {Result} result
 * @param {Parameters<typeof runGroup>[2] & { leaveOut: (worker: Worker, e: unknown) => Promise<void> }} run
 */
async function runCase(workers, result, { seed, limits, matches, leaks, log, leaveOut }) {
  const shape = { records: result.records, visible: result.visible, compartments: result.compartments }
  const { isVisible } = makeWorld({ seed, ...shape })
  const expected = matches.map(found => found.reduce((sum, id) => sum + (isVisible(id) ? 1 : 0), 0))
  const name = nameCase(shape)
  /** @type {{ worker: Worker, built: import('./search/child.js').Built, times: number[] }[]} */
  const running = []
  for (const worker of workers) {
    log(`search: ${name}: ${worker.name}`)
    try {
      const given = { shape, seed, queries: limits.queries, budgetMs: limits.buildMs }
      const built = await worker.ask('prepare', limits.buildMs + GRACE_MS, given)
      if ('skipped' in built) await leaveOut(worker, built.skipped)
      else running.push({ worker, built, times: [] })
    } catch (e) {
      await leaveOut(worker, e)
    }
  }
  // They take turns, so that a slow minute of the machine hits all of them, and each goes first in turn.
  for (let from = 0, turn = 0; from < limits.queries; from += limits.roundOf, turn++) {
    const to = from + limits.roundOf
    const first = turn % Math.max(1, running.length)
    for (const next of [...running.slice(first), ...running.slice(0, first)]) {
      const budgetMs = limits.queriesMs - sum(next.times)
      if (budgetMs < 0) continue
      try {
        const given = { from, to, expected: expected.slice(from, to), budgetMs }
        next.times.push(...(await next.worker.ask('round', limits.queriesMs + GRACE_MS, given)))
      } catch (e) {
        // It built its index and then failed, or answered wrongly.
        process.exitCode = 1
        await leaveOut(next.worker, e)
        running.splice(running.indexOf(next), 1)
      }
    }
  }
  for (const { worker, built, times } of running)
    result.systems[worker.name] = {
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      ...built,
      leaks: leaks.get(worker.name) ?? false,
      queries: times.length,
    }
}

/** @param {readonly number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)
