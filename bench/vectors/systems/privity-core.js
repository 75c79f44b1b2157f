import { documents as indexing, masks, segments, similarities, vectorQueries, vectors } from '../../built.js'
import { quantile } from '../../measure.js'
import { makeWorld } from '../../search/data.js'
import { CREATED_AT, compartmentsOf, OWNER, recordId } from '../../search/systems/privity-records.js'
import { readSpeed } from '../bandwidth.js'
import { makeSystem } from '../system.js'

/**
 * @typedef {import('../data.js').VectorWorld} VectorWorld
 * @typedef {import('../../../src/search/compartment-decision.js').CompartmentDecision} CompartmentDecision
 * @typedef {{
 *   world: VectorWorld,
 *   segment: import('../../../src/search/segment.js').Segment,
 *   column: import('../../../src/search/vectors.js').VectorColumn,
 *   dead: Uint8Array,
 *   decision: CompartmentDecision,
 * }} Handle
 */

/** Runs of the scan alone. */
const RUNS = 41

/**
 * A segment of texts of 60 words with vectors beside it, in memory. The mask is made anew for each query, from what
 * was decided of each compartment.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  available: async () => null,

  async build(world) {
    const { records, dims, seed } = world
    const texts = makeWorld({ seed, records, visible: 1, compartments: world.compartments })
    const compartmentOf = compartmentsOf(texts)
    const builder = new segments.SegmentBuilder()
    const store = new vectors.VectorStore(dims)
    const rows = new Int32Array(records)
    for (let id = 0; id < records; id++) {
      const compartment = world.compartmentOf(id)
      const { tuple, id: compartmentId } = compartmentOf(compartment)
      const row = {
        id: recordId(id),
        cell: `user:${OWNER}`,
        compartmentId,
        tuple,
        title: null,
        text: texts.textOf(id),
        language: null,
        tags: [],
        fields: {},
        filingUnit: null,
        version: null,
        versionKind: null,
        salience: 0.5,
        salienceAt: CREATED_AT,
        pinned: false,
        createdAt: CREATED_AT,
        occurredAt: null,
        expiresAt: null,
      }
      builder.add(indexing.indexDocument(row, compartment))
      const vector = vectors.quantise(world.vectorOf(id))
      rows[id] = vector === null ? -1 : store.add(vector)
    }
    const segment = builder.finish()
    const column = { store: store.compacted(rows), rows }
    return { world, segment, column, dead: new Uint8Array(records), decision: decide(world, 1) }
  },

  async permit(handle, share) {
    handle.decision = decide(handle.world, share)
  },

  async search({ segment, column, dead, decision }, query, limit) {
    const { mask } = segment.mask(dead, decision, 0)
    const question = vectors.quantise(query)
    if (question === null) return []
    const similarity = similarities.similarityOf([{ mask, column }], question)
    return similarity.nearest(limit).map(({ document }) => document)
  },

  bytes: async ({ column }) => column.store.bytes + column.rows.byteLength,

  close: async () => {},

  async scan({ world, segment, column, dead }, queries, limit) {
    const { mask } = segment.mask(dead, decide(world, 1), 0)
    const stride = Math.ceil(world.dims / 16) * 16
    const asked = queries.map(
      query => new vectorQueries.VectorQuery(vectors.quantise(query) ?? new Int16Array(0)),
    )
    const times = []
    let compared = 0
    for (let run = 0; run < RUNS; run++) {
      const query = /** @type {import('../../../src/search/vector-query.js').VectorQuery} */ (
        asked[run % asked.length]
      )
      const start = performance.now()
      const { documents, lower, upper } = column.store.estimate(mask, column.rows, query)
      times.push(performance.now() - start)
      const floor = lower.toSorted().at(-limit) ?? 0
      compared += upper.filter(bound => bound >= floor).length / documents.length / RUNS
    }
    return {
      scanGBs: (world.records * stride) / quantile(times, 0.5) / 1e6,
      readGBs: readSpeed(world.records * stride),
      compared,
      textBytes: segment.bytes / world.records,
    }
  },
}
export const privityCore = makeSystem(system)

/** @param {VectorWorld} world @param {number} share @returns {CompartmentDecision} */
function decide({ compartments, isShown }, share) {
  const surfaces = Uint8Array.from({ length: compartments }, (_, at) =>
    isShown(share, at) ? masks.FULL : masks.HIDDEN,
  )
  return { surfaces, refine: () => masks.FULL, refinesAll: false }
}
