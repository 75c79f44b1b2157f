import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { dataDir as emptyPgdata } from '@electric-sql/pglite-prepopulatedfs'
import { PrivityError } from '../errors.js'
import { encodeParam, parsers } from './column-types.js'
import { type DataDirLock, lockDataDir } from './data-dir-lock.js'
import {
  beginStatement,
  type Database,
  type Observe,
  type Param,
  type Transaction,
  type TransactionOptions,
} from './database.js'
import { DurableNodeFS } from './durable-node-fs.js'
import { createPgdata, hasPgdata, syncAfterCrash } from './pgdata.js'
import { errorCode, storageError, withoutContent } from './storage-error.js'

export interface PgliteOptions {
  /** The folder that holds the store; null keeps it in memory. */
  dataDir: string | null
  observe?: Observe
  /** A dump to start from, for a store that does not exist yet. */
  loadDataDir?: Blob
}

/** Opens the store in a folder, making it if there is none; or one in memory. */
export async function openPglite({ dataDir, observe, loadDataDir }: PgliteOptions): Promise<Database> {
  if (dataDir === null) {
    const pg = await PGlite.create({ loadDataDir: loadDataDir ?? (await emptyPgdata()) })
    return new Pglite(pg, observe, async () => {})
  }
  const folder = resolve(dataDir)
  let lock: DataDirLock | undefined
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    lock = await lockDataDir(folder)
    const pg = await openFolder(join(folder, 'pgdata'), loadDataDir)
    const { release } = lock
    return new Pglite(pg, observe, release)
  } catch (e) {
    await lock?.release()
    throw openingError(e, folder)
  }
}

async function openFolder(pgdata: string, loadDataDir: Blob | undefined): Promise<PGlite> {
  if (!(await hasPgdata(pgdata))) {
    const synced = await createPgdata(pgdata, loadDataDir ?? (await emptyPgdata()))
    return PGlite.create({ fs: new DurableNodeFS(pgdata, synced), startParams: DURABLE })
  }
  if (loadDataDir !== undefined) throw new PrivityError('invalid_input', `${pgdata} already holds a store`)
  return PGlite.create({ fs: new DurableNodeFS(pgdata, await syncAfterCrash(pgdata)), startParams: DURABLE })
}

/** PGlite turns fsync off (`-F`), and its default method is fdatasync, which Emscripten answers without doing it. */
const DURABLE = [...PGlite.defaultStartParams.filter(param => param !== '-F'), '-c', 'wal_sync_method=fsync']

class Pglite implements Database {
  readonly engine = 'pglite'
  readonly #pg: PGlite
  readonly #observe: Observe | undefined
  readonly #release: () => Promise<void>
  /** The last transaction in line: there is one connection, so they run one after the other. */
  #last: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | undefined

  constructor(pg: PGlite, observe: Observe | undefined, release: () => Promise<void>) {
    this.#pg = pg
    this.#observe = observe
    this.#release = release
    pg.parsers = { ...parsers }
    pg.serializers = {}
  }

  transaction<T>(options: TransactionOptions, fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#queue(options, async () => {
      let ended = false
      const tx: Transaction = {
        query: async <Row>(sql: string, params: readonly Param[] = []) => {
          if (ended) throw new PrivityError('internal', 'a statement was sent after its transaction ended')
          const values = params.map(encodeParam)
          return this.#send(sql, async () => (await this.#pg.query<Row>(sql, values)).rows)
        },
      }
      try {
        return await fn(tx)
      } finally {
        ended = true
      }
    })
  }

  script(sql: string): Promise<void> {
    return this.#queue({ access: 'write', role: null, settings: {} }, async () => {
      await this.#send(sql, () => this.#pg.exec(sql))
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#last
    try {
      await this.#pg.close()
    } finally {
      await this.#release()
    }
  }

  #queue<T>(options: TransactionOptions, fn: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(new PrivityError('closed', 'the store is closed'))
    const turn = this.#last.then(() => this.#run(options, fn))
    this.#last = turn.catch(() => {})
    return turn
  }

  async #run<T>(options: TransactionOptions, fn: () => Promise<T>): Promise<T> {
    const begin = beginStatement(options)
    try {
      await this.#send(
        beginStatement(options, () => '?'),
        () => this.#pg.exec(begin),
      )
      const result = await fn()
      const [ended] = await this.#send('commit', () => this.#pg.exec('commit'))
      // What Postgres answers when a statement failed before and the failure was swallowed.
      if (ended?.command === 'ROLLBACK') {
        throw new PrivityError('internal', 'a failed statement was ignored; nothing was changed')
      }
      return result
    } catch (e) {
      await this.#send('rollback', () => this.#pg.exec('rollback'))
      throw e
    }
  }

  async #send<T>(shown: string, run: () => Promise<T>): Promise<T> {
    this.#observe?.(shown)
    try {
      return await run()
    } catch (e) {
      throw storageError(withoutContent(e))
    }
  }
}

function openingError(e: unknown, folder: string): PrivityError {
  if (e instanceof PrivityError) return e
  const code = errorCode(e)
  switch (code) {
    case 'ENOTDIR':
    case 'EEXIST':
      return new PrivityError('invalid_input', `${folder} is not a folder`)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new PrivityError('unavailable', `the folder ${folder} may not be read and written (${code})`)
    case 'ENOSPC':
    case 'EDQUOT':
      return new PrivityError('storage_full', `the disk that holds ${folder} is full`)
    default:
      return new PrivityError('unavailable', `the store in ${folder} cannot be opened; it may be damaged`, {
        cause: e,
      })
  }
}
