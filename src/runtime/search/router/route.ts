import { PrivityError } from '../../../errors.js'
import { SOURCE_KINDS } from '../../../policy/vocabulary.js'
import { fuse } from '../../../search/fuse.js'
import { sizeOf } from '../../../search/match.js'
import { type Reading, readingOf } from '../../../storage/queries/reading-of.js'
import { type VisibleSegment, VisibleSet } from '../../index/visible-set.js'
import type { ReadRequest } from '../../request.js'
import type { UsedExpansion } from '../execute.js'
import { askedLaw } from '../legal-asked.js'
import type { ModelUse } from '../meant.js'
import {
  failureOf,
  planned,
  readQuery,
  type UnifiedSearchPlan,
  type ValidPlan,
  validatePlan,
} from '../plan.js'
import { type Asking, askingOf, narrow } from '../predicates.js'
import { type Question, question as questionSchema, topKOf } from '../question.js'
import { type Account, accountFor, namesOfSnapshots } from '../receipt.js'
import { meaningFor } from '../run.js'
import type { SearchSettings } from '../settings.js'
import { assignExecutors, type ExecutorClass, type Weights } from './assign.js'
import { EXECUTORS, type ExecutorRun, type Executors, runExecutors } from './executors.js'
import {
  classificationMessages,
  matchesPattern,
  type QueryIntent,
  type QueryIntentResolution,
  readClassification,
  resolveIntent,
} from './intent.js'
import { planExpansions } from './planned-expansions.js'
import { namedPosture, partKindsOf, postureFor, type RetrievalPosture } from './posture.js'
import type { RouterQuestion } from './router-question.js'
import { planFailure, type SearchPlanFailure } from './validate.js'
import { type Gathered, gatherUnits } from './versions.js'

/** A question and how it is going to be answered, before anything is searched. */
export interface Route {
  readonly question: Question
  readonly plan: UnifiedSearchPlan
  readonly visible: VisibleSet
  readonly segments: readonly VisibleSegment[]
  readonly asking: Asking
  readonly reading: Reading
  /** Why nothing may be searched. */
  readonly failure: SearchPlanFailure | null
}

/** Intent, posture, scope, executors, expansions: deterministic for equal questions over equal visible sets (SR-1). */
export async function planRoute(request: ReadRequest, asked: RouterQuestion): Promise<Route> {
  const { searchSettings: settings } = request.parts
  const intent = intentOf(request, asked)
  const posture = postureOf(asked, intent)
  const question = questionOf(request, asked, posture)
  const query = readQuery(question)
  const visible = await VisibleSet.of(request)
  const asking = await askingOf(request, question)
  const segments = narrow(visible.segments, question, asking)
  const corpora = question.scope?.corpusScope ?? []
  const { assignments, resultFusionStrategy } = assignExecutors({
    query: question.query,
    posture,
    cites: askedLaw({ question, query }).cited.length > 0,
    corpora,
    fusion: asked.fusion,
    weights: weightsOf(asked, settings),
  })
  const plan: UnifiedSearchPlan = {
    ...planned(question, request.parts),
    queryIntentResolution: intent,
    searchScope: { retrievalPosture: posture, ...asked.scope, schemaVersion: 1 },
    executorAssignments: assignments,
    resultFusionStrategy,
    searchIndexSnapshots: namesOfSnapshots(request, segments),
    queryExpansionsPlanned: planExpansions({ question, query }, segments),
    topK: topKOf(posture.posture, settings.topK),
  }
  const reading = await readingOf(request.tx, request.tenant, {
    owners: [...request.parts.identity.principals].sort(),
    corpora: question.scope?.corpusScope ?? null,
    filingUnits: question.scope?.filingUnitScope ?? null,
  })
  const failure = failureOf(plan) ?? whyNot(request, posture, visible, segments, reading)
  return { question, plan, visible, segments, asking, reading, failure }
}

function weightsOf({ fusion, weights }: RouterQuestion, settings: SearchSettings): Weights {
  if (weights !== undefined && fusion !== 'weighted_sum')
    throw new PrivityError('invalid_input', 'weights: count only where fusion is weighted_sum')
  return { ...settings.weights, ...weights }
}

/** A profile's word, then the caller's, then a pattern's, then a model's (SR-2). */
function intentOf(
  { parts, restsOn }: ReadRequest,
  { query, intent, corrects }: RouterQuestion,
): QueryIntentResolution {
  const { disclosureBelow } = parts.searchSettings
  const forced = (parts.profile?.row.fields.queryIntent ?? undefined) as QueryIntent | undefined
  const { model } = parts.reader
  const asksModel = forced === undefined && intent === undefined && model !== null && !matchesPattern(query)
  const [answer = null] = asksModel
    ? parts.reader.of([{ messages: classificationMessages(query), records: [] }], restsOn)
    : []
  const read = answer === null ? null : readClassification(answer)
  return resolveIntent({
    query,
    forced,
    tagged: intent,
    corrects: corrects !== undefined,
    classified: read === null || model === null ? undefined : { ...read, model: model.name },
    disclosureBelow,
  })
}

function postureOf(asked: RouterQuestion, { resolvedIntent }: QueryIntentResolution): RetrievalPosture {
  const posture =
    asked.posture === undefined
      ? postureFor({ query: asked.query, intent: resolvedIntent })
      : namedPosture(asked.posture)
  return asked.filingContentScope === undefined
    ? posture
    : { ...posture, filingContentScope: asked.filingContentScope }
}

function questionOf(
  { parts: { searchSettings } }: ReadRequest,
  { query, mode, stemming, synonyms, neighbours, citations, legalTerms, scope }: RouterQuestion,
  { posture, filingContentScope }: RetrievalPosture,
): Question {
  const partKinds = partKindsOf(filingContentScope)
  return questionSchema.parse({
    query,
    mode,
    stemming,
    synonyms,
    neighbours,
    citations,
    legalTerms,
    posture,
    ...(filingContentScope === 'package_metadata_only' ? { kinds: ['document'] } : {}),
    scope: {
      ...scope,
      hostTimeZone: searchSettings.timeZone,
      ...(partKinds === null ? {} : { partKinds }),
    },
  })
}

/** What makes a search pointless before it begins; each a matter of what the caller sees and is (SR-7). */
function whyNot(
  { parts: { identity } }: ReadRequest,
  { posture }: RetrievalPosture,
  visible: VisibleSet,
  segments: readonly VisibleSegment[],
  { waits }: Reading,
): SearchPlanFailure | null {
  const seesMemories =
    identity.views === null ||
    [...identity.views.values()].some(({ surfaces }) => surfaces.has('derived_memories'))
  if (posture === 'derived_memory_primary' && !seesMemories)
    return planFailure('scope_exceeds_session_capability', 'Ask for documents instead.')
  const isEmpty = sizeOf(segments).documents === 0
  if (isEmpty && waits)
    return planFailure('extraction_in_flight_required_for_query', 'Ask again when the documents were read.')
  // Memories alone are no text to answer from. What a synthesis of them lacks is told once they are found (SR-9).
  const wantsSources =
    posture === 'document_text_primary' || (isEmpty && posture === 'cross_source_synthesis')
  return wantsSources && !hasSources(visible.segments)
    ? planFailure('document_required_unavailable', 'There is no document to be searched.')
    : null
}

const SOURCES: ReadonlySet<string> = new Set(SOURCE_KINDS)

const hasSources = (segments: readonly VisibleSegment[]): boolean =>
  segments.some(({ segment, mask, table }) =>
    mask.documents.some(document =>
      SOURCES.has(table.value('kind', segment.data.compartments[document] as number)),
    ),
  )

/** A question that was answered, or why it was not. */
export interface Routed extends Route {
  readonly valid: ValidPlan | null
  readonly runs: readonly ExecutorRun[]
  /** One for each filing unit, in order, as many as the plan ranks. */
  readonly found: readonly Gathered[]
  /** Records that match, by whomever they were found. */
  readonly matches: number
  readonly words: ReadonlySet<string>
  /** Which executors found a record. */
  foundBy(id: string): ExecutorClass[]
}

/** Carries a plan out: each executor over the same visible set, then one list (SR-5, SR-6). */
export async function runRoute(
  request: ReadRequest,
  asked: RouterQuestion,
  asOf: number,
  executors: Executors = EXECUTORS,
): Promise<Routed> {
  const { embeddings, halfLifeOf, searchSettings } = request.parts
  const meaning = meaningOf(request, asked)
  const route = await planRoute(request, asked)
  const { plan, question, segments, visible } = route
  if (route.failure !== null) return unanswered(route)
  const valid = validatePlan(plan, question, searchSettings)
  const field = { request, plan: valid, visible, segments, circumstances: { meaning, asOf, halfLifeOf } }
  const runs = await runExecutors(field, plan.executorAssignments, executors)
  if (asked.requireComplete && runs.some(({ uses }) => uses.some(({ waiting }) => waiting > 0)))
    return unanswered({
      ...route,
      failure: planFailure('index_stale_blocks_completeness', 'Ask again soon.'),
    })
  embeddings.noteRecords(
    request.tenant,
    runs.flatMap(({ waiting }) => waiting),
  )
  const items = new Map(runs.flatMap(({ ranked }) => ranked.map(item => [item.id, item] as const)))
  const lists = runs.map(({ ranked }, at) => ({
    items: ranked,
    weight: plan.executorAssignments[at]?.weight ?? 1,
  }))
  const fused = fuse(plan.resultFusionStrategy, lists, searchSettings).flatMap(({ id, score }) => {
    const item = items.get(id)
    return item === undefined ? [] : [{ item, score }]
  })
  const merged = runs.flatMap(({ matches }) => (matches === null ? [] : [matches.merged]))
  return {
    ...route,
    valid,
    runs,
    found: gatherUnits(segments, fused, merged).slice(0, plan.topK),
    matches: countMatches(runs, segments.length),
    words: new Set(runs.flatMap(({ words }) => [...words])),
    foundBy: id =>
      runs.flatMap(({ executorClass, ranked }) =>
        ranked.some(item => item.id === id) ? [executorClass] : [],
      ),
  }
}

const unanswered = (route: Route): Routed => ({
  ...route,
  valid: null,
  runs: [],
  found: [],
  matches: 0,
  words: new Set(),
  foundBy: () => [],
})

/** What the question means. First of all: a transaction that begins again for it has left nothing behind. */
function meaningOf(request: ReadRequest, asked: RouterQuestion) {
  const question = questionSchema.parse({
    query: asked.query,
    mode: asked.mode,
    neighbours: asked.neighbours,
  })
  return meaningFor(request, { question, query: readQuery(question) })
}

/** Records that match, each once. */
function countMatches(runs: readonly ExecutorRun[], parts: number): number {
  if (runs.length === 1) return runs[0]?.matches?.count ?? 0
  let count = 0
  for (let part = 0; part < parts; part++) {
    const documents = new Set<number>()
    for (const { matches } of runs)
      for (const document of matches?.parts[part]?.documents ?? []) documents.add(document)
    count += documents.size
  }
  return count
}

/** What a routed search leaves. One that was not run leaves nothing. */
export function accountOf(
  request: ReadRequest,
  { valid, visible, segments, asking, reading, runs, matches }: Routed,
): Account | null {
  if (valid === null) return null
  return accountFor(request, valid, visible, segments, asking, {
    matches,
    mostOfOne: Math.max(0, ...runs.map(run => run.matches?.count ?? 0)),
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

/** Each expansion once, whichever executors used it. */
function unitedExpansions(runs: readonly ExecutorRun[]): UsedExpansion[] {
  const united = new Map<string, UsedExpansion>()
  for (const used of runs.flatMap(({ expansions }) => expansions)) {
    const key = JSON.stringify([used.expansionKind, used.source])
    const terms = new Set([...(united.get(key)?.appliedTerms ?? []), ...used.appliedTerms])
    united.set(key, { ...used, appliedTerms: [...terms].sort() })
  }
  return [...united.values()]
}

/** How each model took part, over all that any executor looked at. */
function unitedUses(runs: readonly ExecutorRun[]): ModelUse[] {
  const united = new Map<string, ModelUse>()
  for (const use of runs.flatMap(({ uses }) => uses)) {
    const before = united.get(use.model)
    if (before === undefined || use.covered + use.waiting > before.covered + before.waiting)
      united.set(use.model, use)
  }
  return [...united.values()]
}
