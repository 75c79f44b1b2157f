import { constants } from 'node:fs'
import { cp, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { dataDir as emptyPgdata } from '@electric-sql/pglite-prepopulatedfs'
import { PrivityError } from '../errors.js'
import { encodeParam } from './column-types.js'
import { type DataDirLock, lockDataDir } from './data-dir-lock.js'
import {
  beginStatement,
  type Database,
  type Observe,
  type Param,
  type StatementOptions,
  type Transaction,
  type TransactionOptions,
} from './database.js'
import { createPgdata, hasPgdata, syncAfterCrash } from './pgdata.js'
import { PgliteEngine } from './pglite-engine.js'
import { errorCode, storageError, withoutContent } from './storage-error.js'

export interface PgliteOptions {
  /** The folder of the store; null keeps the store in memory. */
  dataDir: string | null
  observe?: Observe
  /** A dump from which to create a store that does not exist yet. */
  loadDataDir?: Blob
}

/** Opens the store in a folder and creates it if there is none, or opens a store in memory. */
export async function openPglite({ dataDir, observe, loadDataDir }: PgliteOptions): Promise<Database> {
  if (dataDir === null) {
    const engine = await PgliteEngine.inMemory(loadDataDir ?? (await emptyPgdata()))
    const restart = async () => {
      throw new PrivityError('unavailable', 'the store in memory failed, and its content is lost')
    }
    return new Pglite({ engine, restart, release: async () => {}, observe })
  }
  const folder = resolve(dataDir)
  const pgdata = join(folder, 'pgdata')
  let lock: DataDirLock | undefined
  try {
    await makeFolder(folder)
    lock = await lockDataDir(folder)
    const engine = await openFolder(pgdata, loadDataDir)
    const restart = () => openFolder(pgdata, undefined).catch(e => Promise.reject(openingError(e, folder)))
    return new Pglite({ engine, restart, release: lock.release, observe, pgdata })
  } catch (e) {
    await lock?.release()
    throw openingError(e, folder)
  }
}

/** Node's recursive mkdir never returns on a file system that allows no folders, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 })
  try {
    await make()
  } catch (e) {
    if (errorCode(e) === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (errorCode(e) !== 'ENOENT') throw e
    await makeFolder(dirname(folder))
    await make().catch(again => {
      // Another process may have created it first.
      if (errorCode(again) === 'EEXIST') return
      throw errorCode(again) === 'ENOENT'
        ? new PrivityError(
            'invalid_input',
            `the folder ${folder} cannot be created; check the permissions of the folder above it`,
          )
        : again
    })
  }
}

async function openFolder(pgdata: string, loadDataDir: Blob | undefined): Promise<PgliteEngine> {
  if (await hasPgdata(pgdata)) {
    if (loadDataDir !== undefined) throw new PrivityError('invalid_input', `${pgdata} already holds a store`)
    return PgliteEngine.inFolder(pgdata, await syncAfterCrash(pgdata))
  }
  return PgliteEngine.inFolder(pgdata, await createPgdata(pgdata, loadDataDir ?? (await emptyPgdata())))
}

interface PgliteParts {
  engine: PgliteEngine
  /** Starts a new engine on the same data after one has stopped. */
  restart: () => Promise<PgliteEngine>
  release: () => Promise<void>
  observe: Observe | undefined
  /** The data directory, unless the store is in memory. */
  pgdata?: string
}

class Pglite implements Database {
  readonly engine = 'pglite'
  copyFiles?: (folder: string) => Promise<void>
  readonly #parts: PgliteParts
  #engine: PgliteEngine
  /** The last transaction in the queue. There is only one connection, so transactions run one after another. */
  #last: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | undefined

  constructor(parts: PgliteParts) {
    this.#parts = parts
    this.#engine = parts.engine
    const { pgdata } = parts
    if (pgdata !== undefined) this.copyFiles = folder => this.#copyFiles(pgdata, folder)
  }

  transaction<T>(options: TransactionOptions, fn: (tx: Transaction) => Promise<T>): Promise<T> {
    const run = async () => {
      let ended = false
      const tx: Transaction = {
        query: async <Row>(sql: string, params: readonly Param[] = []) => {
          if (ended) throw new PrivityError('internal', 'a statement was sent after its transaction ended')
          const values = params.map(encodeParam)
          return this.#send(sql, ({ statements }) => statements.query<Row>(options.role, sql, values))
        },
      }
      try {
        return await fn(tx)
      } finally {
        ended = true
      }
    }
    return this.#queue(options.access, () => this.#run(options, run))
  }

  statement<Row>({ access }: StatementOptions, sql: string, params: readonly Param[] = []): Promise<Row[]> {
    return this.#queue(access, async () => {
      await this.#makeReady(access)
      const values = params.map(encodeParam)
      return this.#outcome(access, () =>
        this.#send(sql, ({ statements }) => statements.query<Row>(null, sql, values)),
      )
    })
  }

  script(sql: string): Promise<void> {
    const run = () =>
      this.#send(sql, async ({ pg, statements }) => {
        await statements.forget()
        await pg.exec(sql)
      })
    return this.#queue('write', () => this.#run({ access: 'write', role: null, settings: {} }, run))
  }

  #copyFiles(pgdata: string, folder: string): Promise<void> {
    return this.#queueBetweenTransactions(async () => {
      if (this.#engine.stopped) this.#engine = await this.#parts.restart()
      await this.#send('checkpoint', ({ pg }) => pg.exec('checkpoint'))
      await makeFolder(folder)
      // Copies only what is written later, where the file system can do that.
      await cp(pgdata, join(folder, 'pgdata'), { recursive: true, mode: constants.COPYFILE_FICLONE })
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#last
    try {
      await this.#engine.close()
    } finally {
      await this.#parts.release()
    }
  }

  #queue<T>(access: StatementOptions['access'], run: () => Promise<T>): Promise<T> {
    return this.#queueBetweenTransactions(run, () => (access !== 'read' ? this.#engine.tidy() : undefined))
  }

  #queueBetweenTransactions<T>(
    run: () => Promise<T>,
    then: () => Promise<void> | undefined = () => undefined,
  ): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(new PrivityError('closed', 'the store is closed'))
    const turn = this.#last.then(run)
    this.#last = turn.then(then, () => undefined)
    return turn
  }

  async #makeReady(access: StatementOptions['access']): Promise<void> {
    if (this.#engine.stopped) this.#engine = await this.#parts.restart()
    if (access !== 'read' && !this.#engine.hasRoom()) throw diskFull()
  }

  async #run<T>(options: TransactionOptions, fn: () => Promise<T>): Promise<T> {
    const begin = beginStatement(options)
    await this.#makeReady(options.access)
    try {
      await this.#send(
        beginStatement(options, () => '?'),
        ({ pg }) => pg.exec(begin),
      )
      const result = await fn()
      await this.#commit(options.access)
      return result
    } catch (e) {
      if (!this.#engine.stopped) await this.#send('rollback', ({ pg }) => pg.exec('rollback'))
      throw e
    } finally {
      this.#engine.statements.transactionEnded()
    }
  }

  async #commit(access: 'read' | 'write'): Promise<void> {
    const [answer] = await this.#outcome(access, () => this.#send('commit', ({ pg }) => pg.exec('commit')))
    // Postgres answers this if an earlier statement failed and the caller ignored the failure.
    if (answer?.command === 'ROLLBACK') {
      throw new PrivityError('internal', 'a failed statement was ignored; nothing was changed')
    }
  }

  /** Runs what ends a transaction. If the store stops meanwhile, nobody knows whether a write was kept. */
  async #outcome<T>(access: StatementOptions['access'], send: () => Promise<T>): Promise<T> {
    try {
      return await send()
    } catch (e) {
      if (!this.#engine.stopped || access === 'read') throw e
      throw new PrivityError(
        'unavailable',
        'the store stopped; the outcome of this request is unknown, repeat it with the same idempotency key',
        { cause: e },
      )
    }
  }

  async #send<T>(shown: string, run: (engine: PgliteEngine) => Promise<T>): Promise<T> {
    this.#parts.observe?.(shown)
    const engine = this.#engine
    try {
      return await run(engine)
    } catch (e) {
      if (!engine.stopped) throw storageError(withoutContent(e))
      if (engine.diskFull) throw diskFull()
      throw new PrivityError('unavailable', 'the store stopped; nothing was changed', { cause: e })
    }
  }
}

function diskFull(): PrivityError {
  return new PrivityError('storage_full', 'the disk is full; nothing was changed')
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
    case 'EFBIG':
    case 'EDQUOT':
      return new PrivityError('storage_full', `the disk that holds ${folder} is full`)
    default:
      return new PrivityError('unavailable', `the store in ${folder} cannot be opened; it may be damaged`, {
        cause: e,
      })
  }
}
