import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Level } from '../policy/faces.js'
import { roundScore } from '../search/bm25.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import type { KnownEdge } from './known-edges.js'

/** How much of a text a preview shows, in characters (OV-1). */
export const PREVIEW_CHARACTERS = 200

const relationView = z.object({
  type: z.string(),
  direction: z.enum(['out', 'in']),
  record: z.string(),
})

const payload = z.object({
  title: z.string().nullable(),
  text: z.string(),
  contested: z.boolean(),
  pinned: z.boolean().optional(),
  contestedReason: z.string().nullable().optional(),
  language: z.string().nullable().optional(),
  owner: z.string().optional(),
  author: z.string().optional(),
  vessel: z.string().optional(),
  participants: z.array(z.string()).optional(),
  visibilityClass: z.string().optional(),
  markedShareable: z.boolean().optional(),
  session: z.string().nullable().optional(),
  relationship: z.string().nullable().optional(),
  corpus: z.string().nullable().optional(),
  filingUnit: z.string().nullable().optional(),
  version: z.string().nullable().optional(),
  versionKind: z.string().nullable().optional(),
  part: z.string().nullable().optional(),
  document: z.string().nullable().optional(),
  segment: z.string().nullable().optional(),
  surface: z.string().nullable().optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
  spans: z.array(z.unknown()).optional(),
  occurredAt: z.string().nullable().optional(),
  validFrom: z.string().nullable().optional(),
  validTo: z.string().nullable().optional(),
  expiresAt: z.string().nullable().optional(),
})

/** A record as one caller sees it. What a face does not show is null or empty (TR-3). */
export const recordView = z.object({
  id: z.string(),
  face: z.enum(['full', 'preview', 'metadata']),
  kind: z.string(),
  sensitivity: z.string(),
  confidence: z.number(),
  salience: z.number(),
  scope: z.string().nullable(),
  tags: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  payload: payload.nullable(),
  provenance: z.record(z.string(), z.unknown()).nullable(),
  relations: z.array(relationView),
  /** Of the face, not of the record: it changes when what is shown changes (NI-9). */
  version: z.string(),
})
export type RecordView = z.infer<typeof recordView>

/** The record as its face: its salience as it is now, and the edges that it shows. */
export function viewRecord(
  row: RecordRow,
  level: Level,
  salience: number,
  edges: readonly KnownEdge[],
): RecordView | null {
  if (level === 'none') return null
  const face = {
    id: row.id,
    face: level,
    kind: row.tuple.kind,
    sensitivity: row.tuple.sensitivity,
    confidence: row.confidence,
    // In steps, so that equal is equal.
    salience: roundScore(salience),
    scope: row.tuple.scope,
    tags: [...row.tags],
    createdAt: row.createdAt.toISOString(),
    updatedAt: updatedAt(row, level).toISOString(),
    payload: payloadOf(row, level),
    provenance: level === 'full' ? { ...row.provenance } : null,
    relations: edges.map(({ type, direction, other }) => ({ type, direction, record: other })),
  }
  // As it is stored: a version stands while nothing but time passes.
  const stored = { ...face, salience: [row.salience, row.salienceAt.getTime(), row.pinned] }
  const version = createHash('sha256').update(JSON.stringify(stored)).digest('base64url').slice(0, 22)
  return { ...face, version }
}

function payloadOf(row: RecordRow, level: Exclude<Level, 'none'>): RecordView['payload'] {
  const contested = row.tuple.lifecycle === 'contested'
  switch (level) {
    case 'metadata':
      return null
    case 'preview':
      return { title: row.title, text: firstCharacters(row.text, PREVIEW_CHARACTERS), contested }
    case 'full':
      return {
        title: row.title,
        text: row.text,
        contested,
        pinned: row.pinned,
        contestedReason: row.contestedReason,
        language: row.language,
        owner: row.tuple.owner,
        author: row.author,
        vessel: row.tuple.vessel,
        participants: [...row.participantNames],
        visibilityClass: row.tuple.visibilityClass,
        markedShareable: row.tuple.markedShareable,
        session: row.tuple.session,
        relationship: row.tuple.relationship,
        corpus: row.tuple.corpus,
        filingUnit: row.filingUnit,
        version: row.version,
        versionKind: row.versionKind,
        part: row.part,
        document: row.document,
        segment: row.segment,
        surface: row.tuple.surface,
        fields: { ...row.fields },
        spans: [...row.spans],
        occurredAt: isoOrNull(row.occurredAt),
        validFrom: isoOrNull(row.validFrom),
        validTo: isoOrNull(row.validTo),
        expiresAt: isoOrNull(row.expiresAt),
      }
  }
}

/**
 * Whether a face shows words that somebody wrote, and that could be written elsewhere (WR-2). Of a metadata face these
 * are its tags and its scope: without them it shows a kind, times and figures.
 */
export function hasWords({ face, tags, scope }: Pick<RecordView, 'face' | 'tags' | 'scope'>): boolean {
  return face !== 'metadata' || tags.length > 0 || scope !== null
}

/**
 * The tags that a record is found by as if they were its words. What lies on a surface of a corpus may be shared, and its
 * tags are its host's own: they narrow a search, and are no words of what is shared.
 */
export function searchedTags({
  tuple: { corpus, surface },
  tags,
}: {
  readonly tuple: Pick<RecordRow['tuple'], 'corpus' | 'surface'>
  readonly tags: readonly string[]
}): readonly string[] {
  return corpus !== null && surface !== null ? [] : tags
}

/** The texts that a face is searched by. */
export function shownTexts(
  row: Pick<RecordRow, 'title' | 'text' | 'tags' | 'tuple'>,
  level: Exclude<Level, 'none'>,
): string[] {
  const { title, text } = row
  const tags = searchedTags(row)
  if (level === 'metadata') return [...tags]
  return [title ?? '', level === 'full' ? text : firstCharacters(text, PREVIEW_CHARACTERS), ...tags]
}

function updatedAt(row: RecordRow, level: Exclude<Level, 'none'>): Date {
  switch (level) {
    case 'metadata':
      return row.metadataUpdatedAt
    case 'preview':
      return row.previewUpdatedAt
    case 'full':
      return row.updatedAt
  }
}

/** By code point: a character is never cut in half. */
export function firstCharacters(text: string, count: number): string {
  let end = 0
  for (let seen = 0; seen < count && end < text.length; seen++)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

const isoOrNull = (at: Date | null) => at?.toISOString() ?? null
