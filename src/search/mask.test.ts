import { describe, expect, it } from 'vitest'
import { FULL_LEVEL, HIDDEN_LEVEL, Mask, METADATA_LEVEL, PREVIEW_LEVEL } from './mask.js'

const lengths = [[], [10, 20, 30, 40, 50], [1, 2, 3, 4, 5], [0, 0, 7, 0, 0]].map(column =>
  Uint32Array.from(column),
)
const surfaces = (...codes: number[]) => Uint8Array.from(codes)

describe('a mask', () => {
  it('[NI-1] holds the visible documents, ascending', () => {
    const mask = Mask.of(
      surfaces(FULL_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL, HIDDEN_LEVEL, PREVIEW_LEVEL),
      lengths,
    )
    expect([...mask.documents]).toEqual([0, 2, 4])
    expect([...mask.levels]).toEqual([FULL_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL, HIDDEN_LEVEL, PREVIEW_LEVEL])
  })

  it('[NI-2, NI-4] counts the words of the faces that are seen, and nothing of what is hidden', () => {
    const mask = Mask.of(
      surfaces(FULL_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL, HIDDEN_LEVEL, PREVIEW_LEVEL),
      lengths,
    )
    expect([mask.lengths[0], mask.lengths[2], mask.lengths[4]]).toEqual([10, 7, 5])
    expect(mask.words).toBe(22)
    expect(
      Mask.of(surfaces(FULL_LEVEL, HIDDEN_LEVEL, FULL_LEVEL, HIDDEN_LEVEL, HIDDEN_LEVEL), lengths).words,
    ).toBe(40)
  })

  it('leaves the lengths it was given as they were', () => {
    Mask.of(surfaces(METADATA_LEVEL, PREVIEW_LEVEL, METADATA_LEVEL, PREVIEW_LEVEL, FULL_LEVEL), lengths)
    expect([...(lengths[FULL_LEVEL] ?? [])]).toEqual([10, 20, 30, 40, 50])
  })

  it('may be empty', () => {
    for (const mask of [
      Mask.of(surfaces(HIDDEN_LEVEL, HIDDEN_LEVEL), lengths),
      Mask.of(
        surfaces(),
        [surfaces(), surfaces()].map(() => new Uint32Array(0)),
      ),
    ]) {
      expect([...mask.documents]).toEqual([])
      expect(mask.words).toBe(0)
    }
  })
})

describe('a condition', () => {
  const mask = Mask.of(surfaces(FULL_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL, FULL_LEVEL, PREVIEW_LEVEL), lengths)

  it('[NI-1] only ever leaves out', () => {
    const asked: [number, number][] = []
    const kept = mask.where((document, surface) => {
      asked.push([document, surface])
      return document !== 3
    })
    expect(asked).toEqual([
      [0, FULL_LEVEL],
      [2, METADATA_LEVEL],
      [3, FULL_LEVEL],
      [4, PREVIEW_LEVEL],
    ])
    expect([...kept.documents]).toEqual([0, 2, 4])
    expect([...kept.levels]).toEqual([FULL_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL, HIDDEN_LEVEL, PREVIEW_LEVEL])
    expect(kept.words).toBe(22)
    expect([...mask.documents]).toEqual([0, 2, 3, 4])
    expect(mask.words).toBe(62)
  })

  it('[NI-1] cannot bring back what another left out', () => {
    const none = mask.where(() => false)
    expect([...none.where(() => true).documents]).toEqual([])
    expect([...none.where(() => true).levels]).toEqual([0, 0, 0, 0, 0])
    expect(none.words).toBe(0)
  })
})
