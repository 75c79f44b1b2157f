import { EmbeddingError, type EmbeddingProvider } from '../embedding/provider.js'
import { tokenize } from '../search/tokenize.js'
import { idFrom } from './clock.js'

/** A provider whose vectors follow from the words of a text, and which can be told to fail. */
export interface TestEmbedding extends EmbeddingProvider {
  /** Every text it was given, in order. */
  readonly asked: readonly string[]
  /** From here on every call fails, or those for documents alone; false ends it. */
  fail(failing: boolean | 'documents'): void
}

export interface TestEmbeddingOptions {
  readonly model?: string
  readonly local?: boolean
  readonly dimension?: number
  readonly weight?: number
  readonly near?: number
  readonly batchSize?: number
  /** Words that mean the same get one vector: each is given the first of its list. */
  readonly same?: readonly (readonly string[])[]
}

/** Words get directions of their own, and a text the sum of those of its words. */
export function testEmbedding(options: TestEmbeddingOptions = {}): TestEmbedding {
  const { dimension = 24, same = [] } = options
  const first = new Map(same.flatMap(words => words.map(word => [word, words[0] ?? word])))
  const asked: string[] = []
  let failing: boolean | 'documents' = false
  const directionOf = (word: string) => {
    const hex = idFrom(first.get(word) ?? word).replaceAll('-', '')
    return Array.from({ length: dimension }, (_, at) => {
      const from = (at * 2) % 30
      return (Number.parseInt(hex.slice(from, from + 2), 16) ^ (at * 37)) % 256
    }).map(byte => byte / 128 - 1)
  }
  return {
    model: options.model ?? 'test/1',
    local: options.local ?? true,
    near: options.near ?? 0.6,
    batchSize: options.batchSize ?? 16,
    maxCharacters: 10_000,
    weight: () => options.weight ?? 0.3,
    asked,
    fail(now) {
      failing = now
    },
    async embed(texts, purpose) {
      asked.push(...texts)
      if (failing === true || (failing === 'documents' && purpose === 'document'))
        throw new EmbeddingError('unavailable', 'told to fail')
      return texts.map(text => {
        const sum = new Float32Array(dimension)
        for (const { term } of tokenize(text))
          for (const [at, value] of directionOf(term).entries()) sum[at] = (sum[at] as number) + value
        return sum.some(value => value !== 0) ? sum : null
      })
    },
    async neighbours(word, most) {
      const words = same.find(list => list.includes(word)) ?? []
      return words.filter(other => other !== word).slice(0, most)
    },
  }
}
