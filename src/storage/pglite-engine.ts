import { PGlite } from '@electric-sql/pglite'
import { parsers } from './column-types.js'
import { DurableNodeFS } from './durable-node-fs.js'
import type { SyncedFiles } from './pgdata.js'
import { PgliteStatements } from './pglite-statements.js'

/** The size in bytes that the write-ahead log may reach before a checkpoint. */
const LOG_LIMIT = 64 * 1024 * 1024
/**
 * Free disk space, in bytes, below which writes are refused. Postgres stops if it cannot allocate a log segment (16
 * MB), and then cannot start again, even to read.
 */
const RESERVE = 32 * 1024 * 1024
/** The number of writing transactions between two checks of the log's size. */
const WRITES_PER_LOOK = 32

/** Without this setting, a Postgres timer keeps a process that did not close its store from exiting. */
const START = [...PGlite.defaultStartParams, '-c', 'log_startup_progress_interval=0']

/** PGlite turns fsync off (`-F`), and its default method is fdatasync, which Emscripten ignores. */
const START_DURABLE = [...START.filter(param => param !== '-F'), '-c', 'wal_sync_method=fsync']

/** A running PGlite, with the maintenance that a long-running database needs. */
export class PgliteEngine {
  readonly pg: PGlite
  /** Belongs to the engine, so that an engine that replaces a stopped one begins without prepared statements. */
  readonly statements: PgliteStatements
  readonly #fs: DurableNodeFS | undefined
  /** True once Postgres has exited by itself, as it does when it cannot write its log. */
  stopped = false
  #writes = 0
  #logStart = '0/0'

  private constructor(pg: PGlite, fs: DurableNodeFS | undefined) {
    this.pg = pg
    this.#fs = fs
    pg.parsers = { ...parsers }
    pg.serializers = {}
    this.statements = new PgliteStatements(pg)
    this.#noticeStop()
  }

  static async inMemory(tarball: Blob): Promise<PgliteEngine> {
    const engine = new PgliteEngine(
      await PGlite.create({ loadDataDir: tarball, startParams: START }),
      undefined,
    )
    await engine.#rememberLog()
    return engine
  }

  static async inFolder(pgdata: string, synced: SyncedFiles): Promise<PgliteEngine> {
    const fs = new DurableNodeFS(pgdata, synced)
    try {
      const engine = new PgliteEngine(await PGlite.create({ fs, startParams: START_DURABLE }), fs)
      await engine.#rememberLog()
      return engine
    } catch (e) {
      fs.closeFiles()
      throw fs.writeFailure === undefined
        ? e
        : Object.assign(new Error('write failed'), { code: fs.writeFailure })
    }
  }

  hasRoom(): boolean {
    return this.#fs === undefined || this.#fs.freeBytes() >= RESERVE
  }

  /** True if a write has failed for lack of disk space since the start. */
  get diskFull(): boolean {
    return this.#fs?.writeFailure !== undefined
  }

  async close(): Promise<void> {
    if (!this.stopped) await this.pg.close()
  }

  /** Call this between transactions, after one that wrote. */
  async tidy(): Promise<void> {
    if (this.stopped) return
    try {
      await this.statements.limitPlans()
      await this.#limitLog()
    } catch {
      // The next transaction fails for the same reason, and can report it to its caller.
    }
  }

  /**
   * Writes a checkpoint if the log has grown. Without background processes Postgres never does so, and its log would
   * grow until the store is closed.
   */
  async #limitLog(): Promise<void> {
    if (++this.#writes < WRITES_PER_LOOK) return
    this.#writes = 0
    const { rows } = await this.pg.query<{ grown: boolean }>(
      'select pg_current_wal_insert_lsn() - $1::pg_lsn > $2::int8 as grown',
      [this.#logStart, String(LOG_LIMIT)],
    )
    if (!rows[0]?.grown) return
    await this.pg.query('checkpoint')
    await this.#rememberLog()
  }

  async #rememberLog(): Promise<void> {
    const { rows } = await this.pg.query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at')
    this.#logStart = rows[0]?.at ?? this.#logStart
  }

  /** Detects that Postgres has stopped. Otherwise PGlite would call it again and again and never return. */
  #noticeStop(): void {
    const module = this.pg.Module
    const exitStatus = module._pgl_setPGliteExitStatus
    module._pgl_setPGliteExitStatus = status => {
      const last = exitStatus(status)
      if (last === STATEMENT_FAILED) return last
      if (!this.stopped) this.#stop()
      throw new Error('postgres stopped')
    }
  }

  /** Disables all calls into Postgres and closes its files. */
  #stop(): void {
    this.stopped = true
    const module = this.pg.Module
    module._PostgresMainLoopOnce = () => {
      throw new Error('postgres stopped')
    }
    module._PostgresSendReadyForQueryIfNecessary = () => {}
    module._pgl_pq_flush = () => {}
    module._pq_buffer_remaining_data = () => 0
    this.#fs?.closeFiles()
  }
}

/** The exit status, which PGlite reads after each failure, if Postgres rolled back and continues. */
const STATEMENT_FAILED = 100
