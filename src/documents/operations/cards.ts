import { z } from 'zod'
import type { Level } from '../../policy/faces.js'
import { FRAMINGS, type Framing, framingsOf } from '../../runtime/framing.js'
import { id, name } from '../../runtime/input.js'
import { newestFirst, page } from '../../runtime/newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import type { Decided, ReadRequest } from '../../runtime/request.js'
import { type Stretch, segmentsOf } from '../../runtime/segments.js'
import { fetchRecords, type RecordRow } from '../../storage/queries/fetch-records.js'
import { listRecords } from '../../storage/queries/list-records.js'
import { countSegments, fetchVersions } from '../../storage/queries/segments.js'
import { findSourcesOf, readContent } from '../../storage/queries/sources.js'

/** A document as its card shows it. What a lesser face does not show is null (TR-3). */
const card = z.object({
  id: z.string(),
  face: z.enum(['full', 'preview', 'metadata']),
  title: z.string().nullable(),
  document: z.string().nullable(),
  owner: z.string().nullable(),
  corpus: z.string().nullable(),
  filingUnit: z.string().nullable(),
  version: z.string().nullable(),
  versionKind: z.string().nullable(),
  mediaType: z.string().nullable(),
  pages: z.int().nullable(),
  /** How much of the file could be read; null for a document that was written, not read. */
  state: z.string().nullable(),
  /** `stale` while a newer version waits or could not be read, for whoever sees that; null where there is no file (SR-14). */
  framing: z.enum(FRAMINGS).nullable(),
  /** As many as are seen. */
  segments: z.int(),
  createdAt: z.string(),
})

function showCard(
  row: RecordRow,
  level: Exclude<Level, 'none'>,
  segments: number,
  framing: Framing | null,
): z.input<typeof card> {
  const isWhole = level === 'full'
  const { mediaType, pages, state } = row.fields
  return {
    id: row.id,
    face: level,
    title: level === 'metadata' ? null : row.title,
    document: isWhole ? row.document : null,
    owner: isWhole ? row.tuple.owner : null,
    corpus: isWhole ? row.tuple.corpus : null,
    filingUnit: isWhole ? row.filingUnit : null,
    version: isWhole ? row.version : null,
    versionKind: isWhole ? row.versionKind : null,
    mediaType: isWhole && typeof mediaType === 'string' ? mediaType : null,
    pages: isWhole && Number.isInteger(pages) ? (pages as number) : null,
    state: isWhole && typeof state === 'string' ? state : null,
    framing: isWhole ? framing : null,
    segments: isWhole ? segments : 0,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Documents, newest first, as their cards. */
export const listCards = readOperation({
  name: 'documents.list',
  summary: 'List documents',
  callers: 'anyone',
  input: z.strictObject({
    ...page,
    corpus: name.optional(),
    state: z.enum(['complete', 'partial', 'needs_ocr']).optional(),
  }),
  output: z.object({ documents: z.array(card), cursor: z.string().nullable() }),
  async run(request, { corpus = null, state = null, limit, cursor }) {
    const { tx, tenant } = request
    const most = request.atMost(limit)
    if (most === 0) return { documents: [], cursor: null }
    const filter = { ...DOCUMENTS, corpus, fields: state === null ? null : { state } }
    const found = await newestFirst(
      request,
      ['documents.list', corpus, state],
      { limit: most, cursor },
      (before, wanted) => listRecords(tx, tenant, filter, 'newest', before, wanted),
      row => ({ createdAt: row.createdAt, id: row.id }),
    )
    return { documents: await showCards(request, found.rows), cursor: found.cursor }
  },
})

const DOCUMENTS = {
  kinds: ['document'],
  tags: null,
  createdAfter: null,
  createdBefore: null,
  owner: null,
  people: null,
}

async function showCards(request: ReadRequest, rows: readonly RecordRow[]) {
  const ids = rows.map(row => row.id)
  const segments = await countSegments(request.tx, request.tenant, ids)
  const decided = await request.decide(rows)
  const framings = await framingsOf(request, seenInFull(decided))
  return decided.flatMap(({ row, level }) => {
    if (level === 'none') return []
    request.showRow(row, level)
    return [showCard(row, level, segments.get(row.id) ?? 0, framings.get(row.id) ?? null)]
  })
}

const seenInFull = (decided: readonly Decided[]): string[] =>
  decided.flatMap(({ row, level }) => (level === 'full' ? [row.id] : []))

const part = z.object({
  part: z.string().nullable(),
  kind: z.string().nullable(),
  title: z.string().nullable(),
  start: z.int(),
  end: z.int(),
  page: z.int().nullable(),
  segments: z.int(),
})

/** One document with its parts and its versions, as far as they are seen; null where nothing of it is (NI-5). */
export const getCard = readOperation({
  name: 'documents.get',
  summary: 'Show one document with its parts and versions',
  callers: 'anyone',
  input: z.strictObject({ id }),
  output: card
    .extend({
      text: z.string(),
      fields: z.record(z.string(), z.unknown()),
      parts: z.array(part),
      versions: z.array(card),
    })
    .nullable(),
  async run(request, { id: document }) {
    const found = await request.decide(await fetchRecords(request.tx, request.tenant, [document]))
    const [decided] = found
    const segments = await segmentsOf(request, document)
    const framings = await framingsOf(request, seenInFull(found))
    const versions = await showCards(request, await fetchVersions(request.tx, request.tenant, document))
    if (decided === undefined || decided.level === 'none' || decided.row.tuple.kind !== 'document')
      return null
    const { row, level } = decided
    request.showRow(row, level)
    const isWhole = level === 'full'
    return {
      ...showCard(row, level, segments.length, framings.get(row.id) ?? null),
      text: isWhole ? row.text : '',
      fields: isWhole ? { ...row.fields } : {},
      parts: isWhole ? partsOf(request, row, segments) : [],
      versions: isWhole ? versions : [],
    }
  },
})

/** Parts, as far as segments of them are seen: from the first of these to the last. */
function partsOf(request: ReadRequest, { title }: RecordRow, segments: readonly Stretch[]) {
  const parts: z.input<typeof part>[] = []
  for (const { row, start, end, page, partKind } of segments) {
    const last = parts.at(-1)
    if (last !== undefined && last.part === row.part) {
      last.end = end
      last.segments++
      continue
    }
    request.showRow(row, 'full')
    const own = row.title === title ? null : row.title
    parts.push({ part: row.part, kind: partKind, title: own, start, end, page, segments: 1 })
  }
  return parts
}

const MOST_READ = 1_000_000

/**
 * Reads a document: its segments, put together as far as they are seen.
 *
 * A hidden segment leaves nothing in the answer. Where the others begin and which page they are on was recorded when the
 * file was read: it is as much a fact of each as its words are, and stands on it wherever it is shown. Whoever hides a
 * segment later hides its words, and not how long the document was that the others were cut from.
 */
export const readDocument = readOperation({
  name: 'documents.read',
  summary: 'Read the text of a document',
  callers: 'anyone',
  rate: 'view',
  input: z
    .strictObject({
      id,
      /** From this character on, and up to that one. */
      from: z.int().min(0).optional(),
      to: z.int().min(0).optional(),
      /** What stands on this page. */
      page: z.int().min(0).optional(),
    })
    .refine(({ from = 0, to = Number.MAX_SAFE_INTEGER }) => from <= to, {
      path: ['to'],
      message: 'must not lie before from',
    }),
  output: z
    .object({
      id: z.string(),
      title: z.string().nullable(),
      segments: z.array(
        z.object({
          id: z.string(),
          start: z.int(),
          end: z.int(),
          page: z.int().nullable(),
          partKind: z.string().nullable(),
          text: z.string(),
        }),
      ),
      text: z.string(),
      /** Where to go on, if that was not all. */
      next: z.int().nullable(),
    })
    .nullable(),
  async run(request, { id: document, from = 0, to = Number.MAX_SAFE_INTEGER, page }) {
    const [decided] = await request.decide(await fetchRecords(request.tx, request.tenant, [document]))
    const all = await segmentsOf(request, document)
    if (decided?.level !== 'full' || decided.row.tuple.kind !== 'document') return null
    const { row } = decided
    request.showRow(row, 'full')
    const asked = all.filter(
      ({ start, end, page: on }) => start < to && end > from && (page === undefined || on === page),
    )
    const most = Math.min(MOST_READ, request.parts.profile?.most.bytes ?? MOST_READ)
    const segments = []
    let characters = 0
    let next: number | null = null
    for (const { row: segment, start, end, page: on, partKind } of asked) {
      const first = Math.max(start, from)
      const beyond = Math.min(end, to)
      if (characters + beyond - first > most && segments.length > 0) {
        next = first
        break
      }
      characters += beyond - first
      request.showRow(segment, 'full')
      segments.push({
        id: segment.id,
        start: first,
        end: beyond,
        page: on,
        partKind,
        text: segment.text.slice(first - start, beyond - start),
      })
    }
    return { id: document, title: row.title, segments, text: segments.map(({ text }) => text).join(''), next }
  },
})

/** The file itself, for whoever sees all that was made of it. It holds the words of every segment. */
export const originalFile = readOperation({
  name: 'documents.original',
  summary: 'Fetch the file that a document was made of',
  callers: 'owner',
  rate: 'view',
  input: z.strictObject({ id }),
  output: z
    .object({
      id: z.string(),
      document: z.string(),
      mediaType: z.string(),
      size: z.int(),
      /** In base64. */
      content: z.string(),
    })
    .nullable(),
  async run(request, { id: document }) {
    const { tx, tenant } = request
    const [decided] = await request.decide(await fetchRecords(tx, tenant, [document]))
    const segments = await segmentsOf(request, document)
    const source = (await findSourcesOf(tx, tenant, [document])).find(({ recordId }) => recordId === document)
    const bytes = await readContent(tx, tenant, source?.sourceId ?? document)
    if (decided?.level !== 'full' || source === undefined || bytes === null) return null
    if (segments.length !== source.segments) return null
    request.showRow(decided.row, 'full')
    for (const { row } of segments) request.showRow(row, 'full')
    return {
      id: document,
      document: source.document,
      mediaType: source.mediaType ?? 'application/octet-stream',
      size: source.size,
      content: Buffer.from(bytes).toString('base64'),
    }
  },
})
