import { z } from 'zod'
import { NONE, shownLevel } from '../../policy/faces.js'
import { FRAMINGS, newestOf } from '../../runtime/framing.js'
import { id, principal } from '../../runtime/input.js'
import { readOperation } from '../../runtime/operation.js'
import { type ReadRequest, timesOf } from '../../runtime/request.js'
import { fetchRecords, type RecordRow } from '../../storage/queries/fetch-records.js'
import { fetchStale } from '../../storage/queries/segments.js'
import { findCards, findSources, findSourcesOf, type SourceRow } from '../../storage/queries/sources.js'
import { documentName, FIELDS, type Field } from '../file-input.js'

const NOBODY = '00000000-0000-0000-0000-000000000000'

const resolved = z.object({
  field: z.enum(FIELDS),
  value: z.unknown(),
  /** `previous_extraction`: read in a version that another is to replace. */
  source: z.enum(['extraction', 'given', 'previous_extraction', 'none']),
  framing: z.enum(FRAMINGS),
})
type Resolved = z.input<typeof resolved>

const wanted = z.array(z.enum(FIELDS)).min(1).max(FIELDS.length).optional()

/**
 * What is known of a document, field by field, and how far it can be relied on: while a newer version waits or could not
 * be read, what an older one says is stale, and says so (SR-14).
 */
export const documentFields = readOperation({
  name: 'documents.fields',
  summary: 'Say what is known of a document, field by field',
  callers: 'anyone',
  input: z.union(
    [
      z.strictObject({ id, fields: wanted }),
      z.strictObject({ document: documentName, owner: principal.optional(), fields: wanted }),
    ],
    { error: 'must be by the id or by the name of a document' },
  ),
  output: z
    .object({
      id: z.string().nullable(),
      document: z.string(),
      version: z.int(),
      /** Of the newest version: what waits, failed, or was read. */
      state: z.string(),
      problem: z.string().nullable(),
      fields: z.array(resolved),
      /** What was made from versions that were replaced since, and was not made again (SR-11). */
      derived: z.array(
        z.object({
          id: z.string(),
          kind: z.string(),
          title: z.string().nullable(),
          text: z.string(),
          framing: z.literal('stale'),
        }),
      ),
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
      fields: (asked.fields ?? FIELDS).map(field => resolve(field, card, read, newest)),
      derived,
    }
  },
})

/** The card that stands, and the versions that are known of it; the same statements whatever there is (NI-5). */
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

/** What is given holds for the next version as well; what was read holds for the version it was read in. */
function resolve(field: Field, card: RecordRow | null, read: SourceRow | null, newest: SourceRow): Resolved {
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

/** Stale records as they would be seen if they still stood. */
async function staleOf(request: ReadRequest, card: string) {
  const rows = await fetchStale(request.tx, request.tenant, card)
  const faces = await request.faces(
    rows.map(row => ({ tuple: { ...row.tuple, lifecycle: 'active', endedAt: null }, times: timesOf(row) })),
  )
  return rows.flatMap((row, at) => {
    if (shownLevel(faces[at] ?? NONE) !== 'full') return []
    request.showRow(row, 'full')
    const { id, tuple, title, text } = row
    return [{ id, kind: tuple.kind, title, text, framing: 'stale' as const }]
  })
}
