import { PrivityError } from '../../errors.js'
import { assemble, type OpenOptions, openStore, type Privity } from '../../open.js'
import type { Clock } from '../../runtime/clock.js'
import type { Database, Observe } from '../../storage/database.js'
import { isKeptByGeneration } from '../../storage/queries/kept-by-generation.js'
import type { TestClock } from '../clock.js'
import type { Answer } from './probes.js'
import type { Request } from './requests.js'
import type { Step, Who } from './world.js'

/** What is under test: a Privity, and the store behind it to look at what is really there. */
export interface ConnectedStore {
  readonly privity: TestedPrivity
  /** One more over the same store, for the other history: where providers may fail, each remembers failures of its own. */
  readonly twin?: TestedPrivity
  readonly db: Database
}
export interface TestedPrivity extends Pick<Privity, 'invoke' | 'close' | 'caughtUp'> {
  /** For whoever comes by a link: what its key stands for. */
  authenticate?: Privity['authenticate']
  /** For a door: what comes back through it, whole. Without it, what operations answer is compared. */
  answer?(...asked: Parameters<Privity['invoke']>): Promise<Answer>
}
export type Connect = (clock: Clock, observe: Observe) => Promise<ConnectedStore>

/** A set-up under test from the options of `open`. */
export function connectTo(options: OpenOptions): Connect {
  return async (clock, observe) => {
    const db = await openStore({ ...options, observe })
    const twin = options.embedding?.length ? { twin: await assemble(withoutClosing(db), clock, options) } : {}
    return { db, privity: await assemble(db, clock, options), ...twin }
  }
}

/** The same store; closing whoever has it leaves it open. */
export const withoutClosing = (db: Database): Database => ({
  engine: db.engine,
  transaction: (options, fn) => db.transaction(options, fn),
  script: text => db.script(text),
  close: async () => {},
})

/** One of two histories: a tenant of its own, under the same clock, with the same ids. */
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

  /** Time passes, and what goes on behind requests goes on. */
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
    return { ...answer, statements: this.#trace.filter(sql => !isKeptByGeneration(sql)) }
  }

  /** A key names its tenant, and the two histories are tenants of their own. */
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
      // Anything else is a bug, and doors make it opaque: to a caller it is one more answer.
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

/** By name: the class may come from another copy of the code. */
const isPrivityError = (error: unknown): error is PrivityError =>
  error instanceof PrivityError || (error instanceof Error && error.name === 'PrivityError')

/** Every actor exists in both histories, under the same pseudonyms. */
export async function introduce(history: History, everybody: readonly Who[]): Promise<void> {
  const everyone = new Map(everybody.map(who => [JSON.stringify([who.actor, who.for]), who]))
  for (const [key, who] of [...everyone].sort(([a], [b]) => (a < b ? -1 : 1)))
    await history.ask(`introduce ${key}`, 0, who, {
      operation: 'capabilities.check',
      input: { capability: 'memory.get' },
    })
}
