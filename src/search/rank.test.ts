import { describe, expect, it } from 'vitest'
import { aDocument, aQuestion, aSegment, idOf, seenInFull } from '../../test/support/search-documents.js'
import { type Matches, match } from './match.js'
import { compareRank, rankMatches } from './rank.js'

const STEP = 2 ** -20

/** Ranks matches with these scores. The layer of a document is its compartment. */
function ranked(
  scores: readonly number[],
  { layers = [], most = 100, whole = 1 }: { layers?: number[]; most?: number; whole?: number } = {},
) {
  const segment = aSegment(scores.map((_, at) => aDocument(at, 'x', { compartment: layers[at] ?? 0 })))
  const part = seenInFull(segment)
  const matches: Matches = {
    terms: [],
    merged: new Map(),
    parts: [{ documents: part.mask.documents, scores: Float64Array.from(scores) }],
    count: scores.length,
    whole,
    conversations: null,
  }
  return rankMatches([part], matches, (_, compartment) => compartment, most)
}

const order = (...from: Parameters<typeof ranked>) => ranked(...from).map(({ document }) => document)

describe('an order', () => {
  it('has the highest score first', () => {
    expect(order([0.25, 0.75, 0.5])).toEqual([1, 2, 0])
  })

  it('[TR-5] breaks ties by layer, then by id', () => {
    expect(order([0.5, 0.5, 0.5, 0.75], { layers: [2, 1, 2, 5] })).toEqual([3, 1, 0, 2])
    expect(order([0.5, 0.5, 0.5])).toEqual([0, 1, 2])
  })

  it('[SC-5] knows no difference below a step', () => {
    expect(order([0.5, 0.5 + STEP / 4], { layers: [0, 1] })).toEqual([0, 1])
    expect(order([0.5, 0.5 + 4 * STEP], { layers: [0, 1] })).toEqual([1, 0])
    expect(ranked([0.5 + STEP / 4])[0]).toMatchObject({ score: 0.5, text: 0.5 })
  })

  it('[SC-7] has scores that do not depend on what else matches', () => {
    expect(ranked([3], { whole: 6 })[0]).toMatchObject({ score: 0.5, text: 3 })
    expect(ranked([3, 12, 0.1], { whole: 6 })[1]).toMatchObject({ score: 0.5, text: 3 })
  })
})

describe('a page', () => {
  const scores = Array.from({ length: 200 }, (_, at) => ((at * 37) % 11) / 11)
  const layers = Array.from({ length: 200 }, (_, at) => (at * 7) % 3)

  it.each([0, 1, 2, 3, 10, 50, 199, 200, 201])('[SC-4] of %d is the beginning of the whole', most => {
    expect(ranked(scores, { layers, most })).toEqual(ranked(scores, { layers, most: 1_000 }).slice(0, most))
  })

  it.each([1, 5, 20])('[TR-5] of %d takes what comes late and belongs before', most => {
    const worse = Array.from({ length: 60 }, (_, at) => at / 100)
    expect(order(worse, { most })).toEqual([...worse.keys()].reverse().slice(0, most))
    expect(order(worse.toReversed(), { most })).toEqual([...worse.keys()].slice(0, most))
    expect(order(new Array(60).fill(0.5), { layers: worse.map((_, at) => 60 - at), most })).toEqual(
      [...worse.keys()].reverse().slice(0, most),
    )
  })
})

describe('over parts', () => {
  const first = seenInFull(aSegment([aDocument(9, 'x'), aDocument(1, 'x y')]))
  const second = seenInFull(aSegment([aDocument(5, 'x'), aDocument(7, 'z')]))
  const parts = [first, second]

  it('[TR-5] is one order, and tells where each stands', () => {
    const found = rankMatches(parts, match(parts, aQuestion(['x'])), () => 0, 10)
    expect(found.map(({ id, part, document }) => [id, part, document])).toEqual([
      [idOf(5), 1, 0],
      [idOf(9), 0, 0],
      [idOf(1), 0, 1],
    ])
    const [first, second, third] = found.map(({ score }) => score)
    expect(first).toBe(second)
    expect(third).toBeLessThan(first as number)
  })

  it('asks for the layer of the part and the compartment', () => {
    const asked: [number, number][] = []
    rankMatches(
      parts,
      match(parts, aQuestion(['x'])),
      (part, compartment) => {
        asked.push([part, compartment])
        return 0
      },
      10,
    )
    expect(asked).toEqual([
      [0, 0],
      [0, 0],
      [1, 0],
    ])
  })
})

it('[TR-5] compares by score, layer and id', () => {
  const key = { score: 1, layer: 1, id: 'b' }
  expect(compareRank(key, { ...key })).toBe(0)
  expect(compareRank({ ...key, score: 2, layer: 9, id: 'z' }, key)).toBeLessThan(0)
  expect(compareRank({ ...key, layer: 0, id: 'z' }, key)).toBeLessThan(0)
  expect(compareRank({ ...key, id: 'a' }, key)).toBeLessThan(0)
  expect(compareRank(key, { ...key, id: 'a' })).toBeGreaterThan(0)
})
