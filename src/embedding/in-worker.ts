import type { ModelThread } from './model-thread.js'
import { EmbeddingError, type EmbeddingProvider } from './provider.js'

/** The properties of a provider that do not require its model. */
export type ProviderFacts = Omit<EmbeddingProvider, 'embed' | 'neighbours' | 'close'>

/**
 * A provider whose model runs in its own thread, so that embedding never blocks this one.
 *
 * @param atOnce The number of documents that are embedded before a waiting question gets its turn: 1 for a slow model.
 */
export function inWorker(facts: ProviderFacts, thread: ModelThread, atOnce: number): EmbeddingProvider {
  return {
    ...facts,
    async embed(texts, purpose, signal) {
      const vectors: (Float32Array | null)[] = []
      for (let at = 0; at < texts.length; at += atOnce) {
        const request = { kind: 'embed', texts: texts.slice(at, at + atOnce), purpose } as const
        const reply = await thread.run(request, purpose === 'query', signal)
        if (reply.kind !== 'vectors')
          throw new EmbeddingError('invalid_answer', 'the model answered no vectors')
        vectors.push(...reply.vectors)
      }
      return vectors
    },
    close: () => thread.close(),
  }
}
