import { PrivityError } from '../../../errors.js'
import { MEMORY_KINDS, SOURCE_KINDS, type Surface } from '../../../policy/vocabulary.js'
import { match, type QueryTerm, readTerm } from '../../../search/match.js'
import { type RankedDocument, rankMatches } from '../../../search/rank.js'
import { rankByPassages } from '../../../search/rank-by-passages.js'
import type { VisibleSegment, VisibleSet } from '../../index/visible-set.js'
import type { ReadRequest } from '../../request.js'
import { RunAgain } from '../../run-again.js'
import {
  expansionsOf,
  layersIn,
  matchedWords,
  matchPlan,
  orderMatches,
  type SearchContext,
  type SearchOutcome,
} from '../execute.js'
import { feedbackFor } from '../feedback.js'
import type { ValidPlan } from '../plan.js'
import type { ExecutorAssignment, ExecutorClass } from './assign.js'
import type { Posture } from './posture.js'

/** Why an executor returned nothing. The answer is then partial, and says so. */
export interface ExecutorFailure {
  readonly failureKind: 'deadline_exceeded' | 'executor_failed'
  readonly failureReasonCode: string
}

/** What one executor found. It reads as the caller and writes nothing (SP-7, SR-5). */
export interface ExecutorRun {
  readonly executorClass: ExecutorClass
  readonly ranked: readonly RankedDocument[]
  /** The ranked search; null if it failed. */
  readonly executed: SearchOutcome | null
  readonly failures: readonly ExecutorFailure[]
  /** How many tokens of its budget it read, and for how many candidates none were left. */
  readonly tokensRead: number
  readonly unread: number
  readonly startedAt: Date
  readonly completedAt: Date
}

/** The input of every executor: the same snapshot, already decided and filtered. */
export interface ExecutorInput {
  readonly request: ReadRequest
  readonly plan: ValidPlan
  readonly visible: VisibleSet
  readonly segments: readonly VisibleSegment[]
  readonly circumstances: SearchContext
  /** Searches that have already run; executors that search the same records share one. */
  readonly looks: Map<ReadonlySet<string> | null, SearchOutcome>
  /**
   * Whether executors were chosen for the question. If not, a single executor covers everything; it has no deadline
   * of its own, and if it fails there is no answer.
   */
  readonly isRouted: boolean
}

/** The limits of one executor. */
export interface ExecutorBudget {
  readonly budgetTokens: number
  /** Throws once the deadline has passed. */
  readonly checkDeadline: () => void
}

type Executor = (
  field: ExecutorInput,
  allowance: ExecutorBudget,
) => Promise<Omit<ExecutorRun, 'executorClass' | 'failures' | 'startedAt' | 'completedAt'>>
export type Executors = Readonly<Record<ExecutorClass, Executor>>

const SOURCES: ReadonlySet<string> = new Set(SOURCE_KINDS)
const MEMORIES: ReadonlySet<string> = new Set([...MEMORY_KINDS, 'annotation', 'note'])
/** Files that were taken in as somebody's own notes are searched with memories. */
const NOTE_SURFACES: ReadonlySet<string> = new Set([
  'host_annotations',
  'host_strategy_notes',
] satisfies Surface[])

/** The kinds that a direct search covers for each posture; null means all. */
const KINDS_OF: Readonly<Record<Posture, ReadonlySet<string> | null>> = {
  document_text_primary: SOURCES,
  derived_memory_primary: MEMORIES,
  metadata_primary: SOURCES,
  mixed_surface_disclosed: null,
  cross_source_synthesis: SOURCES,
}

const directKinds = ({ plan, isRouted }: ExecutorInput) =>
  isRouted ? KINDS_OF[plan.plan.searchScope.retrievalPosture.posture] : null

/** The executors (SR-5). */
export const EXECUTORS: Executors = {
  primary_direct: (field, allowance) => byWords(field, directKinds(field), allowance),
  doc18_legal_search_direct: (field, allowance) => byCitation(field, directKinds(field), allowance),
  memory_agent: (field, allowance) => byWords(field, MEMORIES, allowance),
  document_intelligence_agent: (field, allowance) => byPassage(field, SOURCES, allowance),
}

/** Tells executors the time: elapsed time for deadlines, and the date for the manifest. */
export interface ExecutorClock {
  readonly elapsed: () => number
  readonly now: () => Date
}

/** Runs the assignments of a plan, each with its own deadline. If one fails, the others still run. */
export async function runExecutors(
  field: ExecutorInput,
  assignments: readonly ExecutorAssignment[],
  executors: Executors = EXECUTORS,
  { elapsed, now }: ExecutorClock = { elapsed: () => performance.now(), now: field.request.parts.clock.now },
): Promise<ExecutorRun[]> {
  const runs: ExecutorRun[] = []
  // They run one after the other, because they compute and share one connection.
  for (const { executorClass, budgetTokens, deadlineMs } of assignments) {
    const begun = elapsed()
    const startedAt = now()
    const checkDeadline = () => {
      if (field.isRouted && elapsed() - begun >= deadlineMs) throw new DeadlineExceeded()
    }
    const run = await attempt(field, async () => {
      const found = await executors[executorClass](field, { budgetTokens, checkDeadline })
      return { ...found, ranked: pagesFirst(field, found.ranked) }
    })
    runs.push({ executorClass, ...run, startedAt, completedAt: now() })
  }
  return runs
}

/**
 * Moves results that cite a page named in the question to the front: whoever names a page wants that passage, even if
 * others contain more of the words. This is done in each executor's list, because lists are fused by rank.
 */
function pagesFirst(
  { plan, segments, isRouted }: ExecutorInput,
  ranked: readonly RankedDocument[],
): readonly RankedDocument[] {
  if (!isRouted || plan.authorities.pinpoints.length === 0) return ranked
  const { pinpoints } = plan.authorities
  const citing = segments.map(part => {
    const found = new Set<number>()
    for (const term of pinpoints) addHits(part, term, found)
    return found
  })
  const isCiting = ({ part, document }: RankedDocument) => citing[part]?.has(document) === true
  return [...ranked.filter(isCiting), ...ranked.filter(one => !isCiting(one))]
}

function addHits(part: VisibleSegment, term: QueryTerm, found: Set<number>): void {
  const hits = readTerm(part, term, false, new Map())
  for (let hit = 0; hit < hits.length; hit++) found.add(hits.documents[hit] as number)
}

class DeadlineExceeded extends Error {}

type Attempt = Omit<ExecutorRun, 'executorClass' | 'startedAt' | 'completedAt'>

async function attempt({ isRouted }: ExecutorInput, run: () => ReturnType<Executor>): Promise<Attempt> {
  try {
    return { failures: [], ...(await run()) }
  } catch (error) {
    // An error that concerns the whole request is not a failure of the executor.
    if (!isRouted || error instanceof PrivityError || error instanceof RunAgain) throw error
    return failed(error instanceof DeadlineExceeded ? 'deadline_exceeded' : 'executor_failed')
  }
}

const failed = (failureKind: ExecutorFailure['failureKind']): Attempt => ({
  ranked: [],
  executed: null,
  tokensRead: 0,
  unread: 0,
  failures: [{ failureKind, failureReasonCode: `search.${failureKind}` }],
})

/** The part of the visible set that is of these kinds; null means everything. */
function ofKinds({ segments }: ExecutorInput, kinds: ReadonlySet<string> | null): readonly VisibleSegment[] {
  if (kinds === null) return segments
  return segments.map(part => {
    const { compartments } = part.segment.data
    const known = new Map<number, boolean>()
    const isWanted = (compartment: number) => {
      const before = known.get(compartment)
      if (before !== undefined) return before
      const wanted =
        kinds.has(part.table.value('kind', compartment)) ||
        (kinds === MEMORIES && NOTE_SURFACES.has(part.table.value('surface', compartment) ?? ''))
      known.set(compartment, wanted)
      return wanted
    }
    return { ...part, mask: part.mask.where(document => isWanted(compartments[document] as number)) }
  })
}

type Kinds = ReadonlySet<string> | null

/**
 * Searches by words and meaning. Where a question is routed, texts that have its words close together come first. Where
 * words stand is in the index, so that no text has to be read for it.
 */
async function byWords(
  field: ExecutorInput,
  kinds: Kinds,
  { checkDeadline }: ExecutorBudget,
): ReturnType<Executor> {
  const executed = await searchPlan(field, kinds, checkDeadline)
  const ranked =
    field.isRouted && executed.byWords
      ? rankByPassages(ofKinds(field, kinds), executed, field.plan.question.stemming, { checkDeadline })
          .ranked
      : executed.ranked
  return { ranked, executed, tokensRead: 0, unread: 0 }
}

/** Ranks the same documents by how much of the question a single passage of each contains. */
async function byPassage(
  field: ExecutorInput,
  kinds: Kinds,
  { budgetTokens, checkDeadline }: ExecutorBudget,
): ReturnType<Executor> {
  const executed = await searchPlan(field, kinds, checkDeadline)
  const read = rankByPassages(ofKinds(field, kinds), executed, field.plan.question.stemming, {
    budgetTokens,
    checkDeadline,
  })
  return { ranked: read.ranked, executed, tokensRead: read.tokens, unread: read.unread }
}

async function searchPlan(
  field: ExecutorInput,
  kinds: Kinds,
  checkDeadline: () => void,
): Promise<SearchOutcome> {
  const known = field.looks.get(kinds)
  if (known !== undefined) return known
  const { request, plan, visible, circumstances } = field
  const segments = ofKinds(field, kinds)
  checkDeadline()
  const found = matchPlan(plan, segments, { ...circumstances, checkDeadline })
  const feedback = await feedbackFor(request, plan, visible, segments, found)
  checkDeadline()
  const executed = orderMatches(plan, segments, found, feedback, checkDeadline)
  field.looks.set(kinds, executed)
  return executed
}

/** Finds whatever cites what the question cites, ranked by the rest of the question. */
async function byCitation(
  field: ExecutorInput,
  kinds: Kinds,
  { checkDeadline }: ExecutorBudget,
): ReturnType<Executor> {
  checkDeadline()
  const { plan } = field
  const { cited, pinpoints, rest } = plan.authorities
  const citing = ofKinds(field, kinds).map(part => {
    const found = new Set<number>()
    for (const term of cited) addHits(part, term, found)
    return { ...part, mask: part.mask.where(document => found.has(document)) }
  })
  const { stemming } = plan.question
  const terms = [...cited, ...pinpoints, ...rest]
  const matches = match(citing, { ...plan.query, terms, stemming }, [], checkDeadline)
  const ranked = rankMatches(citing, matches, layersIn(citing), plan.plan.topK, undefined, checkDeadline)
  const executed: SearchOutcome = {
    ranked,
    matches,
    terms,
    expansions: expansionsOf(matches, new Map(), plan.authorities),
    words: matchedWords(matches),
    suggestion: null,
    uses: [],
    waiting: [],
    byWords: true,
    explain: () => [],
  }
  return { ranked, executed, tokensRead: 0, unread: 0 }
}
