import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  callers,
  cells,
  clocks,
  embeddings,
  handles,
  keyRings,
  leases,
  opening,
  operations,
  runtimes,
  tenantFacts,
} from './built.js'
import { startPostgres } from './postgres.js'

/**
 * @typedef {import('../src/storage/database.js').Database} Database
 * @typedef {import('../src/open.js').Privity} Privity
 * @typedef {{ db: Database, privity: Privity, url: string | null, dispose(): Promise<void> }} Store
 * @typedef {'pglite' | 'postgres'} Engine
 */

/**
 * A fresh store on disk, with what users get by default: a folder, or a server that syncs every commit.
 *
 * @param {Engine} engine
 * @returns {Promise<Store>}
 */
export async function openBenchStore(engine) {
  const server = engine === 'postgres' ? await startPostgres() : null
  const folder = server === null ? await mkdtemp(join(tmpdir(), 'privity-bench-')) : null
  const clean = async () => {
    await server?.dispose()
    if (folder !== null) await rm(folder, { recursive: true, force: true })
  }
  try {
    const where = server === null ? { dataDir: folder ?? '' } : { databaseUrl: server.url }
    const db = await opening.openStore(where)
    const privity = await opening.assemble(db, clocks.SYSTEM_CLOCK, {})
    const dispose = () => privity.close().finally(clean)
    return { db, privity, url: server?.url ?? null, dispose }
  } catch (e) {
    await clean()
    throw e
  }
}

const noFiles = () => Promise.reject(new Error('no files are read here'))

/**
 * The same over the same store, without the second transaction of a request: what it would wait for is always there.
 *
 * @param {Database} db
 * @returns {Promise<Pick<Privity, 'as'>>}
 */
export async function assembleUnaudited(db) {
  const audit = { submit: async () => 'written' }
  const runtime = new runtimes.Runtime({
    db,
    audit: /** @type {import('../src/runtime/audit-lanes.js').AuditLanes} */ (/** @type {unknown} */ (audit)),
    apiKeys: { noteUse() {} },
    clock: clocks.SYSTEM_CLOCK,
    tenants: new tenantFacts.TenantFactsCache(tenantFacts.builtInRegistry(operations.OPERATIONS)),
    keys: await keyRings.KeyRing.open(db),
    leases: new leases.Leases(db, clocks.SYSTEM_CLOCK),
    cells: new cells.Cells(db),
    embeddings: new embeddings.Embeddings(db, []),
    extraction: { extract: noFiles, mark: noFiles, findMarks: noFiles, inspectUpload: noFiles },
    outbox: { mails: false, noteRefused() {}, noteWork() {}, async requireSendable() {} },
    halfLifeOf: () => Number.POSITIVE_INFINITY,
    consolidation: null,
  })
  return {
    as(credential) {
      const caller = callers.readCredential(credential)
      return handles.makeHandle((name, input, options) =>
        runtime.invoke(operations.operationNamed(name), caller, input, options),
      )
    },
  }
}
