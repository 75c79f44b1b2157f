/** @typedef {ReturnType<typeof makeRandom>} Random */

/**
 * Numbers that are the same for the same seed (mulberry32): a benchmark must be given the same work each time.
 *
 * @param {number} seed
 */
export function makeRandom(seed) {
  let state = seed >>> 0
  /** From 0 up to 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** @param {number} below */
  const integer = below => Math.floor(next() * below)

  return {
    next,
    integer,
    /**
     * @template T
     * @param {readonly T[]} list
     * @returns {T}
     */
    pick: list => /** @type {T} */ (list[integer(list.length)]),
    /**
     * That many different ones, in the list's order.
     *
     * @template T
     * @param {readonly T[]} list
     * @param {number} count
     */
    sample(list, count) {
      /** @type {Set<number>} */
      const places = new Set()
      while (places.size < Math.min(count, list.length)) places.add(integer(list.length))
      return [...places].sort((a, b) => a - b).map(place => /** @type {T} */ (list[place]))
    },
  }
}
