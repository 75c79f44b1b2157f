import { PrivityError } from '../../errors.js'
import { assemble, type OpenOptions, openStore, type Privity } from '../../open.js'
import type { Clock } from '../../runtime/clock.js'
import type { Database, Observe } from '../../storage/database.js'
import { isKeptByGeneration } from '../../storage/queries/kept-by-generation.js'
import { isUpkeep } from '../../storage/queries/upkeep.js'
import type { TestClock } from '../clock.js'
import type { Answer } from './probes.js'
import type { Request } from './requests.js'
import type { Step, Who } from './world.js'

/** The setup under test: a Privity, and the store behind it to inspect what really exists. */
export interface ConnectedStore {
  readonly privity: TestedPrivity
  /**
   * A second Privity on the same store for the other history: if providers may fail, each remembers its own failures.
   */
  readonly twin?: TestedPrivity
  readonly db: Database
}
export interface TestedPrivity extends Pick<Privity, 'invoke' | 'close' | 'caughtUp'> {
  /** For recipients of a link: what their key stands for. */
  authenticate?: Privity['authenticate']
  /** For a door such as HTTP: the complete response. Without this, the results of operations are compared. */
  answer?(...asked: Parameters<Privity['invoke']>): Promise<Answer>
}
export type Connect = (clock: Clock, observe: Observe) => Promise<ConnectedStore>

/** Creates a setup under test from the options of `open`. */
export function connectTo(options: OpenOptions): Connect {
  return async (clock, observe) => {
    const db = await openStore({ ...options, observe })
    const twin = options.embedding?.length ? { twin: await assemble(withoutClosing(db), clock, options) } : {}
    return { db, privity: await assemble(db, clock, options), ...twin }
  }
}

/** The same store, but closing it has no effect. */
export const withoutClosing = (db: Database): Database => ({
  engine: db.engine,
  transaction: (options, fn) => db.transaction(options, fn),
  statement: (options, sql, params) => db.statement(options, sql, params),
  script: text => db.script(text),
  close: async () => {},
})

/** One of two histories: a separate tenant with the same clock and the same ids. */
export class History {
  readonly tenant: string
  readonly #privity: TestedPrivity
  readonly #clock: TestClock
  readonly #trace: string[]
  readonly #weather: (at: number) => void

  constructor(
    tenant: string,
    privity: TestedPrivity,
    clock: TestClock,
    trace: string[],
    weather: (at: number) => void = () => {},
  ) {
    this.tenant = tenant
    this.#privity = privity
    this.#clock = clock
    this.#trace = trace
    this.#weather = weather
  }

  /** Lets time pass, and background work run. */
  async tick(at: number): Promise<void> {
    this.#clock.set(at)
    this.#weather(at)
    await this.#privity.caughtUp()
  }

  async ask(key: string, at: number, by: Who, request: Pick<Request, 'operation' | 'input' | 'options'>) {
    await this.tick(at)
    this.#clock.seed(key)
    this.#trace.length = 0
    const answer = this.#ofAnyTenant(await this.#answer(by, request))
    await this.#privity.caughtUp()
    return { ...answer, statements: this.#trace.filter(sql => !isKeptByGeneration(sql) && !isUpkeep(sql)) }
  }

  /** Removes the tenant from keys in an answer, because the two histories are different tenants. */
  #ofAnyTenant(answer: Answer): Answer {
    const named = Buffer.from(this.tenant).toString('base64url')
    return { ...answer, text: answer.text.replaceAll(named, 'tenant') }
  }

  async #answer(
    by: Who,
    { operation, input, options }: Pick<Request, 'operation' | 'input' | 'options'>,
  ): Promise<Answer> {
    const credential = { ...by, tenant: this.tenant }
    if (this.#privity.answer !== undefined) return this.#privity.answer(credential, operation, input, options)
    try {
      const value = await this.#privity.invoke(credential, operation, input, options)
      return { ok: true, value, text: JSON.stringify(value) }
    } catch (error) {
      // Doors report any other error without details. It is a bug, whatever the other history answers (reportDefects).
      const { code, message, reason } = isPrivityError(error)
        ? error
        : new PrivityError('internal', 'internal')
      const value = { code, message, reason }
      return { ok: false, value, text: JSON.stringify(value) }
    }
  }

  run(step: Step) {
    return this.ask(step.key, step.at, step.by, step)
  }
}

/** Checks the name, because the class may come from another copy of the code. */
export const isPrivityError = (error: unknown): error is PrivityError =>
  error instanceof PrivityError || (error instanceof Error && error.name === 'PrivityError')

/** Creates every actor in both histories, with the same pseudonyms. */
export async function introduce(history: History, everybody: readonly Who[]): Promise<void> {
  const everyone = new Map(everybody.map(who => [JSON.stringify([who.actor, who.for]), who]))
  for (const [key, who] of [...everyone].sort(([a], [b]) => (a < b ? -1 : 1)))
    await history.ask(`introduce ${key}`, 0, who, {
      operation: 'capabilities.check',
      input: { capability: 'memory.get' },
    })
}
