import {
  DEFAULT_GOVERNANCE_SPLIT,
  findGovernanceReach,
  type GovernanceReach,
  type GovernanceSplit,
} from '../policy/governance-split.js'
import type { ReadRequest } from '../runtime/request.js'

/** Governance only ever restricts, so a reference that cannot be resolved applies all of it (DE-2). */
const ALL_OF_IT: GovernanceSplit = {
  doc1GovernanceKind: 'session_and_corpus',
  doc1ShareLinkGovernanceRole: 'host_session_governance_inherited',
}

/**
 * How far a host's governance rules reach in a request: by its profile, else by the profile that granted or spawned
 * it, else by default. This is only reported; nothing depends on it yet, because the rules on labels that agents
 * write apply in every profile (SP-9, WR-2).
 */
export function governanceFor({ parts }: ReadRequest): GovernanceReach & { readonly split: GovernanceSplit } {
  const { profile } = parts
  const named = profile?.policies.all('doc1_governance_split') ?? []
  const [split = ALL_OF_IT] = named.length === 0 ? [DEFAULT_GOVERNANCE_SPLIT] : named
  return { split, ...findGovernanceReach(split, profile?.row.sessionKind ?? 'host_session') }
}
