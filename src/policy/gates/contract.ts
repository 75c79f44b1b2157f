import { full, gate, none } from '../gate.js'
import { allowsRecord, isStage } from '../retrieval-contract.js'
import { isAgentAudience, type Subject } from '../subject.js'
import type { PolicyTuple } from '../tuple.js'

/** Shared types are open once every participant has reached this stage (RC-8). */
const SHARED_STAGE = 2

/** The kinds of records in a participant's own vessel. */
const OWN_KINDS: ReadonlySet<string> = new Set([
  'user_event',
  'emotional_reading',
  'need',
  'boundary',
  'empathy_draft',
])

/** The kinds of records in a session's shared vessel. */
const SHARED_KINDS: ReadonlySet<string> = new Set([
  'consented_content',
  'common_ground',
  'agreement',
  'micro_experiment',
  'empathy_attempt',
  'strategy_proposal',
])

type ContractFields = Pick<
  PolicyTuple,
  'vessel' | 'kind' | 'owner' | 'session' | 'relationship' | 'contentType' | 'confirmed' | 'addressees'
>

/**
 * Applies the retrieval contract of a mediation stage. Memory outside a mediation has no contract and is not visible
 * in one.
 */
export const contract = gate(
  'contract',
  ['vessel', 'kind', 'owner', 'session', 'relationship', 'contentType', 'confirmed', 'addressees'],
  (subject, record) => {
    const inMediation = record.session !== null || record.vessel !== 'user'
    if (subject.contract === null) {
      return inMediation ? none('access.contract_missing') : full('access.outside_mediation')
    }
    return allows(subject, record) ? full('access.contract_allows') : none('access.contract_forbids')
  },
)

function allows(subject: Subject, record: ContractFields): boolean {
  switch (subject.contract?.purpose) {
    case 'turn':
      return allowsTurn(subject, record)
    case 'browse':
      return allowsBrowsing(subject, record)
    default:
      return false
  }
}

/** What may be retrieved for a model, by the stage's table (RC-3 to RC-7). */
function allowsTurn(subject: Subject, record: ContractFields): boolean {
  const facts = subject.contract
  if (facts === null || !facts.active || !allowsRecord(record, facts)) return false
  if (record.vessel === 'user') return record.owner === subject.actingFor
  if (record.vessel !== 'shared') return true
  const outcome = facts.stage === 0
  // What the speaker shared is part of what both know (RC-19).
  const isTheirs = record.owner === subject.actingFor || isAddressed(subject, record)
  return (outcome || facts.leastStage >= SHARED_STAGE) && isTheirs
}

/**
 * What participants may browse themselves: all of their own records, and what is shared with them. Models cannot
 * browse.
 */
function allowsBrowsing(subject: Subject, record: ContractFields): boolean {
  const facts = subject.contract
  if (facts === null || !isStage(facts.stage) || isAgentAudience(subject.audience)) return false
  if (record.relationship === null || record.relationship !== facts.relationship) return false
  const own = record.owner === subject.actingFor
  if (record.vessel === 'user') return own && OWN_KINDS.has(record.kind)
  if (record.vessel !== 'shared' || !SHARED_KINDS.has(record.kind)) return false
  return own || (facts.leastStage >= SHARED_STAGE && isAddressed(subject, record))
}

const isAddressed = (subject: Subject, { addressees }: ContractFields) =>
  addressees.length === 0 || addressees.includes(subject.actingFor)
