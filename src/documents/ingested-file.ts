import { z } from 'zod'
import { joinLabels, type Label, LEAST_LABEL } from '../policy/labels.js'
import type { RecognisedPage } from '../runtime/extraction.js'
import { writerLabel } from '../runtime/labels-of-writes.js'
import { storedRecord } from '../runtime/operations/stored.js'
import { absent, type WriteRequest } from '../runtime/request.js'
import { joinChunks, loadSeenChunks } from '../runtime/seen-chunks.js'
import { queueRecognition } from '../storage/queries/recognitions.js'
import { fetchSources, type SourceRow, updateReading } from '../storage/queries/sources.js'
import { moveLedgersToCard } from '../storage/queries/watch-ledger.js'
import { extractFile } from './extract-file.js'
import { fileRequest } from './file-input.js'
import { fileState, readingFields } from './file-state.js'
import { isSimilarText } from './is-similar-text.js'
import { type KnownFile, lockFile, readAsCaller } from './known-file.js'
import { makeRecords } from './make-records.js'

export const ingested = z
  .object({
    outcome: z
      .enum(['created', 'versioned', 'described', 'unchanged', 'failed'])
      .meta({ description: 'What became of the file; `described` means the same bytes with new details.' }),
    document: z.string().meta({ description: 'The name of the file.' }),
    source: z.string().meta({ description: 'The file as it was taken in, by its id.' }),
    version: z.int().meta({ description: 'The number of the version.' }),
    state: fileState.meta({
      description: 'How much of the file could be read; `extracting` until it is read.',
    }),
    ...readingFields,
    pages: z.int().nullable().meta({ description: 'Number of pages; null if the format has none.' }),
    characters: z
      .int()
      .nullable()
      .meta({ description: 'Number of characters that were read; null until it is read.' }),
    segments: z
      .int()
      .nullable()
      .meta({ description: 'Number of segments that were made; null until it is read.' }),
    likeBefore: z.boolean().nullable().meta({
      description:
        'Whether it shares words with the version it replaces; null if there was nothing to compare.',
    }),
    notRead: z.array(z.string()).meta({ description: 'Attachments that could not be read, and why.' }),
    card: storedRecord
      .nullable()
      .meta({ description: 'The record that stands for it; null until it is read.' }),
  })
  .meta({ id: 'IngestedFile', description: 'What became of a file that was taken in.' })
export type IngestAnswer = z.input<typeof ingested>

/** Makes records from a stored file, or notes why it could not be read. */
export async function readInto(
  request: WriteRequest,
  file: KnownFile,
  source: SourceRow,
  bytes: Uint8Array,
  recognised: readonly RecognisedPage[] = [],
) {
  const { tx, tenant, now } = request
  const wanted = fileRequest.parse(source.asked)
  const read = extractFile(request, source, wanted, bytes, recognised)
  if ('problem' in read) {
    const failed: SourceRow = { ...source, state: 'failed', problem: read.problem, extractedAt: now }
    await updateReading(tx, tenant, failed)
    return { output: answer(file, failed, 'failed'), refs: [source.sourceId] }
  }
  const atLeast: Label = joinLabels(wanted.atLeast ?? LEAST_LABEL, await writerLabel(request))
  const likeBefore = isSimilarText(read.extracted.text, await textSeenOf(request, file))
  const {
    card,
    segments: chunks,
    found,
  } = await makeRecords(request, source, wanted, read, file.cards, atLeast)
  const { extracted } = read
  const made: SourceRow = {
    ...source,
    recordId: card.id,
    mediaType: extracted.mediaType,
    state: extracted.state,
    problem: null,
    pages: extracted.pages.length,
    characters: extracted.text.length,
    segments: chunks,
    found: { ...found },
    extractedAt: now,
  }
  await updateReading(tx, tenant, made)
  if (made.state === 'needs_ocr' && request.parts.recogniser !== null) await queueScans(request, made)
  const replaced = file.cards.map(({ id }) => id)
  await moveLedgersToCard(tx, tenant, { source: source.sourceId, replaced }, card.id)
  return {
    output: {
      ...answer({ ...file, cards: [card] }, made, outcomeOf(made)),
      likeBefore,
      notRead: (extracted.notRead ?? []).map(({ name, message }) => `${name} ${message}`),
    },
    refs: [source.sourceId, card.id],
  }
}

/** The text of the current version as far as the caller sees it, so that hidden text is never compared. */
async function textSeenOf(request: WriteRequest, { cards }: KnownFile): Promise<string> {
  const texts: string[] = []
  for (const { id: card } of cards) texts.push(joinChunks(await loadSeenChunks(request, card)) ?? '')
  return texts.join('\n')
}

/** Leaves the scanned pages of a file to the text recognition. */
export async function queueScans(
  request: WriteRequest,
  { sourceId }: Pick<SourceRow, 'sourceId'>,
): Promise<void> {
  const { tx, tenant, now, caller } = request
  await queueRecognition(tx, tenant, sourceId, caller.actingFor, now)
  request.leavesScans()
}

export const outcomeOf = ({
  state,
  follows,
}: Pick<SourceRow, 'state' | 'follows'>): IngestAnswer['outcome'] =>
  state === 'failed' ? 'failed' : follows === null ? 'created' : 'versioned'

export function answer(
  { cards }: { readonly cards: readonly Pick<KnownFile['cards'][number], 'id' | 'tuple'>[] },
  source: SourceRow,
  outcome: IngestAnswer['outcome'],
): IngestAnswer {
  const card = cards.find(({ id }) => id === source.recordId)
  return {
    outcome,
    document: source.document,
    source: source.sourceId,
    version: source.version,
    state: source.state as IngestAnswer['state'],
    problem: source.problem,
    mediaType: source.mediaType,
    pages: source.pages,
    characters: source.characters,
    segments: source.segments,
    likeBefore: null,
    notRead: [],
    card:
      card === undefined
        ? null
        : {
            id: card.id,
            sensitivity: card.tuple.sensitivity,
            scope: card.tuple.scope,
            visibilityClass: card.tuple.visibilityClass,
          },
  }
}

/** A repeated request is answered with the current state of the file, if the caller may still see it (NI-7). */
export async function replayIngested(
  request: WriteRequest,
  refs: readonly string[],
  input: { readonly document: string; readonly owner?: string | undefined },
): Promise<IngestAnswer> {
  const [first] = refs
  const file = await lockFile(request, input.owner ?? request.caller.actingFor, input.document)
  const described = file.cards.some(({ id: card }) => card === first)
  const [newest] = file.sources
  if (first === undefined || described) {
    if (newest === undefined) throw absent()
    return answer(file, newest, described ? 'described' : 'unchanged')
  }
  const [source] = await readAsCaller(request, () => fetchSources(request.tx, request.tenant, [first]))
  const cards = await request.fetchVisible(source?.recordId == null ? [] : [source.recordId])
  const seen = [...cards.values()].filter(({ level }) => level === 'full').map(({ row }) => row)
  if (source === undefined || (source.recordId !== null && seen.length === 0)) throw absent()
  return answer({ cards: seen }, source, outcomeOf(source))
}
