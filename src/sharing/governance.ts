import {
  DEFAULT_GOVERNANCE_SPLIT,
  findGovernanceReach,
  type GovernanceReach,
  type GovernanceSplit,
} from '../policy/governance-split.js'
import type { ReadRequest } from '../runtime/request.js'

/** Governance only ever restricts: where a reference leads nowhere, all of it holds. (DE-2) */
const ALL_OF_IT: GovernanceSplit = {
  doc1GovernanceKind: 'session_and_corpus',
  doc1ShareLinkGovernanceRole: 'host_session_governance_inherited',
}

/**
 * How far a host's governance rules reach in a request: as its profile says, or else whatever it was granted or spawned
 * in, or by default. It is told, and nothing rests on it yet: rules on the labels of what agents write hold in every
 * profile. (SP-9, WR-2)
 */
export function governanceFor({ parts }: ReadRequest): GovernanceReach & { readonly split: GovernanceSplit } {
  const { profile } = parts
  const named = profile?.policies.all('doc1_governance_split') ?? []
  const [split = ALL_OF_IT] = named.length === 0 ? [DEFAULT_GOVERNANCE_SPLIT] : named
  return { split, ...findGovernanceReach(split, profile?.row.sessionKind ?? 'host_session') }
}
