import { makeRandom } from '../random.js'

/**
 * @typedef {Readonly<Record<string, number>>} Gold how relevant a document is, above 0, by its id
 * @typedef {{ gold: Gold, ids: readonly string[] }} Found what a query should find, and what it found, best first
 * @typedef {{ r5: number, r10: number, r20: number, ndcg10: number }} Figures in percent
 * @typedef {{ difference: number, p: number }} Comparison in percent, and how likely so much would be by chance
 */

/** The means over all queries. @param {readonly Found[]} found @returns {Figures} */
export function measure(found) {
  /** @param {(query: Found) => number} of */
  const mean = of => percent(found.reduce((sum, query) => sum + of(query), 0) / found.length)
  return {
    r5: mean(query => recall(query, 5)),
    r10: mean(query => recall(query, 10)),
    r20: mean(query => recall(query, 20)),
    ndcg10: mean(query => ndcg(query, 10)),
  }
}

/** The part of all relevant documents that is among the first. @param {Found} found @param {number} first */
export function recall({ gold, ids }, first) {
  const hits = ids.slice(0, first).filter(id => gold[id] !== undefined)
  return hits.length / Object.keys(gold).length
}

/** The gain of the first, each less the further down, against the most it could be. @param {Found} found @param {number} first */
export function ndcg({ gold, ids }, first) {
  /** @param {readonly number[]} gains */
  const sum = gains =>
    gains.slice(0, first).reduce((total, gain, rank) => total + gain / Math.log2(rank + 2), 0)
  const best = Object.values(gold).sort((a, b) => b - a)
  return sum(ids.map(id => gold[id] ?? 0)) / sum(best)
}

const RESAMPLES = 5_000

/**
 * How much better the first did than the second on the same queries, and the share of resampled sets of queries on which
 * it did not (paired bootstrap, both sides).
 *
 * @param {readonly number[]} first
 * @param {readonly number[]} second
 * @param {number} seed
 * @returns {Comparison}
 */
export function compare(first, second, seed) {
  const differences = first.map((value, at) => value - (second[at] ?? 0))
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length
  const random = makeRandom(seed)
  let other = 0
  for (let round = 0; round < RESAMPLES; round++) {
    let sum = 0
    for (let at = 0; at < differences.length; at++)
      sum += differences[random.integer(differences.length)] ?? 0
    if (mean >= 0 ? sum <= 0 : sum >= 0) other++
  }
  return { difference: percent(mean), p: Math.min(1, (2 * (other + 1)) / (RESAMPLES + 1)) }
}

/**
 * At most so many of them, evenly spread.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {number | undefined} most
 */
export function evenly(items, most = items.length) {
  if (items.length <= most) return items
  return items.filter(
    (_, at) => Math.floor((at * most) / items.length) !== Math.floor(((at - 1) * most) / items.length),
  )
}

/** @param {number} part */
const percent = part => Math.round(part * 10_000) / 100
