import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Level, shownLevel } from '../../policy/faces.js'
import { mayDo, shareDocument, sharedDocument, textOf, withinBytes } from '../../runtime/document-view.js'
import { VisibleSet } from '../../runtime/index/visible-set.js'
import { id, name, text } from '../../runtime/input.js'
import { newestFirst, page } from '../../runtime/newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { notAvailable } from '../../runtime/refusal.js'
import { absent, type ReadRequest, timesOf, type WriteRequest } from '../../runtime/request.js'
import { askingOf, narrow } from '../../runtime/search/predicates.js'
import { question } from '../../runtime/search/question.js'
import { joined, type Stretch, segmentsOf } from '../../runtime/segments.js'
import { wordsWithPrefix } from '../../search/suggest.js'
import { tokenize } from '../../search/tokenize.js'
import { fetchRecords, type RecordRow } from '../../storage/queries/fetch-records.js'
import { listWithoutSegments, NO_FILTER } from '../../storage/queries/list-records.js'
import { insertDownload } from '../../storage/queries/share-links.js'

/** Completes the last word of what is being typed, with words of documents that the caller sees (QX-2). */
export const completeSearch = readOperation({
  name: 'search.complete',
  summary: 'Complete a word with words of shared documents',
  callers: 'anyone',
  rate: 'completion',
  input: z.strictObject({
    text: text(2_000),
    corpus: name.optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  output: z.object({
    completions: z.array(z.object({ text: z.string(), word: z.string(), documents: z.int() })),
  }),
  async run(request, { text, corpus, limit }) {
    const visible = await VisibleSet.of(request)
    const asked = question.parse({ query: 'any', ...(corpus === undefined ? {} : { corpus }) })
    const segments = narrow(visible.segments, asked, await askingOf(request, asked))
    const last = tokenize(text).at(-1)
    // A word is completed while it is being typed, not once it has ended.
    if (last === undefined || last.end !== text.length) return { completions: [] }
    return {
      completions: wordsWithPrefix(segments, last.term, limit).map(({ word, documents }) => ({
        text: text.slice(0, last.start) + word,
        word,
        documents,
      })),
    }
  },
})

/** Shared documents, newest first, without their texts and without segments that are read by their card. */
export const listDocuments = readOperation({
  name: 'document_view.list',
  summary: 'List shared documents',
  callers: 'anyone',
  rate: 'view',
  input: z.strictObject({ ...page, corpus: name.optional() }),
  output: z.object({ documents: z.array(sharedDocument), cursor: z.string().nullable() }),
  async run(request, { corpus = null, limit, cursor }) {
    const most = request.atMost(limit)
    if (most === 0) return { documents: [], cursor: null }
    const filter = { ...NO_FILTER, corpus }
    const found = await newestFirst(
      request,
      ['document_view.list', corpus],
      { limit: most, cursor },
      (before, wanted) => listWithoutSegments(request.tx, request.tenant, filter, before, wanted),
      row => ({ createdAt: row.createdAt, id: row.id }),
    )
    return {
      documents: (await shown(request, found.rows)).map(({ document }) => document),
      cursor: found.cursor,
    }
  },
})

/** Rows as they are shared, noted as shown. */
export async function shown(request: ReadRequest, rows: readonly RecordRow[]) {
  const may = mayDo(request)
  const faces = await request.faces(rows.map(row => ({ tuple: row.tuple, times: timesOf(row) })))
  return rows.flatMap((row, at) => {
    const level = shownLevel(faces[at] ?? 0)
    const document = shareDocument(request, row, level, may)
    if (document === null) return []
    request.showRow(row, level)
    return [{ row, level, document }]
  })
}

/** One document with its text, as far as it is shown; null whether it is absent or not permitted (NI-5). */
export const openDocument = readOperation({
  name: 'document_view.open',
  summary: 'Read a shared document',
  callers: 'anyone',
  rate: 'view',
  input: z.strictObject({ document: id }),
  output: sharedDocument.extend({ text: z.string(), truncated: z.boolean() }).nullable(),
  async run(request, { document: documentId }) {
    if (!mayDo(request).mayView) throw notAvailable(request.parts.profile)
    const rows = await fetchRecords(request.tx, request.tenant, [documentId])
    const segments = await segmentsOf(request, documentId)
    const [found] = await shown(request, rows)
    if (found === undefined) return null
    const most = request.parts.profile?.most.bytes ?? Number.POSITIVE_INFINITY
    const whole = wholeText(request, found.level, segments)
    if (whole === null) return { ...found.document, ...withinBytes(textOf(found.row, found.level), most) }
    const etag = etagOf(found.document.etag, whole)
    return { ...found.document, etag, ...withinBytes(whole, most) }
  },
})

/** What a card that is seen in full says in its segments, noted as shown; null where it has none. */
function wholeText(request: ReadRequest, level: Level, segments: readonly Stretch[]): string | null {
  if (level !== 'full') return null
  for (const { row } of segments) request.showRow(row, level)
  return joined(segments)
}

/** Of all that is shown: a card stays what it is when one of its segments is hidden. */
const etagOf = (ofCard: string, text: string) =>
  createHash('sha256')
    .update(JSON.stringify([ofCard, text]))
    .digest('base64url')
    .slice(0, 22)

/** Takes a copy. That it was taken is noted with it: what left cannot be fetched back (ST-4, ST-5). */
export const downloadDocument = writeOperation({
  name: 'document_download.fetch',
  summary: 'Download a shared document',
  callers: 'anyone',
  rate: 'view',
  effects: ['document_downloaded'],
  reversibility: 'irreversible_external_effect',
  changesFacts: false,
  input: z.strictObject({ document: id }),
  output: z.object({
    document: z.string(),
    fileName: z.string(),
    mediaType: z.string(),
    content: z.string(),
    bytes: z.int(),
    truncated: z.boolean(),
    etag: z.string(),
    /** What was put on the copy so that it can be told from others; none yet. */
    watermark: z.null(),
  }),
  async run(request, { document }) {
    const output = await copyOf(request, document)
    const { profile } = request.parts
    if (profile !== null)
      await insertDownload(request.tx, request.tenant, {
        downloadId: request.parts.clock.newId('download'),
        profileId: profile.row.profileId,
        linkId: profile.row.linkId,
        recordId: document,
        bytes: output.bytes,
        at: request.now,
      })
    return { output, refs: [document] }
  },
  replay: (request, _refs, { document }) => copyOf(request, document),
})

async function copyOf(request: WriteRequest, documentId: string) {
  const may = mayDo(request)
  // By a policy of the session, whatever is asked for: that it cannot be had tells nothing of it.
  if (!may.mayDownload) throw notAvailable(request.parts.profile)
  const found = (await request.fetchVisible([documentId])).get(documentId)
  const segments = await segmentsOf(request, documentId)
  const document = found === undefined ? null : shareDocument(request, found.row, found.level, may)
  if (found === undefined || document === null) throw absent()
  // What is seen in part has no copy.
  if (found.level !== 'full') throw notAvailable(request.parts.profile)
  request.showRow(found.row, found.level)
  const most = request.parts.profile?.most.bytes ?? Number.POSITIVE_INFINITY
  const whole = wholeText(request, found.level, segments)
  const { text: content, truncated } = withinBytes(whole ?? found.row.text, most)
  return {
    document: documentId,
    fileName: fileNameOf(found.row),
    mediaType: 'text/plain; charset=utf-8',
    content,
    bytes: Buffer.byteLength(content),
    truncated,
    etag: whole === null ? document.etag : etagOf(document.etag, whole),
    watermark: null,
  }
}

/** A name that any file system takes. */
function fileNameOf({ title, document, id: recordId }: RecordRow): string {
  const plain = (title ?? document ?? recordId).normalize('NFKC').replace(/[^\p{L}\p{N} ._-]+/gu, '_')
  const trimmed = plain.replace(/^[ ._]+|[ ._]+$/g, '').slice(0, 100)
  return `${trimmed === '' ? recordId : trimmed}.txt`
}
