import { full, gate, none } from '../gate.js'
import type { Subject } from '../subject.js'

/** Kinds that may be in a shared vessel only with their owner's consent record. */
const NEEDS_RECORD: ReadonlySet<string> = new Set([
  'consented_content',
  'empathy_draft',
  'empathy_attempt',
  'strategy_proposal',
])

/** Kinds that are shown even after an input was revoked, marked as stale, because they record a decision (CB-7). */
const SURVIVES_INPUTS: ReadonlySet<string> = new Set(['agreement', 'micro_experiment'])

/** Checks the consent records of shared content and of what was derived from it (CB-6, CB-7). */
export const consent = gate(
  'consent',
  ['vessel', 'kind', 'owner', 'consentRecord', 'inputConsents'],
  (subject, record) => {
    const own = record.owner === subject.actingFor
    const needed =
      record.consentRecord !== null || (record.vessel === 'shared' && NEEDS_RECORD.has(record.kind))
    if (needed && !own) {
      if (record.consentRecord === null) return none('access.consent_missing')
      if (!isActive(subject, record.consentRecord)) return none('access.consent_revoked')
    }
    if (!SURVIVES_INPUTS.has(record.kind) && !record.inputConsents.every(id => isActive(subject, id)))
      return none('access.input_consent_revoked')
    return full(needed ? 'access.consent_active' : 'access.consent_not_needed')
  },
)

function isActive(subject: Subject, id: string): boolean {
  const facts = subject.consents.get(id)
  return facts !== undefined && facts.decision === 'GRANTED' && !facts.revoked && facts.active
}
