import { z } from 'zod'
import { PrivityError } from '../errors.js'
import type { LeavingRecorder } from './completions.js'
import type { Generations } from './facts.js'
import { name, text } from './input.js'
import { ModelCalls, ModelError } from './model-calls.js'
import { RunAgain } from './run-again.js'

/** A model that summarises several texts in one. */
export interface ConsolidationModel {
  /** The name in the provenance of what the model wrote. */
  readonly name: string
  /** Whether text stays on this machine. Sealed and firewalled text is sent to no other machine (OV-4). */
  readonly local: boolean
  /** Throws a `ModelError` if it can say what went wrong. */
  summarise(texts: readonly string[], signal: AbortSignal): Promise<string>
}

export interface ConsolidationOptions {
  readonly model: ConsolidationModel
  /** How many characters the model is given at once, over all texts. */
  readonly maxCharacters?: number
  readonly timeoutMs?: number
}

export const consolidationOptions = z.strictObject({
  model: z.object({
    name,
    local: z.boolean(),
    summarise: z.custom<ConsolidationModel['summarise']>(value => typeof value === 'function', {
      message: 'must be a function',
    }),
  }),
  maxCharacters: z.int().min(1).max(10_000_000).optional(),
  timeoutMs: z.int().min(1).max(3_600_000).optional(),
})

const MAX_CHARACTERS = 50_000
const TIMEOUT_MS = 120_000
const summary = text(65_536).refine(value => value.length > 0)

/** The configured model, and the checks on what is sent to it and returned by it. */
export class Consolidation {
  readonly model: ConsolidationModel
  readonly maxCharacters: number
  readonly #calls: ModelCalls

  constructor({ model, maxCharacters = MAX_CHARACTERS, timeoutMs = TIMEOUT_MS }: ConsolidationOptions) {
    this.model = model
    this.maxCharacters = maxCharacters
    this.#calls = new ModelCalls(timeoutMs)
  }

  /** Summarises several texts in one. Every failure is reported as the same error. */
  async summarise(texts: readonly string[]): Promise<string> {
    try {
      const answer = await this.#calls.run(signal => this.model.summarise(texts, signal))
      const checked = summary.safeParse(typeof answer === 'string' ? answer.trim() : answer)
      if (!checked.success) throw new ModelError('the model answered with nothing that can be kept')
      return checked.data
    } catch (thrown) {
      const message = thrown instanceof ModelError ? thrown.message : 'the model failed'
      throw new PrivityError('unavailable', message, { reason: 'cu.consolidation_model_failed' })
    }
  }

  close(): void {
    this.#calls.close()
  }
}

/** A text that is sent to a model, and the id of its record. */
export interface SourceText {
  readonly id: string
  readonly text: string
}

/**
 * The summaries of one request. Its transaction decides which sources to use and ends. Once the model has answered,
 * the request runs again from the beginning, with new locks and decisions. The answer is used only for the same
 * sources.
 */
export class Summaries {
  readonly #consolidation: Consolidation | null
  readonly #noteLeaving: LeavingRecorder
  readonly #made = new Map<string, string>()

  constructor(consolidation: Consolidation | null, noteLeaving: LeavingRecorder) {
    this.#consolidation = consolidation
    this.#noteLeaving = noteLeaving
  }

  /** Returns the configured model, or throws if there is none. */
  require(): Consolidation {
    if (this.#consolidation !== null) return this.#consolidation
    throw new PrivityError(
      'setup_incomplete',
      'no model is configured for consolidation; set PRIVITY_CHAT_URL and PRIVITY_CHAT_MODEL, or pass one to open',
      {
        reason: 'cu.consolidation_not_configured',
      },
    )
  }

  of(sources: readonly SourceText[], restsOn: Generations): string {
    const consolidation = this.require()
    const ids = sources.map(({ id }) => id)
    // A record's text is never changed in place, so its id stands for it.
    const key = JSON.stringify(ids)
    const made = this.#made.get(key)
    if (made !== undefined) return made
    throw new RunAgain(async () => {
      if ((await this.#noteLeaving(ids, restsOn)) !== 'written') return
      this.#made.set(key, await consolidation.summarise(sources.map(source => source.text)))
    })
  }
}
