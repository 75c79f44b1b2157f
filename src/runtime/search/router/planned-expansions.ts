import { readTerm, type WordReason } from '../../../search/match.js'
import type { VisibleSegment } from '../../index/visible-set.js'
import { askedLaw } from '../legal-asked.js'
import { expansionsPlanned, type UnifiedSearchPlan, type ValidPlan } from '../plan.js'

type Planned = UnifiedSearchPlan['queryExpansionsPlanned'][number]

/**
 * What a question is going to be taken for as well. A form in which something is cited or named is shown only where it
 * stands in what the caller sees; others leave no trace (QX-2, V-PLAN-6).
 */
export function planExpansions(
  asked: Pick<ValidPlan, 'question' | 'query'>,
  segments: readonly VisibleSegment[],
): Planned[] {
  const law = askedLaw(asked)
  const seen = new Map<string, WordReason>()
  for (const part of segments) for (const term of law.forms) readTerm(part, term, false, seen)
  const forms = (['citation_normalization', 'legal_term_expansion'] as const).flatMap((kind): Planned[] => {
    const appliedTerms = [...seen.keys()].filter(form => law.kindOf.get(form) === kind).sort()
    return appliedTerms.length === 0
      ? []
      : [{ expansionKind: kind, appliedTerms, source: 'built_in', expansionVisibleToSession: true }]
  })
  return [...expansionsPlanned(asked.question), ...forms]
}
