import { expect, it } from 'vitest'
import { aDocument, aSegment, idOf } from '../../../test/support/search-documents.js'
import { mergeAtOnce } from '../../search/merge.js'
import { encodeVector } from '../../search/vectors.js'
import { awaitsVector, columnFor, mergeVectors, NO_VECTORS, withVectors } from './part-vectors.js'

const row = (document: number, ...components: number[]) => ({
  id: idOf(document),
  model: 'm',
  vector: components.length === 0 ? new Uint8Array(0) : encodeVector(Int16Array.from(components)),
})
const segment = aSegment([aDocument(0, 'a'), aDocument(1, 'b'), aDocument(2, 'c')])

it('[NI-2] a vector of another size, whoever has it, changes nothing for others', () => {
  const alone = withVectors(segment, NO_VECTORS, [row(1, 1, 2, 3, 4)])
  const beside = withVectors(segment, NO_VECTORS, [row(0, 1, 2, 3), row(1, 1, 2, 3, 4)])
  for (const vectors of [alone, beside]) {
    expect(columnFor(vectors, 'm', 4)?.rows).toEqual(Int32Array.of(-1, 0, -1))
    expect([0, 1, 2].map(document => awaitsVector(vectors, 'm', 4, document))).toEqual([true, false, true])
  }
})

it('a text with nothing to embed waits for nothing', () => {
  const vectors = withVectors(segment, NO_VECTORS, [row(2)])
  expect([0, 1, 2].map(document => awaitsVector(vectors, 'm', 4, document))).toEqual([true, true, false])
  expect(awaitsVector(vectors, 'other', 4, 2)).toBe(true)
})

it('what was handed out before stays as it was', () => {
  const before = withVectors(segment, NO_VECTORS, [row(0, 5, 6)])
  const after = withVectors(segment, before, [row(1, 7, 8), row(0, 9, 9), row(2)])
  expect(columnFor(before, 'm', 2)?.rows).toEqual(Int32Array.of(0, -1, -1))
  expect(awaitsVector(before, 'm', 2, 2)).toBe(true)
  expect(columnFor(after, 'm', 2)?.rows).toEqual(Int32Array.of(0, 1, -1))
  expect(columnFor(after, 'm', 2)?.store.unmaskedVector(0)).toEqual(Int16Array.of(5, 6))
})

it('vectors go where their documents go, and with them', () => {
  const other = aSegment([aDocument(3, 'd'), aDocument(4, 'e')])
  const parts = [
    {
      segment,
      dead: Uint8Array.of(0, 1, 0),
      vectors: withVectors(segment, NO_VECTORS, [row(0, 1, 0), row(1, 2, 0), row(2)]),
    },
    {
      segment: other,
      dead: Uint8Array.of(0, 0),
      vectors: withVectors(other, NO_VECTORS, [row(4, 4, 0), row(3, 3, 0, 1)]),
    },
  ]
  const { segment: merged, moved } = mergeAtOnce(parts)
  const vectors = mergeVectors(parts, merged, moved)
  const at = (document: number) => merged.find(idOf(document))
  const vectorOf = (document: number, size: number) => {
    const column = columnFor(vectors, 'm', size)
    const found = column?.rows[at(document)] ?? -1
    return found < 0 ? null : [...(column?.store.unmaskedVector(found) ?? [])]
  }
  expect([vectorOf(0, 2), vectorOf(4, 2), vectorOf(3, 3)]).toEqual([
    [1, 0],
    [4, 0],
    [3, 0, 1],
  ])
  expect(columnFor(vectors, 'm', 2)?.store.size).toBe(2)
  expect(awaitsVector(vectors, 'm', 2, at(2))).toBe(false)
  expect(awaitsVector(vectors, 'm', 2, at(3))).toBe(true)
})
