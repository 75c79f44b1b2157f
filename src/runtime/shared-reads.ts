import type { Database } from '../storage/database.js'
import { type Answered, type Reading, readTogether } from '../storage/queries/read.js'

/** How many questions one statement answers, so that nobody waits long behind it. */
const MOST_TOGETHER = 64

/** How many statements are under way for a tenant. The embedded store has one connection; a server has cores. */
const UNDER_WAY = { pglite: 1, postgres: 2 } as const

interface Waiting {
  readonly reading: Reading
  resolve(answer: Answered): void
  reject(error: unknown): void
}

interface TenantLine {
  waiting: Waiting[]
  underWay: number
  isCalled: boolean
}

/**
 * Reads of requests that wait at the same time share a statement. Each still sees what its own caller sees, because
 * the statement reads for one caller after another, each under the settings of that caller. A statement begins after
 * everything that it answers was asked, so nothing in it is older than its request (NI-7).
 */
export class SharedReads {
  readonly #db: Database
  readonly #tenants = new Map<string, TenantLine>()

  constructor(db: Database) {
    this.#db = db
  }

  read(reading: Reading): Promise<Answered> {
    const { tenant } = reading.question
    const line = this.#tenants.get(tenant) ?? { waiting: [], underWay: 0, isCalled: false }
    this.#tenants.set(tenant, line)
    return new Promise((resolve, reject) => {
      line.waiting.push({ reading, resolve, reject })
      this.#callFor(tenant, line)
    })
  }

  /** Sends what waits, with everything that is asked in this turn of the event loop. */
  #callFor(tenant: string, line: TenantLine): void {
    if (line.isCalled) return
    line.isCalled = true
    setImmediate(() => {
      line.isCalled = false
      while (line.waiting.length > 0 && line.underWay < UNDER_WAY[this.#db.engine])
        void this.#send(tenant, line, line.waiting.splice(0, MOST_TOGETHER))
      if (line.waiting.length === 0 && line.underWay === 0) this.#tenants.delete(tenant)
    })
  }

  async #send(tenant: string, line: TenantLine, batch: readonly Waiting[]): Promise<void> {
    line.underWay++
    try {
      const answers = await this.#ask(tenant, batch)
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answered)
    } catch (error) {
      // Nobody fails because of what somebody else asked.
      if (batch.length === 1) batch[0]?.reject(error)
      else
        for (const one of batch)
          this.#ask(tenant, [one]).then(([answer]) => one.resolve(answer as Answered), one.reject)
    } finally {
      line.underWay--
      this.#callFor(tenant, line)
    }
  }

  #ask(tenant: string, batch: readonly Waiting[]): Promise<Answered[]> {
    return readTogether(
      (sql, params) => this.#db.statement({ access: 'read', tenant }, sql, params),
      batch.map(({ reading }) => reading),
    )
  }
}
