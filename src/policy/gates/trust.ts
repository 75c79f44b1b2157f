import { full, gate, metadata, none } from '../gate.js'
import { splitScope } from '../labels.js'
import { isRecipient } from '../subject.js'
import { rank, SENSITIVITIES } from '../vocabulary.js'

/**
 * How much of a record the caller's trust discloses (TR-1, TR-4). A recipient gets no metadata of what is one rank
 * above: that it exists is for its host to tell (NI-12).
 */
export const trust = gate('trust', ['sensitivity', 'scope'], ({ trust, audience }, record) => {
  if (trust === null) return none('access.too_sensitive')
  const { scopes } = trust
  if (scopes !== 'all' && !splitScope(record.scope).every(scope => scopes.has(scope)))
    return none('access.out_of_scope')
  const above = rank(SENSITIVITIES, record.sensitivity) - rank(SENSITIVITIES, trust.maxSensitivity)
  if (Number.isNaN(above)) return none('access.unknown_sensitivity')
  if (above <= 0) return full('access.within_trust')
  if (above === 1 && !isRecipient(audience)) return metadata('access.one_level_above')
  return none('access.too_sensitive')
})
