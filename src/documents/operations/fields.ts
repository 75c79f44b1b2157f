import { z } from 'zod'
import { NONE, shownLevel } from '../../policy/faces.js'
import { deliver, isDocument } from '../../runtime/deliver.js'
import { FRAMINGS, newestOf } from '../../runtime/framing.js'
import { id, principal } from '../../runtime/input.js'
import { readOperation } from '../../runtime/operation.js'
import { type ReadRequest, timesOf } from '../../runtime/request.js'
import { fetchStale } from '../../storage/queries/chunks.js'
import { fetchRecords, type RecordRow } from '../../storage/queries/fetch-records.js'
import { findCards, findSources, findSourcesOf, type SourceRow } from '../../storage/queries/sources.js'
import { DOCUMENT_FIELDS, type DocumentField, documentField, documentName } from '../file-input.js'

const NOBODY = '00000000-0000-0000-0000-000000000000'

const resolved = z.object({
  field: documentField.meta({ description: 'The name of the field.' }),
  value: z.unknown().meta({ description: 'Its value; null if it is not known.' }),
  source: z.enum(['extraction', 'given', 'previous_extraction', 'none']).meta({
    description: 'Where the value comes from; `previous_extraction` is a version that is being replaced.',
  }),
  framing: z.enum(FRAMINGS).meta({ description: 'Whether the value is current or `stale`.' }),
})
type ResolvedField = z.input<typeof resolved>

const wanted = z.array(documentField).min(1).max(DOCUMENT_FIELDS.length).optional()

/**
 * The known fields of a document and how reliable they are. While a newer version waits to be read or could not be
 * read, values from an older version are marked as stale (SR-14).
 */
export const documentFields = readOperation({
  name: 'documents.fields',
  route: 'POST /documents/fields',
  summary: 'Read what is known of a document, field by field',
  policies: ['agent', 'reader'],
  sample: world => world.pick([{ id: world.record() }, { document: 'mine.txt' }]),
  callers: 'anyone',
  input: z.union(
    [
      z.strictObject({
        id: id.meta({ description: 'The document, by the id of its card.' }),
        fields: wanted.meta({ description: 'Only these fields.', example: ['caseNumber'] }),
      }),
      z.strictObject({
        document: documentName,
        owner: principal
          .optional()
          .meta({ description: 'Who owns the document. Default: you.', example: 'ana' }),
        fields: wanted.meta({ description: 'Only these fields.', example: ['caseNumber'] }),
      }),
    ],
    { error: 'must be by the id or by the name of a document' },
  ),
  output: z
    .object({
      id: z
        .string()
        .nullable()
        .meta({ description: 'The document, by the id of its card; null while none was read.' }),
      document: z.string().meta({ description: 'The name of the file.' }),
      version: z.int().meta({ description: 'The number of the newest version.' }),
      state: z.string().meta({ description: 'Whether the newest version was read, waits, or failed.' }),
      problem: z
        .string()
        .nullable()
        .meta({ description: 'Why the file could not be read, as a code; null if it could.' }),
      fields: z.array(resolved).meta({ description: 'The fields, with where each value comes from.' }),
      // SR-11
      derived: z
        .array(
          z.object({
            id: z.string().meta({ description: 'The id of the record.' }),
            kind: z.string().meta({ description: 'What sort of record it is.' }),
            title: z.string().nullable().meta({ description: 'Its title; null if it has none.' }),
            text: z.string().meta({ description: 'Its text.' }),
            framing: z
              .literal('stale')
              .meta({ description: 'It was made from a version that was replaced.' }),
          }),
        )
        .meta({
          description: 'What was made from versions that were replaced since, and was not made again.',
        }),
    })
    .nullable(),
  async run(request, asked) {
    const { card, sources } = await find(request, asked)
    const derived = await staleOf(request, card?.id ?? NOBODY)
    const read = sources.find(({ recordId }) => recordId !== null && recordId === card?.id) ?? null
    const newest = newestOf(sources, card?.id ?? null)
    if (newest === undefined) return null
    if (card !== null) request.showRow(card, 'full')
    return {
      id: card?.id ?? null,
      document: newest.document,
      version: newest.version,
      state: newest.state,
      problem: newest.problem,
      fields: (asked.fields ?? DOCUMENT_FIELDS).map(field => resolve(field, card, read, newest)),
      derived,
    }
  },
})

/** The current card and its known versions. The same statements run whether or not the document exists (NI-5). */
async function find(
  request: ReadRequest,
  asked: { id?: string | undefined; document?: string | undefined; owner?: string | undefined },
): Promise<{ card: RecordRow | null; sources: readonly SourceRow[] }> {
  const { tx, tenant } = request
  const owner = asked.owner ?? request.caller.actingFor
  const rows =
    asked.document === undefined
      ? await fetchRecords(tx, tenant, [asked.id ?? NOBODY])
      : await findCards(tx, tenant, owner, asked.document)
  const decided = (await request.decide(rows)).filter(
    ({ row, level }) => level === 'full' && row.tuple.kind === 'document',
  )
  const card = decided.map(({ row }) => row).toSorted(newestFirst)[0] ?? null
  const sources =
    asked.document === undefined
      ? await findSourcesOf(tx, tenant, card === null ? [] : [card.id])
      : await findSources(tx, tenant, owner, asked.document)
  return { card, sources }
}

const newestFirst = (a: RecordRow, b: RecordRow) => b.createdAt.getTime() - a.createdAt.getTime()

/** A value given by the caller carries over to later versions; an extracted value holds only for its own version. */
function resolve(
  field: DocumentField,
  card: RecordRow | null,
  read: SourceRow | null,
  newest: SourceRow,
): ResolvedField {
  const isRead = newest === read
  const isWhole = isRead && read.state === 'complete'
  if (newest.metadata[field] !== undefined)
    return { field, value: newest.metadata[field], source: 'given', framing: 'current' }
  const value = card?.fields[field]
  if (value === undefined)
    return { field, value: null, source: 'none', framing: isWhole ? 'current' : 'partial' }
  if (!isRead) return { field, value, source: 'previous_extraction', framing: 'stale' }
  return { field, value, source: 'extraction', framing: isWhole ? 'current' : 'partial' }
}

/** Stale records, decided as if they were still active. */
async function staleOf(request: ReadRequest, card: string) {
  const rows = await fetchStale(request.tx, request.tenant, card)
  const faces = await request.faces(
    rows.map(row => ({ tuple: { ...row.tuple, lifecycle: 'active', endedAt: null }, times: timesOf(row) })),
  )
  return rows.flatMap((row, at) => {
    if (shownLevel(faces[at] ?? NONE) !== 'full') return []
    request.showRow(row, 'full')
    const text = deliver(request, row, 'full', 'text')?.text ?? ''
    if (isDocument(row.tuple) && text !== '') request.noteView()
    const { id, tuple, title } = row
    return [{ id, kind: tuple.kind, title, text, framing: 'stale' as const }]
  })
}
