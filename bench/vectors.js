import { machine, quantile, rounded, table } from './measure.js'
import { installPeers } from './search/peers.js'
import { makeFolder, Worker } from './search/worker.js'
import { lineChart } from './svg.js'
import { bestOf, makeVectors } from './vectors/data.js'
import { LIMIT, SYSTEMS } from './vectors/system.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {import('./vectors/data.js').Shape} Shape
 * @typedef {Worker<import('./vectors/child.js').Requests>} VectorWorker
 * @typedef {{ p50: number, p95: number, recall: number, queries: number }} Figures times in milliseconds
 * @typedef {{ buildMs: number, bytesPerRecord: number, shares: Record<string, Figures> }} Result
 */

const CHILD = new URL('vectors/child.js', import.meta.url)
const LIMITS = {
  quick: { records: 20_000, queries: 20, roundOf: 5, queriesMs: 5_000 },
  plain: { records: 200_000, queries: 60, roundOf: 10, queriesMs: 30_000 },
}
const BUILD_MS = 600_000
const GRACE_MS = 120_000

/**
 * The nearest vectors among those that a caller may see: ours against others, on the same vectors and permissions.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchVectors({ seed, quick, log, search: picked }) {
  const limits = quick ? LIMITS.quick : LIMITS.plain
  const names = picked.systems?.split(',') ?? Object.keys(SYSTEMS)
  const unknown = names.find(name => !Object.hasOwn(SYSTEMS, name))
  if (unknown !== undefined) throw new RangeError(`no such system: ${unknown}`)
  const shape = readShape(seed, limits.records, picked)
  await installPeers(log)
  log('vectors: the answers, by brute force')
  const best = bestOf(makeVectors(shape), limits.queries, LIMIT)

  const run = { shape, limits, best, log }
  const { results, skipped, scan } = await runAll(names, run)
  return {
    name: 'vectors',
    title: `The nearest ${LIMIT} of ${shape.records.toLocaleString('en-US')} vectors of ${shape.dims} dimensions among what a caller may see (seed ${seed})`,
    goal: 'exact over stored vectors; the scan within 2 times of memory bandwidth; at most 1,200 bytes a record with its text',
    text: show(shape, results, skipped, scan),
    content: {
      ...shape,
      limit: LIMIT,
      queries: limits.queries,
      systems: results,
      skipped,
      scan,
      quick,
      machine: machine(),
    },
    plots: plot(shape, results),
  }
}

/** @param {number} seed @param {number} records @param {Options['search']} picked @returns {Shape} */
function readShape(seed, records, picked) {
  const count = Number((picked.records ?? String(records)).replaceAll('_', ''))
  const dims = Number(picked.dims ?? 384)
  if (!Number.isSafeInteger(count) || count < 1_000)
    throw new RangeError(`not a number of records: ${picked.records}`)
  if (!Number.isSafeInteger(dims) || dims < 1)
    throw new RangeError(`not a number of dimensions: ${picked.dims}`)
  const shares = (picked.visible ?? '1%,10%,100%').split(',').map(value => {
    const share = value.trim().endsWith('%') ? Number(value.trim().slice(0, -1)) / 100 : Number(value)
    if (!(share > 0 && share <= 1)) throw new RangeError(`not a part of all records: ${value}`)
    return share
  })
  return { seed, records: count, dims, shares }
}

/**
 * @typedef {{
 *   shape: Shape,
 *   limits: typeof LIMITS.plain,
 *   best: ReadonlyMap<number, readonly (readonly number[])[]>,
 *   log: (line: string) => void,
 * }} Run
 * @param {readonly string[]} names
 * @param {Run} run
 */
async function runAll(names, run) {
  /** @type {Record<string, Result>} */
  const results = {}
  /** @type {Record<string, string>} */
  const skipped = {}
  /** @type {import('./vectors/system.js').Scan | null} */
  let scan = null
  /** @type {VectorWorker[]} */
  const workers = []
  /** @param {VectorWorker} worker @param {unknown} e */
  const leaveOut = async (worker, e) => {
    const [reason = ''] = (e instanceof Error ? e.message : String(e)).split('\n')
    skipped[worker.name] = reason
    run.log(`vectors: ${worker.name} is left out: ${reason}`)
    await worker.stop()
  }
  const running = () => workers.filter(({ name }) => skipped[name] === undefined)
  try {
    for (const name of names) {
      /** @type {VectorWorker} */
      const worker = new Worker(name, await makeFolder(), CHILD)
      workers.push(worker)
      run.log(`vectors: building ${name}`)
      try {
        const reason = await worker.ask('available', GRACE_MS)
        if (reason !== null) await leaveOut(worker, reason)
        else
          results[name] = {
            ...(await worker.ask('prepare', BUILD_MS, { shape: run.shape, budgetMs: BUILD_MS })),
            shares: {},
          }
      } catch (e) {
        await leaveOut(worker, e)
      }
    }
    for (const share of run.shape.shares) await runShare(share, running(), results, { ...run, leaveOut })
    for (const worker of running()) scan ??= await worker.ask('scan', BUILD_MS)
  } finally {
    await Promise.all(workers.map(worker => worker.stop()))
  }
  return { results, skipped, scan }
}

/**
 * @param {number} share
 * @param {readonly VectorWorker[]} workers
 * @param {Record<string, Result>} results filled in
 * @param {Run & { leaveOut: (worker: VectorWorker, e: unknown) => Promise<void> }} run
 */
async function runShare(share, workers, results, { limits, best, log, leaveOut }) {
  log(`vectors: ${percent(share)} visible`)
  const turns = workers.map(worker => ({
    worker,
    answers: /** @type {{ ms: number, ids: number[] }[]} */ ([]),
    out: false,
  }))
  for (const turn of turns) {
    try {
      await turn.worker.ask('permit', GRACE_MS, { share })
    } catch (e) {
      turn.out = true
      await leaveOut(turn.worker, e)
    }
  }
  // They take turns, so that a slow minute of the machine hits all of them, and each goes first in turn.
  for (let from = 0, round = 0; from < limits.queries; from += limits.roundOf, round++)
    for (const at of turns.keys()) {
      const turn = turns[(at + round) % turns.length]
      if (turn === undefined || turn.out) continue
      const budgetMs = limits.queriesMs - sum(turn.answers.map(({ ms }) => ms))
      if (budgetMs < 0 || turn.answers.length < from) continue
      try {
        const given = { from, to: from + limits.roundOf, budgetMs }
        turn.answers.push(...(await turn.worker.ask('round', limits.queriesMs + GRACE_MS, given)))
      } catch (e) {
        turn.out = true
        process.exitCode = 1
        await leaveOut(turn.worker, e)
      }
    }
  const expected = best.get(share) ?? []
  for (const { worker, answers, out } of turns) {
    const result = results[worker.name]
    if (out || result === undefined) continue
    const times = answers.map(({ ms }) => ms)
    const recalls = answers.map(({ ids }, query) => recall(ids, expected[query] ?? []))
    result.shares[String(share)] = {
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      recall: sum(recalls) / recalls.length,
      queries: answers.length,
    }
  }
}

/** The part of what had to be found. @param {readonly number[]} ids @param {readonly number[]} expected */
function recall(ids, expected) {
  const found = new Set(ids)
  return expected.filter(id => found.has(id)).length / expected.length
}

/**
 * @param {Shape} shape
 * @param {Record<string, Result>} results
 * @param {Record<string, string>} skipped
 * @param {import('./vectors/system.js').Scan | null} scan
 */
function show({ shares, records, dims }, results, skipped, scan) {
  const [ours, ...others] = Object.keys(SYSTEMS).filter(name => results[name] !== undefined)
  const tables = shares.map(share => {
    const base = results[ours ?? '']?.shares[String(share)]?.p50
    const rows = [ours, ...others].flatMap(name => {
      const figures = results[name ?? '']?.shares[String(share)]
      if (name === undefined || figures === undefined) return []
      return [
        {
          system: name,
          'p50 ms': rounded(figures.p50),
          'p95 ms': rounded(figures.p95),
          [`× ${ours}`]: base === undefined ? '' : rounded(figures.p50 / base),
          [`recall@${LIMIT}`]: rounded(figures.recall),
          'bytes/record': Math.round(results[name]?.bytesPerRecord ?? 0),
          'build ms': Math.round(results[name]?.buildMs ?? 0),
        },
      ]
    })
    return `${percent(share)} visible\n\n${table(rows)}`
  })
  const left = Object.entries(skipped).map(([name, reason]) => `${name} left out: ${reason}`)
  return [...tables, ...left, ...(scan === null ? [] : [showScan(scan, { records, dims }, results)])].join(
    '\n\n',
  )
}

/**
 * @param {import('./vectors/system.js').Scan} scan
 * @param {{ records: number, dims: number }} shape
 * @param {Record<string, Result>} results
 */
function showScan({ scanGBs, readGBs, compared, textBytes }, { records }, results) {
  const vectorBytes = results['privity-core']?.bytesPerRecord ?? 0
  return [
    `scan: ${rounded(scanGBs)} GB/s, memory read by one thread: ${rounded(readGBs)} GB/s (${rounded(readGBs / scanGBs)} times)`,
    `compared in full for the nearest ${LIMIT}: ${Math.round(compared * records)} of ${records} (${rounded(compared * 100)} %)`,
    `bytes a record: ${Math.round(vectorBytes)} for its vector, ${Math.round(textBytes)} for 60 words, ${Math.round(vectorBytes + textBytes)} together`,
  ].join('\n')
}

/** @param {Shape} shape @param {Record<string, Result>} results @returns {Record<string, string>} */
function plot({ shares, records, dims }, results) {
  if (shares.length < 2) return {}
  const chart = lineChart({
    title: `The nearest ${LIMIT} vectors by the part that the caller may see`,
    subtitle: `Median time, lower is better. ${records.toLocaleString('en-US')} vectors of ${dims} dimensions.`,
    axis: 'visible records',
    unit: 'ms',
    ticks: shares.map(share => ({ at: share, label: percent(share) })),
    lines: Object.keys(SYSTEMS).map(label => ({
      label,
      isOurs: label.startsWith('privity-'),
      points: shares.flatMap(share => {
        const figures = results[label]?.shares[String(share)]
        return figures === undefined ? [] : [{ x: share, y: figures.p50 }]
      }),
    })),
  })
  return { 'vectors-by-visible.svg': chart }
}

/** @param {readonly number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)

/** @param {number} part */
const percent = part => `${Number((part * 100).toPrecision(3))} %`
