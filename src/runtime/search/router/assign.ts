import type { FusionStrategy } from '../../../search/fuse.js'
import { HAS_ARGUMENT, HAS_THEME } from './phrases.js'
import type { Posture, RetrievalPosture } from './posture.js'

/** The kinds of executors (002 §11.2). */
export const EXECUTOR_CLASSES = [
  'primary_direct',
  'doc18_legal_search_direct',
  'memory_agent',
  'document_intelligence_agent',
] as const
export type ExecutorClass = (typeof EXECUTOR_CLASSES)[number]

export interface ExecutorAssignment {
  readonly executorClass: ExecutorClass
  /** A corpus of the scope, `corpus_scope` for all of them, or `all_visible` if the scope names none. */
  readonly scopeRef: string
  /** Used only by the weighted sum. */
  readonly weight?: number
  readonly budgetTokens: number
  readonly deadlineMs: number
  readonly reasonCode: string
  readonly schemaVersion: 1
}

export const ALL_VISIBLE = 'all_visible'
export const CORPUS_SCOPE = 'corpus_scope'

/** The limits of each executor. Agents read more than a direct lookup. */
const LIMITS: Readonly<Record<ExecutorClass, { budgetTokens: number; deadlineMs: number }>> = {
  primary_direct: { budgetTokens: 200, deadlineMs: 2_000 },
  doc18_legal_search_direct: { budgetTokens: 200, deadlineMs: 2_000 },
  memory_agent: { budgetTokens: 5_000, deadlineMs: 5_000 },
  document_intelligence_agent: { budgetTokens: 10_000, deadlineMs: 10_000 },
}

/** The executors for each posture (002 §11.4). */
const BY_POSTURE: Readonly<Record<Posture, readonly ExecutorClass[]>> = {
  document_text_primary: ['primary_direct'],
  derived_memory_primary: ['memory_agent'],
  metadata_primary: ['primary_direct'],
  mixed_surface_disclosed: ['primary_direct', 'memory_agent'],
  cross_source_synthesis: ['memory_agent', 'document_intelligence_agent'],
}

/** The order of executors in a plan. */
const ORDER: readonly ExecutorClass[] = [
  'doc18_legal_search_direct',
  'primary_direct',
  'memory_agent',
  'document_intelligence_agent',
]

export const hasArgument = (query: string): boolean => HAS_ARGUMENT.test(query)

export const hasTheme = (query: string): boolean => HAS_THEME.test(query)

/** The single executor of a search that is not routed; it covers the whole scope. */
export const assignDirect = (corpora: readonly string[]): ExecutorAssignment => ({
  executorClass: 'primary_direct',
  scopeRef: scopeRefOf(corpora),
  ...LIMITS.primary_direct,
  reasonCode: 'search.direct_lookup',
  schemaVersion: 1,
})

function scopeRefOf([first = ALL_VISIBLE, ...others]: readonly string[]): string {
  return others.length === 0 ? first : CORPUS_SCOPE
}

export interface AssignmentInput {
  readonly query: string
  readonly posture: RetrievalPosture
  /** Whether the question cites or names an authority. */
  readonly cites: boolean
  /** The corpora that the scope names; if empty, everything visible. */
  readonly corpora: readonly string[]
  /** How the lists are fused, if the caller said so. */
  readonly fusion?: FusionStrategy | undefined
  /** The weight of each executor in a weighted sum; 1 by default. */
  readonly weights?: Weights
}

export type Weights = Readonly<Partial<Record<ExecutorClass, number>>>

/** Chooses the executors, their reasons, and how their results are fused into one list (SR-5). */
export function assignExecutors({ query, posture, cites, corpora, fusion, weights }: AssignmentInput): {
  readonly assignments: readonly ExecutorAssignment[]
  readonly resultFusionStrategy: FusionStrategy
} {
  const argued = hasArgument(query) || hasTheme(query)
  const chosen = new Set(BY_POSTURE[posture.posture])
  if (cites) {
    // Citations are looked up in the text of documents, so a direct search there would find nothing more.
    if (posture.posture === 'document_text_primary') chosen.delete('primary_direct')
    chosen.add('doc18_legal_search_direct')
  }
  if (argued) chosen.add('memory_agent')
  if (posture.sourceSpanRequired && chosen.size > 1) chosen.add('document_intelligence_agent')

  const reasons: Readonly<Record<ExecutorClass, string>> = {
    primary_direct: 'search.direct_lookup',
    doc18_legal_search_direct: 'search.legal_citation_lookup',
    memory_agent:
      argued || posture.posture === 'cross_source_synthesis'
        ? 'search.derived_memory_argument_synthesis'
        : 'search.derived_memory_lookup',
    document_intelligence_agent: 'search.span_grounded_confirmation_for_synthesis',
  }
  const scopeRef = scopeRefOf(corpora)
  const strategy = fusion ?? (chosen.size > 1 ? 'rrf' : 'executor_priority')
  const assignments = ORDER.filter(executorClass => chosen.has(executorClass)).map(
    executorClass =>
      ({
        executorClass,
        scopeRef,
        ...(strategy === 'weighted_sum' ? { weight: weights?.[executorClass] ?? 1 } : {}),
        ...LIMITS[executorClass],
        reasonCode: reasons[executorClass],
        schemaVersion: 1,
      }) as const,
  )
  return { assignments, resultFusionStrategy: strategy }
}
