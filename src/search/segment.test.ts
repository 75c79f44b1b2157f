import { describe, expect, it } from 'vitest'
import { aDocument, aSegment, aText, idOf } from '../../test/support/search-documents.js'
import type { CompartmentDecision } from './compartment-decision.js'
import { FULL_LEVEL, HIDDEN_LEVEL, type MaskLevel, METADATA_LEVEL, PREVIEW_LEVEL } from './mask.js'
import { compareIds, type IndexDocument } from './segment.js'

const deciding = (
  surfaces: readonly MaskLevel[],
  differs: Partial<CompartmentDecision> = {},
): CompartmentDecision => ({
  levels: Uint8Array.from(surfaces),
  refine: compartment => surfaces[compartment] ?? HIDDEN_LEVEL,
  refinesAll: false,
  ...differs,
})

function masked(
  documents: readonly IndexDocument[],
  decision: CompartmentDecision,
  dead: number[] = [],
  now = 0,
) {
  const segment = aSegment(documents)
  const flags = new Uint8Array(segment.size)
  for (const document of dead) flags[document] = 1
  return segment.mask(flags, decision, now)
}

describe('a segment', () => {
  it('finds documents by id, in whatever order they came', () => {
    const segment = aSegment([9, 2, 255, 0, 7].map(number => aDocument(number, 'x')))
    expect([9, 2, 255, 0, 7].map(number => segment.find(idOf(number)))).toEqual([0, 1, 2, 3, 4])
    expect([1, 3, 8, 254, 256].map(number => segment.find(idOf(number)))).toEqual([-1, -1, -1, -1, -1])
    expect(segment.id(2)).toBe(idOf(255))
    expect(aSegment([]).find(idOf(0))).toBe(-1)
  })

  it('orders ids by their bytes', () => {
    const bytes = Uint8Array.from([...new Array(16).fill(1), ...new Array(15).fill(1), 2])
    expect(compareIds(bytes, 0, bytes, 16)).toBeLessThan(0)
    expect(compareIds(bytes, 16, bytes, 0)).toBeGreaterThan(0)
    expect(compareIds(bytes, 16, bytes, 16)).toBe(0)
  })

  it('keeps tags, times and versions', () => {
    const filing = { unit: 'act', version: null, rank: 2 }
    const { data } = aSegment([
      aDocument(0, '', { tags: ['a', 'b'], occurredAt: 0, createdAt: 5 }),
      aDocument(1, '', { filing, expiresAt: 9 }),
      aDocument(2, '', { tags: ['a', 'b'], filing: { ...filing } }),
      aDocument(3, '', { tags: ['b', 'a'], filing: { ...filing, version: 'v' } }),
    ])
    expect([...data.tags].map(place => data.tagSets[place])).toEqual([['a', 'b'], [], ['a', 'b'], ['b', 'a']])
    expect([...data.filing].map(place => data.filings[place - 1] ?? null)).toEqual([
      null,
      filing,
      filing,
      { ...filing, version: 'v' },
    ])
    expect([...data.occurredAt]).toEqual([0, Number.NaN, Number.NaN, Number.NaN])
    expect([...data.createdAt]).toEqual([5, 0, 0, 0])
    expect([[...data.expiring], [...data.expiresAt]]).toEqual([[1], [9]])
    expect(data.tagSets).toHaveLength(3)
    expect(data.filings).toHaveLength(2)
  })
})

describe('the salience of documents', () => {
  it('is kept only where it is not as a record starts', () => {
    const faded = { salience: 0.25, since: 7, pinned: false }
    const pinned = { salience: 1, since: 8, pinned: true }
    const segment = aSegment([
      aDocument(0, '', { createdAt: 5 }),
      aDocument(1, '', { salience: faded }),
      aDocument(2, '', { createdAt: 6 }),
      aDocument(3, '', { salience: pinned }),
      aDocument(4, '', { createdAt: 9 }),
    ])
    expect([...segment.data.salient]).toEqual([1, 3])
    expect([0, 1, 2, 3, 4].map(document => segment.salienceOf(document))).toEqual([
      { salience: 0.5, since: 5, pinned: false },
      faded,
      { salience: 0.5, since: 6, pinned: false },
      pinned,
      { salience: 0.5, since: 9, pinned: false },
    ])
  })
})

describe('the mask of a decision', () => {
  const documents = [2, 0, 1, 0].map((compartment, at) =>
    aDocument(at, 'one two three', { compartment, preview: aText('one two'), metadata: aText('one') }),
  )

  it('[NI-1, NI-4] shows each document through the surface of its compartment', () => {
    const { mask } = masked(documents, deciding([HIDDEN_LEVEL, METADATA_LEVEL, PREVIEW_LEVEL]))
    expect([...mask.levels]).toEqual([PREVIEW_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL, HIDDEN_LEVEL])
    expect(mask.words).toBe(3)
  })

  it('[NI-1] hides compartments that nothing was decided of', () => {
    expect([...masked(documents, deciding([FULL_LEVEL])).mask.documents]).toEqual([1, 3])
  })

  it('shows nothing that is dead', () => {
    expect([
      ...masked(documents, deciding([FULL_LEVEL, FULL_LEVEL, FULL_LEVEL]), [0, 3]).mask.documents,
    ]).toEqual([1, 2])
  })

  it('cannot show a preview that was never made', () => {
    const without = [aDocument(0, 'one'), aDocument(1, 'two', { compartment: 1, preview: aText('two') })]
    expect(() => masked(without, deciding([PREVIEW_LEVEL, HIDDEN_LEVEL]))).toThrow('never indexed')
    expect([...masked(without, deciding([HIDDEN_LEVEL, PREVIEW_LEVEL])).mask.documents]).toEqual([1])
    expect([...masked(without, deciding([PREVIEW_LEVEL, PREVIEW_LEVEL]), [0]).mask.documents]).toEqual([1])
  })
})

describe('times', () => {
  const documents = [null, 10, 20, 30].map((expiresAt, at) =>
    aDocument(at, 'x', { expiresAt, createdAt: at }),
  )
  const asked: [number, number, number | null][] = []
  const refine: CompartmentDecision['refine'] = (compartment, { createdAt, expiresAt }) => {
    asked.push([compartment, createdAt, expiresAt])
    return expiresAt !== null && expiresAt <= 20 ? HIDDEN_LEVEL : FULL_LEVEL
  }

  it('are asked of what expires, and the mask stands until the next does', () => {
    asked.length = 0
    const { mask, standsUntil } = masked(documents, deciding([FULL_LEVEL], { refine }), [], 20)
    expect([...mask.documents]).toEqual([0, 3])
    expect(standsUntil).toBe(30)
    expect(asked).toEqual([
      [0, 1, 10],
      [0, 2, 20],
      [0, 3, 30],
    ])
  })

  it('the nearest expiry counts, and what is hidden or dead expires for nobody', () => {
    const all: CompartmentDecision['refine'] = () => FULL_LEVEL
    expect(masked(documents, deciding([FULL_LEVEL], { refine: all }), [], 5).standsUntil).toBe(10)
    expect(masked(documents, deciding([FULL_LEVEL], { refine: all }), [1], 5).standsUntil).toBe(20)
    expect(masked(documents, deciding([HIDDEN_LEVEL], { refine: all }), [], 5).standsUntil).toBe(
      Number.POSITIVE_INFINITY,
    )
    expect(masked(documents, deciding([FULL_LEVEL], { refine: all }), [], 30).standsUntil).toBe(
      Number.POSITIVE_INFINITY,
    )
  })

  it('are asked of everything visible where they decide everything', () => {
    asked.length = 0
    const { mask } = masked(documents, deciding([FULL_LEVEL], { refine, refinesAll: true }), [2], 0)
    expect([...mask.documents]).toEqual([0, 3])
    expect(asked.slice(0, 3)).toEqual([
      [0, 0, null],
      [0, 1, null],
      [0, 3, null],
    ])
  })

  it('[NI-1] never show what the decision hides', () => {
    expect([
      ...masked(documents, deciding([HIDDEN_LEVEL], { refine: () => FULL_LEVEL, refinesAll: true })).mask
        .documents,
    ]).toEqual([])
  })
})
