import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import type { ChatMessage, ChatModel, LeavingRecorder } from '../completions.js'
import type { Generations } from '../facts.js'
import { ModelCalls, ModelError } from '../model-calls.js'
import { RunAgain } from '../run-again.js'
import { FACTS_FORMAT } from './capture-prompt.js'

export interface CaptureOptions {
  /** The model that makes facts of conversations, beside the rules. */
  readonly model: ChatModel
  /**
   * Whether `memory.capture` hands turns to the model by itself, in the background. Default: yes. Without it, only
   * `memory.extract` asks the model.
   */
  readonly inBackground?: boolean | undefined
  /** How many characters of turns the model is given in one call. Default: 24,000. */
  readonly maxCharacters?: number | undefined
  /** How many calls a tenant may cause in 24 hours; what is beyond that waits. Default: 2,000. */
  readonly callsPerDay?: number | undefined
  readonly timeoutMs?: number | undefined
  /** The delays after failed attempts in the background, for tests. */
  readonly retriesMs?: readonly number[] | undefined
}

export const captureOptions = z.strictObject({
  model: z.custom<ChatModel>(
    value => typeof value === 'object' && value !== null && 'name' in value && 'complete' in value,
    { message: 'must be a chat model' },
  ),
  inBackground: z.boolean().optional(),
  maxCharacters: z.int().min(1_000).max(10_000_000).optional(),
  callsPerDay: z.int().min(0).max(10_000_000).optional(),
  timeoutMs: z.int().min(1).max(3_600_000).optional(),
  retriesMs: z.array(z.int().min(0)).max(20).optional(),
})

const MAX_CHARACTERS = 24_000
const CALLS_PER_DAY = 2_000
export const CAPTURE_TIMEOUT_MS = 120_000

/** The configured model, and the limits of what it is asked. */
export class CaptureModel {
  readonly model: ChatModel
  readonly inBackground: boolean
  readonly maxCharacters: number
  readonly callsPerDay: number
  readonly #calls: ModelCalls

  constructor({
    model,
    inBackground = true,
    maxCharacters = MAX_CHARACTERS,
    callsPerDay = CALLS_PER_DAY,
    timeoutMs = CAPTURE_TIMEOUT_MS,
  }: CaptureOptions) {
    this.model = model
    this.inBackground = inBackground
    this.maxCharacters = maxCharacters
    this.callsPerDay = callsPerDay
    this.#calls = new ModelCalls(timeoutMs)
  }

  async answer(messages: readonly ChatMessage[]): Promise<string> {
    try {
      const answer = await this.#calls.run(signal => this.model.complete(messages, signal, FACTS_FORMAT))
      if (typeof answer !== 'string') throw new ModelError('the model answered with no text')
      return answer
    } catch (thrown) {
      throw modelFailed(thrown)
    }
  }

  close(): void {
    this.#calls.close()
  }
}

/** Every failure of the model is the same error; its message says which, and holds no content. */
export function modelFailed(thrown: unknown): PrivityError {
  const message = thrown instanceof ModelError ? thrown.message : 'the model failed'
  return new PrivityError('unavailable', message, { reason: 'cu.capture_model_failed' })
}

/** The messages for one call, and the records whose texts they contain. */
export interface TurnsToSend {
  readonly messages: readonly ChatMessage[]
  readonly records: readonly string[]
}

/** Counts calls against the budget of the tenant; false if there is no room for them. */
export type Spend = (calls: number) => Promise<boolean>

/**
 * The model's answers within one request. The transaction that needs them ends, the model is called, and the request
 * runs again from the beginning. An answer is used only if the second run asks exactly the same.
 */
export class CaptureAnswers {
  readonly #model: CaptureModel | null
  readonly #noteLeaving: LeavingRecorder
  readonly #spend: Spend
  readonly #answers = new Map<string, string>()

  constructor(model: CaptureModel | null, noteLeaving: LeavingRecorder, spend: Spend) {
    this.#model = model
    this.#noteLeaving = noteLeaving
    this.#spend = spend
  }

  /** The configured model; null if there is none. */
  get model(): CaptureModel | null {
    return this.#model
  }

  /** Returns the configured model, or throws if there is none. */
  require(): CaptureModel {
    if (this.#model !== null) return this.#model
    throw new PrivityError(
      'setup_incomplete',
      'no model is configured for capture; set PRIVITY_CHAT_URL, PRIVITY_CHAT_MODEL and PRIVITY_CAPTURE_MODEL=on, or pass one to open',
      { reason: 'cu.capture_not_configured' },
    )
  }

  of(asked: readonly TurnsToSend[], restsOn: Generations): string[] {
    const model = this.require()
    const keyOf = ({ messages, records }: TurnsToSend) => JSON.stringify([messages, records])
    const missing = asked.filter(each => !this.#answers.has(keyOf(each)))
    if (missing.length === 0) return asked.map(each => this.#answers.get(keyOf(each)) ?? '')
    throw new RunAgain(async () => {
      if (!(await this.#spend(missing.length)))
        throw new PrivityError(
          'rate_limit_exceeded',
          `the model may be called ${model.callsPerDay} times in 24 hours, and that is used up`,
          { reason: 'cu.capture_budget_spent' },
        )
      const records = [...new Set(missing.flatMap(each => each.records))].sort()
      if ((await this.#noteLeaving(records, restsOn)) !== 'written') return
      // One after the other: a long conversation must not take all of what the server can do at once.
      for (const each of missing) this.#answers.set(keyOf(each), await model.answer(each.messages))
    })
  }
}
