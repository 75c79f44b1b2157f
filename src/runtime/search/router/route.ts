import { PrivityError } from '../../../errors.js'
import { SOURCE_KINDS } from '../../../policy/vocabulary.js'
import { fuse } from '../../../search/fuse.js'
import { measureVisible } from '../../../search/match.js'
import type { RankedDocument } from '../../../search/rank.js'
import type { WordMeant } from '../../../search/snippet.js'
import { NOTHING_TO_READ, type ReadingProgress } from '../../../storage/queries/reading-progress.js'
import { type Domain, NO_AUTHORITIES, type QuestionTables } from '../../domain.js'
import { type VisibleSegment, VisibleSet } from '../../index/visible-set.js'
import type { ReadRequest } from '../../request.js'
import { type ModelUse, meaningFor } from '../compare-meanings.js'
import {
  corporaOf,
  expansionsOf,
  matchPlan,
  type SearchOutcome,
  type UsedExpansion,
  WORDS_ONLY,
} from '../execute.js'
import {
  failureOf,
  makeBasePlan,
  type PlannedQuestion,
  planSearch,
  type UnifiedSearchPlan,
  type ValidPlan,
  validatePlan,
} from '../plan.js'
import { type FilterContext, loadFilterContext, narrowToQuestion } from '../predicates.js'
import { type ParsedQuestion, type Question, topKOf } from '../question.js'
import { accountFor, namesOfSnapshots, type SearchAccount } from '../receipt.js'
import type { SearchSettings } from '../settings.js'
import { assignExecutors, type ExecutorClass, type Weights } from './assign.js'
import { type ExecutorRun, runExecutors } from './executors.js'
import {
  classificationMessages,
  MEANINGS,
  matchesPattern,
  PATTERNS,
  type QueryIntent,
  type QueryIntentResolution,
  readClassification,
  resolveIntent,
} from './intent.js'
import { planExpansions } from './plan-expansions.js'
import { namedPosture, POSTURE_RULES, partKindsOf, postureFor, type RetrievalPosture } from './posture.js'
import type { RoutedQuestion, RouterQuestion } from './router-question.js'
import { gatherUnits, type UnitResult } from './unit-results.js'
import { planFailure, type SearchPlanFailure } from './validate.js'

/** A question with its plan, before anything is searched. */
export interface SearchRoute extends PlannedQuestion {
  readonly visible: VisibleSet
  readonly segments: readonly VisibleSegment[]
  readonly asking: FilterContext
  /** How far the files in question have been read. */
  readonly reading: () => Promise<ReadingProgress>
  /** Whether executors were chosen for the question; otherwise a single one covers everything. */
  readonly isRouted: boolean
  /** Why nothing can be searched, or null. */
  readonly failure: SearchPlanFailure | null
}

/** Plans a question, with several executors or with one. */
type Planner<Asked extends ParsedQuestion> = (request: ReadRequest, asked: Asked) => Promise<SearchRoute>

/** Plans a route with a single executor over everything visible. It needs no intent or posture from the question. */
export async function planDirect(
  request: ReadRequest,
  asked: ParsedQuestion,
  known?: VisibleSet,
): Promise<SearchRoute> {
  const { question } = asked
  const plan = planSearch(question, request.parts)
  const visible = known ?? (await VisibleSet.of(request))
  const asking = await loadFilterContext(request, question)
  return {
    ...asked,
    plan,
    authorities: domainFor(request, question, visible)?.authoritiesIn(asked) ?? NO_AUTHORITIES,
    visible,
    asking,
    segments: narrowToQuestion(visible.segments, question, asking),
    reading: async () => NOTHING_TO_READ,
    isRouted: false,
    failure: null,
  }
}

/**
 * Plans intent, posture, scope, executors and expansions. Equal questions over equal visible sets give equal plans
 * (SR-1).
 */
export async function planRoute(
  request: ReadRequest,
  { asked, ...parsed }: RoutedQuestion,
): Promise<SearchRoute> {
  const { searchSettings: settings } = request.parts
  const visible = await VisibleSet.of(request)
  const domain = domainFor(request, parsed.question, visible)
  const tables = domain?.questions ?? ANY_QUESTION
  const intent = intentOf(request, asked, tables)
  const posture = postureOf(asked, intent, tables)
  const question = withinPosture(parsed.question, posture, settings)
  const asking = await loadFilterContext(request, question)
  const segments = narrowToQuestion(visible.segments, question, asking)
  const authorities = domain?.authoritiesIn(parsed) ?? NO_AUTHORITIES
  const { assignments, resultFusionStrategy } = assignExecutors({
    query: question.query,
    posture,
    cites: authorities.cited.length > 0,
    corpora: question.scope?.corpusScope ?? [],
    fusion: asked.fusion,
    weights: weightsOf(asked, settings),
  })
  const plan: UnifiedSearchPlan = {
    ...makeBasePlan(question, request.parts),
    queryIntentResolution: intent,
    searchScope: { retrievalPosture: posture, ...asked.scope, schemaVersion: 1 },
    executorAssignments: assignments,
    resultFusionStrategy,
    searchIndexSnapshots: namesOfSnapshots(request, segments),
    queryExpansionsPlanned: planExpansions(question, authorities, segments),
    topK: topKOf(posture.posture, settings.topK),
  }
  const reading = request.parts.reads.reading({
    owners: [...request.parts.identity.principals].sort(),
    corpora: question.scope?.corpusScope ?? null,
    filingUnits: question.scope?.filingUnitScope ?? null,
  })
  const failure = failureOf(plan) ?? (await whyNot(request, posture, visible, segments, reading))
  return {
    ...parsed,
    question,
    plan,
    authorities,
    visible,
    segments,
    asking,
    reading,
    isRouted: true,
    failure,
  }
}

/**
 * The domain of a question: that of the corpora it names or, if it names none, of any corpus that is visible. Hidden
 * corpora turn no domain on (NI-1).
 */
function domainFor(
  { parts: { domain } }: ReadRequest,
  { corpus, scope }: Question,
  visible: VisibleSet,
): Domain | null {
  if (domain === null) return null
  const named = corpus === undefined ? scope?.corpusScope : [corpus]
  return (named ?? [...corporaOf(visible.segments)]).some(one => domain.has(one)) ? domain : null
}

/** The tables if no domain is turned on. */
const ANY_QUESTION: QuestionTables = { intents: PATTERNS, postures: POSTURE_RULES, meanings: MEANINGS }

function weightsOf({ fusion, weights }: RouterQuestion, settings: SearchSettings): Weights {
  if (weights !== undefined && fusion !== 'weighted_sum')
    throw new PrivityError('invalid_input', 'weights: need fusion weighted_sum')
  return { ...settings.weights, ...weights }
}

/** The profile decides first, then the caller, then a pattern, then a model (SR-2). */
function intentOf(
  { parts, restsOn }: ReadRequest,
  { query, intent, corrects }: RouterQuestion,
  { intents, meanings }: QuestionTables,
): QueryIntentResolution {
  const { disclosureBelow } = parts.searchSettings
  const forced = (parts.profile?.row.fields.queryIntent ?? undefined) as QueryIntent | undefined
  const { model } = parts.reader
  const asksModel =
    forced === undefined && intent === undefined && model !== null && !matchesPattern(query, intents)
  const [answer = null] = asksModel
    ? parts.reader.of([{ messages: classificationMessages(query, meanings), records: [] }], restsOn)
    : []
  const read = answer === null ? null : readClassification(answer)
  const resolved = resolveIntent({
    query,
    patterns: intents,
    forced,
    tagged: intent,
    corrects: corrects !== undefined,
    classified: read === null || model === null ? undefined : { ...read, model: model.name },
    disclosureBelow,
  })
  return corrects !== undefined && resolved.resolverKind === 'user_corrected'
    ? { ...resolved, correctsSearchRun: corrects }
    : resolved
}

function postureOf(
  asked: RouterQuestion,
  { resolvedIntent }: QueryIntentResolution,
  { postures }: QuestionTables,
): RetrievalPosture {
  const posture =
    asked.posture === undefined
      ? postureFor({ query: asked.query, intent: resolvedIntent }, postures)
      : namedPosture(asked.posture)
  return asked.filingContentScope === undefined
    ? posture
    : { ...posture, filingContentScope: asked.filingContentScope }
}

/** The same question, restricted to what its posture covers. */
function withinPosture(
  question: Question,
  { posture, filingContentScope }: RetrievalPosture,
  { timeZone }: SearchSettings,
): Question {
  const partKinds = partKindsOf(filingContentScope)
  return {
    ...question,
    posture,
    ...(filingContentScope === 'package_metadata_only' ? { kinds: ['document'] } : {}),
    scope: {
      ...question.scope,
      hostTimeZone: timeZone,
      ...(partKinds === null ? {} : { partKinds: [...partKinds] }),
    },
  }
}

/**
 * The reason why a search is pointless before it begins. It depends only on who the caller is and what it sees
 * (SR-7).
 */
async function whyNot(
  { parts: { identity } }: ReadRequest,
  { posture }: RetrievalPosture,
  visible: VisibleSet,
  segments: readonly VisibleSegment[],
  reading: SearchRoute['reading'],
): Promise<SearchPlanFailure | null> {
  const seesMemories =
    identity.views === null ||
    [...identity.views.values()].some(({ surfaces }) => surfaces.has('derived_memories'))
  if (posture === 'derived_memory_primary' && !seesMemories)
    return planFailure('scope_exceeds_session_capability', 'Ask for documents instead.')
  const isEmpty = measureVisible(segments).documents === 0
  if (isEmpty && (await reading()).waits)
    return planFailure('extraction_in_flight_required_for_query', 'Ask again when the documents were read.')
  // Memories alone are no text to answer from. What a synthesis of them lacks is known once they are found (SR-9).
  const wantsSources =
    posture === 'document_text_primary' || (isEmpty && posture === 'cross_source_synthesis')
  return wantsSources && !hasSources(visible.segments)
    ? planFailure('document_required_unavailable', 'There is no document to be searched.')
    : null
}

/** Why an answer from these files cannot be complete, or null. */
function whyNotComplete({ waits, unread }: ReadingProgress): SearchPlanFailure | null {
  if (waits)
    return planFailure('extraction_in_flight_required_for_query', 'Ask again when the documents were read.')
  return unread
    ? planFailure(
        'index_stale_blocks_completeness',
        'Some files could not be read. documents.sources says which, and why.',
      )
    : null
}

const SOURCES: ReadonlySet<string> = new Set(SOURCE_KINDS)

const hasSources = (segments: readonly VisibleSegment[]): boolean =>
  segments.some(({ segment, mask, table }) =>
    mask.documents.some(document =>
      SOURCES.has(table.value('kind', segment.data.compartments[document] as number)),
    ),
  )

/** The outcome of a question, or why it was not answered. */
export interface RouteOutcome extends Omit<SearchRoute, 'reading'> {
  readonly reading: ReadingProgress
  readonly valid: ValidPlan | null
  readonly runs: readonly ExecutorRun[]
  /** The results of all executors as one list, in the order of the plan's fusion. */
  readonly fused: readonly { readonly item: RankedDocument; readonly score: number }[]
  /** The number of records that match, over all executors. */
  readonly matches: number
  readonly words: ReadonlyMap<string, WordMeant>
  /** The executors that found a record. */
  foundBy(id: string): ExecutorClass[]
}

/** Plans a question and executes the plan: each executor over the same visible set, then one list (SR-5, SR-6). */
export async function runRoute<Asked extends ParsedQuestion>(
  request: ReadRequest,
  asked: Asked,
  planner: Planner<Asked>,
  { asOf, requireComplete = false }: { readonly asOf: number; readonly requireComplete?: boolean },
): Promise<RouteOutcome> {
  const { embeddings, halfLifeOf, searchSettings } = request.parts
  // This comes first: if the transaction starts again for it, nothing has been left behind, not even an id.
  const meaning = meaningFor(request, asked)
  const route = await planner(request, asked)
  const { plan, segments, visible, isRouted } = route
  if (route.failure !== null) return unanswered(route)
  const notComplete = requireComplete ? whyNotComplete(await route.reading()) : null
  if (notComplete !== null) return unanswered({ ...route, failure: notComplete })
  const valid = validatePlan(route, searchSettings)
  const circumstances = { meaning, asOf, halfLifeOf }
  const field = { request, plan: valid, visible, segments, circumstances, looks: new Map(), isRouted }
  const runs = await runExecutors(field, plan.executorAssignments)
  const executed = runs.flatMap(run => run.executed ?? [])
  if (requireComplete && executed.some(({ uses }) => uses.some(({ waiting }) => waiting > 0)))
    return unanswered({
      ...route,
      failure: planFailure('index_stale_blocks_completeness', 'Ask again soon.'),
    })
  embeddings.noteRecords(
    request.tenant,
    executed.flatMap(({ waiting }) => waiting),
  )
  const items = new Map(runs.flatMap(({ ranked }) => ranked.map(item => [item.id, item] as const)))
  const lists = runs.map(({ ranked }, at) => ({
    items: ranked,
    weight: plan.executorAssignments[at]?.weight ?? 1,
  }))
  return {
    ...route,
    reading: await route.reading(),
    valid,
    runs,
    fused: fuse(plan.resultFusionStrategy, lists, searchSettings).flatMap(({ id, score }) => {
      const item = items.get(id)
      return item === undefined ? [] : [{ item, score }]
    }),
    matches: countMatches(executed, segments.length),
    words: new Map(executed.flatMap(({ words }) => [...words])),
    foundBy: id =>
      runs.flatMap(({ executorClass, ranked }) =>
        ranked.some(item => item.id === id) ? [executorClass] : [],
      ),
  }
}

/** One result for each filing unit, in order, up to the number that the plan ranks. */
export function unitsFound({ runs, segments, fused, plan }: RouteOutcome): UnitResult[] {
  const merged = runs.flatMap(({ executed }) => (executed === null ? [] : [executed.matches.merged]))
  return gatherUnits(segments, fused, merged).slice(0, plan.topK)
}

/** The query expansions that match something visible, without ranking (QX-1). */
export function expansionsFor(request: ReadRequest, route: SearchRoute): UsedExpansion[] {
  const valid = validatePlan(route, request.parts.searchSettings)
  const meaning = meaningFor(request, route)
  const { matches, synonyms } = matchPlan(valid, route.segments, { ...WORDS_ONLY, meaning })
  return expansionsOf(matches, synonyms, route.authorities)
}

const unanswered = (route: SearchRoute): RouteOutcome => ({
  ...route,
  reading: NOTHING_TO_READ,
  valid: null,
  runs: [],
  fused: [],
  matches: 0,
  words: new Map(),
  foundBy: () => [],
})

/** Counts the matching records, each once. */
function countMatches(searches: readonly SearchOutcome[], parts: number): number {
  if (searches.length === 1) return searches[0]?.matches.count ?? 0
  let count = 0
  for (let part = 0; part < parts; part++) {
    const documents = new Set<number>()
    for (const { matches } of searches)
      for (const document of matches.parts[part]?.documents ?? []) documents.add(document)
    count += documents.size
  }
  return count
}

/** The account of a routed search; null if it was not run. */
export function accountOf(
  request: ReadRequest,
  { valid, visible, segments, asking, reading, runs, matches }: RouteOutcome,
): SearchAccount | null {
  if (valid === null) return null
  return accountFor(request, valid, visible, segments, asking, {
    matches,
    mostOfOne: Math.max(0, ...runs.map(run => run.executed?.matches.count ?? 0)),
    expansions: unitedExpansions(runs),
    uses: unitedUses(runs),
    reading,
    executions: runs.map(({ executorClass, ranked, failures, startedAt, completedAt, ...read }) => ({
      executorClass,
      resultCount: ranked.length,
      startedAt,
      completedAt,
      tokensRead: read.tokensRead,
      unread: read.unread,
      failures,
    })),
  })
}

/** The expansions of all executors, without duplicates. */
function unitedExpansions(runs: readonly ExecutorRun[]): UsedExpansion[] {
  const united = new Map<string, UsedExpansion>()
  for (const used of runs.flatMap(({ executed }) => executed?.expansions ?? [])) {
    const key = JSON.stringify([used.expansionKind, used.source])
    const terms = new Set([...(united.get(key)?.appliedTerms ?? []), ...used.appliedTerms])
    united.set(key, { ...used, appliedTerms: [...terms].sort() })
  }
  return [...united.values()]
}

/** How each model took part, for the executor that covered the most records with it. */
function unitedUses(runs: readonly ExecutorRun[]): ModelUse[] {
  const united = new Map<string, ModelUse>()
  for (const use of runs.flatMap(({ executed }) => executed?.uses ?? [])) {
    const before = united.get(use.model)
    if (before === undefined || use.covered + use.waiting > before.covered + before.waiting)
      united.set(use.model, use)
  }
  return [...united.values()]
}
