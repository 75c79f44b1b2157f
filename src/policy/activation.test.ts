import { describe, expect, it } from 'vitest'
import { type ActivationFacts, activationFailures, explainFailures, referencesOf } from './activation.js'

const everything = () => true

const BASE: ActivationFacts = {
  sessionKind: 'system_agent_session',
  capabilityPolicyRef: 'policy',
  sourcePolicySnapshotRef: null,
  sharedCorpusViewRefs: [],
  shareTokenId: null,
  originatingShareRef: null,
  nativeSessionScopeBindingRef: null,
  parentIsHost: false,
}
const HOST: ActivationFacts = { ...BASE, sessionKind: 'host_session', sourcePolicySnapshotRef: 'snapshot' }
const SHARE_LINK: ActivationFacts = {
  ...HOST,
  sessionKind: 'share_link_session',
  sharedCorpusViewRefs: ['view'],
  shareTokenId: 'token',
  originatingShareRef: 'share',
}
const SUB_AGENT: ActivationFacts = {
  ...BASE,
  sessionKind: 'subagent_session',
  nativeSessionScopeBindingRef: 'binding',
  parentIsHost: true,
}

describe('activationFailures', () => {
  it.each([HOST, SHARE_LINK, SUB_AGENT, BASE])('[SP-3] a whole draft of $sessionKind passes', draft => {
    expect(activationFailures(draft, everything)).toEqual([])
  })

  it.each([
    ['no capability policy', HOST, { capabilityPolicyRef: null }, ['G-ACT-1']],
    ['no snapshot, of a host', HOST, { sourcePolicySnapshotRef: null }, ['G-ACT-2']],
    ['no snapshot, of a share link', SHARE_LINK, { sourcePolicySnapshotRef: null }, ['G-ACT-2']],
    ['no view', SHARE_LINK, { sharedCorpusViewRefs: [] }, ['G-ACT-4']],
    ['no token', SHARE_LINK, { shareTokenId: null }, ['G-ACT-4']],
    ['no share that it comes from', SHARE_LINK, { originatingShareRef: null }, ['G-ACT-4']],
    ['no binding', SUB_AGENT, { nativeSessionScopeBindingRef: null }, ['G-ACT-5']],
    ['a binding that leads to no host', SUB_AGENT, { parentIsHost: false }, ['G-ACT-5']],
    [
      'several at once',
      SHARE_LINK,
      { capabilityPolicyRef: null, sourcePolicySnapshotRef: null, shareTokenId: null },
      ['G-ACT-1', 'G-ACT-2', 'G-ACT-4'],
    ],
  ] as const)('[SP-3] %s fails', (_, draft, change, failed) => {
    expect(activationFailures({ ...draft, ...change }, everything)).toEqual(failed)
  })

  it.each([
    ['capability_policy', HOST, ['G-ACT-1', 'G-ACT-6']],
    ['source_policy_snapshot', HOST, ['G-ACT-6']],
    ['shared_corpus_view', SHARE_LINK, ['G-ACT-6']],
    ['share_token', SHARE_LINK, ['G-ACT-6']],
    ['originating_share', SHARE_LINK, ['G-ACT-6']],
    ['native_session_scope_binding', SUB_AGENT, ['G-ACT-6']],
    [
      'output_policy',
      { ...HOST, otherRefs: [{ kind: 'output_policy', ref: 'o', field: 'outputPolicyRef' }] },
      ['G-ACT-6'],
    ],
  ] as const)('[SP-3] a %s that does not resolve fails', (missing, draft, failed) => {
    expect(activationFailures(draft, kind => kind !== missing)).toEqual(failed)
  })

  it('[SP-3] each gate names the fields that it fails by', () => {
    const bare = { ...SHARE_LINK, sharedCorpusViewRefs: [], shareTokenId: null, originatingShareRef: null }
    expect(
      explainFailures(
        {
          ...bare,
          sourcePolicySnapshotRef: null,
          otherRefs: [{ kind: 'o', ref: 'o', field: 'outputPolicyRef' }],
        },
        () => false,
      ),
    ).toEqual([
      { gate: 'G-ACT-1', refs: ['capabilityPolicyRef'] },
      { gate: 'G-ACT-2', refs: ['sourcePolicySnapshotRef'] },
      { gate: 'G-ACT-4', refs: ['sharedCorpusViewRefs', 'shareTokenId', 'originatingShareRef'] },
      { gate: 'G-ACT-6', refs: ['capabilityPolicyRef', 'outputPolicyRef'] },
    ])
    expect(explainFailures({ ...SUB_AGENT, parentIsHost: false }, everything)).toEqual([
      { gate: 'G-ACT-5', refs: ['nativeSessionScopeBindingRef'] },
    ])
    const two = { ...SHARE_LINK, sharedCorpusViewRefs: ['a', 'b'] }
    expect(explainFailures(two, kind => kind !== 'shared_corpus_view')).toEqual([
      { gate: 'G-ACT-6', refs: ['sharedCorpusViewRefs'] },
    ])
  })

  it('[SP-3] one unresolved view of several fails', () => {
    const draft = { ...SHARE_LINK, sharedCorpusViewRefs: ['a', 'b', 'c'] }
    expect(activationFailures(draft, (_, ref) => ref !== 'b')).toEqual(['G-ACT-6'])
    expect(referencesOf(draft).map(({ ref }) => ref)).toEqual([
      'policy',
      'snapshot',
      'a',
      'b',
      'c',
      'token',
      'share',
    ])
  })

  it('[SP-3] [DE-2] a kind of session that is not known passes no gate', () => {
    const draft = { ...SHARE_LINK, ...SUB_AGENT, sourcePolicySnapshotRef: 's', sessionKind: 'guest_session' }
    expect(activationFailures(draft, everything)).toEqual([
      'G-ACT-1',
      'G-ACT-2',
      'G-ACT-4',
      'G-ACT-5',
      'G-ACT-6',
    ])
  })
})
