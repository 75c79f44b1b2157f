import {
  DEFAULT_GOVERNANCE_SPLIT,
  type GovernanceSplit,
  type Governed,
  governs,
} from '../policy/governance-split.js'
import type { ReadRequest } from '../runtime/request.js'
import { resolvePolicy } from './resolve-policy.js'

/** Governance only ever restricts: where a reference leads nowhere, all of it holds. (DE-2) */
const ALL_OF_IT: GovernanceSplit = {
  doc1GovernanceKind: 'session_and_corpus',
  doc1ShareLinkGovernanceRole: 'host_session_governance_inherited',
}

/**
 * How far a host's governance rules reach in a request: as its profile says, or by default. It is told, and nothing
 * rests on it yet: rules on the labels of what agents write hold in every session. (SP-9, WR-2)
 */
export async function governanceFor(
  request: ReadRequest,
): Promise<Governed & { readonly split: GovernanceSplit }> {
  const row = request.parts.profile?.row ?? null
  const ref = row?.fields.doc1GovernanceSplitRef ?? null
  const split =
    row === null || ref === null
      ? DEFAULT_GOVERNANCE_SPLIT
      : ((await resolvePolicy(request, row.owner, 'doc1_governance_split', ref)) ?? ALL_OF_IT)
  return { split, ...governs(split, row?.sessionKind ?? 'host_session') }
}
