import { EmbeddingError, type EmbeddingProvider } from '../embedding/provider.js'
import { tokenize } from '../search/tokenize.js'
import { idFrom } from './clock.js'

/** A provider that derives vectors from the words of a text, and can be told to fail. */
export interface TestEmbedding extends EmbeddingProvider {
  /** Every text that it was given, in order. */
  readonly asked: readonly string[]
  /** Makes every call fail from now on, or only those for documents; false ends it. */
  fail(failing: boolean | 'documents'): void
}

export interface TestEmbeddingOptions {
  readonly model?: string
  readonly local?: boolean
  readonly dimension?: number
  readonly weight?: number
  readonly near?: number
  readonly batchSize?: number
  /** Groups of synonyms, which share a vector: each word is replaced by the first of its group. */
  readonly same?: readonly (readonly string[])[]
}

/** Each word has a direction of its own, and a text is the sum of its words. */
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
