import { describe, expect, it } from 'vitest'
import { FULL_LEVEL, HIDDEN_LEVEL, Mask, METADATA_LEVEL, PREVIEW_LEVEL } from './mask.js'
import { similarityOf, type VectorPart } from './similarity.js'
import { VectorStore } from './vectors.js'

/** A part in which each document has a surface and optionally a vector. */
function aPart(
  documents: readonly (readonly [surface: number, vector: readonly number[] | null])[],
): VectorPart {
  const store = new VectorStore(2)
  const surfaces = Uint8Array.from(documents, ([surface]) => surface)
  const none = new Uint32Array(documents.length)
  return {
    mask: Mask.of(surfaces, [none, none, none, none]),
    column: {
      store,
      rows: Int32Array.from(documents, ([, vector]) =>
        vector === null ? -1 : store.add(Int16Array.from(vector)),
      ),
    },
  }
}

const QUESTION = Int16Array.of(300, 400)

describe('similarity', () => {
  const parts = [
    aPart([
      [FULL_LEVEL, [300, 400]],
      [HIDDEN_LEVEL, [-300, -400]],
      [FULL_LEVEL, null],
      [FULL_LEVEL, [-400, 300]],
    ]),
    aPart([
      [METADATA_LEVEL, [-300, -400]],
      [FULL_LEVEL, [400, 300]],
      [PREVIEW_LEVEL, [-300, -400]],
    ]),
  ]
  const similarity = similarityOf(parts, QUESTION)

  it('[SC-4, NI-2] is the cosine of each visible document that has a vector, whatever the others have', () => {
    expect(similarity.count).toBe(3)
    expect(similarity.cosine(1, 1)).toBe(0.96)
    expect(similarity.exact(1, 1)).toBe(0.96)
    expect(similarity.exact(0, 0)).toBe(1)
    expect(similarity.exact(0, 3)).toBe(0)
  })

  it('[SC-4] of a record without a vector is exactly 0, and of one that is not seen in full as well', () => {
    const without = [
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 2],
    ] as const
    for (const [part, document] of without) {
      expect(similarity.cosine(part, document)).toBeNull()
      expect(similarity.exact(part, document)).toBe(0)
      expect(similarity.lower(part, document)).toBe(0)
      expect(similarity.upper(part, document)).toBe(0)
    }
  })

  it('[SC-3] finds the nearest, and all that are near enough', () => {
    expect(similarity.nearest(2)).toEqual([
      { part: 0, document: 0, cosine: 1 },
      { part: 1, document: 1, cosine: 0.96 },
    ])
    expect([...similarity.near(0, 0)]).toEqual([0, 3])
    expect([...similarity.near(0, 0.1)]).toEqual([0])
    expect([...similarity.near(1, 0.96)]).toEqual([1])
    expect([...similarity.near(1, 0.9600001)]).toEqual([])
  })

  it('of equals is in order of their places, or of what is asked for', () => {
    const equals = similarityOf(
      [
        aPart([
          [FULL_LEVEL, [3, 4]],
          [FULL_LEVEL, [3, 4]],
          [FULL_LEVEL, [3, 4]],
        ]),
      ],
      QUESTION,
    )
    expect(equals.nearest(2).map(({ document }) => document)).toEqual([0, 1])
    const last = equals.nearest(2, (a, b) => b.document - a.document)
    expect(last.map(({ document }) => document)).toEqual([2, 1])
  })

  it('[SC-4, SC-7] is the same for equals and for one that is alone, and nothing where there is none', () => {
    const equals = similarityOf(
      [
        aPart([
          [FULL_LEVEL, [3, 4]],
          [FULL_LEVEL, [3, 4]],
        ]),
      ],
      QUESTION,
    )
    expect([equals.exact(0, 0), equals.exact(0, 1)]).toEqual([1, 1])
    const alone = similarityOf(
      [
        aPart([
          [FULL_LEVEL, [3, 4]],
          [HIDDEN_LEVEL, [4, 3]],
        ]),
      ],
      QUESTION,
    )
    expect([alone.count, alone.exact(0, 0)]).toEqual([1, 1])
    for (const none of [
      [],
      [aPart([[HIDDEN_LEVEL, [3, 4]]])],
      [{ mask: aPart([[FULL_LEVEL, null]]).mask, column: null }],
    ]) {
      const empty = similarityOf(none, QUESTION)
      expect([empty.count, empty.nearest(5)]).toEqual([0, []])
    }
  })

  it('of a part without vectors is 0', () => {
    const both = similarityOf(
      [{ mask: aPart([[FULL_LEVEL, null]]).mask, column: null }, aPart([[FULL_LEVEL, [1, 0]]])],
      QUESTION,
    )
    expect([both.count, both.cosine(0, 0), both.exact(0, 0), both.lower(0, 0), both.upper(0, 0)]).toEqual([
      1,
      null,
      0,
      0,
      0,
    ])
    expect([...both.near(0, -2)]).toEqual([])
  })
})
