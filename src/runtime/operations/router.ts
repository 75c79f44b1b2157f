import { z } from 'zod'
import { isKeptLocal } from '../../policy/labels.js'
import { loadSearchRun, type SearchRunRow } from '../../storage/queries/search-runs.js'
import { cursorBoundary } from '../cursor-boundary.js'
import { requireDelivery } from '../deliver.js'
import { nextCursor, pageCursor, schemaVersion } from '../fields.js'
import { readOperation } from '../operation.js'
import { absent, type ReadRequest } from '../request.js'
import type { SampleInput, SampleWorld } from '../sample-world.js'
import { copySuggestion, expansions, notice, suggestion } from '../search/answer-fields.js'
import { describeNoResults } from '../search/completeness.js'
import { exposeHints } from '../search/expose-words.js'
import { receipt, type SearchAccount } from '../search/receipt.js'
import { AnswerReader, answerMessages } from '../search/router/answer.js'
import { EXECUTOR_CLASSES } from '../search/router/assign.js'
import { ITEM_KINDS, isCitable, writeCitedText } from '../search/router/cited-text.js'
import { queryIntent, RESOLVER_KINDS } from '../search/router/intent.js'
import { narrowing, narrowingOf, withNarrowing } from '../search/router/narrowing.js'
import { filingContentScope, posture } from '../search/router/posture.js'
import {
  type DescribedResult,
  describeResults,
  MOST_OTHERS,
  routedResult,
  showDescribed,
  sourcesOf,
  withContext,
  withoutRepeats,
} from '../search/router/results.js'
import {
  accountOf,
  expansionsFor,
  planRoute,
  type RouteOutcome,
  runRoute,
  unitsFound,
} from '../search/router/route.js'
import {
  parseRouterQuestion,
  ROUTER_QUESTION,
  type RoutedQuestion,
} from '../search/router/router-question.js'
import { searchScope } from '../search/router/scope.js'
import type { UnitResult } from '../search/router/unit-results.js'
import {
  expansionKind,
  FAILURE_KINDS,
  planFailure,
  type SearchPlanFailure,
} from '../search/router/validate.js'
import { runsOf } from './receipts.js'

const sampleRouted = (world: SampleWorld): SampleInput => ({
  query: Array.from({ length: 1 + world.below(3) }, () => world.typed()).join(' '),
  ...world.maybe(0.2, { scope: { corpusScope: [world.corpus()] } }),
  ...world.maybe(0.2, { stemming: false }),
  ...world.maybe(0.3, { intent: 'quotation', corrects: world.searchRun() }),
})

const failure = z
  .object({
    failureKind: z.enum(FAILURE_KINDS).meta({ description: 'What sort of failure it is.' }),
    failureReasonCode: z.string().meta({ description: 'Why nothing was searched, as a code.' }),
    remediationHint: z.string().optional().meta({ description: 'What to change in the question.' }),
    schemaVersion,
  })
  .meta({ id: 'SearchFailure', description: 'Why nothing was searched. Finding nothing is no failure.' })
  .nullable()

const intentResolution = z
  .object({
    resolvedIntent: queryIntent.meta({ description: 'What the question is taken for.' }),
    resolverKind: z.enum(RESOLVER_KINDS).meta({ description: 'How that was decided.' }),
    patternId: z.string().optional().meta({ description: 'The pattern of words that decided, by its id.' }),
    classifierModelRef: z.string().optional().meta({ description: 'The model that decided, by its name.' }),
    classifierConfidence: z.number().optional().meta({ description: 'How sure the model is, from 0 to 1.' }),
    userCanOverride: z.boolean().meta({ description: 'Whether the caller may name another intent.' }),
    correctsSearchRun: z
      .string()
      .optional()
      .meta({ description: 'The search whose intent the caller corrected, by its id.' }),
    prominent: z
      .boolean()
      .optional()
      .meta({ description: 'Whether to show the intent prominently, because the model was unsure.' }),
    schemaVersion,
  })
  .meta({ id: 'IntentResolution', description: 'What a question is taken for, and why.' })

/** The words that are added to a question, before it is searched for. */
const expansionFields = {
  expansionKind: expansionKind.meta({ description: 'What sort of expansion it is.' }),
  appliedTerms: z.array(z.string()).meta({ description: 'The words that were added.' }),
  source: z
    .union([
      z.literal('built_in'),
      z.object({ corpus: z.string().meta({ description: 'The corpus they come from.' }) }),
    ])
    .meta({ description: 'Whether the words are built in or come from a corpus.' }),
}

const plan = z
  .object({
    planId: z.string().meta({ description: 'The id of the plan.' }),
    queryIntentResolution: intentResolution.meta({ description: 'What the question is taken for, and why.' }),
    searchScope: z
      .object({
        retrievalPosture: z
          .object({
            posture: posture.meta({ description: 'What the answer is to be made of.' }),
            filingContentScope: filingContentScope
              .optional()
              .meta({ description: 'Which parts of filings count.' }),
            sourceSpanRequired: z
              .boolean()
              .meta({ description: 'Whether each result must show a place in a source.' }),
            sourceSpanCountMinimum: z
              .int()
              .optional()
              .meta({ description: 'Fewest places that each result must show.' }),
            requiredSurfaceDisclosure: z
              .boolean()
              .meta({ description: 'Whether each result must say which surface it is from.' }),
            schemaVersion,
          })
          .meta({ description: 'What the answer is to be made of.' }),
        ...searchScope.shape,
        schemaVersion,
      })
      .meta({ description: 'Where it looks.' }),
    mode: z.string().meta({ description: 'Whether it searches by words, by meaning, or by both.' }),
    executorAssignments: z
      .array(
        z.object({
          executorClass: z.enum(EXECUTOR_CLASSES).meta({ description: 'The executor.' }),
          scopeRef: z.string().meta({ description: 'A digest of where it looks.' }),
          weight: z.number().optional().meta({ description: 'Its share in a weighted sum.' }),
          budgetTokens: z.int().meta({ description: 'Most tokens of text it may read.' }),
          deadlineMs: z.int().meta({ description: 'Most milliseconds it may take.' }),
          reasonCode: z.string().meta({ description: 'Why it was chosen, as a code.' }),
          schemaVersion,
        }),
      )
      .meta({ description: 'The executors that run, and what each is given.' }),
    resultFusionStrategy: z.string().meta({ description: 'How their results are put in one order.' }),
    searchIndexSnapshots: z
      .array(z.string())
      .meta({ description: 'The states of the indexes that are searched, by their ids.' }),
    queryExpansionsPlanned: z
      .array(
        z.object({
          ...expansionFields,
          expansionVisibleToSession: z
            .boolean()
            .meta({ description: 'Whether the caller may read which words were added.' }),
        }),
      )
      .meta({ description: 'The words that are added to the question.' }),
    amendableByExecutor: z.literal(false).meta({ description: 'No executor may change the plan.' }),
    topK: z.int().meta({ description: 'Most results that are ranked.' }),
    planAt: z.string().meta({ description: 'When the plan was made.' }),
    schemaVersion,
  })
  .meta({ id: 'SearchPlan', description: 'How a question about documents is searched for.' })

/** A plan as an answer holds it: a copy that is nobody's. */
const asOutput = (planned: RouteOutcome['plan']) => structuredClone(planned) as z.input<typeof plan>

/** How a question would be answered, and why it could not; nothing is searched (SR-1). */
export const planSearchFor = readOperation({
  name: 'search.plan',
  route: 'POST /documents/plan',
  summary: 'Show how a question would be answered',
  method: 'documents.plan',
  policies: ['agent', 'reader', 'recipient'],
  sample: sampleRouted,
  callers: 'anyone',
  input: z.strictObject(ROUTER_QUESTION),
  // Nothing is searched, so nothing has to be embedded.
  asks: asked => ({ ...parseRouterQuestion(asked), meaning: null }),
  output: z.object({
    plan: plan.meta({ description: 'The plan.' }),
    failure: failure.meta({ description: 'Why nothing can be searched; null if it can.' }),
  }),
  async run(request, _, question) {
    const { plan, failure } = await planRoute(request, question)
    return { plan: asOutput(plan), failure }
  },
})

/**
 * Searches documents and what is known of them, by as many executors as the question calls for. What the caller may not
 * see does not exist for any of them (NI-1, SV-3).
 */
export const executeSearch = readOperation({
  name: 'search.execute',
  route: 'POST /documents/search',
  summary: 'Search documents and what is known of them, best first',
  method: 'documents.search',
  policies: ['agent', 'reader', 'recipient'],
  sample: world => ({ ...sampleRouted(world), limit: world.pick([1, 2, 3, 50]) }),
  callers: 'anyone',
  rate: 'query',
  // Wide passages are read, not only found (NI-12).
  isView: ({ context }) => context > 0,
  input: z.strictObject({
    ...ROUTER_QUESTION,
    limit: z.int().min(1).max(100).default(10).meta({ description: 'Most results on the page.' }),
    cursor: pageCursor,
    perFiling: z
      .int()
      .min(0)
      .max(100)
      .default(MOST_OTHERS)
      .meta({ description: 'Most further records of each filing to show in `more`.' }),
    context: z
      .int()
      .min(0)
      .max(2_000)
      .default(0)
      .meta({ description: 'Characters to show around each source span.' }),
  }),
  asks: ({ limit: _, cursor: __, context: ___, perFiling: ____, ...asked }) => parseRouterQuestion(asked),
  output: z.object({
    plan: plan.meta({ description: 'How it was searched.' }),
    // SR-7
    failure: failure.meta({
      description: 'Why nothing was searched; null if it was. Finding nothing is no failure.',
    }),
    results: z.array(routedResult).meta({ description: 'The results, best first.' }),
    resultCount: z.int().meta({ description: 'Number of results on all pages.' }),
    manifestRef: z.string().nullable().meta({
      description: 'The manifest of the search, which `receipts.get` reads; null if nothing was searched.',
    }),
    count: z.int().meta({ description: 'Number of records that match.' }),
    suggestion,
    notice: notice.meta({
      description: 'What to say when nothing was found, or when only a part was searched; null otherwise.',
    }),
    // SR-17
    narrowing: narrowing.meta({
      description: 'What the words of the question left out, and how to ask for it; null if nothing.',
    }),
    cursor: nextCursor,
    receipt: receipt.nullable().meta({ description: 'What was searched, and how complete the search was.' }),
    expansions,
  }),
  async run(request, { limit, cursor, context, perFiling }, question) {
    requireDelivery(request, context > 0 ? 'text' : 'snippet')
    const { secrets } = request.parts
    const boundTo = cursorBoundary(request, 'search.execute', question.asked)
    const after = cursor === undefined ? null : readPlace(secrets.open(cursor, boundTo))
    const asOf = after?.asOf ?? request.now.getTime()
    const answer = await answerOf(request, question, asOf, context)
    const { routed, account } = answer
    const { page, more } = pageAfter(answer.found, after, request.atMost(limit))
    const shown = await withContext(request, await answer.describe(page, perFiling), context)
    for (const one of shown) showDescribed(request, one)
    const suggested = suggestionOf(routed)
    exposeHints(request, routed.segments, {
      suggestion: suggested,
      expansions: account?.expansions ?? [],
    })
    const last = page.at(-1)
    const narrowed = narrowingOf(question.asked, routed.plan.searchScope.retrievalPosture)
    return {
      plan: asOutput(routed.plan),
      failure: answer.failure,
      results: shown.map(({ result }) => withoutRepeats(result)),
      resultCount: answer.found.length,
      manifestRef: account?.manifestId ?? null,
      count: routed.matches,
      suggestion: suggested,
      notice: withNarrowing(noticeOf(answer), narrowed),
      narrowing: narrowed,
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
  readonly routed: RouteOutcome
  readonly account: SearchAccount | null
  readonly failure: SearchPlanFailure | null
  /** What may be told, in order. */
  readonly found: readonly UnitResult[]
  /** As results, each with so many others of its filing and with what stands around its places. */
  describe(found: readonly UnitResult[], mostOthers?: number): Promise<readonly DescribedResult[]>
}

/** Runs a question, and describes what it found as far as its posture lets it be told. */
async function answerOf(
  request: ReadRequest,
  question: RoutedQuestion,
  asOf: number,
  reach: number,
): Promise<Answer> {
  const { corrects, requireComplete } = question.asked
  if (corrects !== undefined) await requireSearch(request, corrects)
  const routed = await runRoute(request, question, planRoute, { asOf, requireComplete })
  const units = unitsFound(routed)
  const account = accountOf(request, routed)
  if (account !== null) request.leave(account.run)
  const { posture, sourceSpanRequired, sourceSpanCountMinimum = 1 } = routed.plan.searchScope.retrievalPosture
  if (routed.failure !== null || !sourceSpanRequired)
    return {
      routed,
      account,
      failure: routed.failure,
      found: units,
      describe: (found, mostOthers) => describeResults(request, routed, found, { mostOthers, reach }),
    }
  // What was derived is told where it leads to a source; a synthesis rests on nothing else (SR-9, SR-16).
  const isSynthesis = posture === 'cross_source_synthesis'
  const described = (await describeResults(request, routed, units, { reach })).filter(
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
    describe: async (found, mostOthers) =>
      mostOthers === undefined
        ? described.filter(one => found.includes(one.found))
        : describeResults(request, routed, found, { mostOthers, reach }),
  }
}

type RunLabel = Pick<SearchRunRow<unknown, unknown, unknown, unknown, unknown>, 'label'>

/** A search that this caller made, or could read of. */
async function requireSearch(request: ReadRequest, searchRun: string): Promise<void> {
  const of = runsOf(request)
  const found = await loadSearchRun<RunLabel>(request.tx, request.tenant, of, searchRun, 'read')
  if ((await request.seen(found === undefined ? [] : [found])).length === 0) throw absent()
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
  found: readonly UnitResult[],
  after: Place | null,
  limit: number,
): { page: readonly UnitResult[]; more: boolean } {
  const at = after === null ? -1 : found.findIndex(({ item }) => item.id === after.id)
  const rest = found.slice(after !== null && at < 0 ? after.at : at + 1)
  return { page: rest.slice(0, limit), more: rest.length > limit }
}

function noticeOf({ failure, found, routed, account }: Answer): string | null {
  if (failure !== null || found.length > 0 || account === null) return null
  return routed.fused.length > 0
    ? 'What was found leads to no source that can be shown.'
    : describeNoResults(account.receipt.resultSetCompleteness)
}

/** Where no executor met a word, the word that was perhaps meant. */
function suggestionOf({ runs }: RouteOutcome) {
  return copySuggestion(runs.find(({ executed }) => executed?.suggestion)?.executed?.suggestion ?? null)
}

/** What else a question would be taken for, with words that the caller can see; nothing is ranked (QX-1, QX-2). */
export const expandSearch = readOperation({
  name: 'search.expand',
  route: 'POST /documents/expand',
  summary: 'Show how else a question could be understood',
  method: 'documents.expand',
  policies: ['agent', 'reader', 'recipient'],
  sample: sampleRouted,
  callers: 'anyone',
  rate: 'query',
  input: z.strictObject(ROUTER_QUESTION),
  asks: asked => parseRouterQuestion({ ...asked, mode: 'text' }),
  output: z.object({
    expansions: z
      .array(
        z.object({
          ...expansionFields,
        }),
      )
      .meta({ description: 'The words that would be added to the question.' }),
  }),
  async run(request, _, question) {
    const route = await planRoute(request, question)
    if (route.failure !== null) return { expansions: [] }
    const made = expansionsFor(request, route)
    exposeHints(request, route.segments, { suggestion: null, expansions: made })
    return {
      expansions: made.map(({ appliedTerms, ...one }) => ({
        ...one,
        appliedTerms: [...appliedTerms],
      })),
    }
  },
})

const MOST_SOURCES = 50

const citation = z
  .object({
    ref: z.int().meta({ description: 'The number in the text.' }),
    record: z.string().meta({ description: 'The record, by its id.' }),
    title: z.string().nullable().meta({ description: 'Its title; null if it has none.' }),
    document: z.string().meta({ description: 'The name of the document.' }),
    start: z.int().meta({ description: 'The first character, counted from 0.' }),
    end: z.int().meta({ description: 'The character after the last.' }),
    page: z.int().optional().meta({ description: 'The page it begins on, counted from 1.' }),
    lastPage: z.int().optional().meta({ description: 'The page it ends on, where that is another.' }),
    version: z.string().optional().meta({ description: 'The version of the filing.' }),
  })
  .meta({
    id: 'Citation',
    description: 'What a number in a bundle stands for: exactly the text that it labels.',
  })

/** What is gathered for a model. */
const BUNDLE_FIELDS = {
  text: z
    .string()
    .meta({ description: 'What to give the model: data between markers, numbered to be cited.' }),
  tokens: z.int().meta({ description: 'Number of tokens in the text.' }),
  tokenizer: z.string().meta({ description: 'What counted them.' }),
  citations: z.array(citation).meta({ description: 'What each number in the text stands for.' }),
  items: z
    .array(
      z.object({
        record: z.string().meta({ description: 'The record, by its id.' }),
        title: z.string().nullable().meta({ description: 'Its title; null if it has none.' }),
        itemKind: z.enum(ITEM_KINDS).meta({ description: 'What sort of item it is.' }),
      }),
    )
    .meta({
      description: 'What was given beside the passages and is no source: cards, notes and previews.',
    }),
  leftOut: z.int().meta({ description: 'Number of passages and items that did not fit.' }),
  notice: z.string().nullable().meta({
    description: 'What may be said where nothing was found or only a part was searched; null otherwise.',
  }),
  narrowing: narrowing.meta({
    description: 'What the words of the question left out, and how to ask for it; null if nothing.',
  }),
  failure: failure.meta({ description: 'Why nothing was searched; null if it was.' }),
  searchRun: z
    .string()
    .nullable()
    .meta({ description: 'The search, by its id. Pass it to `receipts.cite` to keep its receipt.' }),
  completeness: z
    .string()
    .nullable()
    .meta({ description: 'How complete the search was; null if nothing was searched.' }),
}

const BUNDLE_QUESTION = {
  ...ROUTER_QUESTION,
  tokenBudget: z
    .int()
    .min(100)
    .max(200_000)
    .default(4_000)
    .meta({ description: 'Most tokens of context to return.' }),
  context: z
    .int()
    .min(0)
    .max(2_000)
    .default(300)
    .meta({ description: 'Characters to show around each passage, where they fit.' }),
}

/** What a model is given to answer a question with: passages that can be cited, within a budget (CV-5). */
export const bundleSearch = readOperation({
  name: 'search.bundle',
  route: 'POST /documents/bundle',
  summary: 'Gather citable passages that answer a question, within a token budget',
  method: 'documents.bundle',
  policies: ['agent', 'reader', 'recipient'],
  sample: world => ({ ...sampleRouted(world), tokenBudget: world.pick([200, 4_000]) }),
  callers: 'anyone',
  rate: 'query',
  isView: () => true,
  forModel: true,
  input: z.strictObject(BUNDLE_QUESTION),
  asks: ({ tokenBudget: _, context: __, ...asked }) => parseRouterQuestion(asked),
  output: z.object(BUNDLE_FIELDS).meta({
    id: 'Bundle',
    description: 'Passages that answer a question, numbered so that a model can cite them.',
  }),
  run: async (request, input, question) => (await gather(request, input, question)).output,
})

/** A model that is given nothing has to know that nothing was searched, and why. */
const noticeOfFailure = ({ failure }: Answer): string | null =>
  failure === null
    ? null
    : ['Not searched', ...[failure.failureKind, failure.remediationHint ?? []].flat()].join('; ')

/** Cards and notes are found, and are no places in a document: a model that is given none must not take it for a no. */
const noticeOfUncitable = (described: readonly DescribedResult[]): string | null =>
  described.length > 0 && !described.some(isCitable) ? 'What was found cannot be cited.' : null

/** Gathers passages, and records them as shown. */
async function gather(
  request: ReadRequest,
  { tokenBudget, context }: { readonly tokenBudget: number; readonly context: number },
  question: RoutedQuestion,
  /** Which results may be given to the model; how many others there are is told. */
  mayBeSent: (described: DescribedResult) => boolean = () => true,
) {
  requireDelivery(request, 'text')
  const answer = await answerOf(request, question, request.now.getTime(), context)
  // As many passages of one filing as the budget holds.
  const found = await answer.describe(answer.found.slice(0, request.atMost(MOST_SOURCES)), MOST_SOURCES)
  const around = await withContext(request, found, context)
  const described = around.filter(mayBeSent)
  const budget = Math.min(tokenBudget, request.parts.profile?.most.tokens ?? tokenBudget)
  const narrowed = narrowingOf(question.asked, answer.routed.plan.searchScope.retrievalPosture)
  const plain = noticeOfFailure(answer) ?? noticeOf(answer) ?? noticeOfUncitable(described)
  const notice = withNarrowing(plain, narrowed)
  const { tokenizer } = request.parts
  const ranks = new Map(answer.routed.fused.map(({ item }, at) => [item.id, at]))
  const rankOf = (record: string) => ranks.get(record) ?? ranks.size
  const told = writeCitedText(question.asked.query, described, budget, notice, tokenizer, rankOf)
  const shown = new Set([
    ...told.citations.flatMap(({ from, also }) => [from, ...also]),
    ...told.items.map(({ from }) => from),
  ])
  for (const from of shown) showDescribed(request, { ...from, isRead: true })
  const output = {
    text: told.text,
    tokens: tokenizer.count(told.text),
    tokenizer: tokenizer.name,
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
    narrowing: narrowed,
    failure: answer.failure,
    searchRun: answer.account?.receipt.searchRunId ?? null,
    completeness: answer.account?.receipt.resultSetCompleteness ?? null,
  }
  return { told, output, shown, withheld: around.length - described.length }
}

const answerSentence = z
  .object({
    text: z.string().meta({ description: 'The sentence.' }),
    citations: z.array(z.int()).meta({ description: 'The numbers of the passages that support it.' }),
  })
  .meta({ id: 'AnswerSentence', description: 'A sentence of an answer, with the passages that support it.' })

/** An answer in sentences, each with the passages that support it; what nothing supports is left out (SR-19). */
export const answerSearch = readOperation({
  name: 'search.answer',
  route: 'POST /documents/answer',
  summary: 'Answer a question from documents, with citations, by the configured model',
  method: 'documents.answer',
  policies: ['agent', 'reader', 'recipient'],
  sample: world => ({ ...sampleRouted(world), tokenBudget: world.pick([200, 4_000]) }),
  callers: 'anyone',
  rate: 'query',
  isView: () => true,
  forModel: true,
  input: z.strictObject(BUNDLE_QUESTION),
  asks: ({ tokenBudget: _, context: __, ...asked }) => parseRouterQuestion(asked),
  output: z
    .object({
      answer: z
        .string()
        .nullable()
        .meta({ description: 'The sentences, joined; null if there is no answer that passages support.' }),
      sentences: z.array(answerSentence).meta({ description: 'The sentences of the answer, in order.' }),
      unsupported: z.int().meta({
        description: 'Number of sentences that were left out because no cited passage supports them.',
      }),
      model: z
        .string()
        .nullable()
        .meta({ description: 'The model that wrote it; null if none is configured.' }),
      ...BUNDLE_FIELDS,
    })
    .meta({
      id: 'DocumentAnswer',
      description: 'An answer whose sentences cite passages, and the passages themselves.',
    }),
  async run(request, input, question) {
    const { answers, onSentence } = request.parts
    const { model } = answers
    const isLocal = model?.local ?? true
    // What stands around a passage may be sealed although the passage is not.
    const { told, output, shown, withheld } = isLocal
      ? await gather(request, input, question)
      : await gather(request, { ...input, context: 0 }, question, isSendable)
    const nothing = { answer: null, sentences: [], unsupported: 0, model: model?.name ?? null, ...output }
    if (model === null) return { ...nothing, notice: withReason(NO_MODEL, output.notice) }
    const kept = withheld === 0 ? null : KEPT_LOCAL
    if (told.citations.length === 0) return { ...nothing, notice: withReason(kept, output.notice) }
    const messages = answerMessages(question.asked.query, told.text)
    const records = [...new Set([...shown].flatMap(recordsOf))].sort()
    const heard = new AnswerReader(told.citations)
    const [text = null] = answers.of([{ messages, records }], request.restsOn, piece => {
      for (const sentence of heard.push(piece)) onSentence?.(sentence)
    })
    if (text === null) return { ...nothing, notice: withReason(MODEL_FAILED, output.notice) }
    const reader = new AnswerReader(told.citations)
    reader.push(text)
    reader.end()
    const { sentences, leftOut: unsupported } = reader
    const said = sentences.length === 0 ? NOT_ANSWERED : unsupported === 0 ? kept : SOME_UNSUPPORTED
    return {
      ...nothing,
      answer: sentences.length === 0 ? null : sentences.map(one => one.text).join(' '),
      sentences: sentences.map(({ text, citations }) => ({ text, citations: [...citations] })),
      unsupported,
      notice: withReason(said, output.notice),
    }
  },
})

const NO_MODEL =
  'No model is configured, so passages were gathered and no answer was written. Set PRIVITY_CHAT_URL and PRIVITY_CHAT_MODEL, or pass `answers` to open.'
const MODEL_FAILED = 'The model did not answer. These are the passages that it was given.'
const NOT_ANSWERED = 'The passages do not answer this question.'
const SOME_UNSUPPORTED = 'Some sentences were left out, because the passages they cite do not support them.'
const KEPT_LOCAL = 'Sealed passages were not sent to the model, because it runs on another machine.'

const withReason = (said: string | null, notice: string | null): string | null =>
  [said, notice].filter(one => one !== null).join(' ') || null

/** Every record whose text a result tells. */
const recordsOf = ({ views, sources }: DescribedResult): string[] =>
  [...views, ...sources].map(({ id }) => id)

/** Sealed and firewalled text stays on this machine (OV-4). */
const isSendable = ({ classes, sources }: DescribedResult): boolean =>
  ![...classes, ...sources.map(({ tuple }) => tuple.visibilityClass)].some(isKeptLocal)
