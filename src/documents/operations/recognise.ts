import { z } from 'zod'
import { LEAST_LABEL } from '../../policy/labels.js'
import { id, principal } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import {
  deleteRecognition,
  loadRecognisedPages,
  loadRecognition,
  moveContent,
} from '../../storage/queries/recognitions.js'
import { insertSource, readContent, type SourceRow } from '../../storage/queries/sources.js'
import { extractFile } from '../extract-file.js'
import { documentName, fileRequest, fileRequestFields } from '../file-input.js'
import { fileState } from '../file-state.js'
import { queueScans, readInto } from '../ingested-file.js'
import { type KnownFile, lockFile } from '../known-file.js'

const recognised = z
  .object({
    document: z.string().meta({ description: 'The name of the file.' }),
    recognition: z.enum(['done', 'waiting', 'not_needed', 'not_set_up']).meta({
      description:
        'Whether its scanned pages are part of its text now, wait to be recognised, or need no recognition; `not_set_up` if this server has no text recognition.',
    }),
    waitingPages: z.int().nullable().meta({
      description: 'Number of pages that wait; null if none does or if they are not counted yet.',
    }),
    version: z.int().meta({ description: 'The number of the current version.' }),
    state: fileState.meta({ description: 'How much of the file could be read.' }),
  })
  .meta({ id: 'RecognisedDocument', description: 'How far the scanned pages of a document are read.' })
type Answer = z.input<typeof recognised>

/**
 * Reads the scanned pages of a document. They are recognised in the background; once all of them are, the same bytes
 * become the next version, because positions in the text move. Asked again before that, it says how many wait.
 */
export const recogniseDocument = writeOperation({
  name: 'documents.recognise',
  route: 'POST /documents/recognise',
  summary: 'Read the scanned pages of a document by text recognition (OCR)',
  sample: world => ({ document: world.pick(['mine.txt', `${world.key}.txt`]) }),
  callers: 'owner',
  effects: ['document_extracted'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    document: documentName,
    owner: principal.optional().meta({ description: 'Who owns it. Default: you.', example: 'ana' }),
    source: id.optional().meta({ description: 'One version of the file, by its id. Default: the newest.' }),
  }),
  output: recognised,
  async run(request, input) {
    const file = await lockFile(request, input.owner ?? request.caller.actingFor, input.document)
    const source = file.sources.find(
      ({ sourceId }) => input.source === undefined || sourceId === input.source,
    )
    if (source === undefined) throw absent()
    return recognise(request, file, source)
  },
  async replay(request, _refs, input) {
    const file = await lockFile(request, input.owner ?? request.caller.actingFor, input.document)
    const [newest] = file.sources
    if (newest === undefined) throw absent()
    return answer(newest, newest.state === 'needs_ocr' ? 'waiting' : 'done')
  },
})

async function recognise(request: WriteRequest, file: KnownFile, source: SourceRow) {
  const { tx, tenant, parts } = request
  const unchanged = (recognition: Answer['recognition'], waitingPages: number | null = null) => ({
    output: answer(source, recognition, waitingPages),
    refs: [source.sourceId],
  })
  const card = file.cards.find(({ id: known }) => known === source.recordId)
  if (card === undefined || source.state !== 'needs_ocr') {
    await deleteRecognition(tx, tenant, source.sourceId)
    return unchanged('not_needed')
  }
  if (parts.recogniser === null) return unchanged('not_set_up')
  const queued = await loadRecognition(tx, tenant, source.sourceId)
  if (queued?.pages == null || queued.problem !== null) {
    await queueScans(request, source)
    return unchanged('waiting')
  }
  const pages = await loadRecognisedPages(tx, tenant, source.sourceId)
  const done = new Set(pages.map(({ page }) => page))
  const waiting = queued.pages.filter(page => !done.has(page)).length
  if (waiting > 0) return unchanged('waiting', waiting)
  const bytes = queued.pages.length === 0 ? null : await readContent(tx, tenant, source.sourceId)
  // Scans that are attached to a message have no pages of their own.
  if (bytes === null) return unchanged('not_needed')

  const next = nextReading(request, file, source)
  // This comes first because the transaction starts again for the reading.
  extractFile(request, next, fileRequest.parse(next.asked), bytes, pages)
  await insertSource(tx, tenant, next, null)
  await moveContent(tx, tenant, source.sourceId, next.sourceId)
  await deleteRecognition(tx, tenant, source.sourceId)
  const { output, refs } = await readInto(request, { ...file, cards: [card] }, next, bytes, pages)
  return { output: { ...answer(next, 'done'), state: output.state }, refs }
}

/** The next version of a file, of the same bytes. Labels and overlays carry over from the card it replaces (TR-7). */
function nextReading(request: WriteRequest, { sources }: KnownFile, source: SourceRow): SourceRow {
  const before = fileRequest.parse(source.asked)
  const kept = Object.fromEntries(Object.keys(fileRequestFields).map(key => [key, source.asked[key]]))
  return {
    ...source,
    sourceId: request.parts.clock.newId('source'),
    version: Math.max(...sources.map(({ version }) => version)) + 1,
    recordId: null,
    follows: source.recordId,
    asFollowed: true,
    state: 'extracting',
    problem: null,
    asked: { ...kept, atLeast: before.atLeast ?? LEAST_LABEL },
    createdAt: request.now,
    extractedAt: null,
  }
}

const answer = (
  { document, version, state }: SourceRow,
  recognition: Answer['recognition'],
  waitingPages: number | null = null,
): Answer => ({ document, recognition, waitingPages, version, state: state as Answer['state'] })
