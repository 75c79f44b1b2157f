import { makeRandom } from '../random.js'

/**
 * @typedef {{ seed: number, records: number, dims: number, shares: readonly number[] }} Shape shares are the parts that
 *   callers see, as fractions
 * @typedef {ReturnType<typeof makeVectors>} VectorWorld
 */

const CLUSTERS = 500
/** How far from the middle of its cluster a vector lies, the middles being about 1 from the origin. */
const SPREAD = 0.8
const COMPARTMENTS = 1_000
const NORMALS = 2 ** 16

/**
 * The same unit vectors for the same seed, in clusters of different sizes, as those of texts are. Records stand in the
 * order of their compartments, and a caller sees whole compartments.
 *
 * @param {Shape} shape
 */
export function makeVectors({ seed, records, dims, shares }) {
  const random = makeRandom(seed)
  const normals = makeNormals(random)
  const middles = Array.from({ length: CLUSTERS }, () => draw(random, normals, dims))
  const turns = range(COMPARTMENTS)
    .map(compartment => ({ compartment, at: random.next() }))
    .sort((a, b) => a.at - b.at)
  const turnOf = new Uint32Array(COMPARTMENTS)
  for (const [turn, { compartment }] of turns.entries()) turnOf[compartment] = turn

  /** @param {number} seed */
  const vector = seed => {
    const own = makeRandom(seed)
    // Squared, so that some clusters are larger than others.
    const middle = middles[Math.floor(own.next() ** 2 * CLUSTERS)] ?? new Float64Array(dims)
    const noise = draw(own, normals, dims)
    const values = new Float32Array(dims)
    let square = 0
    for (let at = 0; at < dims; at++) {
      const value = /** @type {number} */ (middle[at]) + SPREAD * /** @type {number} */ (noise[at])
      values[at] = value
      square += value * value
    }
    const norm = Math.sqrt(square)
    for (let at = 0; at < dims; at++) values[at] = /** @type {number} */ (values[at]) / norm
    return values
  }
  /** @param {number} id */
  const compartmentOf = id => Math.floor((id * COMPARTMENTS) / records)
  /** @param {number} share @param {number} compartment */
  const isShown = (share, compartment) =>
    /** @type {number} */ (turnOf[compartment]) < Math.max(1, Math.round(share * COMPARTMENTS))

  return {
    seed,
    records,
    dims,
    shares,
    compartments: COMPARTMENTS,
    compartmentOf,
    isShown,
    /** @param {number} share @param {number} id */
    isVisible: (share, id) => isShown(share, compartmentOf(id)),
    /** @param {number} id */
    vectorOf: id => vector(Math.imul(id + 1, 0x9e3779b1) ^ seed),
    /** @param {number} query */
    queryOf: query => vector(Math.imul(query + 1, 0x85ebca6b) ^ ~seed),
  }
}

/**
 * The best records of each query among those that each caller sees, by a float64 sum over every one.
 *
 * @param {VectorWorld} world
 * @param {number} queries
 * @param {number} most
 * @returns {Map<number, number[][]>} ids by query, by share
 */
export function bestOf(world, queries, most) {
  const asked = range(queries).map(query => Float64Array.from(world.queryOf(query)))
  const best = world.shares.map(share => ({ share, lists: asked.map(() => new BestFew(most)) }))
  for (let id = 0; id < world.records; id++) {
    const vector = Float64Array.from(world.vectorOf(id))
    const lists = best.filter(({ share }) => world.isVisible(share, id))
    for (const [query, values] of asked.entries()) {
      const score = dot(values, vector)
      for (const list of lists) list.lists[query]?.offer(id, score)
    }
  }
  return new Map(best.map(({ share, lists }) => [share, lists.map(list => list.ids())]))
}

/** The few with the highest scores, of equals the first. */
export class BestFew {
  #most
  /** @type {{ id: number, score: number }[]} */
  #list = []

  /** @param {number} most */
  constructor(most) {
    this.#most = most
  }

  /** @param {number} id @param {number} score */
  offer(id, score) {
    const list = this.#list
    const last = list.at(-1)
    if (list.length === this.#most && last !== undefined && score <= last.score) return
    let place = list.length
    while (place > 0 && /** @type {{ score: number }} */ (list[place - 1]).score < score) place--
    list.splice(place, 0, { id, score })
    if (list.length > this.#most) list.pop()
  }

  ids() {
    return this.#list.map(({ id }) => id)
  }
}

/** @param {Float64Array} a @param {Float64Array} b */
function dot(a, b) {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += /** @type {number} */ (a[at]) * /** @type {number} */ (b[at])
  return sum
}

/** Numbers of a normal distribution, to draw from: making each anew would take most of the time. */
function makeNormals(/** @type {import('../random.js').Random} */ random) {
  return Float64Array.from(
    { length: NORMALS },
    () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next()),
  )
}

/** @param {import('../random.js').Random} random @param {Float64Array} normals @param {number} dims */
function draw(random, normals, dims) {
  const values = new Float64Array(dims)
  for (let at = 0; at < dims; at++) values[at] = /** @type {number} */ (normals[random.integer(NORMALS)])
  return values
}

/** @param {number} length */
const range = length => Array.from({ length }, (_, at) => at)
