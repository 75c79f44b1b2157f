/** What a text is to a model that treats questions and what they are asked of differently. */
export type Purpose = 'query' | 'document'

/** A source of vectors. Everything it is told comes through `ProviderCalls`, which checks what it answers. */
export interface EmbeddingProvider {
  /**
   * Names the model and all that shapes its vectors, e.g. `built_in/1`: vectors of different names are never
   * compared, and a new name has everything embedded anew.
   */
  readonly model: string
  /** Whether text stays on this machine: sealed and firewalled text goes to no other. (OV-4) */
  readonly local: boolean
  /** How much meaning weighs against words in a search, 0 to 1, by how many words the texts have on average. */
  weight(words: number): number
  /** Below this cosine a text is not found by its meaning alone. */
  readonly near: number
  /** Texts in one call, at most. */
  readonly batchSize: number
  /** Characters of a text that are used, at most. */
  readonly maxCharacters: number
  /** One vector a text, in order; null where there is nothing to embed. Fails with an `EmbeddingError`. */
  embed(
    texts: readonly string[],
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<readonly (Float32Array | null)[]>
  /** Words near in meaning, best first, where the model knows words. (QX-1) */
  neighbours?(word: string, most: number): Promise<readonly string[]>
  /** Lets go of threads and the like. A call after it starts them anew: two stores may share a provider. */
  close?(): Promise<void>
}

/**
 * - `unavailable`: not reached, broken, or set up wrongly
 * - `rate_limited`: asked for less
 * - `rejected`: refused these very texts
 * - `invalid_answer`: answered something that is no vectors, or vectors of another dimension
 * - `timeout`: no answer in time
 */
export type EmbeddingErrorKind = 'unavailable' | 'rate_limited' | 'rejected' | 'invalid_answer' | 'timeout'

/**
 * Why there are no vectors. Neither message nor cause holds a text, a key or what a server said: fetch names
 * header values in its errors, and servers repeat what they were sent.
 */
export class EmbeddingError extends Error {
  readonly kind: EmbeddingErrorKind
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(
    kind: EmbeddingErrorKind,
    message: string,
    options: { retryAfterMs?: number | undefined } = {},
  ) {
    super(message)
    this.name = 'EmbeddingError'
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Whatever was thrown, as the one error; what is not ours is not repeated. */
export function embeddingError(thrown: unknown): EmbeddingError {
  if (thrown instanceof EmbeddingError) return thrown
  return new EmbeddingError('unavailable', 'the embedding provider failed')
}

/** The vectors as they are, if they are one a text, finite and of one dimension. */
export function checkVectors(
  vectors: readonly (Float32Array | null)[],
  count: number,
  dimension: number | undefined,
): readonly (Float32Array | null)[] {
  if (!Array.isArray(vectors) || vectors.length !== count)
    throw new EmbeddingError('invalid_answer', 'not one vector for each text')
  let expected = dimension
  for (const vector of vectors) {
    if (vector === null) continue
    if (!(vector instanceof Float32Array) || vector.length === 0 || !vector.every(Number.isFinite))
      throw new EmbeddingError('invalid_answer', 'a vector is not a list of finite numbers')
    expected ??= vector.length
    if (vector.length !== expected)
      throw new EmbeddingError('invalid_answer', `a vector has ${vector.length} dimensions, not ${expected}`)
  }
  return vectors
}
