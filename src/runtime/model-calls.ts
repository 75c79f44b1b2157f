/** Why a model returned no result. The message contains no text, no key and nothing that a server said. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
}

/** The calls to a model that are in progress, each with a time limit. */
export class ModelCalls {
  readonly #timeoutMs: number
  readonly #calls = new Set<AbortController>()
  #closed = false

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** Returns what the model answers, or throws a `ModelError`, whatever the model throws. */
  async run<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const call = new AbortController()
    const timer = setTimeout(() => call.abort(), this.#timeoutMs)
    this.#calls.add(call)
    try {
      if (this.#closed) throw new ModelError('the model is not asked any more')
      // Not every model obeys its abort signal.
      return await Promise.race([ask(call.signal), whenAborted(call.signal)])
    } catch (thrown) {
      if (call.signal.aborted) throw new ModelError('the model did not answer in time')
      throw thrown instanceof ModelError ? thrown : new ModelError('the model failed')
    } finally {
      clearTimeout(timer)
      this.#calls.delete(call)
    }
  }

  /** Aborts all calls and makes no new ones. */
  close(): void {
    this.#closed = true
    for (const call of this.#calls) call.abort()
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
