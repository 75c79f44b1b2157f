import { FULL_LEVEL, type MaskLevel } from '../../src/search/mask.js'
import type { MatchQuery, VisiblePart } from '../../src/search/match.js'
import type { FaceText } from '../../src/search/postings.js'
import { type IndexDocument, type Segment, SegmentBuilder } from '../../src/search/segment.js'

export const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

export const aText = (text: string, differs: Partial<FaceText> = {}): FaceText => ({
  parts: [text],
  language: 'und',
  keys: [],
  ...differs,
})

/** A document that says something in full and nothing otherwise. */
export function aDocument(number: number, text: string, differs: Partial<IndexDocument> = {}): IndexDocument {
  return {
    id: idOf(number),
    compartment: 0,
    createdAt: 0,
    occurredAt: null,
    expiresAt: null,
    salience: null,
    tags: [],
    filing: null,
    turn: null,
    speaker: null,
    traits: 0,
    full: aText(text),
    preview: null,
    metadata: aText(''),
    ...differs,
  }
}

export function aSegment(documents: readonly IndexDocument[]): Segment {
  const builder = new SegmentBuilder()
  for (const document of documents) builder.add(document)
  return builder.finish()
}

/** A segment of which each document is shown through the surface given for it. */
export function seenAs(segment: Segment, levels: readonly MaskLevel[]): VisiblePart {
  const alive = new Uint8Array(segment.size)
  const all = {
    levels: new Uint8Array(2_000).fill(FULL_LEVEL),
    refine: (): MaskLevel => FULL_LEVEL,
    refinesAll: false,
  }
  const { mask } = segment.mask(alive, all, 0)
  const hidden = mask.where((document, level) => levels[document] === level)
  if (levels.every(level => level <= FULL_LEVEL)) return { segment, mask: hidden }
  // Lesser faces are decided by compartment: each document has to stand in one of its own.
  const own = { ...all, levels: Uint8Array.from(levels) }
  return { segment, mask: segment.mask(alive, own, 0).mask }
}

/** Everything is seen in full. */
export const seenInFull = (segment: Segment): VisiblePart =>
  seenAs(
    segment,
    Array.from({ length: segment.size }, () => FULL_LEVEL),
  )

export const aQuestion = (terms: readonly string[], differs: Partial<MatchQuery> = {}): MatchQuery => ({
  terms: terms.map(term => ({ term, prefix: false, exact: false, synonyms: [] })),
  phrases: [],
  excluded: [],
  excludedPhrases: [],
  stemming: false,
  ...differs,
})
