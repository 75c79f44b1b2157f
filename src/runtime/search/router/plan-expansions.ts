import { readTerm, type WordReason } from '../../../search/match.js'
import type { Authorities } from '../../domain.js'
import type { VisibleSegment } from '../../index/visible-set.js'
import { planWordExpansions, type UnifiedSearchPlan } from '../plan.js'
import type { Question } from '../question.js'

type PlannedExpansion = UnifiedSearchPlan['queryExpansionsPlanned'][number]

/**
 * The planned query expansions. Another form of a citation or name is disclosed only if it occurs in what the caller
 * sees; others leave no trace (QX-2, V-PLAN-6).
 */
export function planExpansions(
  question: Question,
  authorities: Authorities,
  segments: readonly VisibleSegment[],
): PlannedExpansion[] {
  const seen = new Map<string, WordReason>()
  for (const part of segments) for (const term of authorities.forms) readTerm(part, term, false, seen)
  const forms = (['citation_normalization', 'legal_term_expansion'] as const).flatMap(
    (kind): PlannedExpansion[] => {
      const appliedTerms = [...seen.keys()].filter(form => authorities.kindOf.get(form) === kind).sort()
      return appliedTerms.length === 0
        ? []
        : [{ expansionKind: kind, appliedTerms, source: 'built_in', expansionVisibleToSession: true }]
    },
  )
  return [...planWordExpansions(question), ...forms]
}
