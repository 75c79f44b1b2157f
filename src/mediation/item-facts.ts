import { z } from 'zod'
import type { ReadRequest } from '../runtime/request.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { isNeedCategory } from './needs.js'
import { namesIn, readNameMap } from './shared-records.js'
import { agreedAt } from './when-agreed.js'

export const AGREEMENT_STATUSES = ['ACTIVE', 'COMPLETED', 'ABANDONED'] as const
export const EXPERIMENT_STATUSES = ['PLANNED', 'TRYING', 'DONE', 'DROPPED'] as const

export const experimentOutcome = z
  .object({
    by: z.enum(['you', 'partner']).meta({ description: 'Who says so: you or your partner.' }),
    text: z.string().meta({ description: 'How it went, in their words.' }),
  })
  .meta({ id: 'ExperimentOutcome', description: 'How an experiment went, as one of you tells it.' })
type ExperimentOutcome = Readonly<z.infer<typeof experimentOutcome>>

/** The facts about a record besides its text. Which ones exist depends on its kind. */
export interface ItemFacts {
  readonly status?: string
  readonly agreedAt?: string
  readonly outcomes?: readonly ExperimentOutcome[]
  readonly category?: string
  readonly intensity?: number
  readonly emotion?: string
  /** Whether the person whom an empathy text is about feels understood. */
  readonly validated?: boolean
  /** What that person said about it. */
  readonly feedback?: readonly string[]
}

/** How an experiment went, in the words of each participant. */
export const outcomesOf = ({ caller }: ReadRequest, { fields }: RecordRow): ExperimentOutcome[] =>
  Object.entries(readNameMap(fields.outcomes))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([by, told]) => ({ by: by === caller.actingFor ? 'you' : 'partner', text: told }))

export const agreementStatus = ({ fields }: RecordRow): (typeof AGREEMENT_STATUSES)[number] =>
  AGREEMENT_STATUSES.find(status => status === fields.status) ?? 'ACTIVE'

export const experimentStatus = ({ fields }: RecordRow): (typeof EXPERIMENT_STATUSES)[number] =>
  EXPERIMENT_STATUSES.find(status => status === fields.status) ?? 'PLANNED'

/**
 * The facts about a record that a model gets besides its text. Without them an abandoned agreement would look active.
 */
export function factsOf(request: ReadRequest, row: RecordRow): ItemFacts {
  const { category, intensity, emotion } = row.fields
  switch (row.tuple.kind) {
    case 'agreement': {
      const at = agreedAt(row)
      return { status: agreementStatus(row), ...(at === null ? {} : { agreedAt: at }) }
    }
    case 'micro_experiment':
      return { status: experimentStatus(row), outcomes: outcomesOf(request, row) }
    case 'empathy_attempt': {
      const feedback = Object.values(readNameMap(row.fields.feedback))
      const isValidated = namesIn(row.fields.validatedBy).length > 0
      return { ...(isValidated ? { validated: true } : {}), ...(feedback.length > 0 ? { feedback } : {}) }
    }
    case 'emotional_reading':
      return {
        ...(typeof intensity === 'number' ? { intensity } : {}),
        ...(typeof emotion === 'string' ? { emotion } : {}),
      }
    default:
      return isNeedCategory(category) ? { category } : {}
  }
}
