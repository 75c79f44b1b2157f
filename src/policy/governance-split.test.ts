import { expect, it } from 'vitest'
import { DEFAULT_GOVERNANCE_SPLIT, findGovernanceReach, GOVERNANCE_KINDS } from './governance-split.js'
import { PROFILE_KINDS } from './vocabulary.js'

const both = { session: true, corpus: true }
const session = { session: true, corpus: false }
const corpus = { session: false, corpus: true }
const neither = { session: false, corpus: false }

it('[SP-9] by default a host is governed and a share link is not', () => {
  expect(PROFILE_KINDS.map(kind => findGovernanceReach(DEFAULT_GOVERNANCE_SPLIT, kind))).toEqual([
    both,
    neither,
    both,
    both,
  ])
})

// Columns: session_governance_only, corpus_governance_only, session_and_corpus, an unknown kind.
it.each([
  ['host_session', 'share_link_governance_disabled', [session, corpus, both, both]],
  ['subagent_session', 'share_link_session_owns_governance', [session, corpus, both, both]],
  ['share_link_session', 'share_link_governance_disabled', [neither, neither, neither, neither]],
  ['share_link_session', 'host_session_governance_inherited', [session, corpus, both, both]],
  ['share_link_session', 'share_link_session_owns_governance', [session, neither, session, session]],
  ['share_link_session', 'unheard_of', [both, both, both, both]],
] as const)('[SP-9] [DE-2] a %s where %s', (sessionKind, role, expected) => {
  const kinds = [...GOVERNANCE_KINDS, 'unheard_of']
  const governed = kinds.map(kind =>
    findGovernanceReach({ doc1GovernanceKind: kind, doc1ShareLinkGovernanceRole: role }, sessionKind),
  )
  expect(governed).toEqual(expected)
})
