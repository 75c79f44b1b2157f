import { describe, expect, it } from 'vitest'
import { aDocument, aQuestion, aSegment, seenAs, seenInFull } from '../../test/support/search-documents.js'
import { Conversations } from './conversations.js'
import { FULL_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL } from './mask.js'
import { match, type VisiblePart } from './match.js'
import { rankMatches } from './rank.js'
import { ASKS } from './traits.js'

const turn = (at: number, text: string, conversation = 'call', traits = 0) =>
  aDocument(at, text, { turn: { conversation, at }, traits, compartment: at })

const talk = ['which dog?', 'the spaniel', 'nice', 'good night'].map((text, at) => turn(at, text))
const documentsOf = (lists: readonly Uint32Array[]) => lists.map(list => [...list])

describe('[SC-8] a conversation', () => {
  it('has the short turns up to two away from a match around it', () => {
    const visible = [seenInFull(aSegment([...talk, turn(4, 'elsewhere', 'another'), aDocument(5, 'alone')]))]
    const around = Conversations.of(visible)?.around([Uint32Array.of(0)])
    expect(documentsOf(around ?? [])).toEqual([[1, 2]])
    const long = turn(1, Array.from({ length: 120 }, () => 'word').join(' '))
    const other = [seenInFull(aSegment([turn(0, 'dog'), long, turn(2, 'nice')]))]
    expect(documentsOf(Conversations.of(other)?.around([Uint32Array.of(0)]) ?? [])).toEqual([[2]])
  })

  it('goes on in another part', () => {
    const parts = [
      [talk[0], talk[2]],
      [talk[1], talk[3]],
    ].map(some => seenInFull(aSegment(some.flatMap(each => each ?? []))))
    const around = Conversations.of(parts)?.around([Uint32Array.of(0), new Uint32Array(0)])
    expect(documentsOf(around ?? [])).toEqual([[1], [0]])
  })

  it('is gathered once for the same masks, and again if another part is beside the first', () => {
    const [first, second, third] = [
      [talk[0], talk[3]],
      [talk[1]],
      [talk[2], turn(5, 'elsewhere', 'another')],
    ].map(some => seenInFull(aSegment(some.flatMap(each => each ?? []))))
    if (first === undefined || second === undefined || third === undefined) throw new Error('three parts')
    const around = (parts: readonly VisiblePart[]) =>
      documentsOf(Conversations.of(parts)?.around([Uint32Array.of(0), new Uint32Array(0)]) ?? [])
    expect(around([first, second])).toEqual([[1], [0]])
    expect(around([first, third])).toEqual([[1], [0]])
    expect(around([first])).toEqual([[1]])
    expect(Conversations.of([first, third])).toBe(Conversations.of([first, third]))
    expect(Conversations.of([first, third])).not.toBe(Conversations.of([first, second]))
    const fewer = { ...first, mask: first.mask.where(document => document === 0) }
    expect(around([fewer, third])).toEqual([[], [0]])
  })

  it('has no turns that are hidden or shown in part: those that are seen stand next to each other', () => {
    const segment = aSegment(talk)
    const seen = [seenAs(segment, [FULL_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL, FULL_LEVEL])]
    expect(documentsOf(Conversations.of(seen)?.around([Uint32Array.of(0)]) ?? [])).toEqual([[3]])
    expect(
      Conversations.of([seenAs(segment, [HIDDEN_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL, HIDDEN_LEVEL])]),
    ).toBeNull()
  })

  it('gives a turn a share of what those around it have more, and of a question before it most', () => {
    const values = (scores: readonly number[]) => (_: number, document: number) => scores[document] ?? 0
    const conversations = Conversations.of([seenInFull(aSegment(talk))])
    expect(conversations?.taken(0, 1, values([1, 0, 0, 0]))).toBeCloseTo(0.4, 12)
    expect(conversations?.taken(0, 1, values([1, 0.5, 0.25, 0]))).toBeCloseTo(0.2, 12)
    expect(conversations?.taken(0, 2, values([1, 0, 0, 1]))).toBeCloseTo(0.4, 12)
    expect(conversations?.taken(0, 0, values([0, 1, 1, 1]))).toBeCloseTo(0.3, 12)
    const asked = Conversations.of([
      seenInFull(aSegment([turn(0, 'which dog?', 'call', ASKS), ...talk.slice(1)])),
    ])
    expect(asked?.taken(0, 1, values([1, 0, 0, 0]))).toBeCloseTo(0.5, 12)
  })

  it('is found by the words of a question, the answer after it, and never before the match itself', () => {
    const parts = [seenInFull(aSegment(talk))]
    const found = rankMatches(parts, match(parts, aQuestion(['dog'])), () => 0, 10)
    expect(found.map(({ document }) => document)).toEqual([0, 1, 2])
    const excluded = match(parts, aQuestion(['dog'], { excluded: ['spaniel'] }))
    expect(documentsOf(excluded.parts.map(({ documents }) => documents))).toEqual([[0, 2]])
  })
})
