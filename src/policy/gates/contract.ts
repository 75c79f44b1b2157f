import { full, gate, none } from '../gate.js'
import { allowsRecord, isStage } from '../retrieval-contract.js'
import { isAgentAudience, type Subject } from '../subject.js'
import type { PolicyTuple } from '../tuple.js'

/** From this stage on, of every participant, shared types are open (RC-8). */
const SHARED_STAGE = 2

/** What a participant's own vessel holds. */
const OWN_KINDS: ReadonlySet<string> = new Set([
  'user_event',
  'emotional_reading',
  'need',
  'boundary',
  'empathy_draft',
])

/** What a session's shared vessel holds. */
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

/** The retrieval contract of a mediation stage. Memory outside mediation has none, and mediation sees no other memory. */
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

/** What is retrieved for a model, by the stage's table (RC-3 to RC-7). */
function allowsTurn(subject: Subject, record: ContractFields): boolean {
  const facts = subject.contract
  if (facts === null || !facts.active || !allowsRecord(record, facts)) return false
  if (record.vessel === 'user') return record.owner === subject.actingFor
  if (record.vessel !== 'shared') return true
  const outcome = facts.stage === 0
  return (outcome || facts.leastStage >= SHARED_STAGE) && isAddressed(subject, record)
}

/** What a participant looks at themselves: all of their own, and what is shared with them. No model browses. */
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
