import type { Generations } from './facts.js'
import { RunAgain } from './run-again.js'

/** A message to a chat model. */
export interface ChatMessage {
  readonly role: 'system' | 'user'
  readonly content: string
}

/** The form of an answer: JSON that follows a JSON schema. */
export interface AnswerFormat {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** A model that answers messages with a text. */
export interface ChatModel {
  readonly name: string
  /** Whether text stays on this machine. Sealed and firewalled text is sent to no other machine (OV-4). */
  readonly local: boolean
  /** Throws a `ModelError` if it can say what went wrong. */
  complete(messages: readonly ChatMessage[], signal: AbortSignal, format?: AnswerFormat): Promise<string>
}

/** The messages for a model, and the ids of the records whose texts they contain. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  readonly records: readonly string[]
}

const keyOf = ({ messages, records }: ChatRequest) => JSON.stringify([messages, records])

/** Records in the audit what is about to be sent to a model, unless the generations it was decided by have moved. */
export type LeavingRecorder = (ids: readonly string[], restsOn: Generations) => Promise<'written' | 'moved'>

const TIMEOUT_MS = 20_000

/** The calls to a chat model that are in progress. */
export class ChatCalls {
  readonly model: ChatModel
  readonly #calls = new Set<AbortController>()

  constructor(model: ChatModel) {
    this.model = model
  }

  /** Returns the answer, or null if it fails or takes too long: callers can do without one. */
  async complete(messages: readonly ChatMessage[]): Promise<string | null> {
    const call = new AbortController()
    const timer = setTimeout(() => call.abort(), TIMEOUT_MS)
    this.#calls.add(call)
    try {
      const aborted = new Promise<null>(resolve => call.signal.addEventListener('abort', () => resolve(null)))
      const answer = await Promise.race([this.model.complete(messages, call.signal), aborted])
      return typeof answer === 'string' ? answer : null
    } catch {
      return null
    } finally {
      clearTimeout(timer)
      this.#calls.delete(call)
    }
  }

  /** Aborts all calls. */
  close(): void {
    for (const call of this.#calls) call.abort()
  }
}

/**
 * The answers of a model within one request. The transaction that needs an answer ends, the model is called, and then
 * the request runs again from the beginning. The answer is used only if the second run asks exactly the same.
 */
export class Completions {
  readonly #calls: ChatCalls | null
  readonly #noteLeaving: LeavingRecorder
  readonly #answers = new Map<string, string | null>()

  constructor(calls: ChatCalls | null, noteLeaving: LeavingRecorder) {
    this.#calls = calls
    this.#noteLeaving = noteLeaving
  }

  /** The model that would be called; null if none is configured. */
  get model(): ChatModel | null {
    return this.#calls?.model ?? null
  }

  /** Returns the answer to each request, all called in parallel; null where there is none. */
  of(asked: readonly ChatRequest[], restsOn: Generations): (string | null)[] {
    const calls = this.#calls
    if (calls === null) return asked.map(() => null)
    const missing = asked.filter(asking => !this.#answers.has(keyOf(asking)))
    if (missing.length === 0) return asked.map(asking => this.#answers.get(keyOf(asking)) ?? null)
    throw new RunAgain(async () => {
      const records = [...new Set(missing.flatMap(asking => asking.records))].sort()
      if ((await this.#noteLeaving(records, restsOn)) !== 'written') return
      await Promise.all(
        missing.map(async asking => {
          this.#answers.set(keyOf(asking), await calls.complete(asking.messages))
        }),
      )
    })
  }
}
