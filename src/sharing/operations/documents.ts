import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { shownLevel } from '../../policy/faces.js'
import { NOT_AVAILABLE } from '../../policy/reason-codes.js'
import { VisibleSet } from '../../runtime/index/visible-set.js'
import { id, name, text } from '../../runtime/input.js'
import { newestFirst, page } from '../../runtime/newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { readPageKey, searchResult, writePageKey } from '../../runtime/operations/search.js'
import { absent, type ReadRequest, timesOf, type WriteRequest } from '../../runtime/request.js'
import { describeNothing } from '../../runtime/search/completeness.js'
import { askedOf } from '../../runtime/search/meant.js'
import { narrow } from '../../runtime/search/predicates.js'
import { MODES, question } from '../../runtime/search/question.js'
import { expansionRecord, visibleReceipt, visibly } from '../../runtime/search/receipt.js'
import { describeMatch, discloseVersions, fetchResults, pageOf, runSearch } from '../../runtime/search/run.js'
import { parseQuery } from '../../search/query.js'
import { wordsWithPrefix } from '../../search/suggest.js'
import { tokenize } from '../../search/tokenize.js'
import { fetchRecords, type RecordRow } from '../../storage/queries/fetch-records.js'
import { listRecords } from '../../storage/queries/list-records.js'
import { insertDownload } from '../../storage/queries/share-links.js'
import { resolvePolicy } from '../resolve-policy.js'
import { mayDo, shareDocument, sharedDocument, textOf, withinBytes } from '../shared-document.js'

const query = {
  query: text(2_000).refine(value => value.trim().length > 0, { message: 'must not be empty' }),
  corpus: name.optional(),
  mode: z.enum(MODES).default('hybrid'),
  /** Whether other forms of a word count as well. */
  stemming: z.boolean().default(true),
}

const askedFor = (asked: {
  query: string
  corpus?: string | undefined
  mode: (typeof MODES)[number]
  stemming: boolean
}) =>
  question.parse({
    query: asked.query,
    mode: asked.mode,
    stemming: asked.stemming,
    ...(asked.corpus === undefined ? {} : { corpus: asked.corpus }),
  })

/**
 * Searches documents as they are shared: by their titles and texts alone, in no order but that of the question. What the
 * caller may not see does not exist for it (SV-3).
 */
export const executeSearch = readOperation({
  name: 'search.execute',
  summary: 'Search shared documents, best first',
  callers: 'anyone',
  rate: 'query',
  input: z.strictObject({
    ...query,
    limit: z.int().min(1).max(100).default(10),
    cursor: text(2_000).optional(),
  }),
  asks: asked => askedOf({ question: askedFor(asked), query: parseQuery(asked.query) }),
  output: z.object({
    results: z.array(
      searchResult.pick({ score: true, versionSelectionDisclosure: true, snippet: true }).extend({
        document: sharedDocument,
        matchSurface: z.array(z.enum(['title', 'text'])),
      }),
    ),
    /** Matches in all. */
    count: z.int(),
    suggestion: z
      .object({ query: z.string(), terms: z.array(z.object({ from: z.string(), to: z.string() })) })
      .nullable(),
    notice: z.string().nullable(),
    cursor: z.string().nullable(),
    receipt: visibleReceipt,
    expansions: z.array(expansionRecord),
  }),
  async run(request, asked) {
    const { secrets, actorId, forId } = request.parts
    const { limit, cursor, ...about } = asked
    const boundTo = JSON.stringify(['search.execute', actorId, forId, request.caller.audience, about])
    const after = cursor === undefined ? null : readPageKey(secrets.open(cursor, boundTo))
    const asOf = after?.asOf ?? request.now.getTime()
    const searched = await runSearch(request, askedFor(about), asOf)
    const { executed, account } = searched
    const { page: ranked, more } = pageOf(executed.ranked, after, request.atMost(limit))
    const results = await fetchResults(request, searched, ranked)
    const rows = new Map(
      (await fetchRecords(request.tx, request.tenant, results.map(({ view }) => view.id).sort())).map(row => [
        row.id,
        row,
      ]),
    )
    const may = mayDo(request)
    for (const { view } of results) request.show(view)
    request.leave(account.run)
    const last = ranked.at(-1)
    return {
      results: results.flatMap(({ item, view }) => {
        const row = rows.get(view.id)
        const document = row === undefined ? null : shareDocument(request, row, view.face, may)
        if (document === null) return []
        const { matchSurface, snippet } = describeMatch({ ...view, tags: [] }, executed.words, {
          passages: 2,
          length: 200,
        })
        return [
          {
            document,
            score: item.score,
            versionSelectionDisclosure: discloseVersions(searched, item),
            matchSurface: matchSurface.filter(one => one !== 'tags'),
            snippet,
          },
        ]
      }),
      count: executed.matches.count,
      suggestion:
        executed.suggestion === null
          ? null
          : { ...executed.suggestion, terms: [...executed.suggestion.terms] },
      notice: executed.matches.count === 0 ? describeNothing(visibly(account).resultSetCompleteness) : null,
      cursor: more && last !== undefined ? secrets.seal(writePageKey({ ...last, asOf }), boundTo) : null,
      receipt: visibly(account),
      expansions: account.expansions,
    }
  },
})

/** Completes the last word of what is being typed, with words of documents that the caller sees (QX-2). */
export const completeSearch = readOperation({
  name: 'search.complete',
  summary: 'Complete a word with words of shared documents',
  callers: 'anyone',
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
    const asked = askedFor({ query: 'any', corpus, mode: 'text', stemming: true })
    const segments = narrow(visible.segments, asked, new Map())
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

/** Shared documents, newest first, without their texts. */
export const listDocuments = readOperation({
  name: 'document_view.list',
  summary: 'List shared documents',
  callers: 'anyone',
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
      (before, wanted) => listRecords(request.tx, request.tenant, filter, 'newest', before, wanted),
      row => ({ createdAt: row.createdAt, id: row.id }),
    )
    return {
      documents: (await shown(request, found.rows)).map(({ document }) => document),
      cursor: found.cursor,
    }
  },
})

export const NO_FILTER = {
  kinds: null,
  tags: null,
  createdAfter: null,
  createdBefore: null,
  owner: null,
  corpus: null,
  people: null,
  fields: null,
}

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
    const rows = await fetchRecords(request.tx, request.tenant, [documentId])
    const [found] = await shown(request, rows)
    if (found === undefined) return null
    const most = request.parts.profile?.most.bytes ?? Number.POSITIVE_INFINITY
    return { ...found.document, ...withinBytes(textOf(found.row, found.level), most) }
  },
})

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
  const found = (await request.fetchVisible([documentId])).get(documentId)
  const may = mayDo(request)
  const document = found === undefined ? null : shareDocument(request, found.row, found.level, may)
  if (found === undefined || document === null) throw absent()
  // What is seen in part has no copy.
  if (found.level !== 'full' || !(await mayDeliver(request)))
    throw new PrivityError('not_allowed', NOT_AVAILABLE)
  request.showRow(found.row, found.level)
  const most = request.parts.profile?.most.bytes ?? Number.POSITIVE_INFINITY
  const { text: content, truncated } = withinBytes(found.row.text, most)
  return {
    document: documentId,
    fileName: fileNameOf(found.row),
    mediaType: 'text/plain; charset=utf-8',
    content,
    bytes: Buffer.byteLength(content),
    truncated,
    etag: document.etag,
    watermark: null,
  }
}

/** Whether the delivery policy of the session lets copies leave. */
async function mayDeliver(request: WriteRequest): Promise<boolean> {
  const row = request.parts.profile?.row
  const ref = row?.fields.documentDeliveryPolicyRef
  if (row === undefined || ref == null) return true
  // One that is not there any more lets nothing leave (DE-2).
  const policy = await resolvePolicy(request, row.owner, 'document_delivery_policy', ref)
  return policy?.delivery === 'view_and_download'
}

/** A name that any file system takes. */
function fileNameOf({ title, document, id: recordId }: RecordRow): string {
  const plain = (title ?? document ?? recordId).normalize('NFKC').replace(/[^\p{L}\p{N} ._-]+/gu, '_')
  const trimmed = plain.replace(/^[ ._]+|[ ._]+$/g, '').slice(0, 100)
  return `${trimmed === '' ? recordId : trimmed}.txt`
}
