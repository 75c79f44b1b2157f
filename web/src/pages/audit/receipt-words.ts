import type { OutputOf } from 'privity/client'
import type { Tone } from '../../components/badge'
import { formatDate, inWords } from '../../lib/format'

type Retention = OutputOf<'receipts.list'>['receipts'][number]['retention']

const COMPLETENESS: Readonly<Record<string, { label: string; tone: Tone; says: string }>> = {
  exhaustive_for_scope: {
    label: 'Complete',
    tone: 'good',
    says: 'Everything that the searcher may see was searched.',
  },
  partial_due_to_staleness: {
    label: 'Catching up',
    tone: 'warn',
    says: 'Semantic search is still catching up. Newer records were found by their words only.',
  },
  ranked_top_k_not_exhaustive: {
    label: 'Best matches',
    tone: 'plain',
    says: 'Only the best matches were ranked. There may be more.',
  },
}

/** How complete a search was. */
export const completenessInWords = (value: string) =>
  COMPLETENESS[value] ?? { label: inWords(value), tone: 'plain' as const, says: inWords(value) }

const BECAUSE: Readonly<Record<string, string>> = {
  persisted_in_answer: 'an answer cites it',
  delivered_to_downstream_consumer: 'its results were passed on',
  used_for_feedback: 'somebody judged it',
  user_marked_audit_essential: 'somebody marked it',
}

/** Until when a receipt is kept, and why. */
export const retentionInWords = ({ because, dueAt }: Retention) =>
  `Kept until ${formatDate(dueAt)}${
    because.length === 0 ? '' : `, because ${because.map(one => BECAUSE[one] ?? inWords(one)).join(' and ')}`
  }.`

const EXECUTORS: Readonly<Record<string, string>> = {
  primary_direct: 'Words and meaning, in everything',
  memory_agent: 'What was derived from documents',
}
export const executorInWords = (executor: string) => EXECUTORS[executor] ?? inWords(executor)
