import { z } from 'zod'
import { name, principal } from '../../runtime/input.js'
import { newestFirst, page } from '../../runtime/newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { forgetOwned } from '../../runtime/operations/forget.js'
import { absent } from '../../runtime/request.js'
import { deleteUnread, findSources, listSources, lockDocument } from '../../storage/queries/sources.js'
import { documentName } from '../file-input.js'
import { asCaller } from '../known-file.js'

const STATES = ['extracting', 'complete', 'partial', 'needs_ocr', 'failed'] as const

/** Files and what became of them, newest first: what waits, what failed and why. */
export const listFiles = readOperation({
  name: 'documents.sources',
  summary: 'List files that were taken in, and what became of them',
  callers: 'owner',
  input: z.strictObject({
    ...page,
    state: z.enum(STATES).optional(),
    corpus: name.optional(),
  }),
  output: z.object({
    sources: z.array(
      z.object({
        source: z.string(),
        document: z.string(),
        owner: z.string(),
        corpus: z.string(),
        filingUnit: z.string().nullable(),
        version: z.int(),
        versionKind: z.string().nullable(),
        card: z.string().nullable(),
        state: z.enum(STATES),
        problem: z.string().nullable(),
        mediaType: z.string().nullable(),
        size: z.int(),
        binding: z.string().nullable(),
        createdAt: z.string(),
        extractedAt: z.string().nullable(),
      }),
    ),
    cursor: z.string().nullable(),
  }),
  async run(request, { state = null, corpus = null, limit, cursor }) {
    const { tx, tenant } = request
    const found = await newestFirst(
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
        state: row.state as (typeof STATES)[number],
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

/**
 * Deletes a document: its file in every version, its card, its segments and everything made from them (AU-4). As with any
 * deletion of one's own, no gate is asked (PC-6).
 */
export const removeDocument = writeOperation({
  name: 'documents.remove',
  summary: 'Delete a document with all its versions and everything made from them',
  callers: 'owner',
  effects: ['record_forgotten'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({ document: documentName, owner: principal.optional() }),
  output: z.object({ document: z.string(), removedAt: z.string().nullable() }),
  async run(request, { document, owner = request.caller.actingFor }) {
    const { tx, tenant, now } = request
    request.requireOwner(owner)
    await lockDocument(tx, tenant, owner, document)
    const find = () => findSources(tx, tenant, owner, document)
    const isOwn = owner === request.caller.actingFor
    const sources = isOwn ? await find() : await asCaller(request, find)
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
