import type { ModelThread } from './model-thread.js'
import { EmbeddingError, type EmbeddingProvider } from './provider.js'

/** What of a provider is known without its model. */
export type ProviderFacts = Omit<EmbeddingProvider, 'embed' | 'neighbours' | 'close'>

/**
 * A provider whose model runs in a thread of its own, so that embedding never blocks this one.
 *
 * @param atOnce How many documents may go before a question that comes meanwhile: one, if the model is slow.
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
