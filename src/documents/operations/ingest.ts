import { createHash } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { joinLabels, type Label, LEAST_LABEL } from '../../policy/labels.js'
import { labelFields } from '../../runtime/draft.js'
import { fileContent } from '../../runtime/file-content.js'
import { id, name, principal } from '../../runtime/input.js'
import { writerLabel } from '../../runtime/labels-of-writes.js'
import { writeOperation } from '../../runtime/operation.js'
import { absent } from '../../runtime/request.js'
import { ownTargetsOf } from '../../runtime/write-records.js'
import { deleteUnread, insertSource, readContent, type SourceRow } from '../../storage/queries/sources.js'
import { describeFile } from '../describe-file.js'
import { extractFile } from '../extract-file.js'
import {
  DEFAULT_SURFACE,
  DEFAULT_TIME_ZONE,
  documentName,
  EMPTY_FILE,
  type FileRequest,
  fileMetadata,
  fileRequest,
  fileRequestFields,
  filingFields,
  readMetadata,
} from '../file-input.js'
import { answer, ingested, outcomeOf, readInto, replayIngested } from '../ingested-file.js'
import { type KnownFile, lockFile, requireCorpus } from '../known-file.js'
import { isCoveredByPredecessor } from '../make-records.js'
import { lockOwnWatch } from './watch-fires.js'

/**
 * Ingests a file. The same bytes again only update the description; other bytes under the same name create a version,
 * which replaces the one before. A file that cannot be read is kept and reported, and the previous version stays
 * current.
 */
export const ingest = writeOperation({
  name: 'documents.ingest',
  route: 'POST /documents',
  summary: 'Ingest a file as a document, or as a new version of it',
  policies: ['agent'],
  sample: world => ({
    document: world.pick(['mine.txt', `${world.key}.txt`]),
    corpus: 'fresh',
    content: Buffer.from(`what the viewer filed of ${world.word()}`).toString('base64'),
    ...world.maybe(0.3, { extract: 'later' }),
    ...world.maybe(0.2, { binding: world.other() }),
  }),
  callers: 'anyone',
  rate: 'upload',
  effects: ['document_ingested'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    document: documentName,
    corpus: name.meta({ description: 'The collection to file it in.', example: 'briefs' }),
    content: fileContent.meta({
      description: 'The file in base64.',
      example: 'VGhlIG1vdGlvbiBpcyBkZW5pZWQu',
    }),
    owner: principal.optional().meta({ description: 'Who owns it. Default: you.', example: 'ana' }),
    ...fileRequestFields,
    ...filingFields,
    ...labelFields,
    metadata: fileMetadata
      .optional()
      .meta({ description: 'What is known of it. This wins over what is found in its text.' }),
    extract: z
      .enum(['now', 'later'])
      .default('now')
      .meta({ description: '`now` reads it at once; `later` leaves that to `documents.extract`.' }),
    binding: id.optional().meta({ description: 'The binding that brought it, by its id.' }),
  }),
  output: ingested,
  async run(request, input) {
    const { tx, tenant, now } = request
    const bytes = Buffer.from(input.content, 'base64')
    if (bytes.length === 0) throw new PrivityError('invalid_input', EMPTY_FILE)
    const sha256 = createHash('sha256').update(bytes).digest()
    if (input.binding !== undefined) await lockOwnWatch(request, input.binding)
    const file = await lockFile(request, input.owner ?? request.caller.actingFor, input.document)
    requireCorpus(file, input.corpus)
    const [newest] = file.sources
    const isSame =
      newest !== undefined && Buffer.from(newest.sha256).equals(sha256) && isReadAlike(newest, input)
    if (isSame && newest.state === 'extracting' && input.extract === 'now')
      return readInto(request, file, newest, bytes)
    if (isSame) {
      requireNoMore(file, input)
      const described = await describeFile(request, file, newest, input)
      return described === null
        ? { output: answer(file, newest, 'unchanged'), refs: [] }
        : { output: answer(file, described, 'described'), refs: file.cards.map(card => card.id) }
    }

    const kept = keptOf(file)
    // The replaced card may be gone by the time this file is read, so its label is recorded now (TR-7).
    const replaced = file.cards.map(({ tuple }) => tuple)
    const atLeast = labelAlone(joinLabels(await writerLabel(request), ...kept.labels, ...replaced))
    const participants = [...new Set([...kept.participants, ...(input.participants ?? [])])]
    const wanted: FileRequest = {
      ...kept.asked,
      ...given(input, Object.keys(fileRequestFields)),
      ...given(input, Object.keys(labelFields)),
      ...(participants.length === 0 ? {} : { participants }),
      atLeast: { ...atLeast, participants: [...atLeast.participants] },
    }
    const place = {
      corpus: input.corpus,
      // A document that is not filed with others forms a filing unit of its own.
      filingUnit: input.filingUnit ?? kept.filingUnit ?? input.document,
      version: `${input.document}@${kept.version + 1}`,
      document: input.document,
    }
    const sourceId = request.parts.clock.newId('source')
    const [card] = file.cards
    const source: SourceRow = {
      sourceId,
      owner: file.owner,
      document: input.document,
      version: kept.version + 1,
      recordId: null,
      follows: card?.id ?? null,
      asFollowed: card !== undefined && isCoveredByPredecessor(wanted, atLeast, card),
      targets: ownTargetsOf(file.owner, place, sourceId),
      corpus: input.corpus,
      filingUnit: place.filingUnit,
      versionKind: input.versionKind ?? kept.versionKind,
      mediaType: null,
      sha256,
      size: bytes.length,
      state: 'extracting',
      problem: null,
      pages: null,
      characters: null,
      segments: null,
      metadata: {
        ...kept.metadata,
        ...readMetadata(input.metadata ?? {}, wanted.timeZone ?? DEFAULT_TIME_ZONE),
      },
      found: null,
      asked: wanted,
      bindingId: input.binding ?? null,
      createdAt: now,
      extractedAt: null,
    }
    // This comes first because the transaction starts again for the reading.
    if (input.extract === 'now') extractFile(request, source, wanted, bytes)
    // Versions that were never read are replaced by this one.
    await deleteUnread(
      tx,
      tenant,
      file.sources.filter(({ recordId }) => recordId === null).map(unread => unread.sourceId),
    )
    await insertSource(tx, tenant, source, bytes)
    if (input.extract === 'now') return readInto(request, file, source, bytes)
    return { output: answer(file, source, outcomeOf(source)), refs: [sourceId] }
  },
  replay: replayIngested,
})

/** Reads a stored file that waits to be read or that could not be read before. */
export const extract = writeOperation({
  name: 'documents.extract',
  route: 'POST /documents/extract',
  summary: 'Extract the text of a file that was ingested before',
  policies: ['agent'],
  sample: () => ({ document: 'mine.txt' }),
  callers: 'anyone',
  effects: ['document_extracted'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    document: documentName,
    owner: principal.optional().meta({ description: 'Who owns it. Default: you.', example: 'ana' }),
  }),
  output: ingested,
  async run(request, input) {
    const file = await lockFile(request, input.owner ?? request.caller.actingFor, input.document)
    const [newest] = file.sources
    const waits = newest !== undefined && newest.recordId === null
    const bytes = waits ? await readContent(request.tx, request.tenant, newest.sourceId) : null
    if (newest === undefined || bytes === null) throw absent()
    return readInto(request, file, newest, bytes)
  },
  replay: replayIngested,
})

/**
 * What carries over to the next version of a file unless the caller gives it again. The labels of a card carry over
 * by derivation. Labels given with versions that were never read are added, because the next version replaces those.
 */
function keptOf({ cards, sources }: KnownFile) {
  const [newest] = sources
  const unread = sources
    .filter(({ recordId }) => recordId === null)
    .map(source => fileRequest.parse(source.asked))
  const before = fileRequest.partial().parse(newest?.asked ?? {})
  return {
    version: Math.max(0, ...sources.map(({ version }) => version)),
    filingUnit: newest?.filingUnit ?? cards[0]?.filingUnit ?? null,
    versionKind: newest?.versionKind ?? cards[0]?.versionKind ?? null,
    metadata: newest?.metadata ?? {},
    asked: given(before, Object.keys(fileRequestFields)),
    labels: unread.flatMap(({ sensitivity, scope, visibilityClass, atLeast = LEAST_LABEL }): Label[] => [
      atLeast,
      {
        sensitivity: sensitivity ?? LEAST_LABEL.sensitivity,
        scope: scope ?? null,
        visibilityClass: visibilityClass ?? LEAST_LABEL.visibilityClass,
        participants: [],
      },
    ]),
    participants: unread.flatMap(({ participants = [] }) => participants),
  }
}

const labelAlone = ({ sensitivity, scope, visibilityClass, participants }: Label): Label => ({
  sensitivity,
  scope,
  visibilityClass,
  participants,
})

/**
 * The same bytes change no label, so a request for a stricter one is refused: the card must be relabelled instead.
 */
function requireNoMore({ cards }: KnownFile, input: Readonly<Record<string, unknown>>): void {
  // Participants do not count, because a file that is ingested again names the same people again.
  const { participants: _, ...label } = given(input, Object.keys(labelFields))
  if (cards.some(card => !isCoveredByPredecessor(label, LEAST_LABEL, card)))
    throw new PrivityError(
      'conflict',
      'this file is already stored with another label; relabel its card instead',
    )
}

/** Whether a file would be read with the same options. Other options give the same bytes other parts and dates. */
function isReadAlike({ asked: before }: SourceRow, input: FileRequest): boolean {
  const known = fileRequest.partial().parse(before)
  return (
    (input.language ?? known.language) === known.language &&
    (input.partKind ?? known.partKind) === known.partKind &&
    (input.surface ?? known.surface ?? DEFAULT_SURFACE) === (known.surface ?? DEFAULT_SURFACE) &&
    (input.timeZone ?? known.timeZone ?? DEFAULT_TIME_ZONE) === (known.timeZone ?? DEFAULT_TIME_ZONE) &&
    (input.expiresAt ?? known.expiresAt)?.getTime() === known.expiresAt?.getTime()
  )
}

/** The chosen entries that are not undefined. */
function given(values: Readonly<Record<string, unknown>>, keys: readonly string[]): FileRequest {
  return Object.fromEntries(keys.flatMap(key => (values[key] === undefined ? [] : [[key, values[key]]])))
}
