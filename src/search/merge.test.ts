import { describe, expect, it } from 'vitest'
import {
  aDocument,
  aQuestion,
  aSegment,
  aText,
  idOf,
  seenInFull,
} from '../../test/support/search-documents.js'
import { match } from './match.js'
import { type MergePart, mergeInSteps, mergeSegments } from './merge.js'
import type { IndexDocument, Segment } from './segment.js'

function part(documents: readonly IndexDocument[], dead: readonly number[] = []): MergePart {
  const segment = aSegment(documents)
  return { segment, dead: Uint8Array.from({ length: segment.size }, (_, at) => (dead.includes(at) ? 1 : 0)) }
}

const idsOf = (segment: Segment) =>
  Array.from({ length: segment.size }, (_, document) => segment.id(document))
const words = ({ full }: Segment) => Array.from(full.words(), place => full.term(place))

describe('merging', () => {
  const one = part(
    [aDocument(1, 'shed garden', { compartment: 2 }), aDocument(2, 'only', { compartment: 0 })],
    [1],
  )
  const two = part([
    aDocument(3, 'garden garden', { compartment: 0 }),
    aDocument(4, 'apple', { compartment: 2 }),
  ])

  it('orders by compartment, then by part, then as they were', () => {
    expect(idsOf(mergeSegments([one, two]))).toEqual([idOf(3), idOf(1), idOf(4)])
    expect(idsOf(mergeSegments([two, one]))).toEqual([idOf(3), idOf(4), idOf(1)])
  })

  it('[AU-4] leaves no word of what is dead', () => {
    const merged = mergeSegments([one, two])
    expect(words(merged)).toEqual(['apple', 'garden', 'shed'])
    expect(Buffer.from(merged.full.data.terms.bytes).includes('only')).toBe(false)
    expect(merged.find(idOf(2))).toBe(-1)
  })

  it('keeps frequencies, places and lengths', () => {
    const merged = mergeSegments([one, two])
    const { mask } = seenInFull(merged)
    const garden = merged.full.find('garden')
    expect(merged.full.positions(garden, mask, 0)).toEqual([0, 1])
    expect(merged.full.positions(garden, mask, 1)).toEqual([1])
    expect([...mask.lengths]).toEqual([2, 2, 1])
  })

  it('says where each document went', () => {
    const run = mergeInSteps([one, two])
    let step = run.next()
    while (!step.done) step = run.next()
    const { moved, segment } = step.value
    expect(moved.map(places => [...places])).toEqual([
      [1, 0xffff_ffff],
      [0, 2],
    ])
    expect(segment.size).toBe(3)
  })

  it('changes nothing of its parts', () => {
    const before = structuredClone(one.segment.data)
    mergeSegments([one, two])
    expect(one.segment.data).toEqual(before)
    expect([...one.dead]).toEqual([0, 1])
  })

  it('of nothing, or of the dead, is nothing', () => {
    for (const merged of [
      mergeSegments([]),
      mergeSegments([part([])]),
      mergeSegments([part([aDocument(1, 'x')], [0])]),
    ]) {
      expect(merged.size).toBe(0)
      expect(words(merged)).toEqual([])
      expect(match([seenInFull(merged)], aQuestion(['x'])).count).toBe(0)
    }
  })
})

describe('what a merge keeps', () => {
  it('times, tags, versions, keys, languages, and the texts of every face', () => {
    const filing = { unit: 'act', version: 'v1', rank: 1 }
    const rich = aDocument(2, '', {
      createdAt: 5,
      occurredAt: 6,
      expiresAt: 7,
      salience: { salience: 0.25, since: 8, pinned: true },
      tags: ['t'],
      filing,
      full: aText('running', { language: 'en', keys: ['k'] }),
      preview: aText('short', { language: 'de' }),
      metadata: aText('tag'),
    })
    const merged = mergeSegments([part([aDocument(1, 'plain', { expiresAt: 1 })]), part([rich])])
    const anew = aSegment([aDocument(1, 'plain', { expiresAt: 1 }), rich])
    expect(merged.data).toEqual(anew.data)
    for (const surface of ['full', 'preview', 'metadata'] as const)
      expect(merged[surface].data).toEqual(anew[surface].data)
  })

  it('a term with more postings than a block, from parts that take turns', () => {
    const documents = Array.from({ length: 600 }, (_, at) =>
      aDocument(at, at % 3 === 0 ? 'x y x' : 'x', { compartment: at }),
    )
    const even = documents.filter((_, at) => at % 2 === 0)
    const odd = documents.filter((_, at) => at % 2 === 1)
    const merged = mergeSegments([part(odd), part(even)])
    const anew = aSegment(documents)
    expect(merged.data).toEqual(anew.data)
    expect(merged.full.data).toEqual(anew.full.data)
  })

  it('pauses between many terms', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `w${at}`).join(' ')
    const run = mergeInSteps([part([aDocument(1, many)]), part([aDocument(2, many)])])
    let pauses = 0
    for (let step = run.next(); !step.done; step = run.next()) pauses++
    expect(pauses).toBeGreaterThan(2)
  })
})
