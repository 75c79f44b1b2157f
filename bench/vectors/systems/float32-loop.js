import { BestFew } from '../data.js'
import { makeSystem } from '../system.js'

/**
 * @typedef {import('../data.js').VectorWorld} VectorWorld
 * @typedef {{ world: VectorWorld, values: Float32Array, visible: Uint8Array }} Handle
 */

/**
 * What anybody would write first: one array of numbers and a loop.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  available: async () => null,

  async build(world) {
    const values = new Float32Array(world.records * world.dims)
    for (let id = 0; id < world.records; id++) values.set(world.vectorOf(id), id * world.dims)
    return { world, values, visible: new Uint8Array(world.records) }
  },

  async permit({ world, visible }, share) {
    for (let id = 0; id < visible.length; id++) visible[id] = world.isVisible(share, id) ? 1 : 0
  },

  async search({ world, values, visible }, query, limit) {
    const best = new BestFew(limit)
    for (let id = 0; id < world.records; id++)
      if (visible[id] === 1) best.offer(id, dotAt(values, id * world.dims, query))
    return best.ids()
  },

  bytes: async ({ values, visible }) => values.byteLength + visible.byteLength,
  close: async () => {},
}
export const float32Loop = makeSystem(system)

/** @param {Float32Array} values @param {number} from @param {Float32Array} query */
function dotAt(values, from, query) {
  let sum = 0
  for (let at = 0; at < query.length; at++)
    sum += /** @type {number} */ (values[from + at]) * /** @type {number} */ (query[at])
  return sum
}
