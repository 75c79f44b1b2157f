import type { Generations } from './facts.js'
import { RunAgain } from './run-again.js'

/** What a chat model is told. */
export interface ChatMessage {
  readonly role: 'system' | 'user'
  readonly content: string
}

/** A model that answers what it is told with a text. */
export interface ChatModel {
  readonly name: string
  /** Whether text stays on this machine: sealed and firewalled text goes to no other (OV-4). */
  readonly local: boolean
  /** Fails with a `ModelError` where it can say why. */
  complete(messages: readonly ChatMessage[], signal: AbortSignal): Promise<string>
}

/** What a model is asked, and the records whose texts are in it. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  readonly records: readonly string[]
}

const keyOf = ({ messages, records }: ChatRequest) => JSON.stringify([messages, records])

/** Notes what is about to leave, unless what it was decided by has moved. */
export type LeavingRecorder = (ids: readonly string[], restsOn: Generations) => Promise<'written' | 'moved'>

const TIMEOUT_MS = 20_000

/** The calls to a model that are under way. */
export class ChatCalls {
  readonly model: ChatModel
  readonly #calls = new Set<AbortController>()

  constructor(model: ChatModel) {
    this.model = model
  }

  /** What it answers; null where it does not in time, or fails: whoever asks can do without. */
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

  /** Waits for no answer any more. */
  close(): void {
    for (const call of this.#calls) call.abort()
  }
}

/**
 * What a model answered to one request. The transaction that needs an answer ends, the model is asked, and everything
 * is decided again from the beginning: only if the same is asked then is the answer used.
 */
export class Completions {
  readonly #calls: ChatCalls | null
  readonly #noteLeaving: LeavingRecorder
  readonly #answers = new Map<string, string | null>()

  constructor(calls: ChatCalls | null, noteLeaving: LeavingRecorder) {
    this.#calls = calls
    this.#noteLeaving = noteLeaving
  }

  /** The model that would be asked; null where there is none. */
  get model(): ChatModel | null {
    return this.#calls?.model ?? null
  }

  /** What it answers to each, asked all at once; null where there is no answer to be had. */
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
