import { lineChart } from '../svg.js'
import { SYSTEMS } from './systems/all.js'

/**
 * @typedef {import('../search.js').Result} Result
 * @typedef {import('./data.js').Case} Case
 * @typedef {object} Plot
 * @property {keyof Case} by what varies
 * @property {(shape: Case) => string} held what does not, in words: results that share it are one series
 * @property {string} title
 * @property {string} axis
 * @property {(value: number) => string} show
 */

/** @type {Record<string, Plot>} */
const PLOTS = {
  'search-by-visible': {
    by: 'visible',
    held: ({ records, compartments }) => `${count(records)} records, ${count(compartments)} compartments`,
    title: 'Search by the part that the caller may see',
    axis: 'visible records',
    show: percent,
  },
  'search-by-records': {
    by: 'records',
    held: shape => `${percent(shape.visible)} visible, ${density(shape)}`,
    title: 'Search by the number of records',
    axis: 'records',
    show: count,
  },
  'search-by-hidden': {
    by: 'records',
    held: shape => `${count(Math.round(shape.visible * shape.records))} visible records, ${density(shape)}`,
    title: 'Search among the same visible records while hidden ones are added',
    axis: 'records',
    show: count,
  },
  'search-by-compartments': {
    by: 'compartments',
    held: ({ records, visible }) => `${count(records)} records, ${percent(visible)} visible`,
    title: 'Search by the number of compartments',
    axis: 'compartments',
    show: count,
  },
}

/**
 * Charts by file name. One with a single point is left out.
 *
 * @param {readonly Result[]} results
 * @returns {Record<string, string>}
 */
export function makePlots(results) {
  const plots = Object.entries(PLOTS).flatMap(([name, { by, held, title, axis, show }]) => {
    const series = choose(results, by, held)
    const [first] = series
    if (first === undefined || series.length < 2) return []
    const chart = lineChart({
      title,
      subtitle: `Median time of a query of 3 terms, lower is better. ${held(first)}.`,
      axis,
      unit: 'ms',
      ticks: series.map(result => ({ at: result[by], label: show(result[by]) })),
      lines: Object.keys(SYSTEMS).map(label => ({
        label,
        isOurs: label.startsWith('privity-'),
        points: series.flatMap(result => {
          const figures = result.systems[label]
          return figures === undefined ? [] : [{ x: result[by], y: figures.p50 }]
        }),
      })),
    })
    return [/** @type {const} */ ([`${name}.svg`, chart])]
  })
  return Object.fromEntries(plots)
}

/**
 * Results that differ in one thing: the longest series, and of those the one that is nearest to many records, 1 % of them
 * visible, two in a compartment.
 *
 * @param {readonly Result[]} results
 * @param {keyof Case} by
 * @param {(shape: Case) => string} held
 */
function choose(results, by, held) {
  /** @type {Map<string, Result[]>} */
  const series = new Map()
  for (const result of results) series.set(held(result), [...(series.get(held(result)) ?? []), result])
  const [best = []] = [...series.values()].sort(
    (a, b) => b.length - a.length || strangeness(a, by) - strangeness(b, by),
  )
  return best.sort((a, b) => a[by] - b[by])
}

/** @param {readonly Result[]} series @param {keyof Case} by */
function strangeness([first], by) {
  if (first === undefined) return 0
  const { records, visible, compartments } = first
  const distances = {
    records: -2 * Math.log(records),
    visible: Math.abs(Math.log(visible / 0.01)),
    compartments: Math.abs(Math.log(compartments / (records / 2))),
  }
  return Object.entries(distances).reduce((sum, [what, distance]) => (what === by ? sum : sum + distance), 0)
}

/** Compartments in proportion to records, where these vary. @param {Case} shape */
function density({ records, compartments }) {
  if (compartments === records) return 'one compartment a record'
  if (compartments === Math.ceil(records / 2)) return 'half as many compartments as records'
  return `${count(compartments)} compartments`
}

/** @param {number} part */
function percent(part) {
  return `${Number((part * 100).toPrecision(3))} %`
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString('en-US')
}
