import { createHash } from 'node:crypto'
import { quantise } from '../search/vectors.js'
import { Backoff } from './backoff.js'
import { cutIntoBatches, cutToLimit } from './cut-to-limit.js'
import {
  checkVectors,
  EmbeddingError,
  type EmbeddingErrorKind,
  type EmbeddingProvider,
  embeddingError,
  type Purpose,
} from './provider.js'

/** The vector of a question, or null if there is nothing to embed; otherwise why the search goes without one. */
export type QueryAnswer =
  | { readonly ok: true; readonly vector: Int16Array | null }
  | { readonly ok: false; readonly failure: 'timeout' | 'unavailable' }

export interface CallSettings {
  readonly queryMs?: number
  /** The deadline until a local model has answered once. */
  readonly loadingMs?: number
  readonly documentsMs?: number
  /** The longest back-off for documents, unless their sender waits longer anyway. */
  readonly documentsWaitMs?: number
  /** The dimension of vectors that are already stored. */
  readonly dimension?: number | undefined
  readonly now?: () => number
  readonly random?: () => number
}

const QUERY_MS = 2_000
/** A local model is loaded by its first question, which takes longer than any later one. */
const LOADING_MS = 20_000
const DOCUMENTS_MS = 300_000
const BATCH_CHARACTERS = 100_000
const REMEMBERED_QUERIES = 500
const PROBE = 'a quiet afternoon'

interface Lane {
  readonly purpose: Purpose
  readonly deadlineMs: number
  readonly backoff: Backoff
  probe: Promise<boolean> | null
}

/**
 * Calls a provider for the runtime, with deadlines, batches, back-off, and a check of every answer.
 *
 * Questions and documents back off separately, so that a backlog which a caller may not see never affects the caller's
 * search. Nor does a hidden text: after a failure, a fixed text is used to find out whether the provider is down.
 * (NI-8, NI-9)
 */
export class ProviderCalls {
  readonly provider: EmbeddingProvider
  readonly #queries: Lane
  readonly #documents: Lane
  readonly now: () => number
  readonly #running = new Set<AbortController>()
  readonly #remembered = new Map<string, Int16Array | null>()
  readonly #loadingMs: number
  /** Whether the model has answered, and so is loaded. */
  #isLoaded = false
  #dimension: number | undefined
  #lastError: EmbeddingErrorKind | null = null
  #stopped = false

  constructor(provider: EmbeddingProvider, settings: CallSettings = {}) {
    this.provider = provider
    this.now = settings.now ?? Date.now
    this.#dimension = settings.dimension
    const lane = (purpose: Purpose, deadlineMs: number, mostMs?: number): Lane => ({
      purpose,
      deadlineMs,
      backoff: new Backoff(this.now, settings.random ?? Math.random, mostMs),
      probe: null,
    })
    this.#queries = lane('query', settings.queryMs ?? QUERY_MS)
    this.#loadingMs = provider.local ? (settings.loadingMs ?? settings.queryMs ?? LOADING_MS) : 0
    this.#documents = lane('document', settings.documentsMs ?? DOCUMENTS_MS, settings.documentsWaitMs)
  }

  /** The time, by `now`, from which documents may be embedded again; 0 if at once. */
  get retryAt(): number {
    return this.#documents.backoff.retryAt
  }

  /** Whether the back-off for questions or documents is active. */
  get isResting(): boolean {
    return this.#mustWait(this.#queries) || this.#mustWait(this.#documents)
  }

  /** The kind of error of the latest call; null if it succeeded. */
  get lastError(): EmbeddingErrorKind | null {
    return this.#lastError
  }

  /** The dimension of the vectors, once it is known. */
  get dimension(): number | undefined {
    return this.#dimension
  }

  /**
   * Embeds a question. Never throws and never takes longer than its deadline, but for the first one of a local model.
   *
   * @param asker The caller who asks. Vectors are cached for each caller separately: otherwise another caller could
   * tell from the response time, or from an answer while the provider is down, that the question was asked before.
   */
  async query(text: string, asker: string): Promise<QueryAnswer> {
    const lane = this.#queries
    const used = cutToLimit(text, this.provider.maxCharacters)
    if (isBlank(used)) return { ok: true, vector: null }
    if (this.#mustWait(lane)) return { ok: false, failure: 'unavailable' }
    const key = createHash('sha256')
      .update(JSON.stringify([asker, used]))
      .digest('base64')
    const remembered = this.#remembered.get(key)
    if (remembered !== undefined) {
      this.#remember(key, remembered)
      return { ok: true, vector: remembered }
    }
    try {
      const [vector = null] = await this.#embed(lane, [used])
      this.#remember(key, vector)
      return { ok: true, vector }
    } catch (thrown) {
      const { kind } = embeddingError(thrown)
      void this.#isDown(lane, embeddingError(thrown))
      return { ok: false, failure: kind === 'timeout' ? 'timeout' : 'unavailable' }
    }
  }

  /**
   * Embeds texts and returns their vectors in order; null where there is nothing to embed. Fails with an
   * `EmbeddingError`: `rejected` if the provider works but one of the texts fails, otherwise `retryAt` is set.
   */
  async documents(texts: readonly string[]): Promise<(Int16Array | null)[]> {
    const vectors: (Int16Array | null)[] = texts.map(() => null)
    const asked = texts
      .map((text, at) => ({ at, text: cutToLimit(text, this.provider.maxCharacters) }))
      .filter(({ text }) => !isBlank(text))
    for (const batch of cutIntoBatches(asked, this.provider.batchSize, BATCH_CHARACTERS)) {
      const made = await this.#embedBatch(batch.map(({ text }) => text))
      for (const [index, { at }] of batch.entries()) vectors[at] = made[index] ?? null
    }
    return vectors
  }

  /** The first of these texts, as many as fit into one call. */
  firstBatch<Item extends { readonly text: string }>(items: readonly Item[]): Item[] {
    const { maxCharacters, batchSize } = this.provider
    const used = items.map(item => ({ item, text: cutToLimit(item.text, maxCharacters) }))
    const [first = []] = cutIntoBatches(used, batchSize, BATCH_CHARACTERS)
    return first.map(({ item }) => item)
  }

  /** Words with a similar meaning, best first; empty if the model knows no words or does not answer in time. */
  async neighbours(word: string, most: number): Promise<readonly string[]> {
    if (!this.provider.neighbours || this.#mustWait(this.#queries)) return []
    let timer: NodeJS.Timeout | undefined
    try {
      const words = await Promise.race([
        this.provider.neighbours(word, most),
        new Promise<readonly string[]>(resolve => {
          timer = setTimeout(() => resolve([]), this.#queries.deadlineMs)
        }),
      ])
      return Array.isArray(words) ? words.filter(near => typeof near === 'string') : []
    } catch {
      return []
    } finally {
      clearTimeout(timer)
    }
  }

  /** Aborts running calls and refuses new ones. */
  stop(): void {
    this.#stopped = true
    for (const call of this.#running) call.abort(new EmbeddingError('unavailable', 'stopped'))
    this.#remembered.clear()
  }

  async close(): Promise<void> {
    this.stop()
    await this.provider.close?.()
  }

  async #embedBatch(texts: readonly string[]): Promise<(Int16Array | null)[]> {
    const lane = this.#documents
    if (this.#mustWait(lane)) throw new EmbeddingError('unavailable', 'the embedding provider is left alone')
    try {
      return await this.#embed(lane, texts)
    } catch (thrown) {
      const error = embeddingError(thrown)
      if (await this.#isDown(lane, error)) throw error
      throw new EmbeddingError('rejected', 'the embedding provider does not take these texts')
    }
  }

  #mustWait(lane: Lane): boolean {
    return this.#stopped || lane.backoff.retryAt > this.now()
  }

  /** After a failure, finds out whether the provider rather than the text is at fault. If so, the back-off begins. */
  async #isDown(lane: Lane, error: EmbeddingError): Promise<boolean> {
    if (this.#stopped) return true
    if (error.kind === 'rate_limited' || error.retryAfterMs !== undefined) {
      lane.backoff.failed(error.retryAfterMs)
      return true
    }
    lane.probe ??= this.#embed(lane, [PROBE])
      .then(() => false)
      .catch(thrown => {
        lane.backoff.failed(embeddingError(thrown).retryAfterMs)
        return true
      })
      .finally(() => {
        lane.probe = null
      })
    return lane.probe
  }

  async #embed(lane: Lane, texts: readonly string[]): Promise<(Int16Array | null)[]> {
    const call = new AbortController()
    this.#running.add(call)
    const isLoading = !this.#isLoaded && lane === this.#queries
    const deadlineMs = isLoading ? Math.max(lane.deadlineMs, this.#loadingMs) : lane.deadlineMs
    const late = () => call.abort(new EmbeddingError('timeout', `no answer within ${deadlineMs} ms`))
    const timer = setTimeout(late, deadlineMs)
    try {
      const answer = await Promise.race([
        this.provider.embed(texts, lane.purpose, call.signal),
        new Promise<never>((_, reject) => {
          call.signal.addEventListener('abort', () => reject(call.signal.reason))
        }),
      ])
      const vectors = checkVectors(answer, texts.length, this.#dimension)
      this.#dimension ??= vectors.find(vector => vector !== null)?.length
      this.#isLoaded = true
      lane.backoff.succeeded()
      this.#lastError = null
      return vectors.map(vector => vector && quantise(vector))
    } catch (thrown) {
      // A provider that is aborted may fail first with an error of its own.
      const error = embeddingError(call.signal.aborted ? call.signal.reason : thrown)
      this.#lastError = error.kind
      throw error
    } finally {
      clearTimeout(timer)
      this.#running.delete(call)
    }
  }

  #remember(key: string, vector: Int16Array | null): void {
    this.#remembered.delete(key)
    this.#remembered.set(key, vector)
    if (this.#remembered.size <= REMEMBERED_QUERIES) return
    for (const oldest of this.#remembered.keys()) {
      this.#remembered.delete(oldest)
      return
    }
  }
}

const isBlank = (text: string) => !/\S/u.test(text)
