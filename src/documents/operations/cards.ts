import { z } from 'zod'
import type { Level } from '../../policy/faces.js'
import { deliver, requireDelivery } from '../../runtime/deliver.js'
import { createdAt, nextCursor } from '../../runtime/fields.js'
import { FRAMINGS, type Framing, framingsOf } from '../../runtime/framing.js'
import { id, name } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import { pageAt, stretchOn } from '../../runtime/page-at.js'
import { shownTitle } from '../../runtime/preview.js'
import type { DecidedRecord, ReadRequest } from '../../runtime/request.js'
import { loadSeenChunks, type SeenChunk } from '../../runtime/seen-chunks.js'
import { face } from '../../runtime/vocabulary.js'
import { countChunks, fetchVersions } from '../../storage/queries/chunks.js'
import { fetchRecords, type RecordRow } from '../../storage/queries/fetch-records.js'
import { listRecords } from '../../storage/queries/list-records.js'
import { findSourcesOf, readContent } from '../../storage/queries/sources.js'

// TR-3
const card = z
  .object({
    id: z.string().meta({ description: 'The id of the record that stands for the document.' }),
    face: face.meta({ description: 'How much of it is shown.' }),
    title: z.string().nullable().meta({ description: 'Its title; null if it has none or it is not shown.' }),
    document: z.string().nullable().meta({ description: 'The name of the file; null if it is not shown.' }),
    owner: z.string().nullable().meta({ description: 'Who owns it; null if it is not shown.' }),
    corpus: z
      .string()
      .nullable()
      .meta({ description: 'The collection it belongs to; null if it is not shown.' }),
    filingUnit: z
      .string()
      .nullable()
      .meta({ description: 'The filing that its versions belong to; null if none.' }),
    version: z.string().nullable().meta({ description: 'The version of the filing; null if none.' }),
    versionKind: z.string().nullable().meta({ description: 'What sort of version it is; null if none.' }),
    mediaType: z
      .string()
      .nullable()
      .meta({ description: 'The media type of the file; null for a document that was written, not read.' }),
    pages: z.int().nullable().meta({ description: 'Number of pages; null if the format has none.' }),
    state: z.string().nullable().meta({
      description: 'How much of the file could be read; null for a document that was written, not read.',
    }),
    // SR-14
    framing: z.enum(FRAMINGS).nullable().meta({
      description: '`stale` while a newer version waits or could not be read; null where there is no file.',
    }),
    segments: z.int().meta({ description: 'Number of its segments that you may see.' }),
    createdAt,
  })
  .meta({ id: 'Document', description: 'A document, as the record that stands for it shows it.' })

function showCard(
  row: RecordRow,
  level: Exclude<Level, 'none'>,
  chunks: number,
  framing: Framing | null,
): z.input<typeof card> {
  const isWhole = level === 'full'
  const { mediaType, pages, state } = row.fields
  return {
    id: row.id,
    face: level,
    title: shownTitle(row, level),
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
    segments: isWhole ? chunks : 0,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Lists documents, newest first, as their cards. */
export const listCards = readOperation({
  name: 'documents.list',
  route: 'GET /document-cards',
  summary: 'List documents',
  method: 'documents.cards',
  policies: ['agent', 'reader'],
  sample: world => ({
    limit: world.pick([1, 2, 3, 50]),
    ...world.maybe(0.2, { corpus: world.corpus() }),
  }),
  callers: 'anyone',
  input: z.strictObject({
    ...pageInput,
    corpus: name.optional().meta({ description: 'Only this collection.', example: 'briefs' }),
    state: z
      .enum(['complete', 'partial', 'needs_ocr'])
      .optional()
      .meta({ description: 'Only documents that were read this far.', example: 'complete' }),
  }),
  output: z.object({
    documents: z.array(card).meta({ description: 'The documents, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { corpus = null, state = null, limit, cursor }) {
    const { tx, tenant } = request
    const most = request.atMost(limit)
    if (most === 0) return { documents: [], cursor: null }
    const filter = { ...DOCUMENTS, corpus, fields: state === null ? null : { state } }
    const found = await listNewestFirst(
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
  asOf: null,
}

async function showCards(request: ReadRequest, rows: readonly RecordRow[]) {
  const ids = rows.map(row => row.id)
  const chunks = await countChunks(request.tx, request.tenant, ids)
  const decided = await request.decide(rows)
  const framings = await framingsOf(request, seenInFull(decided))
  return decided.flatMap(({ row, level }) => {
    if (level === 'none') return []
    request.showRow(row, level)
    return [showCard(row, level, chunks.get(row.id) ?? 0, framings.get(row.id) ?? null)]
  })
}

const seenInFull = (decided: readonly DecidedRecord[]): string[] =>
  decided.flatMap(({ row, level }) => (level === 'full' ? [row.id] : []))

const part = z
  .object({
    part: z.string().nullable().meta({ description: 'The part, by its name.' }),
    kind: z.string().nullable().meta({ description: 'What sort of part it is.' }),
    title: z.string().nullable().meta({ description: 'Its heading.' }),
    start: z.int().meta({ description: 'The first character, counted from 0.' }),
    end: z.int().meta({ description: 'The character after the last.' }),
    page: z
      .int()
      .nullable()
      .meta({ description: 'The page it begins on, counted from 1; null if the format has no pages.' }),
    segments: z.int().meta({ description: 'Number of its segments that you may see.' }),
  })
  .meta({ id: 'DocumentPart', description: 'A part of a document, such as a heading and what follows it.' })

/** One document with the parts and versions that the caller sees; null if it sees nothing of it (NI-5). */
export const getCard = readOperation({
  name: 'documents.get',
  route: 'GET /documents/:id/card',
  summary: 'Show one document with its parts and versions',
  positional: ['id'],
  policies: ['agent', 'reader'],
  sample: world => ({ id: world.record() }),
  callers: 'anyone',
  input: z.strictObject({ id: id.meta({ description: 'The document, by the id of its card.' }) }),
  output: card
    .extend({
      text: z.string().meta({ description: 'The text of its card.' }),
      fields: z
        .record(z.string(), z.unknown())
        .meta({ description: 'What is known of it: case number, court, parties, dates and the like.' }),
      parts: z.array(part).meta({ description: 'Its parts, in order.' }),
      versions: z.array(card).meta({ description: 'All versions of its filing that you may see.' }),
    })
    .nullable(),
  async run(request, { id: document }) {
    const found = await request.decide(await fetchRecords(request.tx, request.tenant, [document]))
    const [decided] = found
    const chunks = await loadSeenChunks(request, document)
    const framings = await framingsOf(request, seenInFull(found))
    const versions = await showCards(request, await fetchVersions(request.tx, request.tenant, document))
    if (decided === undefined || decided.level === 'none' || decided.row.tuple.kind !== 'document')
      return null
    const { row, level } = decided
    request.showRow(row, level)
    const isWhole = level === 'full'
    // The headings of its parts are words of the document.
    const isRead = isWhole && deliver(request, row, level, 'text') !== null
    if (isRead) request.noteView()
    return {
      ...showCard(row, level, chunks.length, framings.get(row.id) ?? null),
      text: isRead ? row.text : '',
      fields: isWhole ? { ...row.fields } : {},
      parts: isRead ? partsOf(request, row, chunks) : [],
      versions: isWhole ? versions : [],
    }
  },
})

/** The parts of which the caller sees chunks, each from its first visible chunk to its last. */
function partsOf(request: ReadRequest, { title }: RecordRow, chunks: readonly SeenChunk[]) {
  const parts: z.input<typeof part>[] = []
  for (const { row, start, end, page, partKind } of chunks) {
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
 * Reads the text of a document: the chunks that the caller sees, joined.
 *
 * A hidden chunk leaves nothing in the answer. The offsets and page numbers of the others were recorded when the file
 * was read; they belong to each chunk as much as its words do, and are shown wherever the chunk is. Hiding a chunk
 * later hides its words, but not the length of the document that the others were cut from.
 */
export const readDocument = readOperation({
  name: 'documents.read',
  route: 'GET /documents/:id/text',
  summary: 'Read the text of a document',
  positional: ['id', '...'],
  policies: ['agent', 'reader'],
  sample: world => ({ id: world.record() }),
  callers: 'anyone',
  rate: 'view',
  input: z
    .strictObject({
      id: id.meta({ description: 'The document, by the id of its card.' }),
      from: z
        .int()
        .min(0)
        .optional()
        .meta({ description: 'Read from this character, counted from 0.', example: 0 }),
      to: z.int().min(0).optional().meta({ description: 'Read up to this character.', example: 4_000 }),
      page: z
        .int()
        .min(0)
        .optional()
        .meta({ description: 'Read what begins on this page, counted from 1.', example: 1 }),
    })
    .refine(({ from = 0, to = Number.MAX_SAFE_INTEGER }) => from <= to, {
      path: ['to'],
      message: 'must not lie before from',
    }),
  output: z
    .object({
      id: z.string().meta({ description: 'The document, by the id of its card.' }),
      title: z.string().nullable().meta({ description: 'Its title; null if it has none.' }),
      segments: z
        .array(
          z.object({
            id: z.string().meta({ description: 'The id of the record.' }),
            start: z.int().meta({ description: 'The first character, counted from 0.' }),
            end: z.int().meta({ description: 'The character after the last.' }),
            page: z.int().nullable().meta({
              description: 'The page it begins on, counted from 1; null if the format has no pages.',
            }),
            partKind: z
              .string()
              .nullable()
              .meta({ description: 'What sort of part it stands in; null if none.' }),
            text: z.string().meta({ description: 'Its text.' }),
          }),
        )
        .meta({ description: 'The segments of that stretch that you may see.' }),
      text: z.string().meta({ description: 'Their text, joined.' }),
      next: z.int().nullable().meta({ description: 'Pass it as `from` to read on; null at the end.' }),
    })
    .nullable(),
  async run(request, { id: document, from = 0, to = Number.MAX_SAFE_INTEGER, page }) {
    requireDelivery(request, 'text')
    const [decided] = await request.decide(await fetchRecords(request.tx, request.tenant, [document]))
    const all = await loadSeenChunks(request, document)
    if (decided?.level !== 'full' || decided.row.tuple.kind !== 'document') return null
    const { row } = decided
    request.showRow(row, 'full')
    // Of a chunk that goes on on the next page, only what stands on the page that was asked for.
    const asked = all.flatMap(chunk => {
      const on = page === undefined ? chunk : stretchOn(chunk.row.spans, page)
      const [first, beyond] = [Math.max(on?.start ?? 0, from), Math.min(on?.end ?? 0, to)]
      return first < beyond || (on !== null && on.start === on.end) ? [{ ...chunk, first, beyond }] : []
    })
    const most = Math.min(MOST_READ, request.parts.profile?.most.bytes ?? MOST_READ)
    const chunks = []
    let characters = 0
    let next: number | null = null
    for (const { row: chunk, start, first, beyond, partKind } of asked) {
      if (characters + beyond - first > most && chunks.length > 0) {
        next = first
        break
      }
      const delivered = deliver(request, chunk, 'full', 'text')
      if (delivered === null) continue
      characters += beyond - first
      request.showRow(chunk, 'full')
      chunks.push({
        id: chunk.id,
        start: first,
        end: beyond,
        page: pageAt(chunk.spans, first),
        partKind,
        text: delivered.text.slice(first - start, beyond - start),
      })
    }
    if (chunks.length > 0) request.noteView()
    return {
      id: document,
      title: row.title,
      segments: chunks,
      text: chunks.map(({ text }) => text).join(''),
      next,
    }
  },
})

/** Downloads the original file. It holds the words of every chunk, so the caller must see everything made from it. */
export const originalFile = readOperation({
  name: 'documents.original',
  route: 'GET /documents/:id/original',
  summary: 'Fetch the file that a document was made of',
  positional: ['id'],
  sample: world => ({ id: world.record() }),
  callers: 'owner',
  rate: 'view',
  input: z.strictObject({ id: id.meta({ description: 'The document, by the id of its card.' }) }),
  output: z
    .object({
      id: z.string().meta({ description: 'The document, by the id of its card.' }),
      document: z.string().meta({ description: 'The name of the file.' }),
      mediaType: z.string().meta({ description: 'The media type of the file.' }),
      size: z.int().meta({ description: 'Its size in bytes.' }),
      content: z.string().meta({ description: 'The file in base64.' }),
    })
    .nullable(),
  async run(request, { id: document }) {
    requireDelivery(request, 'original')
    const { tx, tenant } = request
    const [decided] = await request.decide(await fetchRecords(tx, tenant, [document]))
    const chunks = await loadSeenChunks(request, document)
    const source = (await findSourcesOf(tx, tenant, [document])).find(({ recordId }) => recordId === document)
    const bytes = await readContent(tx, tenant, source?.sourceId ?? document)
    if (decided?.level !== 'full' || source === undefined || bytes === null) return null
    if (chunks.length !== source.segments) return null
    if (deliver(request, decided.row, decided.level, 'original') === null) return null
    request.noteView()
    request.showRow(decided.row, 'full')
    for (const { row } of chunks) request.showRow(row, 'full')
    return {
      id: document,
      document: source.document,
      mediaType: source.mediaType ?? 'application/octet-stream',
      size: source.size,
      content: Buffer.from(bytes).toString('base64'),
    }
  },
})
