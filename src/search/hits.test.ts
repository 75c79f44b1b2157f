import { expect, it } from 'vitest'
import { Hits } from './hits.js'

function hitsOf(...pairs: [document: number, frequency: number][]): Hits {
  const hits = new Hits()
  hits.reserve(pairs.length)
  for (const [document, frequency] of pairs) {
    hits.documents[hits.length] = document
    hits.frequencies[hits.length++] = frequency
  }
  return hits
}

const pairsOf = ({ documents, frequencies, length }: Hits) =>
  Array.from({ length }, (_, at) => [documents[at], frequencies[at]])

it('has room for what was asked, and keeps what was there', () => {
  const hits = hitsOf([3, 1], [5, 2])
  hits.reserve(5_000)
  expect(hits.documents.length).toBeGreaterThanOrEqual(5_002)
  expect(hits.frequencies.length).toBe(hits.documents.length)
  expect(pairsOf(hits)).toEqual([
    [3, 1],
    [5, 2],
  ])
  const { documents } = hits
  hits.reserve(1)
  expect(hits.documents).toBe(documents)
})

it('has room up to the last place and not one less', () => {
  const hits = new Hits()
  hits.length = 1_024
  hits.reserve(1)
  hits.documents[1_024] = 7
  expect(hits.documents[1_024]).toBe(7)
})

it('combines to one entry a document, frequencies summed, and leaves the scratch clean', () => {
  const scratch = new Uint32Array(10)
  const hits = hitsOf([2, 1], [9, 4], [0, 1], [2, 5], [9, 1], [2, 1])
  hits.combine(scratch)
  expect(pairsOf(hits)).toEqual([
    [2, 7],
    [9, 5],
    [0, 1],
  ])
  expect([...scratch]).toEqual(new Array(10).fill(0))
})

it('combines nothing to nothing', () => {
  const hits = new Hits()
  hits.combine(new Uint32Array(0))
  expect(hits.length).toBe(0)
})

it('is empty when cleared', () => {
  const hits = hitsOf([1, 1])
  hits.clear()
  expect(pairsOf(hits)).toEqual([])
})
