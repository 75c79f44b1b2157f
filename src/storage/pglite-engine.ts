import { PGlite } from '@electric-sql/pglite'
import { parsers } from './column-types.js'
import { DurableNodeFS } from './durable-node-fs.js'
import type { SyncedFiles } from './pgdata.js'
import { PgliteStatements } from './pglite-statements.js'

/** What an open folder's log may grow to before it is cut, in bytes. */
const LOG_LIMIT = 64 * 1024 * 1024
/**
 * Room that writes leave on the disk, in bytes. Without room for a segment of its log (16 MB) Postgres stops, and does
 * not start again, not even to be read.
 */
const RESERVE = 32 * 1024 * 1024
/** How many writing transactions pass between two looks at the log. */
const WRITES_PER_LOOK = 32

/** Without it a timer of Postgres keeps a process that did not close its store from ever ending. */
const START = [...PGlite.defaultStartParams, '-c', 'log_startup_progress_interval=0']

/** PGlite turns fsync off (`-F`), and its default method is fdatasync, which Emscripten answers without doing it. */
const START_DURABLE = [...START.filter(param => param !== '-F'), '-c', 'wal_sync_method=fsync']

/** One running PGlite, with what it needs to be a database for long: see each member. */
export class PgliteEngine {
  readonly pg: PGlite
  /** Here, so that an engine started in place of a stopped one begins with none. */
  readonly statements: PgliteStatements
  readonly #fs: DurableNodeFS | undefined
  /** True once Postgres has ended itself, as it does when it cannot write its log. */
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

  /** True if a write failed for want of room since this was started. */
  get diskFull(): boolean {
    return this.#fs?.writeFailure !== undefined
  }

  async close(): Promise<void> {
    if (!this.stopped) await this.pg.close()
  }

  /** To be called between transactions, after one that wrote. */
  async tidy(): Promise<void> {
    if (this.stopped) return
    try {
      await this.statements.limitPlans()
      await this.#limitLog()
    } catch {
      // The next transaction meets the same cause, and has a caller to tell.
    }
  }

  /**
   * Writes a checkpoint if the log has grown: a Postgres without helper processes never does so by itself, and its log
   * would grow until the store is closed.
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

  /** PGlite would call a Postgres that has stopped again and again, and never return. */
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

  /** Leaves nothing of it that could be called, or that holds a file open. */
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

/** PGlite asks after each failure; this answer means that Postgres rolled back and goes on. */
const STATEMENT_FAILED = 100
