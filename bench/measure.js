import { cpus } from 'node:os'

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

/** The smallest value that so large a part of all does not exceed. @param {readonly number[]} values @param {number} part */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

/**
 * The median time of each of some ways in milliseconds, after calls that are not counted. They take turns, so that a
 * slow minute of the machine hits all of them.
 *
 * @template {string} Way
 * @param {{ runs: number, warmUp: number }} times
 * @param {Record<Way, () => unknown>} ways
 * @returns {Record<Way, number>}
 */
export function medianTimes({ runs, warmUp }, ways) {
  const names = /** @type {Way[]} */ (Object.keys(ways))
  const times = new Map(names.map(name => [name, /** @type {number[]} */ ([])]))
  for (let run = -warmUp; run < runs; run++) {
    for (const name of names) {
      const start = performance.now()
      ways[name]()
      if (run >= 0) times.get(name)?.push(performance.now() - start)
    }
  }
  const medians = names.map(name => [name, median(times.get(name) ?? [])])
  return /** @type {Record<Way, number>} */ (Object.fromEntries(medians))
}

/**
 * The median rate of each of some ways per second. They take turns.
 *
 * @template {string} Way
 * @param {number} rounds
 * @param {Record<Way, () => Promise<number>>} ways each returns how many it did
 * @returns {Promise<Record<Way, number>>}
 */
export async function medianRates(rounds, ways) {
  const names = /** @type {Way[]} */ (Object.keys(ways))
  const rates = new Map(names.map(name => [name, /** @type {number[]} */ ([])]))
  for (let round = 0; round <= rounds; round++) {
    // Each way goes first in turn; the first round warms up.
    for (let turn = 0; turn < names.length; turn++) {
      const name = /** @type {Way} */ (names[(round + turn) % names.length])
      const start = performance.now()
      const done = await ways[name]()
      if (round > 0) rates.get(name)?.push((done * 1000) / (performance.now() - start))
    }
  }
  const medians = names.map(name => [name, median(rates.get(name) ?? [])])
  return /** @type {Record<Way, number>} */ (Object.fromEntries(medians))
}

/** To three significant digits, or to the unit from 100 on. @param {number} value */
export function rounded(value) {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))
}

/** What the figures were taken on. */
export function machine() {
  const [cpu] = cpus()
  return { node: process.version, platform: process.platform, cpu: cpu?.model ?? '', cores: cpus().length }
}

/**
 * @param {readonly Readonly<Record<string, string | number>>[]} rows all with the same keys
 * @returns {string}
 */
export function table(rows) {
  const names = Object.keys(rows[0] ?? {})
  const cells = rows.map(row => names.map(name => show(row[name] ?? '')))
  const widths = names.map((name, at) => Math.max(name.length, ...cells.map(row => row[at]?.length ?? 0)))
  const numeric = names.map(name => rows.every(row => typeof row[name] === 'number'))
  /** @param {readonly string[]} row */
  const line = row =>
    row
      .map((cell, at) => (numeric[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(names), line(widths.map(width => '-'.repeat(width))), ...cells.map(line)].join('\n')
}

/**
 * The same for a page of Markdown.
 *
 * @param {readonly Readonly<Record<string, string | number>>[]} rows all with the same keys
 * @returns {string}
 */
export function markdown(rows) {
  const names = Object.keys(rows[0] ?? {})
  const cells = [names, ...rows.map(row => names.map(name => show(row[name] ?? '')))]
  const widths = names.map((_, at) => Math.max(3, ...cells.map(row => row[at]?.length ?? 0)))
  /** @param {readonly string[]} row */
  const line = row => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = cells
  return [head, widths.map(width => '-'.repeat(width)), ...body].map(line).join('\n')
}

/** @param {string | number} value */
function show(value) {
  return typeof value === 'number' ? value.toLocaleString('en-US', { maximumSignificantDigits: 6 }) : value
}
