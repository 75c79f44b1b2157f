import { type PGlite, parse, protocol } from '@electric-sql/pglite'

/** How many statements are kept. Every text is a constant of ours, so there are fewer; it guards against a mistake. */
const MOST_KEPT = 200

/**
 * How many bytes may be sent before plans are made anew. A plan is made for the size that tables have, and the one for
 * a small table reads all of it. Elsewhere autovacuum sees to that, which PGlite does not have.
 */
const PLANS_LAST = 1024 * 1024

/** What reads and writes rows and no more. Any other statement may alter what kept ones were parsed against. */
const ROWS_ONLY = /^(\s|--.*\n)*(select|insert|update|delete|with)\b/i

/**
 * The statements that a running PGlite keeps parsed and planned: under row-level security both cost more than running
 * them. `PGlite.query` cannot name a statement, so this speaks the protocol beneath it.
 */
export class PgliteStatements {
  readonly #pg: PGlite
  /** Names by role and text, the one used longest ago first. */
  readonly #names = new Map<string, string>()
  #named = 0
  #sentBytes = 0
  /** True from a statement that may alter the schema to the end of its transaction, which may take that back. */
  #altering = false

  constructor(pg: PGlite) {
    this.#pg = pg
  }

  /**
   * Runs one statement. `role` is the one the transaction began with: Postgres plans anew whenever the role is another
   * than the last time, so texts that several use are kept once for each.
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
        // It may be the statement: Postgres refuses one for good whose result has other columns than when it was parsed.
        if (key !== null) await this.#close(key, statement)
        throw e
      }
    })
  }

  /** To be called before a script, which may alter anything. */
  forget(): Promise<void> {
    return this.#pg.runExclusive(() => this.#closeAll())
  }

  transactionEnded(): void {
    this.#altering = false
  }

  /** Lets go of plans that tables may have outgrown. To be called between transactions. */
  async limitPlans(): Promise<void> {
    if (this.#sentBytes < PLANS_LAST) return
    this.#sentBytes = 0
    await this.#pg.exec('discard plans')
  }

  /** The name under which Postgres has it; without a key it has none, and the next such statement takes its place. */
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

  /** After a failure Postgres skips what is left, up to the sync. */
  #send(...messages: readonly Uint8Array[]): ReturnType<PGlite['execProtocolStream']> {
    const whole = Buffer.concat([...messages, serialize.sync()])
    this.#sentBytes += whole.length
    return this.#pg.execProtocolStream(whole, { syncToFs: false })
  }
}

const { serialize } = protocol
