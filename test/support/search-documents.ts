import { FULL, type SurfaceCode } from '../../src/search/mask.js'
import type { Question, VisiblePart } from '../../src/search/match.js'
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
export function seenAs(segment: Segment, surfaces: readonly SurfaceCode[]): VisiblePart {
  const alive = new Uint8Array(segment.size)
  const all = {
    surfaces: new Uint8Array(2_000).fill(FULL),
    refine: (): SurfaceCode => FULL,
    refinesAll: false,
  }
  const { mask } = segment.mask(alive, all, 0)
  const hidden = mask.where((document, surface) => surfaces[document] === surface)
  if (surfaces.every(surface => surface <= FULL)) return { segment, mask: hidden }
  // Lesser faces are decided by compartment: each document has to stand in one of its own.
  const own = { ...all, surfaces: Uint8Array.from(surfaces) }
  return { segment, mask: segment.mask(alive, own, 0).mask }
}

/** Everything is seen in full. */
export const seenInFull = (segment: Segment): VisiblePart =>
  seenAs(
    segment,
    Array.from({ length: segment.size }, () => FULL),
  )

export const aQuestion = (terms: readonly string[], differs: Partial<Question> = {}): Question => ({
  terms: terms.map(term => ({ term, prefix: false, exact: false, synonyms: [] })),
  phrases: [],
  excluded: [],
  excludedPhrases: [],
  stemming: false,
  ...differs,
})
