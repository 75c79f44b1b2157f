import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PrivityError } from '../errors.js'
import { encodeParam, parsers } from './column-types.js'
import {
  beginStatement,
  type Database,
  type Observe,
  type Param,
  type StatementOptions,
  type Transaction,
  type TransactionOptions,
} from './database.js'
import {
  errorCode,
  hasSqlState,
  isConflict,
  isConnectionFailure,
  storageError,
  withoutContent,
} from './storage-error.js'

export interface PostgresOptions {
  /** With `?pgbouncer=true` no named prepared statements are used, which a pooler in transaction mode may require. */
  url: string
  poolSize?: number
  /** Cancels a statement that runs longer. By default there is no limit. */
  statementTimeoutMs?: number
  observe?: Observe
}

const CONNECT_TIMEOUT_MS = 10_000
const RETRIES = 5
const OLDEST_SERVER = 15

/** Connects to a Postgres server. Fails at once if the server cannot be reached. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const database = new Postgres(options)
  try {
    await database.checkServer()
  } catch (e) {
    await database.close()
    throw e
  }
  return database
}

/**
 * The names of prepared statements. Under row-level security, planning costs more than running, so each connection
 * prepares a statement once and plans it only a few times. All texts are constants, so there are few; the limit only
 * guards against mistakes.
 */
class StatementNames {
  readonly #names = new Map<string, string>()

  of(sql: string): { name: string } | Record<string, never> {
    let name = this.#names.get(sql)
    if (name === undefined && this.#names.size < MOST_PREPARED) {
      name = `privity_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`
      this.#names.set(sql, name)
    }
    return name === undefined ? {} : { name }
  }
}
const MOST_PREPARED = 1_000

/**
 * A prepared statement is missing or exists unexpectedly, because a pooler in transaction mode gives each transaction
 * a different server connection. The failure ended the transaction before it changed anything.
 */
const isStatementMisplaced = (e: unknown) => hasSqlState(e) && MISPLACED.has(errorCode(e) ?? '')
const MISPLACED = new Set(['26000', '42P05'])

/** The transaction changed nothing and may succeed if it is run again. */
class Repeatable extends Error {}

type ScriptTransaction = Transaction & { script(sql: string): Promise<void> }

export const DEFAULT_POOL_SIZE = 10

class Postgres implements Database {
  readonly engine = 'postgres'
  readonly #pool: pg.Pool
  readonly #poolSize: number
  readonly #settings: Readonly<Record<string, string>>
  readonly #observe: Observe | undefined
  readonly #statementNames = new StatementNames()
  /** Whether a client connection keeps its server connection, so that prepared statements are found again. */
  #prepares: boolean
  #closing: Promise<void> | undefined

  constructor({ url, poolSize = DEFAULT_POOL_SIZE, statementTimeoutMs, observe }: PostgresOptions) {
    this.#pool = createPool(url, poolSize)
    this.#prepares = !/[?&]pgbouncer=true(?:&|$)/.test(url)
    this.#poolSize = poolSize
    this.#settings = statementTimeoutMs === undefined ? {} : { statement_timeout: String(statementTimeoutMs) }
    this.#observe = observe
  }

  async checkServer(): Promise<void> {
    const [server] = await this.transaction({ access: 'read', role: null, settings: {} }, tx =>
      tx.query<{ version: number }>(`select current_setting('server_version_num')::int / 10000 as version`),
    )
    const version = server?.version ?? 0
    if (version < OLDEST_SERVER) {
      throw new PrivityError(
        'setup_incomplete',
        `postgres ${OLDEST_SERVER} or newer is needed; this is ${version}`,
      )
    }
  }

  transaction<T>(options: TransactionOptions, fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#repeat(options, fn)
  }

  async statement<Row>(
    { access }: StatementOptions,
    sql: string,
    params: readonly Param[] = [],
  ): Promise<Row[]> {
    // A limit for statements is set for each transaction.
    if (this.#settings.statement_timeout !== undefined)
      return this.transaction(
        { access: access === 'read' ? 'read' : 'write', role: null, settings: {} },
        tx => tx.query<Row>(sql, params),
      )
    const values = params.map(encodeParam)
    return this.#persist(async () => {
      const client = await this.#connect()
      let broken = false
      try {
        this.#observe?.(sql)
        return (await client.query(this.#prepared(sql, values))).rows as Row[]
      } catch (e) {
        broken = isLost(e)
        const error = withoutContent(e)
        if (isStatementMisplaced(e)) this.#prepares = false
        if (isConflict(e) || isStatementMisplaced(e)) throw new Repeatable('conflict', { cause: error })
        if (!broken) throw storageError(error)
        const outcome = access === 'read' ? 'nothing was changed' : UNKNOWN_OUTCOME
        const lost = connectionLost(outcome, error)
        // The pooled connection may have died while idle; what only reads can be sent again.
        throw access === 'read' ? new Repeatable('stale connection', { cause: lost }) : lost
      } finally {
        client.release(broken)
      }
    })
  }

  script(sql: string): Promise<void> {
    return this.#repeat({ access: 'write', role: null, settings: {} }, transaction => transaction.script(sql))
  }

  close(): Promise<void> {
    this.#closing ??= this.#pool.end()
    return this.#closing
  }

  async #repeat<T>(
    options: TransactionOptions,
    fn: (transaction: ScriptTransaction) => Promise<T>,
  ): Promise<T> {
    const whole = { ...options, settings: { ...this.#settings, ...options.settings } }
    return this.#persist(() => this.#attempt(whole, fn))
  }

  async #persist<T>(attempt: () => Promise<T>): Promise<T> {
    for (let failed = 0; ; failed++) {
      try {
        return await attempt()
      } catch (e) {
        if (!(e instanceof Repeatable)) throw e
        if (failed === RETRIES) throw storageError(e.cause)
        await sleep(Math.random() * 10 * 2 ** failed)
      }
    }
  }

  async #attempt<T>(
    options: TransactionOptions,
    fn: (transaction: ScriptTransaction) => Promise<T>,
  ): Promise<T> {
    const begin = beginStatement(options)
    const client = await this.#connect()
    let broken = false
    let conflict: unknown
    let ended = false

    const send = async <Row>(sql: string, params?: readonly (string | null)[]): Promise<pg.QueryResult> => {
      try {
        if (params === undefined) return await client.query(sql)
        return await client.query<Row & pg.QueryResultRow>(this.#prepared(sql, params))
      } catch (e) {
        if (isLost(e)) broken = true
        if (isConflict(e)) conflict = withoutContent(e)
        if (isStatementMisplaced(e)) {
          this.#prepares = false
          conflict = withoutContent(e)
        }
        throw withoutContent(e)
      }
    }

    const statement = async (sql: string, params?: readonly (string | null)[]): Promise<pg.QueryResult> => {
      if (ended) throw new PrivityError('internal', 'a statement was sent after its transaction ended')
      this.#observe?.(sql)
      try {
        return await send(sql, params)
      } catch (e) {
        throw broken ? connectionLost('nothing was changed', e) : storageError(e)
      }
    }

    const transaction: ScriptTransaction = {
      query: async <Row>(sql: string, params: readonly Param[] = []) =>
        (await statement(sql, params.map(encodeParam))).rows as Row[],
      script: async sql => void (await statement(sql)),
    }

    try {
      this.#observe?.(beginStatement(options, () => '?'))
      try {
        await send(begin)
      } catch (e) {
        // The pooled connection died while idle. Nothing was sent yet, so another connection can be used.
        if (broken)
          throw new Repeatable('stale connection', { cause: connectionLost('nothing was changed', e) })
        throw storageError(e)
      }
      const result = await fn(transaction)
      ended = true
      this.#observe?.('commit')
      await commit(send, options.access)
      return result
    } catch (e) {
      ended = true
      if (!broken) {
        this.#observe?.('rollback')
        await send('rollback').catch(() => {
          broken = true
        })
      }
      throw conflict === undefined || broken ? e : new Repeatable('conflict', { cause: conflict })
    } finally {
      client.release(broken)
    }
  }

  /** A statement for the extended protocol, which accepts only one, with or without parameters. */
  #prepared(sql: string, values: readonly (string | null)[]): pg.QueryConfig & { queryMode: 'extended' } {
    return {
      ...(this.#prepares ? this.#statementNames.of(sql) : {}),
      text: sql,
      values: [...values],
      queryMode: 'extended',
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#closing !== undefined) throw new PrivityError('closed', 'the store is closed')
    try {
      return await this.#pool.connect()
    } catch (e) {
      if (this.#closing !== undefined) throw new PrivityError('closed', 'the store is closed')
      const { totalCount, idleCount } = this.#pool
      if (!hasSqlState(e) && errorCode(e) === undefined && totalCount - idleCount >= this.#poolSize) {
        throw new PrivityError('busy', 'every database connection is in use; nothing was changed')
      }
      throw refusal(e)
    }
  }
}

function createPool(url: string, poolSize: number): pg.Pool {
  checkUrl(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: (oid: number) => parsers[oid] ?? ((text: string) => text) },
  })
  // Without listeners, losing an idle connection would end the process. The pool drops an idle connection by itself;
  // if the connection is in use, the next statement fails.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** Checks the URL now, because the pool would parse it only on the first connection. */
function checkUrl(url: string): void {
  try {
    if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('another scheme')
    new pg.Client({ connectionString: url })
  } catch {
    throw new PrivityError(
      'invalid_input',
      'the database URL must look like postgres://user:password@host:5432/name',
    )
  }
}

async function commit(
  send: (sql: string) => Promise<pg.QueryResult>,
  access: 'read' | 'write',
): Promise<void> {
  let tag: string
  try {
    tag = (await send('commit')).command
  } catch (e) {
    if (access === 'read') throw connectionLost('nothing was changed', e)
    if (isDefinite(e)) throw storageError(e)
    throw connectionLost(UNKNOWN_OUTCOME, e)
  }
  // Postgres answers this if an earlier statement failed and the caller ignored the failure.
  if (tag === 'ROLLBACK')
    throw new PrivityError('internal', 'a failed statement was ignored; nothing was changed')
}

/** Whether the server refused a commit (a deferred constraint, a conflict), so that it certainly did not happen. */
function isDefinite(e: unknown): boolean {
  return hasSqlState(e) && /^(22|23|40|42|44|P0)/.test(errorCode(e) ?? '')
}

/** An error of `pg` without a SQLSTATE comes from the connection. */
function isLost(e: unknown): boolean {
  return !hasSqlState(e) || isConnectionFailure(e)
}

const UNKNOWN_OUTCOME = 'the outcome of this request is unknown, repeat it with the same idempotency key'

function connectionLost(outcome: string, cause: unknown): PrivityError {
  return new PrivityError('unavailable', `the database connection was lost; ${outcome}`, { cause })
}

/** The reason why a connection failed. Messages of `pg` may name users and hosts, so none is repeated. */
function refusal(e: unknown): PrivityError {
  const code = errorCode(e)
  if (code?.startsWith('28'))
    return new PrivityError(
      'setup_incomplete',
      `the database refused the login (${code}); check user and password in the URL`,
    )
  if (code === '3D000')
    return new PrivityError('setup_incomplete', 'the database in the URL does not exist; create it first')
  const because = code === undefined ? '' : ` (${code})`
  return new PrivityError('unavailable', `the database cannot be reached${because}; nothing was changed`, {
    cause: withoutContent(e),
  })
}
