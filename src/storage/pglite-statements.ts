import { type PGlite, parse, protocol } from '@electric-sql/pglite'

/**
 * The most prepared statements to keep. All statement texts are constants, so there are fewer; the limit guards
 * against mistakes.
 */
const MOST_KEPT = 200

/**
 * The number of bytes sent before plans are discarded. A plan suits the size of the tables when it was made: one for
 * a small table reads all of it. Autovacuum would replace such plans, but PGlite has none.
 */
const PLANS_LAST = 1024 * 1024

/** Statements that only read and write rows. Any other statement may alter the schema of prepared ones. */
const ROWS_ONLY = /^(\s|--.*\n)*(select|insert|update|delete|with)\b/i

/**
 * The prepared statements of a running PGlite: under row-level security, parsing and planning cost more than running.
 * `PGlite.query` cannot name a statement, so this class uses the wire protocol directly.
 */
export class PgliteStatements {
  readonly #pg: PGlite
  /** Statement names by role and text, the least recently used first. */
  readonly #names = new Map<string, string>()
  #named = 0
  #sentBytes = 0
  /** True from a statement that may alter the schema until the end of its transaction, which may be rolled back. */
  #altering = false

  constructor(pg: PGlite) {
    this.#pg = pg
  }

  /**
   * Runs one statement. `role` is the one with which the transaction began. Postgres makes a new plan whenever the
   * role differs from the last time, so each role has its own copy of a statement.
   */
  query<Row>(role: string | null, sql: string, values: readonly (string | null)[]): Promise<Row[]> {
    return this.#pg.runExclusive(async () => {
      if (!ROWS_ONLY.test(sql)) {
        this.#altering = true
        await this.#closeAll()
      }
      const key = this.#altering ? null : `${role} ${sql}`
      const statement = await this.#parsed(key, sql)
      try {
        const messages = await this.#send(
          serialize.bind({ statement, values: [...values] }),
          serialize.describe({ type: 'P' }),
          serialize.execute(),
        )
        return (parse.parseResults(messages, this.#pg.parsers)[0]?.rows ?? []) as Row[]
      } catch (e) {
        // The statement itself may be the cause: once the columns of its result have changed, Postgres always refuses
        // it.
        if (key !== null) await this.#close(key, statement)
        throw e
      }
    })
  }

  /** Call this before a script, which may alter anything. */
  forget(): Promise<void> {
    return this.#pg.runExclusive(() => this.#closeAll())
  }

  transactionEnded(): void {
    this.#altering = false
  }

  /** Discards plans that no longer suit the size of the tables. Call this between transactions. */
  async limitPlans(): Promise<void> {
    if (this.#sentBytes < PLANS_LAST) return
    this.#sentBytes = 0
    await this.#pg.exec('discard plans')
  }

  /**
   * Prepares a statement and returns its name. Without a key the name is empty, and the next such statement replaces
   * it.
   */
  async #parsed(key: string | null, sql: string): Promise<string> {
    if (key === null) {
      await this.#send(serialize.parse({ text: sql }))
      return ''
    }
    let name = this.#names.get(key)
    if (name === undefined) {
      const [oldest] = this.#names
      if (oldest !== undefined && this.#names.size >= MOST_KEPT) await this.#close(...oldest)
      name = `privity_${this.#named++}`
      await this.#send(serialize.parse({ name, text: sql }))
    }
    this.#names.delete(key)
    this.#names.set(key, name)
    return name
  }

  async #close(key: string, name: string): Promise<void> {
    this.#names.delete(key)
    await this.#send(serialize.close({ type: 'S', name }))
  }

  async #closeAll(): Promise<void> {
    for (const [key, name] of this.#names) await this.#close(key, name)
  }

  /** Sends messages with a sync at the end. After a failure Postgres skips the remaining messages up to the sync. */
  #send(...messages: readonly Uint8Array[]): ReturnType<PGlite['execProtocolStream']> {
    const whole = Buffer.concat([...messages, serialize.sync()])
    this.#sentBytes += whole.length
    return this.#pg.execProtocolStream(whole, { syncToFs: false })
  }
}

const { serialize } = protocol
