/**
 * The built package, typed by its source: what is measured is what is shipped, and a type check needs no build.
 */

/** @param {string} path */
const load = path => import(new URL(`../dist/${path}`, import.meta.url).href)

/** @type {typeof import('../src/embedding/built-in.js')} */
export const builtIns = await load('embedding/built-in.js')
/** @type {typeof import('../src/policy/index.js')} */
export const policy = await load('policy/index.js')
/** @type {typeof import('../src/runtime/caller.js')} */
export const callers = await load('runtime/caller.js')
/** @type {typeof import('../src/runtime/clock.js')} */
export const clocks = await load('runtime/clock.js')
/** @type {typeof import('../src/runtime/embedding/embeddings.js')} */
export const embeddings = await load('runtime/embedding/embeddings.js')
/** @type {typeof import('../src/runtime/facts.js')} */
export const facts = await load('runtime/facts.js')
/** @type {typeof import('../src/documents/extract/extract.js')} */
export const extracting = await load('documents/extract/extract.js')
/** @type {typeof import('../src/http/index.js')} */
export const https = await load('http/index.js')
/** @type {typeof import('../src/handle.js')} */
export const handles = await load('handle.js')
/** @type {typeof import('../src/runtime/leases.js')} */
export const leases = await load('runtime/leases.js')
/** @type {typeof import('../src/legal/index.js')} */
export const law = await load('legal/index.js')
/** @type {typeof import('../src/open.js')} */
export const opening = await load('open.js')
/** @type {typeof import('../src/operations.js')} */
export const operations = await load('operations.js')
/** @type {typeof import('../src/runtime/request-reads.js')} */
export const requestReads = await load('runtime/request-reads.js')
/** @type {typeof import('../src/runtime/runtime.js')} */
export const runtimes = await load('runtime/runtime.js')
/** @type {typeof import('../src/runtime/tenant-facts.js')} */
export const tenantFacts = await load('runtime/tenant-facts.js')
/** @type {typeof import('../src/storage/column-types.js')} */
export const columnTypes = await load('storage/column-types.js')
/** @type {typeof import('../src/runtime/key-ring.js')} */
export const keyRings = await load('runtime/key-ring.js')
/** @type {typeof import('../src/runtime/compartment-id.js')} */
export const compartmentIds = await load('runtime/compartment-id.js')
/** @type {typeof import('../src/runtime/index/cell.js')} */
export const cell = await load('runtime/index/cell.js')
/** @type {typeof import('../src/runtime/index/cells.js')} */
export const cells = await load('runtime/index/cells.js')
/** @type {typeof import('../src/runtime/index/document.js')} */
export const documents = await load('runtime/index/document.js')
/** @type {typeof import('../src/runtime/index/visible-set.js')} */
export const visibleSet = await load('runtime/index/visible-set.js')
/** @type {typeof import('../src/search/mask.js')} */
export const masks = await load('search/mask.js')
/** @type {typeof import('../src/search/match.js')} */
export const matching = await load('search/match.js')
/** @type {typeof import('../src/search/rank.js')} */
export const ranking = await load('search/rank.js')
/** @type {typeof import('../src/search/query.js')} */
export const queries = await load('search/query.js')
/** @type {typeof import('../src/search/segment.js')} */
export const segments = await load('search/segment.js')
/** @type {typeof import('../src/search/similarity.js')} */
export const similarities = await load('search/similarity.js')
/** @type {typeof import('../src/runtime/tokenizer.js')} */
export const tokenizers = await load('runtime/tokenizer.js')
/** @type {typeof import('../src/search/tokenize.js')} */
export const tokens = await load('search/tokenize.js')
/** @type {typeof import('../src/search/vector-query.js')} */
export const vectorQueries = await load('search/vector-query.js')
/** @type {typeof import('../src/search/vectors.js')} */
export const vectors = await load('search/vectors.js')
/** @type {typeof import('../src/storage/queries/insert-records.js')} */
export const inserting = await load('storage/queries/insert-records.js')
/** @type {typeof import('../src/storage/queries/intern-compartments.js')} */
export const interning = await load('storage/queries/intern-compartments.js')
/** @type {typeof import('../src/watching/ingest-folder.js')} */
export const watching = await load('watching/ingest-folder.js')
/** @type {typeof import('../src/storage/queries/advance-generation.js')} */
export const generations = await load('storage/queries/advance-generation.js')
/** @type {typeof import('../src/documents/marks/apply-mark.js') & typeof import('../src/policy/watermark.js')} */
export const marks = {
  ...(await load('documents/marks/apply-mark.js')),
  ...(await load('policy/watermark.js')),
}
/** @type {typeof import('@cantoo/pdf-lib')} */
export const pdfLib = await load('vendor/pdf-lib.js')
