import { full, gate, none } from '../gate.js'
import type { ContractFacts } from '../subject.js'
import type { PolicyTuple } from '../tuple.js'

type Rule = (
  record: Pick<PolicyTuple, 'session' | 'relationship' | 'contentType' | 'confirmed'>,
  contract: ContractFacts,
) => boolean

const anyOfRelationship: Rule = (record, contract) =>
  record.relationship !== null && record.relationship === contract.relationship
const priorSession: Rule = (record, contract) =>
  anyOfRelationship(record, contract) && record.session !== contract.session
const confirmedOnly: Rule = (record, contract) => anyOfRelationship(record, contract) && record.confirmed
const needOrBoundary: Rule = (record, contract) =>
  anyOfRelationship(record, contract) &&
  (record.contentType === 'IDENTIFIED_NEED' || record.contentType === 'BOUNDARY')
const always: Rule = () => true

const OWN = {
  user_event: anyOfRelationship,
  emotional_reading: anyOfRelationship,
  need: anyOfRelationship,
  boundary: anyOfRelationship,
}

/**
 * RC-3 to RC-7: what a stage may retrieve, by vessel and kind. What is not in the table is forbidden.
 * The two metadata types are about sessions, not records, and do not pass through here.
 */
export const STAGE_CONTRACTS: readonly Readonly<Record<string, Readonly<Record<string, Rule>>>>[] = [
  { shared: { agreement: priorSession } },
  { user: OWN },
  {
    user: OWN,
    shared: {
      consented_content: anyOfRelationship,
      common_ground: anyOfRelationship,
      agreement: anyOfRelationship,
    },
  },
  {
    user: { need: confirmedOnly },
    shared: { common_ground: anyOfRelationship, consented_content: needOrBoundary },
  },
  {
    shared: {
      consented_content: anyOfRelationship,
      common_ground: anyOfRelationship,
      agreement: anyOfRelationship,
      micro_experiment: anyOfRelationship,
    },
    global: { experiment_suggestion: always },
  },
]

/** Only what was written into the table: every object also answers to `constructor`. */
const entry = <Value>(table: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined

/** From this stage on, of every participant, shared types are open (RC-8). */
const SHARED_STAGE = 2

/** The retrieval contract of a mediation stage. Memory outside mediation has none, and mediation sees no other memory. */
export const contract = gate(
  'contract',
  ['vessel', 'kind', 'owner', 'session', 'relationship', 'contentType', 'confirmed', 'addressees'],
  (subject, record) => {
    const inMediation = record.session !== null || record.vessel !== 'user'
    const facts = subject.contract
    if (facts === null) {
      return inMediation ? none('access.contract_missing') : full('access.outside_mediation')
    }
    if (!facts.active) return none('access.contract_forbids')
    const rule = entry(entry(STAGE_CONTRACTS[facts.stage], record.vessel), record.kind)
    if (!rule?.(record, facts)) return none('access.contract_forbids')
    if (record.vessel === 'user' && record.owner !== subject.actingFor) return none('access.contract_forbids')
    if (record.vessel === 'shared') {
      const outcome = facts.stage === 0
      if (!outcome && !(facts.leastStage >= SHARED_STAGE)) return none('access.contract_forbids')
      if (record.addressees.length > 0 && !record.addressees.includes(subject.actingFor))
        return none('access.contract_forbids')
    }
    return full('access.contract_allows')
  },
)
