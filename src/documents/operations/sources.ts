import { z } from 'zod'
import { createdAt, nextCursor } from '../../runtime/fields.js'
import { name, principal } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { forgetOwned } from '../../runtime/operations/forget.js'
import { absent } from '../../runtime/request.js'
import {
  deleteUnread,
  findNewest,
  findSources,
  listSources,
  lockDocument,
} from '../../storage/queries/sources.js'
import { documentName } from '../file-input.js'
import { fileState, readingFields } from '../file-state.js'
import { lockFile } from '../known-file.js'

/** Lists files and their state, newest first: which ones wait, which ones failed and why. */
export const listFiles = readOperation({
  name: 'documents.sources',
  route: 'GET /document-sources',
  summary: 'List ingested files, and what became of them',
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'owner',
  input: z.strictObject({
    ...pageInput,
    state: fileState.optional().meta({ description: 'Only files in this state.', example: 'failed' }),
    corpus: name.optional().meta({ description: 'Only this collection.', example: 'briefs' }),
  }),
  output: z.object({
    sources: z
      .array(
        z.object({
          source: z.string().meta({ description: 'The file as it was taken in, by its id.' }),
          document: z.string().meta({ description: 'The name of the file.' }),
          owner: z
            .string()
            .meta({ description: 'Who owns it: a person, `group:<id>` or `role:<id>/<role>`.' }),
          corpus: z.string().meta({ description: 'The collection it is filed in.' }),
          filingUnit: z
            .string()
            .nullable()
            .meta({ description: 'The filing it is a version of; null if none.' }),
          version: z.int().meta({ description: 'The number of the version.' }),
          versionKind: z
            .string()
            .nullable()
            .meta({ description: 'What sort of version it is; null if none.' }),
          card: z
            .string()
            .nullable()
            .meta({ description: 'The record that stands for it, by its id; null until it is read.' }),
          state: fileState.meta({ description: 'Whether it was read, waits, or failed.' }),
          ...readingFields,
          size: z.int().meta({ description: 'Its size in bytes.' }),
          binding: z
            .string()
            .nullable()
            .meta({ description: 'The binding that brought it, by its id; null if none did.' }),
          createdAt,
          extractedAt: z.string().nullable().meta({ description: 'When it was read; null until then.' }),
        }),
      )
      .meta({ description: 'The files, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { state = null, corpus = null, limit, cursor }) {
    const { tx, tenant } = request
    const found = await listNewestFirst(
      request,
      ['documents.sources', state, corpus],
      { limit, cursor },
      (before, most) => listSources(tx, tenant, { state, corpus }, before, most),
      row => ({ createdAt: row.createdAt, id: row.sourceId }),
    )
    return {
      sources: found.rows.map(row => ({
        source: row.sourceId,
        document: row.document,
        owner: row.owner,
        corpus: row.corpus,
        filingUnit: row.filingUnit,
        version: row.version,
        versionKind: row.versionKind,
        card: row.recordId,
        state: row.state as z.infer<typeof fileState>,
        problem: row.problem,
        mediaType: row.mediaType,
        size: row.size,
        binding: row.bindingId,
        createdAt: row.createdAt.toISOString(),
        extractedAt: row.extractedAt?.toISOString() ?? null,
      })),
      cursor: found.cursor,
    }
  },
})

const MOST_CHECKED = 1_000

/** Tells which files need not be sent again, so that a folder is checked by what its files hash to. */
export const unchangedFiles = readOperation({
  name: 'documents.unchanged',
  route: 'POST /documents/unchanged',
  summary: 'List which files are stored already, by the hashes of their bytes',
  sample: world => ({
    corpus: world.corpus(),
    files: [{ document: world.pick(['mine.txt', `${world.key}.txt`]), sha256: '0'.repeat(64) }],
  }),
  callers: 'owner',
  input: z.strictObject({
    corpus: name.meta({ description: 'The collection they are filed in.', example: 'briefs' }),
    files: z
      .array(
        z.strictObject({
          document: documentName,
          sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/, { message: 'must be 64 hexadecimal digits' })
            .meta({ description: 'The SHA-256 of its bytes.', example: '0'.repeat(64) }),
        }),
      )
      .min(1)
      .max(MOST_CHECKED)
      .meta({ description: 'The files to look for.' }),
  }),
  output: z.object({
    unchanged: z
      .array(z.string())
      .meta({ description: 'Those whose newest version has these bytes and was read whole, by name.' }),
  }),
  async run(request, { corpus, files }) {
    const { tx, tenant, caller } = request
    const names = [...new Set(files.map(({ document }) => document))].sort()
    const stored = new Map(
      (await findNewest(tx, tenant, caller.actingFor, corpus, names))
        .filter(({ state }) => state === 'complete')
        .map(({ document, sha256 }) => [document, Buffer.from(sha256).toString('hex')]),
    )
    const unchanged = files.filter(({ document, sha256 }) => stored.get(document) === sha256)
    return { unchanged: unchanged.map(({ document }) => document) }
  },
})

/**
 * Deletes a document: its file in every version, its card, its chunks and everything derived from them (AU-4). As for
 * any deletion, no gate is asked if the owner sees everything (PC-6); otherwise a document exists as far as its card is
 * seen in full (NI-11).
 */
export const removeDocument = writeOperation({
  name: 'documents.remove',
  route: 'POST /documents/remove',
  summary: 'Delete a document with all its versions and everything made from them',
  sample: () => ({ document: 'mine.txt' }),
  callers: 'owner',
  effects: ['record_forgotten'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    document: documentName,
    owner: principal.optional().meta({ description: 'Who owns it. Default: you.', example: 'ana' }),
  }),
  output: z.object({
    document: z.string().meta({ description: 'The name of the file.' }),
    removedAt: z.string().nullable().meta({ description: 'When it was removed; null if there was none.' }),
  }),
  async run(request, { document, owner = request.caller.actingFor }) {
    const { tx, tenant, now } = request
    request.requireOwner(owner)
    await lockDocument(tx, tenant, owner, document)
    const find = () => findSources(tx, tenant, owner, document)
    const isOwn = owner === request.caller.actingFor && request.seesEverything
    const { sources } = isOwn ? { sources: await find() } : await lockFile(request, owner, document)
    if (sources.length === 0) throw absent()
    const cards = sources.flatMap(({ recordId }) => recordId ?? [])
    if (cards.length > 0) await forgetOwned(request, cards)
    await deleteUnread(
      tx,
      tenant,
      sources.filter(({ recordId }) => recordId === null).map(({ sourceId }) => sourceId),
    )
    return { output: { document, removedAt: now.toISOString() }, refs: cards }
  },
  replay: async (_request, _refs, { document }) => ({ document, removedAt: null }),
})
