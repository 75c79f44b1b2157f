/**
 * @typedef {import('./data.js').World} World
 * @typedef {import('./data.js').Query} Query
 * @typedef {{ id: number, score: number }} Hit
 */

/**
 * Something that searches. Each runs in a process of its own, one world at a time. Files go under `tmpdir()`, which is
 * removed with the process.
 *
 * @template [Handle=unknown]
 * @typedef {object} System
 * @property {string} name as in the figures; those that begin with `privity-` are ours
 * @property {() => Promise<string | null>} available why it cannot run here, or null
 * @property {(world: World) => Promise<Handle>} build indexes all records of `world.batches()` and lets the caller see
 *   those of the compartments that are shown
 * @property {(handle: Handle, query: Query, limit: number) => Promise<Hit[]>} search the best records with any of the
 *   query's terms that the caller may see, best first
 * @property {(handle: Handle) => Promise<number | null>} bytes what its files take; null if the index is in the memory of
 *   this process, which is then measured
 * @property {(handle: Handle) => Promise<void>} close
 * @property {(handle: Handle, world: World) => Promise<boolean>} [change] the same records with other compartments or
 *   other consents, without building anew; false if that needs a new build
 * @property {(handle: Handle) => Promise<Handle>} [reopen] as after a restart of the process, from what is stored: timed
 *   with the first query
 */

/**
 * @template Handle
 * @param {System<Handle>} system
 * @returns {System}
 */
export const makeSystem = system => /** @type {System} */ (/** @type {unknown} */ (system))
