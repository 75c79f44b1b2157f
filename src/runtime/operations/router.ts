import { z } from 'zod'
import { parseQuery } from '../../search/query.js'
import { loadSearchRun } from '../../storage/queries/search-runs.js'
import { text } from '../input.js'
import { readOperation } from '../operation.js'
import { absent, type ReadRequest } from '../request.js'
import { describeNothing } from '../search/completeness.js'
import { expansionsOf, find } from '../search/execute.js'
import { askedOf } from '../search/meant.js'
import { validatePlan } from '../search/plan.js'
import { type Account, expansionRecord, receipt } from '../search/receipt.js'
import { EXECUTOR_CLASSES } from '../search/router/assign.js'
import { QUERY_INTENTS, RESOLVER_KINDS } from '../search/router/intent.js'
import { FILING_CONTENT_SCOPES, POSTURES } from '../search/router/posture.js'
import {
  type Described,
  describeResults,
  routedResult,
  showDescribed,
  sourcesOf,
  withContext,
} from '../search/router/results.js'
import { accountOf, planRoute, type Routed, runRoute } from '../search/router/route.js'
import { ROUTER_QUESTION, type RouterQuestion } from '../search/router/router-question.js'
import { searchScope } from '../search/router/scope.js'
import { citable, ITEM_KINDS, tell } from '../search/router/tell.js'
import {
  EXPANSION_KINDS,
  FAILURE_KINDS,
  planFailure,
  type SearchPlanFailure,
} from '../search/router/validate.js'
import type { Gathered } from '../search/router/versions.js'
import { meaningFor } from '../search/run.js'
import { countTokens } from '../token-count.js'
import { runsOf } from './receipts.js'

/** What has to be embedded before a routed question can be answered. */
const asks = (asked: Pick<RouterQuestion, 'query' | 'mode' | 'neighbours'>) =>
  askedOf({ question: asked, query: parseQuery(asked.query) })

const failure = z
  .object({
    failureKind: z.enum(FAILURE_KINDS),
    failureReasonCode: z.string(),
    remediationHint: z.string().optional(),
    schemaVersion: z.literal(1),
  })
  .nullable()

const intentResolution = z.object({
  resolvedIntent: z.enum(QUERY_INTENTS),
  resolverKind: z.enum(RESOLVER_KINDS),
  patternId: z.string().optional(),
  classifierModelRef: z.string().optional(),
  classifierConfidence: z.number().optional(),
  userCanOverride: z.boolean(),
  /** Whether a model was too unsure for this to be shown in passing. */
  prominent: z.boolean().optional(),
  schemaVersion: z.literal(1),
})

const plan = z.object({
  planId: z.string(),
  queryIntentResolution: intentResolution,
  searchScope: z.object({
    retrievalPosture: z.object({
      posture: z.enum(POSTURES),
      filingContentScope: z.enum(FILING_CONTENT_SCOPES).optional(),
      sourceSpanRequired: z.boolean(),
      sourceSpanCountMinimum: z.int().optional(),
      requiredSurfaceDisclosure: z.boolean(),
      schemaVersion: z.literal(1),
    }),
    ...searchScope.shape,
    schemaVersion: z.literal(1),
  }),
  mode: z.string(),
  executorAssignments: z.array(
    z.object({
      executorClass: z.enum(EXECUTOR_CLASSES),
      scopeRef: z.string(),
      weight: z.number().optional(),
      budgetTokens: z.int(),
      deadlineMs: z.int(),
      reasonCode: z.string(),
      schemaVersion: z.literal(1),
    }),
  ),
  resultFusionStrategy: z.string(),
  searchIndexSnapshots: z.array(z.string()),
  queryExpansionsPlanned: z.array(
    z.object({
      expansionKind: z.enum(EXPANSION_KINDS),
      appliedTerms: z.array(z.string()),
      source: z.union([z.literal('built_in'), z.object({ corpus: z.string() })]),
      expansionVisibleToSession: z.boolean(),
    }),
  ),
  amendableByExecutor: z.literal(false),
  topK: z.int(),
  planAt: z.string(),
  schemaVersion: z.literal(1),
})

/** A plan as an answer holds it: a copy that is nobody's. */
const asOutput = (planned: Routed['plan']) => structuredClone(planned) as z.input<typeof plan>

/** How a question would be answered, and why it could not; nothing is searched (SR-1). */
export const planSearchFor = readOperation({
  name: 'search.plan',
  summary: 'Show how a question would be answered',
  callers: 'anyone',
  input: z.strictObject(ROUTER_QUESTION),
  output: z.object({ plan, failure }),
  async run(request, asked) {
    const { plan, failure } = await planRoute(request, asked)
    return { plan: asOutput(plan), failure }
  },
})

/**
 * Searches documents and what is known of them, by as many executors as the question calls for. What the caller may not
 * see does not exist for any of them (NI-1, SV-3).
 */
export const executeSearch = readOperation({
  name: 'search.execute',
  summary: 'Search documents and what is known of them, best first',
  callers: 'anyone',
  rate: 'query',
  input: z.strictObject({
    ...ROUTER_QUESTION,
    limit: z.int().min(1).max(100).default(10),
    cursor: text(2_000).optional(),
    /** Characters to show around each source span. */
    context: z.int().min(0).max(2_000).default(0),
  }),
  asks,
  output: z.object({
    plan,
    /** Why nothing was searched; finding nothing is no failure (SR-7). */
    failure,
    results: z.array(routedResult),
    /** Results on all pages. */
    resultCount: z.int(),
    /** The manifest of the search, which receipts.get reads; null where nothing was searched. */
    manifestRef: z.string().nullable(),
    /** Records that match, in all. */
    count: z.int(),
    suggestion: z
      .object({ query: z.string(), terms: z.array(z.object({ from: z.string(), to: z.string() })) })
      .nullable(),
    notice: z.string().nullable(),
    cursor: z.string().nullable(),
    receipt: receipt.nullable(),
    expansions: z.array(expansionRecord),
  }),
  async run(request, asked) {
    const { secrets, actorId, forId } = request.parts
    const { limit, cursor, context, ...question } = asked
    const boundTo = JSON.stringify(['search.execute', actorId, forId, request.caller.audience, question])
    const after = cursor === undefined ? null : readPlace(secrets.open(cursor, boundTo))
    const asOf = after?.asOf ?? request.now.getTime()
    const answer = await answerOf(request, question, asOf)
    const { routed, account } = answer
    const { page, more } = pageAfter(answer.found, after, request.atMost(limit))
    const shown = await withContext(request, await answer.describe(page), context)
    for (const one of shown) showDescribed(request, one)
    const last = page.at(-1)
    return {
      plan: asOutput(routed.plan),
      failure: answer.failure,
      results: shown.map(({ result }) => result),
      resultCount: answer.found.length,
      manifestRef: account?.manifestId ?? null,
      count: routed.matches,
      suggestion: suggestionOf(routed),
      notice: noticeOf(answer),
      cursor:
        more && last !== undefined
          ? secrets.seal(writePlace({ asOf, at: answer.found.indexOf(last), id: last.item.id }), boundTo)
          : null,
      receipt: account?.receipt ?? null,
      expansions: account?.expansions ?? [],
    }
  },
})

interface Answer {
  readonly routed: Routed
  readonly account: Account | null
  readonly failure: SearchPlanFailure | null
  /** What may be told, in order. */
  readonly found: readonly Gathered[]
  describe(found: readonly Gathered[]): Promise<readonly Described[]>
}

/** Runs a question, and describes what it found as far as its posture lets it be told. */
async function answerOf(request: ReadRequest, asked: RouterQuestion, asOf: number): Promise<Answer> {
  if (asked.corrects !== undefined) await requireSearch(request, asked.corrects)
  const routed = await runRoute(request, asked, asOf)
  const account = accountOf(request, routed)
  if (account !== null) request.leave(account.run)
  const { posture, sourceSpanRequired, sourceSpanCountMinimum = 1 } = routed.plan.searchScope.retrievalPosture
  if (routed.failure !== null || !sourceSpanRequired)
    return {
      routed,
      account,
      failure: routed.failure,
      found: routed.found,
      describe: found => describeResults(request, routed, found),
    }
  // What was derived is told where it leads to a source; a synthesis rests on nothing else (SR-9, SR-16).
  const isSynthesis = posture === 'cross_source_synthesis'
  const described = (await describeResults(request, routed, routed.found)).filter(
    ({ result }) => result.sourceSpans.length > 0 || (!isSynthesis && result.derived === null),
  )
  const isBorneOut = !isSynthesis || sourcesOf(described).size >= sourceSpanCountMinimum
  return {
    routed,
    account,
    failure: isBorneOut
      ? null
      : planFailure(
          'memory_only_source_unavailable',
          `A synthesis needs at least ${sourceSpanCountMinimum} source documents.`,
        ),
    found: isBorneOut ? described.map(({ found }) => found) : [],
    describe: async found => described.filter(one => found.includes(one.found)),
  }
}

/** A search that this caller made, or could read of. */
async function requireSearch(request: ReadRequest, searchRun: string): Promise<void> {
  const row = await loadSearchRun(request.tx, request.tenant, runsOf(request), searchRun, 'read')
  if (row === undefined) throw absent()
}

/** Where a page ended: the last result of it, how far down it stood, and the time of the first page. */
interface Place {
  readonly asOf: number
  readonly at: number
  readonly id: string
}

// Fixed width, so that a cursor's length tells nothing.
const writePlace = ({ asOf, at, id }: Place) =>
  `${String(asOf).padStart(16, '0')}${String(at).padStart(4, '0')}${id}`
const readPlace = (key: string): Place => ({
  asOf: Number(key.slice(0, 16)),
  at: Number(key.slice(16, 20)),
  id: key.slice(20),
})

/** Those after a place in the order; where what stood there is gone, others have moved up by one. */
function pageAfter(
  found: readonly Gathered[],
  after: Place | null,
  limit: number,
): { page: readonly Gathered[]; more: boolean } {
  const at = after === null ? -1 : found.findIndex(({ item }) => item.id === after.id)
  const rest = found.slice(after !== null && at < 0 ? after.at : at + 1)
  return { page: rest.slice(0, limit), more: rest.length > limit }
}

function noticeOf({ failure, found, routed, account }: Answer): string | null {
  if (failure !== null || found.length > 0 || account === null) return null
  return routed.found.length > 0
    ? 'What was found leads to no source that can be shown.'
    : describeNothing(account.receipt.resultSetCompleteness)
}

/** Where no executor met a word, the word that was perhaps meant. */
function suggestionOf({ runs }: Routed) {
  const suggestion = runs.find(run => run.suggestion !== null)?.suggestion ?? null
  return suggestion === null ? null : { ...suggestion, terms: [...suggestion.terms] }
}

/** What else a question would be taken for, with words that the caller can see; nothing is ranked (QX-1, QX-2). */
export const expandSearch = readOperation({
  name: 'search.expand',
  summary: 'Show what else a question would be taken for',
  callers: 'anyone',
  rate: 'query',
  input: z.strictObject(ROUTER_QUESTION),
  asks,
  output: z.object({
    expansions: z.array(
      z.object({
        expansionKind: z.enum(EXPANSION_KINDS),
        appliedTerms: z.array(z.string()),
        source: z.union([z.literal('built_in'), z.object({ corpus: z.string() })]),
      }),
    ),
  }),
  async run(request, asked) {
    const { plan, question, segments, failure } = await planRoute(request, asked)
    if (failure !== null) return { expansions: [] }
    const worded = { ...question, mode: 'text' as const }
    const valid = validatePlan({ ...plan, mode: 'text' }, worded, request.parts.searchSettings)
    const meaning = meaningFor(request, valid)
    const found = find(valid, segments, { meaning, asOf: request.now.getTime(), halfLifeOf: () => 1 })
    return {
      expansions: expansionsOf(found.matches, found.synonyms, found.law).map(({ appliedTerms, ...one }) => ({
        ...one,
        appliedTerms: [...appliedTerms],
      })),
    }
  },
})

const MOST_SOURCES = 50

/** What a model is given to answer a question with: passages that can be cited, within a budget (CV-5). */
export const bundleSearch = readOperation({
  name: 'search.bundle',
  summary: 'Gather citable passages that answer a question, within a token budget',
  callers: 'anyone',
  rate: 'query',
  forModel: true,
  input: z.strictObject({
    ...ROUTER_QUESTION,
    tokenBudget: z.int().min(100).max(200_000).default(4_000),
    /** Characters around each passage, where they fit. */
    context: z.int().min(0).max(2_000).default(300),
  }),
  asks,
  output: z.object({
    /** What the model is given: data between markers, numbered to be cited. */
    text: z.string(),
    tokens: z.int(),
    /** What each number stands for: exactly the text that it labels. */
    citations: z.array(
      z.object({
        ref: z.int(),
        record: z.string(),
        title: z.string().nullable(),
        document: z.string(),
        start: z.int(),
        end: z.int(),
        /** The page that it begins on, and that of its last segment where that is another. */
        page: z.int().optional(),
        lastPage: z.int().optional(),
        version: z.string().optional(),
      }),
    ),
    /** What was told beside them and is no source: cards, notes and previews. */
    items: z.array(
      z.object({ record: z.string(), title: z.string().nullable(), itemKind: z.enum(ITEM_KINDS) }),
    ),
    /** What did not fit. */
    leftOut: z.int(),
    /** What may be said where nothing was found: a plain no only where the search was complete and current. */
    notice: z.string().nullable(),
    failure,
    /** Cite it in an answer with receipts.cite, and it is kept. */
    searchRun: z.string().nullable(),
    completeness: z.string().nullable(),
  }),
  async run(request, { tokenBudget, context, ...question }) {
    const answer = await answerOf(request, question, request.now.getTime())
    const found = await answer.describe(answer.found.slice(0, request.atMost(MOST_SOURCES)))
    const described = await withContext(request, found, context)
    const budget = Math.min(tokenBudget, request.parts.profile?.most.tokens ?? tokenBudget)
    const notice = noticeOfFailure(answer) ?? noticeOf(answer) ?? noticeOfUncitable(described)
    const told = tell(question.query, described, budget, notice)
    for (const { from } of [...told.citations, ...told.items]) showDescribed(request, from)
    return {
      text: told.text,
      tokens: countTokens(told.text),
      citations: told.citations.map(({ ref, from, document, start, end, page, lastPage, version }) => ({
        ref,
        record: from.result.document.document,
        title: from.result.document.title,
        document,
        start,
        end,
        ...(page === undefined ? {} : { page }),
        ...(lastPage === undefined ? {} : { lastPage }),
        ...(version === undefined ? {} : { version }),
      })),
      items: told.items.map(({ from, itemKind }) => ({
        record: from.result.document.document,
        title: from.result.document.title,
        itemKind,
      })),
      leftOut: told.leftOut,
      notice,
      failure: answer.failure,
      searchRun: answer.account?.receipt.searchRunId ?? null,
      completeness: answer.account?.receipt.resultSetCompleteness ?? null,
    }
  },
})

/** A model that is given nothing has to know that nothing was searched, and why. */
const noticeOfFailure = ({ failure }: Answer): string | null =>
  failure === null
    ? null
    : ['Not searched', ...[failure.failureKind, failure.remediationHint ?? []].flat()].join('; ')

/** Cards and notes are found, and are no places in a document: a model that is given none must not take it for a no. */
const noticeOfUncitable = (described: readonly Described[]): string | null =>
  described.length > 0 && described.every(one => citable(one).length === 0)
    ? 'What was found cannot be cited.'
    : null
