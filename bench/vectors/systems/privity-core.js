import { documents as indexing, masks, segments, similarities, vectorQueries, vectors } from '../../built.js'
import { quantile } from '../../measure.js'
import { makeWorld } from '../../search/data.js'
import { CREATED_AT, compartmentsOf, OWNER, recordId } from '../../search/systems/privity-records.js'
import { readSpeed } from '../bandwidth.js'
import { makeSystem } from '../system.js'

/**
 * @typedef {import('../data.js').VectorWorld} VectorWorld
 * @typedef {import('../../../src/search/mask.js').Mask} Mask
 * @typedef {import('../../../src/search/vectors.js').VectorColumn} VectorColumn
 * @typedef {{ world: VectorWorld, column: VectorColumn, mask: Mask }} Handle
 */

/** Runs of the scan alone. */
const RUNS = 41
/** How many records with texts are indexed to see what a text takes; with more, one takes less. */
const TEXTS = 50_000

/**
 * Vectors in memory, and a mask, which the whole operation keeps for as long as what was decided stands.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  available: async () => null,

  async build(world) {
    const store = new vectors.VectorStore(world.dims)
    const rows = new Int32Array(world.records).fill(-1)
    for (let id = 0; id < world.records; id++) {
      const vector = vectors.quantise(world.vectorOf(id))
      if (vector !== null) rows[id] = store.add(vector)
    }
    return { world, column: { store: store.compacted(rows), rows }, mask: maskOf(world, 1) }
  },

  async permit(handle, share) {
    handle.mask = maskOf(handle.world, share)
  },

  async search({ mask, column }, query, limit) {
    const similarity = similarities.similarityOf([{ mask, column }], stored(query))
    return similarity.nearest(limit).map(({ document }) => document)
  },

  bytes: async ({ column }) => column.store.bytes + column.rows.byteLength,

  close: async () => {},

  async scan({ world, column }, queries, limit) {
    const mask = maskOf(world, 1)
    const times = []
    let compared = 0
    for (let run = 0; run < RUNS; run++) {
      const query = new vectorQueries.VectorQuery(
        stored(queries[run % queries.length] ?? new Float32Array(0)),
      )
      const start = performance.now()
      const { documents, lower, upper } = column.store.estimate(mask, column.rows, query)
      times.push(performance.now() - start)
      const floor = Float32Array.from(lower).sort().at(-limit) ?? 0
      compared += upper.filter(bound => bound >= floor).length / documents.length / RUNS
    }
    const bytes = world.records * Math.ceil(world.dims / 16) * 16
    return {
      scanGBs: bytes / quantile(times, 0.5) / 1e6,
      readGBs: readSpeed(bytes),
      compared,
      textBytes: textBytes(world),
    }
  },
}
export const privityCore = makeSystem(system)

/** @param {Float32Array} query */
function stored(query) {
  const vector = vectors.quantise(query)
  if (vector === null) throw new Error('a query without a direction')
  return vector
}

/** @param {VectorWorld} world @param {number} share */
function maskOf({ records, isVisible }, share) {
  const surfaces = Uint8Array.from({ length: records }, (_, id) =>
    isVisible(share, id) ? masks.FULL_LEVEL : masks.HIDDEN_LEVEL,
  )
  const lengths = new Uint32Array(records)
  return masks.Mask.of(surfaces, [lengths, lengths, lengths, lengths])
}

/** What the index of a text of 60 words takes. @param {VectorWorld} world */
function textBytes({ seed, records, compartments }) {
  const count = Math.min(records, TEXTS)
  const texts = makeWorld({ seed, records: count, visible: 1, compartments })
  const compartmentOf = compartmentsOf(texts)
  const builder = new segments.SegmentBuilder()
  for (let id = 0; id < count; id++) {
    const compartment = Math.floor((id * compartments) / count)
    const row = {
      id: recordId(id),
      cell: `user:${OWNER}`,
      compartmentId: compartmentOf(compartment).id,
      tuple: compartmentOf(compartment).tuple,
      title: null,
      text: texts.textOf(id),
      language: null,
      tags: [],
      fields: {},
      spans: [],
      filingUnit: null,
      version: null,
      versionKind: null,
      part: null,
      conversation: null,
      turn: null,
      speaker: null,
      salience: 0.5,
      salienceAt: CREATED_AT,
      pinned: false,
      createdAt: CREATED_AT,
      occurredAt: null,
      expiresAt: null,
    }
    builder.add(indexing.indexDocument(row, compartment))
  }
  return builder.finish().bytes / count
}
