/** The role of a text, for models that treat questions and documents differently. */
export type Purpose = 'query' | 'document'

/** A source of vectors. It is called only through `ProviderCalls`, which checks its answers. */
export interface EmbeddingProvider {
  /**
   * The name of the model and everything that shapes its vectors, such as `built_in/1`. Vectors with different names
   * are never compared, and a new name causes everything to be embedded again.
   */
  readonly model: string
  /** Whether text stays on this machine. Sealed and firewalled text is sent only to a local provider. (OV-4) */
  readonly local: boolean
  /**
   * The weight of semantic similarity against keywords in a search, 0 to 1, given the average number of words per
   * text.
   */
  weight(words: number): number
  /** The lowest cosine at which a text is found by semantic similarity alone. */
  readonly near: number
  /** The most texts in one call. */
  readonly batchSize: number
  /** The most characters of a text that are used. */
  readonly maxCharacters: number
  /** Returns one vector per text, in order; null where there is nothing to embed. Fails with an `EmbeddingError`. */
  embed(
    texts: readonly string[],
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<readonly (Float32Array | null)[]>
  /** Words with a similar meaning, best first, if the model knows words. (QX-1) */
  neighbours?(word: string, most: number): Promise<readonly string[]>
  /**
   * Releases threads and other resources. A later call starts them again, because two stores may share a provider.
   */
  close?(): Promise<void>
}

/**
 * - `unavailable`: the provider cannot be reached, fails, or is misconfigured
 * - `rate_limited`: the provider asked for fewer requests
 * - `rejected`: the provider refused these texts
 * - `invalid_answer`: the answer holds no vectors, or vectors of another dimension
 * - `timeout`: there was no answer in time
 */
export type EmbeddingErrorKind = 'unavailable' | 'rate_limited' | 'rejected' | 'invalid_answer' | 'timeout'

/**
 * The reason why there are no vectors. Neither the message nor the cause contains a text, a key or a server's
 * response: errors of fetch quote header values, and servers repeat what they were sent.
 */
export class EmbeddingError extends Error {
  readonly kind: EmbeddingErrorKind
  /** How long the provider asked to wait. */
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

/** Turns anything thrown into an EmbeddingError. Errors from elsewhere are not quoted. */
export function embeddingError(thrown: unknown): EmbeddingError {
  if (thrown instanceof EmbeddingError) return thrown
  return new EmbeddingError('unavailable', 'the embedding provider failed')
}

/** Returns the vectors if there is one per text and all are finite and of one dimension; otherwise throws. */
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
