/**
 * @typedef {import('./data.js').VectorWorld} VectorWorld
 * @typedef {{ scanGBs: number, readGBs: number, compared: number, textBytes: number }} Scan how fast the scan reads, how
 *   fast the same memory can be read, the part of visible records compared in full, and what the text of a record takes
 */

/**
 * Something that finds the nearest vectors. Each runs in a process of its own. Files go under `tmpdir()`, which is
 * removed with the process.
 *
 * @template [Handle=unknown]
 * @typedef {object} System
 * @property {() => Promise<string | null>} available why it cannot run here, or null
 * @property {(world: VectorWorld) => Promise<Handle>} build
 * @property {(handle: Handle, share: number) => Promise<void>} permit lets the caller see that part from now on
 * @property {(handle: Handle, query: Float32Array, limit: number) => Promise<number[]>} search the ids of the nearest
 *   visible records, best first
 * @property {(handle: Handle) => Promise<number>} bytes what vectors and permissions take
 * @property {(handle: Handle) => Promise<void>} close
 * @property {(handle: Handle, queries: readonly Float32Array[], limit: number) => Promise<Scan>} [scan]
 */

/** How many of the nearest are asked for. */
export const LIMIT = 20

/**
 * @template Handle
 * @param {System<Handle>} system
 * @returns {System}
 */
export const makeSystem = system => /** @type {System} */ (/** @type {unknown} */ (system))

/**
 * Every system by its name, ours first: figures are shown in this order.
 *
 * @type {Readonly<Record<string, () => Promise<System>>>}
 */
export const SYSTEMS = {
  'privity-core': async () => (await import('./systems/privity-core.js')).privityCore,
  lancedb: async () => (await import('./systems/lancedb.js')).lancedb,
  'pgvector-rls': async () => (await import('./systems/pgvector-rls.js')).pgvectorRls,
  'float32-loop': async () => (await import('./systems/float32-loop.js')).float32Loop,
}
