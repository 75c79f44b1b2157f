import { z } from 'zod'
import { isAgentAudience } from '../../policy/subject.js'
import {
  listSearchRuns,
  loadSearchRun,
  purgeSearchRuns,
  type RunsOf,
  retainSearchRun,
  type SearchRunRow,
} from '../../storage/queries/search-runs.js'
import { cursorBoundary } from '../cursor-boundary.js'
import { nextCursor, searchRunId } from '../fields.js'
import { type VisibleSegment, VisibleSet } from '../index/visible-set.js'
import { parse } from '../input.js'
import { pageInput } from '../list-newest-first.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'
import { corporaOf } from '../search/execute.js'
import type { UnifiedSearchPlan } from '../search/plan.js'
import { parseQuestion, type Question, question } from '../search/question.js'
import {
  digestWord,
  expansionRecord,
  type IndexSnapshot,
  indexSnapshot,
  manifest,
  manifestFor,
  questionSealContext,
  receipt,
  receiptFor,
  type StoredExpansion,
  type StoredReceipt,
} from '../search/receipt.js'
import {
  longerRetention,
  RETENTION_CLASSES,
  type RetentionClass,
  retentionDates,
  UPGRADES,
  type Upgrade,
} from '../search/retention.js'
import { expansionsFor, planDirect } from '../search/router/route.js'
import { surfacesOf, unitsOf } from '../search/seen-names.js'
import type { Digest } from '../secrets.js'

type Row = SearchRunRow<
  UnifiedSearchPlan,
  z.infer<typeof manifest>,
  StoredReceipt,
  StoredExpansion,
  IndexSnapshot
>
type WholeRow = Row & {
  plan: UnifiedSearchPlan
  manifest: z.infer<typeof manifest>
  receipt: StoredReceipt
  question: string
}

const retention = z
  .object({
    retentionClass: z.enum(RETENTION_CLASSES).meta({ description: 'How long it is kept.' }),
    because: z.array(z.enum(UPGRADES)).meta({ description: 'Why it is kept that long.' }),
    dueAt: z.string().meta({ description: 'When it may be deleted.' }),
  })
  .meta({ id: 'Retention', description: 'How long a receipt is kept, and why.' })

const searchRun = z
  .object({
    searchRunId: z.string().meta({ description: 'The id of the search.' }),
    at: z.string().meta({ description: 'When it ran.' }),
    retention: retention.meta({ description: 'How long it is kept.' }),
    receipt: receipt.meta({ description: 'What was searched, and how complete the search was.' }),
  })
  .meta({ id: 'SearchRun', description: 'A search that was run, and how long its receipt is kept.' })

/** An owner reads all searches made on their behalf; an agent reads only its own. */
export function runsOf({ parts: { actorId, forId, caller } }: ReadRequest): RunsOf {
  return { forId, actorId: isAgentAudience(caller.audience) ? actorId : null }
}

/** Everything that is stored of a search, as far as this reader may see it now (CV-1, CV-2). */
export const getReceipt = readOperation({
  name: 'receipts.get',
  route: 'GET /receipts/:searchRun',
  summary: 'Read what a search left: plan, manifest, receipt, index snapshots and expansions',
  positional: ['searchRun'],
  policies: ['agent', 'reader', 'recipient'],
  sample: world => ({ searchRun: world.searchRun() }),
  callers: 'anyone',
  input: z.strictObject({ searchRun: searchRunId }),
  output: searchRun
    .extend({
      plan: z.record(z.string(), z.unknown()).meta({ description: 'How it was searched.' }),
      manifest: manifest.meta({ description: 'What ran, and when.' }),
      indexSnapshots: z
        .array(indexSnapshot)
        .meta({ description: 'The states of the indexes that were searched.' }),
      expansions: z
        .array(expansionRecord)
        .meta({ description: 'The words that were added to the question, and why.' }),
    })
    .nullable(),
  async run(request, { searchRun: searchRunId }) {
    const visible = await VisibleSet.of(request)
    const found = await loadSearchRun<Row>(request.tx, request.tenant, runsOf(request), searchRunId, 'read')
    const [row] = await request.seen(found === undefined ? [] : [found])
    if (!isWhole(request)(row)) return null
    const { asked, digest } = readQuestion(request, row)
    // The reader may no longer see words and names that counted at that time, so they are looked up again.
    const route = await planDirect(request, parseQuestion({ ...asked, mode: 'text' }), visible)
    const words = expansionsFor(request, route).flatMap(({ appliedTerms }) => appliedTerms)
    const corpora = corporaOf(visible.segments)
    const told = toldOf(request, corpora)
    return {
      ...summary(request, row, visible.segments),
      plan: planFor(row.plan, told),
      manifest: manifestFor(readerOf(request), row.manifest),
      indexSnapshots: [...row.indexSnapshots],
      expansions: (row.expansions ?? []).flatMap(({ appliedDigests, ...record }) => {
        const applied = new Set(appliedDigests)
        const appliedTerms = words.filter(word => applied.has(digestWord(request, digest, searchRunId, word)))
        const { expansionSourceCorpusRef: ref } = record
        const named = ref === undefined ? {} : { expansionSourceCorpusRef: told(ref) }
        return appliedTerms.length === 0 ? [] : [{ ...record, ...named, appliedTerms }]
      }),
    }
  },
})

export const listReceipts = readOperation({
  name: 'receipts.list',
  route: 'GET /receipts',
  summary: 'List the receipts of searches, newest first',
  policies: ['agent', 'reader'],
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'anyone',
  input: z.strictObject({ ...pageInput }),
  output: z.object({
    receipts: z.array(searchRun).meta({ description: 'The searches, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { limit, cursor }) {
    const { secrets } = request.parts
    const boundTo = cursorBoundary(request, 'receipts.list', null)
    const before = cursor === undefined ? null : readKey(secrets.open(cursor, boundTo))
    const visible = await VisibleSet.of(request)
    const rows = await listSearchRuns<Row>(
      request.tx,
      request.tenant,
      runsOf(request),
      request.now,
      before,
      limit + 1,
    )
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      receipts: (await request.seen(page))
        .filter(isWhole(request))
        .map(row => summary(request, row, visible.segments)),
      cursor: rows.length > limit && last !== undefined ? secrets.seal(writeKey(last), boundTo) : null,
    }
  },
})

const writeKey = ({ at, searchRunId }: Row) => `${String(at.getTime()).padStart(16, '0')}${searchRunId}`
const readKey = (key: string) => ({ at: new Date(Number(key.slice(0, 16))), id: key.slice(16) })

/** Makes one operation for each reason to keep a search for longer (CV-7). */
const retaining = <const Verb extends string>(verb: Verb, summary: string, because: Upgrade) =>
  writeOperation({
    name: `receipts.${verb}`,
    route: `POST /receipts/:searchRun/${verb}`,
    summary,
    policies: ['agent'],
    sample: world => ({ searchRun: world.searchRun() }),
    callers: 'anyone',
    effects: ['receipt_retained'],
    reversibility: 'irreversible',
    changesFacts: false,
    input: z.strictObject({
      searchRun: searchRunId,
      retentionClass: z
        .enum(['durable_audit_1y', 'durable_audit_7y'])
        .default('durable_audit_1y')
        .meta({ description: 'How long to keep it. It is never kept shorter than before.' }),
    }),
    output: z.object({
      searchRunId: z.string().meta({ description: 'The id of the search.' }),
      retention: retention.meta({ description: 'How long it is kept.' }),
    }),
    run: async (request, { searchRun, retentionClass }) => ({
      output: {
        searchRunId: searchRun,
        retention: await retainRun(request, searchRun, because, retentionClass),
      },
      refs: [searchRun],
    }),
    replay: async (request, [searchRunId = '']) => ({
      searchRunId,
      retention: retentionOf(await lock(request, searchRunId)),
    }),
  })

export const citeReceipt = retaining(
  'cite',
  'Keep the receipt of a search that an answer cites',
  'persisted_in_answer',
)
export const deliverReceipt = retaining(
  'deliver',
  'Keep the receipt of a search whose results were passed on',
  'delivered_to_downstream_consumer',
)
export const feedbackReceipt = retaining(
  'feedback',
  'Keep the receipt of a search that somebody judged',
  'used_for_feedback',
)
export const markReceipt = retaining(
  'mark',
  'Mark the receipt of a search as essential to an audit',
  'user_marked_audit_essential',
)

/** Keeps a search for longer; the retention is never shortened. */
export async function retainRun(
  request: WriteRequest,
  searchRunId: string,
  because: Upgrade,
  asked: RetentionClass,
): Promise<z.infer<typeof retention>> {
  const row = await lock(request, searchRunId)
  const retentionClass = longerRetention(row.retentionClass as RetentionClass, asked)
  const due = retentionDates(row.at, retentionClass)
  await retainSearchRun(request.tx, request.tenant, searchRunId, { ...due, because })
  return retentionOf(await lock(request, searchRunId))
}

/** Deletes expired ephemeral searches. An expired search cannot be read even before it is deleted. */
export const purgeReceipts = writeOperation({
  name: 'receipts.purge',
  route: 'POST /receipts/purge',
  summary: 'Remove ephemeral receipts that are due',
  positional: [],
  sample: () => ({}),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['receipts_purged'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({}),
  output: z.object({ purged: z.int().meta({ description: 'Number of receipts that were deleted.' }) }),
  run: async request => ({
    output: { purged: await purgeSearchRuns(request.tx.query, request.tenant, request.now) },
    refs: [],
  }),
  replay: async () => ({ purged: 0 }),
})

async function lock(request: WriteRequest, searchRunId: string): Promise<Row> {
  const found = await loadSearchRun<Row>(request.tx, request.tenant, runsOf(request), searchRunId, 'lock')
  const [row] = await request.seen(found === undefined ? [] : [found])
  if (!isWhole(request)(row)) throw absent()
  return row
}

/** An expired search counts as gone, even if it has not been deleted yet. */
const isWhole =
  ({ now }: ReadRequest) =>
  (row: Row | undefined): row is WholeRow =>
    row !== undefined &&
    row.receipt !== null &&
    (row.retentionClass !== 'ephemeral_session_lifetime' || now < row.dueAt)

function readQuestion(request: ReadRequest, row: WholeRow): { asked: Question; digest: Digest } {
  const { plain, digest } = request.parts.secrets.unseal(row.question, questionSealContext(row.searchRunId))
  return { asked: parse(question, JSON.parse(plain)), digest }
}

/** The placeholder for a name that the reader may not know. */
const NOT_TOLD = 'not_told'

/**
 * Names of corpora are the searcher's own words and may contain what it had been shown. An agent that reads them in
 * another conversation is told only the names of corpora that exist for it (WR-2).
 */
function toldOf({ caller }: ReadRequest, corpora: ReadonlySet<string>): (corpus: string) => string {
  return corpus => (isAgentAudience(caller.audience) && !corpora.has(corpus) ? NOT_TOLD : corpus)
}

function planFor(
  { searchScope, executorAssignments, queryExpansionsPlanned, ...plan }: UnifiedSearchPlan,
  told: (corpus: string) => string,
) {
  const { corpusScope } = searchScope
  return {
    ...plan,
    searchScope: { ...searchScope, ...(corpusScope && { corpusScope: corpusScope.map(told) }) },
    executorAssignments: executorAssignments.map(assignment => ({
      ...assignment,
      scopeRef: corpusScope?.includes(assignment.scopeRef) ? told(assignment.scopeRef) : assignment.scopeRef,
    })),
    queryExpansionsPlanned: queryExpansionsPlanned.map(({ source, ...planned }) => ({
      ...planned,
      source: source === 'built_in' ? source : { corpus: told(source.corpus) },
    })),
  }
}

/** A receipt as this reader may see it now: it does not name what the reader no longer sees. */
function summary(
  request: ReadRequest,
  row: WholeRow,
  segments: readonly VisibleSegment[],
): z.input<typeof searchRun> {
  const [corpora, surfaces, units] = [corporaOf(segments), surfacesOf(segments), unitsOf(segments)]
  const { receipt, searchRunId } = row
  const { digest } = readQuestion(request, row)
  const unitsIn = (digests: readonly string[]) => {
    if (digests.length === 0) return []
    const kept = new Set(digests)
    return [...units].filter(name => kept.has(digestWord(request, digest, searchRunId, name))).sort()
  }
  const stored = {
    ...receipt,
    searchedCorpora: receipt.searchedCorpora.filter(name => corpora.has(name)),
    searchedCorpusSegments: receipt.searchedCorpusSegments.filter(name => surfaces.has(name)),
    searchedFilingUnits: unitsIn(receipt.searchedFilingUnits),
    excludedCorpora: receipt.excludedCorpora.filter(name => corpora.has(name)),
    excludedFilingUnits: unitsIn(receipt.excludedFilingUnits),
  }
  return {
    searchRunId: row.searchRunId,
    at: row.at.toISOString(),
    retention: retentionOf(row),
    // What the search left out is counted only for an unrestricted reader, because the search may be somebody else's.
    receipt: receiptFor(readerOf(request), stored),
  }
}

const readerOf = ({ seesEverything }: ReadRequest) => (seesEverything ? 'internal' : 'visible')

const retentionOf = (row: Row): z.infer<typeof retention> => ({
  retentionClass: row.retentionClass as RetentionClass,
  because: row.retainedBecause as Upgrade[],
  dueAt: row.dueAt.toISOString(),
})
