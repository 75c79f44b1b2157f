import { describe, expect, it } from 'vitest'
import { aDocument, aSegment, seenInFull } from '../../test/support/search-documents.js'
import { type Blend, type BlendedMeaning, Blender } from './blend.js'
import { scoreOfRelevance } from './bm25.js'
import type { Matches } from './match.js'
import { similarityOf } from './similarity.js'
import { quantise, VectorStore } from './vectors.js'

const part = seenInFull(aSegment([aDocument(0, 'a'), aDocument(1, 'b'), aDocument(2, 'c')]))
const matches: Matches = {
  whole: 4,
  conversations: null,
  terms: [],
  merged: new Map(),
  parts: [],
  count: 0,
}

/** Three documents whose vectors point further and further away from the question. */
function meaning(model: string, weight: number): BlendedMeaning {
  const store = new VectorStore(2)
  const rows = Int32Array.from(
    [0, 0.5, 1].map(angle => store.add(quantise([Math.cos(angle), Math.sin(angle)]) as Int16Array)),
  )
  const question = quantise([1, 0]) as Int16Array
  return { model, weight, similarity: similarityOf([{ mask: part.mask, column: { store, rows } }], question) }
}

/** The relevance is what words and meanings add up to; the priors have their share of the score. */
function scoreIn(blend: Blend, document: number, text: number): number {
  const parts = new Blender(blend, matches).explain(0, document, text)
  const sumOf = (wanted: boolean) =>
    parts
      .filter(({ part }) => (part === 'recency') === wanted)
      .reduce((sum, { weight, normalised }) => sum + weight * normalised, 0)
  const ofPriors = blend.priors.reduce((sum, { weight }) => sum + weight, 0)
  return (1 - ofPriors) * scoreOfRelevance(sumOf(false)) + sumOf(true)
}
const weights = (blend: Blend) => new Blender(blend, matches).explain(0, 0, 4).map(({ weight }) => weight)

describe('[SC-4, SC-7] a score is made of a convex sum', () => {
  const recency = { name: 'recency', weight: 0.25, of: (_: number, document: number) => document / 2 }
  const blends: [string, Blend, number[]][] = [
    ['words alone', { words: true, meanings: [], priors: [], hint: null }, [1]],
    ['words and meaning', { words: true, meanings: [meaning('m', 0.3)], priors: [], hint: null }, [0.7, 0.3]],
    ['meaning alone', { words: false, meanings: [meaning('m', 0.3)], priors: [], hint: null }, [1]],
    [
      'meaning alone that weighs nothing',
      { words: false, meanings: [meaning('m', 0)], priors: [], hint: null },
      [1],
    ],
    [
      'two meanings alone',
      { words: false, meanings: [meaning('m', 0.3), meaning('n', 0.1)], priors: [], hint: null },
      [0.75, 0.25],
    ],
    [
      'meanings that ask for more than there is',
      { words: true, meanings: [meaning('m', 0.9), meaning('n', 0.9)], priors: [], hint: null },
      [0, 0.5, 0.5],
    ],
    [
      'a prior, which has its share of the whole',
      { words: true, meanings: [meaning('m', 0.4)], priors: [recency], hint: null },
      [0.6, 0.4, 0.25],
    ],
  ]

  it.each(blends)('of %s', (_, blend, expected) => {
    for (const [at, weight] of weights(blend).entries()) expect(weight).toBeCloseTo(expected[at] ?? -1, 12)
    expect(weights(blend)).toHaveLength(expected.length)
    for (const document of [0, 1, 2])
      for (const text of [0, 1, 4])
        expect(new Blender(blend, matches).exact(0, document, text)).toBeCloseTo(
          scoreIn(blend, document, text),
          12,
        )
  })

  it.each(blends)('that lies between its bounds: %s', (_, blend) => {
    const blender = new Blender(blend, matches)
    for (const document of [0, 1, 2]) {
      const exact = blender.exact(0, document, 2)
      expect(blender.lower(0, document, 2)).toBeLessThanOrEqual(exact + 1e-12)
      expect(blender.upper(0, document, 2)).toBeGreaterThanOrEqual(exact - 1e-12)
      expect(exact).toBeGreaterThanOrEqual(0)
      expect(exact).toBeLessThanOrEqual(1)
    }
  })
})
