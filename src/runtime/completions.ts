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
  /** The same, piece by piece, for models that can. */
  stream?(messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<string>
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

/** Called with each piece of an answer while a model writes it. */
export type TextListener = (piece: string) => void

/** The calls to a chat model that are in progress. */
export class ChatCalls {
  readonly model: ChatModel
  readonly #timeoutMs: number
  readonly #calls = new Set<AbortController>()

  constructor(model: ChatModel, timeoutMs = TIMEOUT_MS) {
    this.model = model
    this.#timeoutMs = timeoutMs
  }

  /** Returns the answer, or null if it fails or takes too long: callers can do without one. */
  async complete(messages: readonly ChatMessage[], onText?: TextListener): Promise<string | null> {
    const call = new AbortController()
    const timer = setTimeout(() => call.abort(), this.#timeoutMs)
    this.#calls.add(call)
    try {
      const aborted = new Promise<null>(resolve => call.signal.addEventListener('abort', () => resolve(null)))
      const answer = await Promise.race([this.#ask(messages, call.signal, onText), aborted])
      return typeof answer === 'string' ? answer : null
    } catch {
      return null
    } finally {
      clearTimeout(timer)
      this.#calls.delete(call)
    }
  }

  async #ask(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    onText: TextListener | undefined,
  ): Promise<string> {
    if (onText === undefined || this.model.stream === undefined) return this.model.complete(messages, signal)
    let answer = ''
    for await (const piece of this.model.stream(messages, signal)) {
      if (signal.aborted) break
      answer += piece
      onText(piece)
    }
    return answer
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

  /**
   * Returns the answer to each request, all called in parallel; null where there is none. `onText` hears an answer while it
   * is written: by then its records are noted as sent, and what they rest on has not moved.
   */
  of(asked: readonly ChatRequest[], restsOn: Generations, onText?: TextListener): (string | null)[] {
    const calls = this.#calls
    if (calls === null) return asked.map(() => null)
    const missing = asked.filter(asking => !this.#answers.has(keyOf(asking)))
    if (missing.length === 0) return asked.map(asking => this.#answers.get(keyOf(asking)) ?? null)
    throw new RunAgain(async () => {
      const records = [...new Set(missing.flatMap(asking => asking.records))].sort()
      if ((await this.#noteLeaving(records, restsOn)) !== 'written') return
      await Promise.all(
        missing.map(async asking => {
          this.#answers.set(keyOf(asking), await calls.complete(asking.messages, onText))
        }),
      )
    })
  }
}
