import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  AFFORDANCES,
  type Affordance,
  affordancesOf,
  type MaterializationState,
} from '../policy/affordances.js'
import type { Level } from '../policy/faces.js'
import { viewOf } from '../policy/subject.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { deliver } from './deliver.js'
import { shownTitle } from './preview.js'
import type { ReadRequest } from './request.js'
import { gateCaller } from './tenant-facts.js'
import { face } from './vocabulary.js'

const affordance = z
  .enum(AFFORDANCES)
  .meta({ id: 'Affordance', description: 'Something you may do with a document.' })

export const sharedDocument = z
  .object({
    document: z.string().meta({ description: 'The id of the document.' }),
    face: face.meta({ description: 'How much of it is shown.' }),
    kind: z.string().meta({ description: 'What sort of record it is.' }),
    corpus: z
      .string()
      .nullable()
      .meta({ description: 'The collection it belongs to; null if it is not shown.' }),
    surface: z
      .string()
      .nullable()
      .meta({ description: 'The surface it belongs to; null if it is not shown.' }),
    title: z.string().nullable().meta({ description: 'Its title; null if it has none.' }),
    language: z
      .string()
      .nullable()
      .meta({ description: 'Its language, as a BCP 47 code; null if it is not shown.' }),
    filingUnit: z
      .string()
      .nullable()
      .meta({ description: 'The filing that its versions belong to; null if it is not shown.' }),
    version: z
      .string()
      .nullable()
      .meta({ description: 'The version of the filing; null if it is not shown.' }),
    versionKind: z
      .string()
      .nullable()
      .meta({ description: 'What sort of version it is; null if it is not shown.' }),
    part: z.string().nullable().meta({ description: 'The part of the document; null if it is not shown.' }),
    documentName: z
      .string()
      .nullable()
      .meta({ description: 'The name of the document; null if it is not shown.' }),
    segment: z.string().nullable().meta({ description: 'The segment of the part; null if it is not shown.' }),
    fields: z.record(z.string(), z.unknown()).meta({
      description: 'Case number, court, parties and the like, where the view exposes filing metadata.',
    }),
    spans: z.array(z.unknown()).meta({ description: 'The places in sources that it speaks of.' }),
    visibilityClass: z
      .string()
      .nullable()
      .meta({ description: 'Its visibility class; null if it is not shown.' }),
    occurredAt: z
      .string()
      .nullable()
      .meta({ description: 'When it happened; null if that is not known or not shown.' }),
    createdAt: z.string().meta({ description: 'When it was kept.' }),
    materializationState: z.string().meta({ description: 'Whether its text can be read now.' }),
    affordances: z.array(affordance).meta({ description: 'What you may do with it.' }),
    // NI-9
    etag: z.string().meta({ description: 'A digest of what is shown: it changes when that changes.' }),
  })
  .meta({ id: 'SharedDocument', description: 'A document as a recipient or a search of documents shows it.' })
export type SharedDocument = z.input<typeof sharedDocument>

/** What this caller may be offered to do with the documents it sees. */
export interface DocumentPermissions {
  readonly mayView: boolean
  readonly mayDownload: boolean
}

export function documentPermissions(request: ReadRequest): DocumentPermissions {
  const { parts, deliveryRights } = request
  const downloads = gateCaller(
    'document_download.fetch',
    parts.caller,
    parts.tenantFacts,
    'not_needed',
    parts.profile,
  ).permitted
  return { mayView: deliveryRights.mayView, mayDownload: deliveryRights.mayCopy && downloads }
}

/** Returns null if nothing of the document may be shown, or nothing may be done with it (SR-13). */
export function shareDocument(
  request: ReadRequest,
  row: RecordRow,
  level: Level,
  may: DocumentPermissions,
): SharedDocument | null {
  if (level === 'none') return null
  const { tuple } = row
  const isWhole = level === 'full'
  const materialization = isWhole ? materializationOf(row) : 'materialized'
  const affordances = affordancesOf({
    level,
    redacted: tuple.redacted,
    ...may,
    materialization,
  })
  if (affordances === null) return null
  const { views } = request.parts.identity
  const showsFields = views === null || viewOf({ views }, tuple)?.surfaces.has('filing_metadata') === true
  // A lesser face does not reveal the corpus and surface (TR-3), but a caller bound by views knows them anyway.
  const showsPlace = isWhole || views !== null
  const face = {
    document: row.id,
    face: level,
    kind: tuple.kind,
    corpus: showsPlace ? tuple.corpus : null,
    surface: showsPlace ? tuple.surface : null,
    title: shownTitle(row, level),
    language: isWhole ? row.language : null,
    filingUnit: isWhole ? row.filingUnit : null,
    version: isWhole ? row.version : null,
    versionKind: isWhole ? row.versionKind : null,
    part: isWhole ? row.part : null,
    documentName: isWhole ? row.document : null,
    segment: isWhole ? row.segment : null,
    fields: isWhole && showsFields ? { ...row.fields } : {},
    // A span names a document, and this caller may not know of other documents (NI-6).
    spans: isWhole ? row.spans.filter(span => nameIn(span) === row.document) : [],
    visibilityClass: isWhole ? tuple.visibilityClass : null,
    occurredAt: isWhole ? (row.occurredAt?.toISOString() ?? null) : null,
    createdAt: row.createdAt.toISOString(),
    materializationState: materialization,
    affordances: [...affordances] as Affordance[],
  }
  const shown = [face, deliver(request, row, level, 'text')?.text ?? '']
  const etag = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)
  return { ...face, etag }
}

/** A text can be read unless the record's fields say otherwise. Callers without the full face are not told which. */
const materializationOf = ({ fields }: RecordRow): MaterializationState =>
  (fields.materializationState ?? 'materialized') as MaterializationState

function nameIn(span: unknown): unknown {
  return typeof span === 'object' && span !== null && 'document' in span ? span.document : undefined
}

/** Cuts a text to at most this many bytes of UTF-8, never inside a character. */
export function cutToBytes(text: string, most: number): { text: string; truncated: boolean } {
  if (Buffer.byteLength(text) <= most) return { text, truncated: false }
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > most) break
    end += character.length
  }
  return { text: text.slice(0, end), truncated: true }
}
