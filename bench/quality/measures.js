/**
 * @typedef {Readonly<Record<string, number>>} Gold how relevant a document is, above 0, by its id
 * @typedef {{ gold: Gold, ids: readonly string[] }} Found what a query should find, and what it found, best first
 * @typedef {{ r5: number, r10: number, r20: number, ndcg10: number }} Figures in percent
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
