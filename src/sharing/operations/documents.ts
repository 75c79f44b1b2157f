import { createHash } from 'node:crypto'
import { z } from 'zod'
import { shownLevel } from '../../policy/faces.js'
import { type Mark, markText } from '../../policy/watermark.js'
import { deliver, deliveryRefused, requireDelivery } from '../../runtime/deliver.js'
import {
  cutToBytes,
  documentPermissions,
  shareDocument,
  sharedDocument,
} from '../../runtime/document-view.js'
import { nextCursor } from '../../runtime/fields.js'
import { VisibleSet } from '../../runtime/index/visible-set.js'
import { id, name, text } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import {
  absent,
  type DecidedRecord,
  type ReadRequest,
  timesOf,
  type WriteRequest,
} from '../../runtime/request.js'
import { exposeWords } from '../../runtime/search/expose-words.js'
import { loadFilterContext, narrowToQuestion } from '../../runtime/search/predicates.js'
import { question } from '../../runtime/search/question.js'
import { loadChunks } from '../../runtime/seen-chunks.js'
import { gateCaller } from '../../runtime/tenant-facts.js'
import { wordsWithPrefix } from '../../search/suggest.js'
import { tokenize } from '../../search/tokenize.js'
import { fetchRecords, type RecordRow } from '../../storage/queries/fetch-records.js'
import { listWithoutChunks, NO_FILTER } from '../../storage/queries/list-records.js'
import { insertDownload, loadOpenableLink } from '../../storage/queries/share-links.js'
import { insertWatermark } from '../../storage/queries/watermarks.js'
import { type Copy, copyFile, copyText, findOriginal } from '../copies.js'
import { tellHost, whoIsIn } from '../tell-host.js'
import { displayMark, markFor, newNumber, watermarkPolicyOf } from '../watermarks.js'

/** Completes the last word of a query with words from documents that the caller sees (QX-2). */
export const completeSearch = readOperation({
  name: 'search.complete',
  route: 'POST /documents/complete',
  summary: 'Complete a word with words of shared documents',
  method: 'documents.complete',
  policies: ['recipient'],
  sample: world => ({
    text: world.word().slice(0, 1 + world.below(4)),
    ...world.maybe(0.2, { corpus: world.corpus() }),
  }),
  callers: 'anyone',
  rate: 'completion',
  input: z.strictObject({
    text: text(2_000).meta({ description: 'What was typed so far.', example: 'where do the tom' }),
    corpus: name.optional().meta({ description: 'Only this collection.', example: 'letters' }),
    limit: z.int().min(1).max(50).default(10).meta({ description: 'Most completions.' }),
  }),
  output: z.object({
    completions: z
      .array(
        z.object({
          text: z.string().meta({ description: 'The whole text with its last word completed.' }),
          word: z.string().meta({ description: 'The completed word.' }),
          documents: z.int().meta({ description: 'Number of visible documents that have the word.' }),
        }),
      )
      .meta({ description: 'The completions, most frequent first.' }),
  }),
  async run(request, { text, corpus, limit }) {
    const visible = await VisibleSet.of(request)
    const asked = question.parse({ query: 'any', ...(corpus === undefined ? {} : { corpus }) })
    const segments = narrowToQuestion(visible.segments, asked, await loadFilterContext(request, asked))
    const last = tokenize(text).at(-1)
    // A word is completed only while it is being typed, not after it has ended.
    if (last === undefined || last.end !== text.length) return { completions: [] }
    const words = wordsWithPrefix(segments, last.term, limit)
    exposeWords(
      request,
      segments,
      words.map(({ word }) => word),
    )
    return {
      completions: words.map(({ word, documents }) => ({
        text: text.slice(0, last.start) + word,
        word,
        documents,
      })),
    }
  },
})

/** Lists shared documents, newest first, without their text and without chunks, which are read through their card. */
export const listDocuments = readOperation({
  name: 'document_view.list',
  route: 'GET /documents',
  summary: 'List shared documents',
  method: 'documents.list',
  policies: ['recipient'],
  sample: world => ({
    limit: world.pick([1, 2, 3, 50]),
    ...world.maybe(0.2, { corpus: world.corpus() }),
  }),
  callers: 'anyone',
  rate: 'view',
  input: z.strictObject({
    ...pageInput,
    corpus: name.optional().meta({ description: 'Only this collection.', example: 'letters' }),
  }),
  output: z.object({
    documents: z.array(sharedDocument).meta({ description: 'The documents, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { corpus = null, limit, cursor }) {
    const most = request.atMost(limit)
    if (most === 0) return { documents: [], cursor: null }
    const filter = { ...NO_FILTER, corpus }
    const knowsCorpora = request.parts.identity.views !== null
    const found = await listNewestFirst(
      request,
      ['document_view.list', corpus],
      { limit: most, cursor },
      (before, wanted) => listWithoutChunks(request.tx, request.tenant, filter, before, wanted, knowsCorpora),
      row => ({ createdAt: row.createdAt, id: row.id }),
    )
    return {
      documents: (await showDocumentRows(request, found.rows)).map(({ document }) => document),
      cursor: found.cursor,
    }
  },
})

/** Converts rows to shared documents and notes them as shown. */
export async function showDocumentRows(request: ReadRequest, rows: readonly RecordRow[]) {
  const may = documentPermissions(request)
  const faces = await request.faces(rows.map(row => ({ tuple: row.tuple, times: timesOf(row) })))
  return rows.flatMap((row, at) => {
    const level = shownLevel(faces[at] ?? 0)
    const document = shareDocument(request, row, level, may)
    if (document === null) return []
    request.showRow(row, level)
    return [{ row, level, document }]
  })
}

/** One document with the text that the caller may see; null if it is absent or not permitted (NI-5). */
export const openDocument = readOperation({
  name: 'document_view.open',
  route: 'GET /documents/:document',
  summary: 'Read a shared document',
  method: 'documents.open',
  positional: ['document'],
  policies: ['recipient'],
  sample: world => ({ document: world.record() }),
  callers: 'anyone',
  rate: 'view',
  input: z.strictObject({
    document: id.meta({ description: 'A document that is shared with you, by its id.' }),
  }),
  output: sharedDocument
    .extend({
      text: z.string().meta({ description: 'Its text.' }),
      truncated: z.boolean().meta({ description: 'Whether the rest was cut off.' }),
      file: z.string().nullable().meta({
        description:
          'The media type of its file, if you may display that; null if you may not or there is none.',
      }),
      watermark: z
        .string()
        .nullable()
        .meta({ description: 'The number on the text; null if the link does not mark what is displayed.' }),
    })
    .nullable(),
  async run(request, { document: documentId }) {
    requireDelivery(request, 'text')
    const rows = await fetchRecords(request.tx, request.tenant, [documentId])
    const chunks = await loadChunks(request, documentId)
    const [found] = await showDocumentRows(request, rows)
    if (found === undefined) return null
    const most = request.parts.profile?.most.bytes ?? Number.POSITIVE_INFINITY
    const whole = deliverWhole(request, found, chunks, 'text')
    const original = await findOriginal(request, found, chunks)
    const mark = await textDisplayMark(request)
    const isJoined = chunks.some(({ level }) => level === found.level)
    const etag = isJoined ? etagOf(found.document.etag, whole) : found.document.etag
    const { text, truncated } = cutToBytes(whole, most)
    return {
      ...found.document,
      etag,
      text: mark === null || text === '' ? text : markText(text, mark),
      truncated,
      file: original === null || !mayDisplayFiles(request) ? null : original.mediaType,
      watermark: mark?.number ?? null,
    }
  },
})

/** Whether this caller may display the files of documents that it sees in full. */
const mayDisplayFiles = (request: ReadRequest): boolean =>
  request.deliveryRights.mayCopy &&
  gateCaller(
    'document_view.file',
    request.parts.caller,
    request.parts.tenantFacts,
    'not_needed',
    request.parts.profile,
  ).permitted

/** What is put on a text that is displayed, where the policy of the link says so. */
async function textDisplayMark(request: ReadRequest): Promise<Mark | null> {
  const policy = watermarkPolicyOf(request)
  return policy === null || policy.appliesTo === 'downloaded_artifacts' ? null : await displayMark(request)
}

/**
 * The text of a document, as far as it is delivered: of a card, its chunks joined at the level at which the card is
 * seen. It is noted as shown and as viewed.
 */
function deliverWhole(
  request: ReadRequest,
  { row, level }: DecidedRecord,
  chunks: readonly DecidedRecord[],
  want: 'text' | 'download',
): string {
  const pieces = chunks.flatMap(chunk => {
    const delivered = chunk.level === level ? deliver(request, chunk.row, chunk.level, want) : null
    if (delivered === null || delivered.text === '') return []
    request.showRow(chunk.row, chunk.level)
    return [delivered.text]
  })
  const text = pieces.length > 0 ? pieces.join('') : (deliver(request, row, level, want)?.text ?? '')
  if (text !== '') request.noteView()
  return text
}

/** The ETag covers the text too, because hiding a chunk does not change the card. */
const etagOf = (ofCard: string, text: string) =>
  createHash('sha256')
    .update(JSON.stringify([ofCard, text]))
    .digest('base64url')
    .slice(0, 22)

const handedOver = z.object({
  document: z.string().meta({ description: 'The id of the document.' }),
  fileName: z.string().meta({ description: 'A name for the file.' }),
  mediaType: z.string().meta({ description: 'The media type of the file.' }),
  content: z.string().meta({ description: 'The file in base64.' }),
  bytes: z.int().meta({ description: 'Its size in bytes.' }),
  watermark: z
    .string()
    .nullable()
    .meta({ description: 'The number on the copy; null if the link does not mark copies.' }),
})

/** The file of a document to be displayed, page by page. Whoever displays a file can keep it, so it is a copy too. */
export const displayDocument = readOperation({
  name: 'document_view.file',
  route: 'GET /documents/:document/file',
  summary: 'Display the file of a shared document',
  method: 'documents.file',
  positional: ['document'],
  policies: ['recipient'],
  sample: world => ({ document: world.record() }),
  callers: 'anyone',
  rate: 'view',
  input: z.strictObject({
    document: id.meta({ description: 'A document that is shared with you, by its id.' }),
  }),
  output: handedOver.nullable(),
  async run(request, { document: documentId }) {
    requireDelivery(request, 'original')
    const rows = await fetchRecords(request.tx, request.tenant, [documentId])
    const chunks = await loadChunks(request, documentId)
    const [found] = await showDocumentRows(request, rows)
    if (found === undefined || deliver(request, found.row, found.level, 'original') === null) return null
    const source = await findOriginal(request, found, chunks)
    if (source === null) return null
    const mark = await displayMark(request)
    // A session without a number displays no file of a link that marks copies.
    if (mark === null && watermarkPolicyOf(request) !== null) return null
    const copy = await copyFile(request, source, () => mark)
    request.noteView()
    for (const { row, level } of chunks) request.showRow(row, level)
    return viewCopy(documentId, copy, mark)
  },
})

const download = handedOver.extend({
  form: z.enum(['original', 'text']).meta({ description: 'Whether it is the file, or the text in it.' }),
  truncated: z.boolean().meta({ description: 'Whether the rest was cut off.' }),
  etag: z.string().meta({ description: 'A digest of what is shown: it changes when that changes.' }),
})

/** Downloads a copy and records that, because a copy cannot be taken back (ST-4, ST-5). */
export const downloadDocument = writeOperation({
  name: 'document_download.fetch',
  route: 'POST /documents/:document/download',
  summary: 'Download a shared document',
  method: 'documents.download',
  positional: ['document', '...'],
  policies: ['recipient'],
  sample: world => ({ document: world.record(), ...world.maybe(0.3, { form: 'text' }) }),
  callers: 'anyone',
  rate: 'view',
  effects: ['document_downloaded'],
  reversibility: 'irreversible_external_effect',
  changesFacts: false,
  input: z.strictObject({
    document: id.meta({ description: 'A document that is shared with you, by its id.' }),
    form: z.enum(['original', 'text']).default('original').meta({
      description: 'The file, or the text in it. A document without a file is its text.',
      example: 'original',
    }),
  }),
  output: download,
  async run(request, input) {
    const output = await takeCopy(request, input)
    return { output, refs: [input.document] }
  },
  // What leaves again is one more copy, with a number of its own.
  replay: (request, _refs, input) => takeCopy(request, input),
})

/** Makes a copy, marks it as its link says, and records both. */
async function takeCopy(
  request: WriteRequest,
  { document: documentId, form }: { readonly document: string; readonly form: 'original' | 'text' },
): Promise<z.input<typeof download>> {
  // The policy of the profile forbids every download, so this refusal reveals nothing about the document.
  requireDelivery(request, 'download')
  const found = (await request.fetchVisible([documentId])).get(documentId)
  const chunks = await loadChunks(request, documentId)
  const document =
    found === undefined ? null : shareDocument(request, found.row, found.level, documentPermissions(request))
  if (found === undefined || document === null) throw absent()
  if (deliver(request, found.row, found.level, 'download') === null)
    throw deliveryRefused(request, 'session.document_not_in_full')
  request.showRow(found.row, found.level)
  const source = form === 'text' ? null : await findOriginal(request, found, chunks)
  const most = request.parts.profile?.most.bytes ?? Number.POSITIVE_INFINITY
  const whole = deliverWhole(request, found, chunks, 'download')
  const { text, truncated } = cutToBytes(whole, most)
  const makeMark = () =>
    markFor(request, 'downloaded_artifacts', { number: newNumber(request.parts.clock), at: request.now })
  const textMark = source === null ? makeMark() : null
  const copy =
    source === null
      ? { ...copyText(found.row, text, textMark), mark: textMark }
      : await copyFile(request, source, makeMark)
  await recordCopy(request, documentId, copy)
  return {
    ...viewCopy(documentId, copy, copy.mark),
    form: source === null ? 'text' : 'original',
    truncated: source === null && truncated,
    etag: chunks.some(({ level }) => level === 'full') ? etagOf(document.etag, whole) : document.etag,
  }
}

async function recordCopy(
  request: WriteRequest,
  recordId: string,
  { bytes, mark }: Copy & { readonly mark: Mark | null },
): Promise<void> {
  const { profile, clock } = request.parts
  if (profile === null) return
  const { profileId, linkId } = profile.row
  const downloadId = clock.newId('download')
  const at = request.now
  await insertDownload(request.tx, request.tenant, {
    downloadId,
    profileId,
    linkId,
    recordId,
    bytes: bytes.length,
    at,
  })
  if (linkId === null) return
  const policy = watermarkPolicyOf(request)
  await tellOfCopy(request, linkId, profileId)
  if (mark === null || policy === null) return
  await insertWatermark(request.tx, request.tenant, {
    number: mark.number,
    linkId,
    profileId,
    downloadId,
    recordId,
    kind: policy.watermarkKind,
    visibility: mark.visibility,
    at,
  })
}

async function tellOfCopy(request: WriteRequest, linkId: string, profile: string): Promise<void> {
  const link = await loadOpenableLink(request.tx, request.tenant, linkId)
  if (link === undefined) return
  const who = whoIsIn(request, link)
  await tellHost(request, link, { event: 'downloaded', who, refs: { profile } })
}

const viewCopy = (document: string, { fileName, mediaType, bytes }: Copy, mark: Mark | null) => ({
  document,
  fileName,
  mediaType,
  content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  bytes: bytes.length,
  watermark: mark?.number ?? null,
})
