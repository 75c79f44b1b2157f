import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Level } from '../policy/faces.js'
import { roundScore } from '../search/bm25.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import type { Delivered } from './deliver.js'
import type { KnownEdge } from './known-edges.js'
import { previewOf, shownTitle } from './preview.js'
import { face } from './vocabulary.js'

const relationView = z
  .object({
    type: z.string().meta({ description: 'The relation.' }),
    direction: z
      .enum(['out', 'in'])
      .meta({ description: 'Whether this record is its subject (`out`) or its object (`in`).' }),
    record: z.string().meta({ description: 'The other record, by its id.' }),
  })
  .meta({ id: 'RecordRelation', description: 'A relation of a record to another visible record.' })

const payload = z
  .object({
    title: z.string().nullable().meta({ description: 'Its title; null if it has none.' }),
    text: z.string().meta({ description: 'What it says; of a preview, the first 200 characters.' }),
    withheld: z.literal(true).optional().meta({
      description: 'Set where its text is left out, because you may list documents and not open them.',
    }),
    contested: z.boolean().meta({ description: 'Whether somebody contests it.' }),
    pinned: z.boolean().optional().meta({ description: 'Whether its salience does not fade.' }),
    contestedReason: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Why it is contested; null if no reason was given.' }),
    language: z.string().nullable().optional().meta({ description: 'Its language, as a BCP 47 code.' }),
    owner: z
      .string()
      .optional()
      .meta({ description: 'Who owns it: a person, `group:<id>` or `role:<id>/<role>`.' }),
    author: z.string().optional().meta({ description: 'Who wrote it.' }),
    vessel: z
      .string()
      .optional()
      .meta({ description: "Whose memory it is in: one user's, shared, or everybody's." }),
    participants: z.array(z.string()).optional().meta({ description: 'The people in it, by name.' }),
    visibilityClass: z.string().optional().meta({ description: 'Its visibility class.' }),
    markedShareable: z
      .boolean()
      .optional()
      .meta({ description: 'Whether its owner allows it to be shared.' }),
    session: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The conversation or run it was written in.' }),
    relationship: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The relationship it belongs to, by its id.' }),
    corpus: z.string().nullable().optional().meta({ description: 'The collection it belongs to.' }),
    filingUnit: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The filing that its versions belong to.' }),
    version: z.string().nullable().optional().meta({ description: 'The version of the filing.' }),
    versionKind: z.string().nullable().optional().meta({ description: 'What sort of version it is.' }),
    part: z.string().nullable().optional().meta({ description: 'The part of the document.' }),
    document: z.string().nullable().optional().meta({ description: 'The name of the document.' }),
    segment: z.string().nullable().optional().meta({ description: 'The segment of the part.' }),
    conversation: z.string().nullable().optional().meta({ description: 'The conversation it is a turn of.' }),
    turn: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Its place in the conversation; the lowest comes first.' }),
    speaker: z.string().nullable().optional().meta({ description: 'Who said or wrote it.' }),
    surface: z.string().nullable().optional().meta({ description: 'The search surface it belongs to.' }),
    fields: z.record(z.string(), z.unknown()).optional().meta({ description: 'Fields of your own.' }),
    spans: z.array(z.unknown()).optional().meta({ description: 'The places in sources that it speaks of.' }),
    occurredAt: z.string().nullable().optional().meta({ description: 'When it happened.' }),
    validFrom: z.string().nullable().optional().meta({ description: 'When it begins to hold.' }),
    validTo: z.string().nullable().optional().meta({ description: 'When it ceases to hold.' }),
    expiresAt: z.string().nullable().optional().meta({ description: 'When it expires; null for never.' }),
  })
  .meta({
    id: 'RecordPayload',
    description: 'What a record says. A preview shows the title and the beginning of the text alone.',
  })

// TR-3
export const recordView = z
  .object({
    id: z.string().meta({ description: 'The id of the record.' }),
    face: face.meta({ description: 'How much of it is shown: all of it, a preview, or its metadata alone.' }),
    kind: z.string().meta({ description: 'What sort of record it is.' }),
    sensitivity: z.string().meta({ description: 'How sensitive it is.' }),
    confidence: z.number().meta({ description: 'How certain it is, from 0 to 1.' }),
    salience: z.number().meta({ description: 'How much it matters now, from 0 to 1.' }),
    scope: z
      .string()
      .nullable()
      .meta({ description: 'The part of life or work it belongs to; null if none.' }),
    tags: z.array(z.string()).meta({ description: 'Words to find it by.' }),
    createdAt: z.string().meta({ description: 'When it was kept.' }),
    updatedAt: z.string().meta({ description: 'When it last changed.' }),
    payload: payload
      .nullable()
      .meta({ description: 'What it says, and everything beside; null if only metadata is shown.' }),
    provenance: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Where it came from; null unless it is shown in full.' }),
    relations: z.array(relationView).meta({ description: 'Its relations to other visible records.' }),
    // NI-9
    version: z.string().meta({ description: 'A digest of what is shown: it changes when that changes.' }),
  })
  .meta({
    id: 'MemoryRecord',
    description: 'A record as one caller sees it. What its face does not show is null or empty.',
  })
export type RecordView = z.infer<typeof recordView>

/**
 * A record as its face, with its present salience, the edges that the face shows, the text that is delivered and the
 * names of its people as the caller knows them.
 */
export function viewRecord(
  row: RecordRow,
  level: Level,
  salience: number,
  edges: readonly KnownEdge[],
  delivered: Delivered | null,
  participants: readonly string[],
): RecordView | null {
  if (level === 'none') return null
  const face = {
    id: row.id,
    face: level,
    kind: row.tuple.kind,
    sensitivity: row.tuple.sensitivity,
    confidence: row.confidence,
    // Rounded, so that equal values compare as equal.
    salience: roundScore(salience),
    scope: row.tuple.scope,
    tags: [...row.tags],
    createdAt: row.createdAt.toISOString(),
    updatedAt: updatedAt(row, level).toISOString(),
    payload: payloadOf(row, level, delivered, participants),
    provenance: level === 'full' ? { ...row.provenance } : null,
    relations: edges.map(({ type, direction, other }) => ({ type, direction, record: other })),
  }
  // Uses the stored salience, so that the version does not change merely because time passes.
  const stored = { ...face, salience: [row.salience, row.salienceAt.getTime(), row.pinned] }
  const version = createHash('sha256').update(JSON.stringify(stored)).digest('base64url').slice(0, 22)
  return { ...face, version }
}

/** What a record says, with as much of its text as is delivered; null delivers none. */
function payloadOf(
  row: RecordRow,
  level: Exclude<Level, 'none'>,
  delivered: Delivered | null,
  participants: readonly string[],
): RecordView['payload'] {
  const text = delivered === null ? ({ text: '', withheld: true } as const) : { text: delivered.text }
  const contested = row.tuple.lifecycle === 'contested'
  switch (level) {
    case 'metadata':
      return null
    case 'preview':
      return { title: shownTitle(row, level), ...text, contested }
    case 'full':
      return {
        title: row.title,
        ...text,
        contested,
        pinned: row.pinned,
        contestedReason: row.contestedReason,
        language: row.language,
        owner: row.tuple.owner,
        author: row.author,
        vessel: row.tuple.vessel,
        participants: [...participants],
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
        conversation: row.conversation,
        turn: row.turn,
        speaker: row.speaker,
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
 * Whether a face shows words that somebody wrote, which could be copied elsewhere (WR-2). In a metadata face these
 * are its tags and its scope; without them it shows only a kind, times and numbers.
 */
export function hasWords({ face, tags, scope }: Pick<RecordView, 'face' | 'tags' | 'scope'>): boolean {
  return face !== 'metadata' || tags.length > 0 || scope !== null
}

/**
 * The tags that are searched like words of the record. A record on a surface of a corpus may be shared, but its tags
 * are the host's own: they can filter a search, but are not searched as words.
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

/** The texts of a face that a search looks in. */
export function shownTexts(
  row: Pick<RecordRow, 'title' | 'text' | 'tags' | 'tuple' | 'fields' | 'spans'>,
  level: Exclude<Level, 'none'>,
): string[] {
  const tags = searchedTags(row)
  if (level === 'metadata') return [...tags]
  const { title, text } = level === 'full' ? row : previewOf(row)
  return [title ?? '', text, ...tags]
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

const isoOrNull = (at: Date | null) => at?.toISOString() ?? null
