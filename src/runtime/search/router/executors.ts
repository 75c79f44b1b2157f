import { PrivityError } from '../../../errors.js'
import { MEMORY_KINDS, SOURCE_KINDS } from '../../../policy/vocabulary.js'
import { type Matches, match, type QueryTerm, readTerm } from '../../../search/match.js'
import { byPassages } from '../../../search/passages.js'
import { type Ranked, rank } from '../../../search/rank.js'
import { IndexAhead, IndexBehind } from '../../index/cells.js'
import type { VisibleSegment, VisibleSet } from '../../index/visible-set.js'
import { PrepareFirst } from '../../prepare-first.js'
import type { ReadRequest } from '../../request.js'
import {
  type Circumstances,
  expansionsOf,
  find,
  layersIn,
  order,
  type Suggestion,
  type UsedExpansion,
  wordsOf,
} from '../execute.js'
import { feedbackFor } from '../feedback.js'
import { askedLaw } from '../legal-asked.js'
import type { ModelUse } from '../meant.js'
import type { ValidPlan } from '../plan.js'
import type { ExecutorAssignment, ExecutorClass } from './assign.js'
import type { Posture } from './posture.js'

/** Why an executor gave nothing: an answer without it is a partial one, and says so. */
export interface ExecutorFailure {
  readonly failureKind: 'deadline_exceeded' | 'executor_failed'
  readonly failureReasonCode: string
}

/** What one executor found. It reads in the caller's own name and writes nothing (SP-7, SR-5). */
export interface ExecutorRun {
  readonly executorClass: ExecutorClass
  readonly ranked: readonly Ranked[]
  /** What matched; null where it failed. */
  readonly matches: Matches | null
  readonly expansions: readonly UsedExpansion[]
  readonly words: ReadonlySet<string>
  readonly suggestion: Suggestion | null
  readonly uses: readonly ModelUse[]
  readonly waiting: readonly string[]
  readonly failures: readonly ExecutorFailure[]
  /** What it read of its budget, and how many candidates it had none left for. */
  readonly tokensRead: number
  readonly unread: number
  readonly startedAt: Date
  readonly completedAt: Date
}

/** What every executor is given: the same snapshot, decided and narrowed before. */
export interface Field {
  readonly request: ReadRequest
  readonly plan: ValidPlan
  readonly visible: VisibleSet
  readonly segments: readonly VisibleSegment[]
  readonly circumstances: Circumstances
}

/** What an executor may use up. */
export interface Allowance {
  readonly budgetTokens: number
  /** Throws once its time is up. */
  readonly heed: () => void
}

type Executor = (
  field: Field,
  allowance: Allowance,
) => Promise<Omit<ExecutorRun, 'executorClass' | 'failures' | 'startedAt' | 'completedAt'>>
export type Executors = Readonly<Record<ExecutorClass, Executor>>

const SOURCES: ReadonlySet<string> = new Set(SOURCE_KINDS)
const MEMORIES: ReadonlySet<string> = new Set([...MEMORY_KINDS, 'annotation', 'note'])

/** What a direct look takes in: what the answer should be made of, and everything where that is not said. */
const KINDS_OF: Readonly<Record<Posture, ReadonlySet<string> | null>> = {
  document_text_primary: SOURCES,
  derived_memory_primary: MEMORIES,
  metadata_primary: SOURCES,
  mixed_surface_disclosed: null,
  cross_source_synthesis: SOURCES,
}

function direct(field: Field): Field {
  const kinds = KINDS_OF[field.plan.plan.searchScope.retrievalPosture.posture]
  return kinds === null ? field : ofKinds(field, kinds)
}

/** SR-5. */
export const EXECUTORS: Executors = {
  primary_direct: (field, allowance) => byWords(direct(field), allowance),
  doc18_legal_search_direct: (field, allowance) => byCitation(direct(field), allowance),
  memory_agent: (field, allowance) => byWords(ofKinds(field, MEMORIES), allowance),
  document_intelligence_agent: (field, allowance) => byPassage(ofKinds(field, SOURCES), allowance),
}

/** What tells an executor the time: how long it has been, and what is written down of it. */
export interface Timing {
  readonly elapsed: () => number
  readonly now: () => Date
}

/** Runs the assignments of a plan, each on a clock of its own, and one that fails beside the others. */
export async function runExecutors(
  field: Field,
  assignments: readonly ExecutorAssignment[],
  executors: Executors = EXECUTORS,
  { elapsed, now }: Timing = { elapsed: () => performance.now(), now: field.request.parts.clock.now },
): Promise<ExecutorRun[]> {
  const runs: ExecutorRun[] = []
  // One after the other: they compute, and share one connection.
  for (const { executorClass, budgetTokens, deadlineMs } of assignments) {
    const begun = elapsed()
    const startedAt = now()
    const heed = () => {
      if (elapsed() - begun >= deadlineMs) throw new DeadlineExceeded()
    }
    const run = await attempt(async () => {
      const found = await executors[executorClass](field, { budgetTokens, heed })
      return { ...found, ranked: pagesFirst(field, found.ranked) }
    })
    runs.push({ executorClass, ...run, startedAt, completedAt: now() })
  }
  return runs
}

/**
 * What cites a page that is asked for, before all else that was found: whoever names a page wants that passage, whatever
 * else has more of the words. In the list of each, as what they found is put together by ranks.
 */
function pagesFirst({ plan, segments }: Field, ranked: readonly Ranked[]): readonly Ranked[] {
  const { pinpoints } = ranked.length === 0 ? { pinpoints: [] } : askedLaw(plan)
  if (pinpoints.length === 0) return ranked
  const citing = segments.map(part => {
    const found = new Set<number>()
    for (const term of pinpoints) addHits(part, term, found)
    return found
  })
  const isCiting = ({ part, document }: Ranked) => citing[part]?.has(document) === true
  return [...ranked.filter(isCiting), ...ranked.filter(one => !isCiting(one))]
}

function addHits(part: VisibleSegment, term: QueryTerm, found: Set<number>): void {
  const hits = readTerm(part, term, false, new Map())
  for (let hit = 0; hit < hits.length; hit++) found.add(hits.documents[hit] as number)
}

class DeadlineExceeded extends Error {}

type Attempted = Omit<ExecutorRun, 'executorClass' | 'startedAt' | 'completedAt'>

async function attempt(run: () => ReturnType<Executor>): Promise<Attempted> {
  try {
    return { failures: [], ...(await run()) }
  } catch (error) {
    // What concerns the whole request is not an executor's failure.
    if ([PrivityError, PrepareFirst, IndexBehind, IndexAhead].some(kind => error instanceof kind)) throw error
    return failed(error instanceof DeadlineExceeded ? 'deadline_exceeded' : 'executor_failed')
  }
}

const failed = (failureKind: ExecutorFailure['failureKind']): Attempted => ({
  ranked: [],
  matches: null,
  expansions: [],
  words: new Set(),
  suggestion: null,
  uses: [],
  waiting: [],
  tokensRead: 0,
  unread: 0,
  failures: [{ failureKind, failureReasonCode: `search.${failureKind}` }],
})

/** What of the field is of these kinds. */
function ofKinds(field: Field, kinds: ReadonlySet<string>): Field {
  const segments = field.segments.map(part => {
    const { compartments } = part.segment.data
    const known = new Map<number, boolean>()
    const isWanted = (compartment: number) => {
      const before = known.get(compartment)
      if (before !== undefined) return before
      const wanted = kinds.has(part.table.value('kind', compartment))
      known.set(compartment, wanted)
      return wanted
    }
    return { ...part, mask: part.mask.where(document => isWanted(compartments[document] as number)) }
  })
  return { ...field, segments }
}

/** By words and meaning. */
async function byWords(field: Field, allowance: Allowance): ReturnType<Executor> {
  return (await look(field, allowance)).run
}

/** The same documents, by how much of the question one passage of each holds together. */
async function byPassage(field: Field, { budgetTokens, heed }: Allowance): ReturnType<Executor> {
  const { run, terms } = await look(field, { budgetTokens, heed })
  const { stemming } = field.plan.question
  const matches = run.matches ?? { terms: [] }
  const read = byPassages(field.segments, run.ranked, matches, terms, stemming, budgetTokens, heed)
  return { ...run, ranked: read.ranked, tokensRead: read.tokens, unread: read.unread }
}

async function look({ request, plan, visible, segments, circumstances }: Field, { heed }: Allowance) {
  heed()
  const found = find(plan, segments, { ...circumstances, heed })
  const feedback = await feedbackFor(request, plan, visible, segments, found)
  heed()
  const { ranked, matches, expansions, words, suggestion, meant } = order(
    plan,
    segments,
    found,
    feedback,
    heed,
  )
  const { uses, waiting } = meant
  const unspent = { tokensRead: 0, unread: 0 }
  return {
    terms: found.terms,
    run: { ranked, matches, expansions, words, suggestion, uses, waiting, ...unspent },
  }
}

/** Whatever cites what the question cites, ordered by the rest of the question. */
async function byCitation({ plan, segments }: Field, { heed }: Allowance): ReturnType<Executor> {
  heed()
  const law = askedLaw(plan)
  const citing = segments.map(part => {
    const found = new Set<number>()
    for (const term of law.cited) addHits(part, term, found)
    return { ...part, mask: part.mask.where(document => found.has(document)) }
  })
  const { stemming } = plan.question
  const terms = [...law.cited, ...law.pinpoints, ...law.rest]
  const matches = match(citing, { ...plan.query, terms, stemming }, [], heed)
  return {
    ranked: rank(citing, matches, layersIn(citing), plan.plan.topK, undefined, heed),
    matches,
    expansions: expansionsOf(matches, new Map(), law),
    words: wordsOf(matches),
    suggestion: null,
    uses: [],
    waiting: [],
    tokensRead: 0,
    unread: 0,
  }
}
