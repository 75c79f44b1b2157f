import type { ContractFacts } from './subject.js'
import type { PolicyTuple } from './tuple.js'

/** How a query reads: by fields of records, by semantic similarity, or only times and counts. */
export const QUERY_SOURCES = ['structured', 'vector', 'metadata'] as const
export type QuerySource = (typeof QUERY_SOURCES)[number]

/** What a turn of a mediation may query (RC-1), and where it is stored. Data about sessions is in no vessel. */
export const QUERY_TARGETS = {
  session_metadata: { vessel: null, kind: null },
  relationship_metadata: { vessel: null, kind: null },
  session_outcomes: { vessel: 'shared', kind: 'agreement' },
  user_event: { vessel: 'user', kind: 'user_event' },
  emotional_reading: { vessel: 'user', kind: 'emotional_reading' },
  need: { vessel: 'user', kind: 'need' },
  boundary: { vessel: 'user', kind: 'boundary' },
  consented_content: { vessel: 'shared', kind: 'consented_content' },
  common_ground: { vessel: 'shared', kind: 'common_ground' },
  agreement: { vessel: 'shared', kind: 'agreement' },
  micro_experiment: { vessel: 'shared', kind: 'micro_experiment' },
  experiment_suggestion: { vessel: 'global', kind: 'experiment_suggestion' },
} as const
export type QueryType = keyof typeof QUERY_TARGETS
export const QUERY_TYPES = Object.keys(QUERY_TARGETS) as readonly QueryType[]

export const STAGES = [0, 1, 2, 3, 4] as const
export type Stage = (typeof STAGES)[number]

export const isStage = (stage: number): stage is Stage => (STAGES as readonly number[]).includes(stage)

/** Selects records of a type. They are always of the caller's relationship, unless they are in the global vessel. */
export interface RecordCondition {
  /** Only records of earlier sessions. */
  readonly prior?: true
  /** Only a need that its owner confirmed, common ground that everybody confirmed, or an agreement of both sides. */
  readonly confirmed?: true
  readonly contentTypes?: readonly string[]
  /** Kinds that belong to the type besides its own. */
  readonly alsoKinds?: readonly string[]
}

/** What one stage allows for one type. */
export interface Allowance {
  readonly sources: readonly QuerySource[]
  readonly which: RecordCondition
}

const allow = (sources: readonly QuerySource[], which: RecordCondition = {}): Allowance => ({
  sources,
  which,
})

const no = null
const figures = allow(['metadata'])
const outcomes = allow(['structured'], { prior: true, confirmed: true })
const recalled = allow(['structured', 'vector'])
const read = allow(['structured'])
const settled = allow(['structured'], { confirmed: true })
const settledOrNear = allow(['structured', 'vector'], { confirmed: true })
/** "Consented reflections" in stage 2, and everything of the shared vessel in stage 4 (RC-19). */
const shared = allow(['structured', 'vector'], { alsoKinds: ['empathy_attempt'] })
const sharedAll = allow(['structured'], { alsoKinds: ['empathy_attempt', 'strategy_proposal'] })
const needful = allow(['structured'], { contentTypes: ['IDENTIFIED_NEED', 'BOUNDARY'] })
const suggested = allow(['vector'])

/**
 * What a turn may retrieve, by type and stage (RC-3 to RC-7). What is not in the table is forbidden. The gate adds
 * further conditions: user vessels must be the caller's own, shared content must be addressed to the caller, and
 * neither is open before every participant has reached stage 2 (RC-8).
 */
// biome-ignore format: a table
export const RETRIEVAL_CONTRACTS: Readonly<Record<QueryType, readonly (Allowance | null)[]>> = {
  //                       0 onboarding  1 witness  2 perspective  3 needs        4 repair
  session_metadata:      [ figures,      figures,   figures,       no,            no        ],
  relationship_metadata: [ figures,      figures,   figures,       no,            no        ],
  session_outcomes:      [ outcomes,     no,        no,            no,            no        ],
  user_event:            [ no,           recalled,  recalled,      no,            no        ],
  emotional_reading:     [ no,           recalled,  recalled,      no,            no        ],
  need:                  [ no,           recalled,  recalled,      settledOrNear, no        ],
  boundary:              [ no,           read,      read,          no,            no        ],
  consented_content:     [ no,           no,        shared,        needful,       sharedAll ],
  common_ground:         [ no,           no,        read,          read,          settled   ],
  agreement:             [ no,           no,        settled,       no,            settled   ],
  micro_experiment:      [ no,           no,        no,            no,            read      ],
  experiment_suggestion: [ no,           no,        no,            no,            suggested ],
}

/** Whether a stage allows queries for this type with this source. */
export function allowsQuery(type: QueryType, source: QuerySource, stage: number): boolean {
  return RETRIEVAL_CONTRACTS[type][stage]?.sources.includes(source) ?? false
}

type ContractFields = Pick<
  PolicyTuple,
  'vessel' | 'kind' | 'session' | 'relationship' | 'contentType' | 'confirmed'
>

/** Whether any type that the stage allows includes this record. */
export function allowsRecord(record: ContractFields, contract: ContractFacts): boolean {
  return QUERY_TYPES.some(type => {
    const { vessel, kind } = QUERY_TARGETS[type]
    const allowed = RETRIEVAL_CONTRACTS[type][contract.stage]
    const isKind = kind === record.kind || (allowed?.which.alsoKinds?.includes(record.kind) ?? false)
    return vessel === record.vessel && isKind && allowed != null && isOne(record, allowed, contract)
  })
}

function isOne(record: ContractFields, { which }: Allowance, contract: ContractFacts): boolean {
  if (record.vessel === 'global') return true
  if (record.relationship === null || record.relationship !== contract.relationship) return false
  if (which.prior && record.session === contract.session) return false
  if (which.confirmed && !record.confirmed) return false
  return which.contentTypes?.includes(record.contentType ?? '') ?? true
}
