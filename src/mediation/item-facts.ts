import type { ReadRequest } from '../runtime/request.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { isNeedCategory } from './needs.js'
import { readNameMap } from './shared-records.js'
import { agreedAt } from './when-agreed.js'

export const AGREEMENT_STATUSES = ['ACTIVE', 'COMPLETED', 'ABANDONED'] as const
export const EXPERIMENT_STATUSES = ['PLANNED', 'DONE', 'DROPPED'] as const

export interface Outcome {
  readonly by: 'you' | 'partner'
  readonly text: string
}

/** What a record tells besides its text: as much as its kind has. */
export interface ItemFacts {
  readonly status?: string
  readonly agreedAt?: string
  readonly outcomes?: readonly Outcome[]
  readonly category?: string
  readonly intensity?: number
  readonly emotion?: string
}

/** How it went, as each tells it. */
export const outcomesOf = ({ caller }: ReadRequest, { fields }: RecordRow): Outcome[] =>
  Object.entries(readNameMap(fields.outcomes))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([by, told]) => ({ by: by === caller.actingFor ? 'you' : 'partner', text: told }))

export const agreementStatus = ({ fields }: RecordRow): (typeof AGREEMENT_STATUSES)[number] =>
  AGREEMENT_STATUSES.find(status => status === fields.status) ?? 'ACTIVE'

export const experimentStatus = ({ fields }: RecordRow): (typeof EXPERIMENT_STATUSES)[number] =>
  EXPERIMENT_STATUSES.find(status => status === fields.status) ?? 'PLANNED'

/** What a model is told of a record besides its text: without it, what was given up would read as standing. */
export function factsOf(request: ReadRequest, row: RecordRow): ItemFacts {
  const { category, intensity, emotion } = row.fields
  switch (row.tuple.kind) {
    case 'agreement': {
      const at = agreedAt(row)
      return { status: agreementStatus(row), ...(at === null ? {} : { agreedAt: at }) }
    }
    case 'micro_experiment':
      return { status: experimentStatus(row), outcomes: outcomesOf(request, row) }
    case 'emotional_reading':
      return {
        ...(typeof intensity === 'number' ? { intensity } : {}),
        ...(typeof emotion === 'string' ? { emotion } : {}),
      }
    default:
      return isNeedCategory(category) ? { category } : {}
  }
}
