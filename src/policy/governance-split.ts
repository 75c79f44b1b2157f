/** 002 §7.2: what a host's own governance rules reach. */
export const GOVERNANCE_KINDS = [
  'session_governance_only',
  'corpus_governance_only',
  'session_and_corpus',
] as const

/** 002 §7.2: whose rules hold in a profile by share link. */
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

/** The same for every kind of profile: share links are left out until the host opts in. (SP-9) */
export const DEFAULT_GOVERNANCE_SPLIT: GovernanceSplit = {
  doc1GovernanceKind: 'session_and_corpus',
  doc1ShareLinkGovernanceRole: 'share_link_governance_disabled',
}

/**
 * Whether a host's governance rules hold for a profile, and for what it reads. They only ever restrict, so an
 * unknown value means that they hold. Rate limits, overlays and capability policies hold regardless. (SP-9, DE-2)
 */
export function findGovernanceReach(split: GovernanceSplit, sessionKind: string): GovernanceReach {
  const reach = reachOf(split.doc1GovernanceKind)
  if (sessionKind !== 'share_link_session') return reach
  switch (split.doc1ShareLinkGovernanceRole) {
    case 'share_link_governance_disabled':
      return { session: false, corpus: false }
    case 'share_link_session_owns_governance':
      // Its own rules are about itself: the corpus is the host's.
      return { session: reach.session, corpus: false }
    case 'host_session_governance_inherited':
      return reach
  }
  return { session: true, corpus: true }
}

function reachOf(kind: string): GovernanceReach {
  return { session: kind !== 'corpus_governance_only', corpus: kind !== 'session_governance_only' }
}
