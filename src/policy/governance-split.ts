/** What a host's own governance rules apply to (002 §7.2). */
export const GOVERNANCE_KINDS = [
  'session_governance_only',
  'corpus_governance_only',
  'session_and_corpus',
] as const

/** Whose governance rules apply in a profile from a share link (002 §7.2). */
export const SHARE_LINK_GOVERNANCE_ROLES = [
  'share_link_session_owns_governance',
  'host_session_governance_inherited',
  'share_link_governance_disabled',
] as const

export interface GovernanceSplit {
  readonly doc1GovernanceKind: string
  readonly doc1ShareLinkGovernanceRole: string
}

export interface GovernanceReach {
  readonly session: boolean
  readonly corpus: boolean
}

/** The default for every kind of profile: share links are excluded until the host opts in. (SP-9) */
export const DEFAULT_GOVERNANCE_SPLIT: GovernanceSplit = {
  doc1GovernanceKind: 'session_and_corpus',
  doc1ShareLinkGovernanceRole: 'share_link_governance_disabled',
}

/**
 * Whether a host's governance rules apply to a profile, and to what it reads. They can only restrict, so for an
 * unknown value they apply. Rate limits, overlays and capability policies always apply. (SP-9, DE-2)
 */
export function findGovernanceReach(split: GovernanceSplit, sessionKind: string): GovernanceReach {
  const reach = reachOf(split.doc1GovernanceKind)
  if (sessionKind !== 'share_link_session') return reach
  switch (split.doc1ShareLinkGovernanceRole) {
    case 'share_link_governance_disabled':
      return { session: false, corpus: false }
    case 'share_link_session_owns_governance':
      // The link's own rules apply only to its own profile, because the corpus belongs to the host.
      return { session: reach.session, corpus: false }
    case 'host_session_governance_inherited':
      return reach
  }
  return { session: true, corpus: true }
}

function reachOf(kind: string): GovernanceReach {
  return { session: kind !== 'corpus_governance_only', corpus: kind !== 'session_governance_only' }
}
