import { PROFILE_KINDS } from './vocabulary.js'

/** The conditions for activating a draft. Specification 002 removed the third, so its number is unused. (SP-3) */
export const ACTIVATION_GATES = ['G-ACT-1', 'G-ACT-2', 'G-ACT-4', 'G-ACT-5', 'G-ACT-6'] as const
export type ActivationGate = (typeof ACTIVATION_GATES)[number]

/** The kinds of references that the gates check. A caller may know more kinds. */
export type ReferenceKind =
  | 'capability_policy'
  | 'source_policy_snapshot'
  | 'shared_corpus_view'
  | 'share_token'
  | 'originating_share'
  | 'native_session_scope_binding'

export interface Reference {
  readonly kind: string
  readonly ref: string
  /** The field of the profile that holds the reference. */
  readonly field: string
}

const FIELD_OF: Readonly<Record<ReferenceKind, string>> = {
  capability_policy: 'capabilityPolicyRef',
  source_policy_snapshot: 'sourcePolicySnapshotRef',
  shared_corpus_view: 'sharedCorpusViewRefs',
  share_token: 'shareTokenId',
  originating_share: 'originatingShareRef',
  native_session_scope_binding: 'nativeSessionScopeBindingRef',
}

/** The fields of a draft that decide whether it can be activated. */
export interface ActivationFacts {
  readonly sessionKind: string
  readonly capabilityPolicyRef: string | null
  readonly sourcePolicySnapshotRef: string | null
  readonly sharedCorpusViewRefs: readonly string[]
  readonly shareTokenId: string | null
  readonly originatingShareRef: string | null
  readonly nativeSessionScopeBindingRef: string | null
  /** Whether it only takes files in: such a session has no views, and is shown nothing. */
  readonly takesFilesOnly?: boolean
  /** Whether the chain of the binding leads up to a host profile. */
  readonly parentIsHost: boolean
  /** All other references of the profile. They must resolve, but no gate checks them by name. */
  readonly otherRefs?: readonly Reference[]
}

export type ReferenceCheck = (kind: string, ref: string) => boolean

/**
 * The gates that a draft fails, in order; it may be activated if there are none. An unknown kind of profile fails all
 * of them. (SP-3, DE-2)
 *
 *     activationFailures(draft, (kind, ref) => rows.has(`${kind} ${ref}`))  // ['G-ACT-2']
 */
export function activationFailures(
  profile: ActivationFacts,
  isResolvable: ReferenceCheck,
): readonly ActivationGate[] {
  const kind = PROFILE_KINDS.find(known => known === profile.sessionKind)
  if (kind === undefined) return ACTIVATION_GATES
  const policy = profile.capabilityPolicyRef
  const passed: Readonly<Record<ActivationGate, boolean>> = {
    'G-ACT-1': policy !== null && isResolvable('capability_policy', policy),
    'G-ACT-2':
      profile.sourcePolicySnapshotRef !== null || !(kind === 'host_session' || kind === 'share_link_session'),
    'G-ACT-4':
      kind !== 'share_link_session' ||
      ((profile.sharedCorpusViewRefs.length > 0 || profile.takesFilesOnly === true) &&
        profile.shareTokenId !== null &&
        profile.originatingShareRef !== null),
    'G-ACT-5':
      kind !== 'subagent_session' || (profile.nativeSessionScopeBindingRef !== null && profile.parentIsHost),
    'G-ACT-6': referencesOf(profile).every(({ kind, ref }) => isResolvable(kind, ref)),
  }
  return ACTIVATION_GATES.filter(gate => !passed[gate])
}

/** A gate that a draft does not pass, and the fields that keep it from passing. */
export interface GateFailure {
  readonly gate: ActivationGate
  readonly refs: readonly string[]
}

/** The failed gates, each with the fields that must be set or must resolve. (SP-3) */
export function explainFailures(
  profile: ActivationFacts,
  isResolvable: ReferenceCheck,
): readonly GateFailure[] {
  const unset = (...kinds: readonly ReferenceKind[]) => {
    const set = new Set(referencesOf(profile).map(({ kind }) => kind))
    return kinds.filter(kind => !set.has(kind)).map(kind => FIELD_OF[kind])
  }
  const dangling = referencesOf(profile).filter(({ kind, ref }) => !isResolvable(kind, ref))
  const refsOf: Readonly<Record<ActivationGate, () => readonly string[]>> = {
    'G-ACT-1': () => [FIELD_OF.capability_policy],
    'G-ACT-2': () => [FIELD_OF.source_policy_snapshot],
    'G-ACT-4': () => unset('shared_corpus_view', 'share_token', 'originating_share'),
    'G-ACT-5': () => [FIELD_OF.native_session_scope_binding],
    'G-ACT-6': () => [...new Set(dangling.map(({ field }) => field))],
  }
  return activationFailures(profile, isResolvable).map(gate => ({ gate, refs: refsOf[gate]() }))
}

/** All references of a profile. */
export function referencesOf(profile: ActivationFacts): readonly Reference[] {
  const one = (kind: ReferenceKind, ref: string | null) =>
    ref === null ? [] : [{ kind, ref, field: FIELD_OF[kind] }]
  return [
    ...one('capability_policy', profile.capabilityPolicyRef),
    ...one('source_policy_snapshot', profile.sourcePolicySnapshotRef),
    ...profile.sharedCorpusViewRefs.flatMap(ref => one('shared_corpus_view', ref)),
    ...one('share_token', profile.shareTokenId),
    ...one('originating_share', profile.originatingShareRef),
    ...one('native_session_scope_binding', profile.nativeSessionScopeBindingRef),
    ...(profile.otherRefs ?? []),
  ]
}
