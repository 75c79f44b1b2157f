import { isAgentAudience, isRecipient } from './subject.js'
import { type Audience, PROFILE_KINDS, type ProfileKind, rank } from './vocabulary.js'
import type { MarkingPolicy } from './watermark.js'

/** How much of its parent's context a sub-agent gets, from all of it to nothing (002 §6.1). */
export const CONTEXT_INHERITANCE_POLICIES = ['full_inherit', 'scoped_inherit', 'no_inherit'] as const

/** How a sub-agent authenticates, from the profile's own token to nothing (002 §6.1). */
export const AUTH_INHERITANCE_POLICIES = ['inherit_with_session_token', 'session_only', 'no_auth'] as const

/** In the order of 002 §6.1, which is not a ranking. */
export const TRANSCRIPT_VISIBILITY_POLICIES = ['shared', 'isolated', 'host_only'] as const

/** In the order of 002 §6.1, which is not a ranking. */
export const CHILD_SPAWN_CONSTRAINTS = [
  'deny_all',
  'deny_external',
  'inherit_parent_constraint',
  'explicit_allow_list',
] as const

/** What a profile may start, and what its sub-agents get. Values are plain strings, as stored. */
export interface BindingTerms {
  readonly forkForbidden: boolean
  readonly maxSpawnDepth: number
  readonly maxChildrenPerAgent: number
  readonly contextInheritancePolicy: string
  readonly authInheritancePolicy: string
  readonly transcriptVisibilityPolicy: string
  /** From the token of a share link; null means none. */
  readonly watermarkPolicy: MarkingPolicy | null
  readonly childSpawnConstraint: string
  /** Used only if the constraint is explicit_allow_list. */
  readonly childSpawnAllowList: readonly string[] | null
}

/** Connects a profile to the runtime that runs its agents. (SP-6) */
export interface ProfileBinding extends BindingTerms {
  readonly bindingId: string
  readonly ecSessionId: string
  readonly openclawNativeSessionId: string
  readonly bindingKind: string
  readonly inheritedCapabilityPolicyRef: string
  readonly inheritedShareTokenPolicyRef: string | null
  readonly inheritedVisibilityConstraints: readonly string[]
  readonly childrenCount: number
  /** The binding of the profile that started this one; null at the root. */
  readonly parentRef: string | null
}

const HOST: BindingTerms = {
  forkForbidden: false,
  maxSpawnDepth: 3,
  maxChildrenPerAgent: 5,
  contextInheritancePolicy: 'full_inherit',
  authInheritancePolicy: 'inherit_with_session_token',
  transcriptVisibilityPolicy: 'shared',
  watermarkPolicy: null,
  childSpawnConstraint: 'inherit_parent_constraint',
  childSpawnAllowList: null,
}

const SHARE_LINK: BindingTerms = {
  forkForbidden: true,
  maxSpawnDepth: 0,
  maxChildrenPerAgent: 0,
  contextInheritancePolicy: 'no_inherit',
  authInheritancePolicy: 'session_only',
  transcriptVisibilityPolicy: 'isolated',
  watermarkPolicy: null,
  childSpawnConstraint: 'deny_all',
  childSpawnAllowList: null,
}

/** The default terms of a binding. Those of a sub-agent come from its parent, see `makeChildBinding`. (SP-6) */
export function bindingDefaults(kind: Exclude<ProfileKind, 'subagent_session'>): BindingTerms {
  switch (kind) {
    case 'host_session':
      return HOST
    case 'share_link_session':
      return SHARE_LINK
    case 'system_agent_session':
      return { ...SHARE_LINK, transcriptVisibilityPolicy: 'shared' }
  }
  return SHARE_LINK // An unknown kind (DE-2).
}

/** A binding that has no ids yet. */
export type NewBinding = Omit<ProfileBinding, 'bindingId' | 'ecSessionId' | 'openclawNativeSessionId'>

/**
 * The binding of a sub-agent that `refuseSpawn` allows. An external one gets only part of the context, has its own
 * credentials and can start nothing. (SP-6, SP-7)
 */
export function makeChildBinding(
  parent: ProfileBinding,
  { external }: { readonly external: boolean },
): NewBinding {
  const { bindingId, ecSessionId, openclawNativeSessionId, ...inherited } = parent
  const child: NewBinding = {
    ...inherited,
    bindingKind: 'subagent_session',
    maxSpawnDepth: Math.max(0, parent.maxSpawnDepth - 1),
    transcriptVisibilityPolicy: 'shared',
    childrenCount: 0,
    parentRef: bindingId,
  }
  if (!external) return child
  return {
    ...child,
    maxSpawnDepth: 0,
    maxChildrenPerAgent: 0,
    contextInheritancePolicy: 'scoped_inherit',
    authInheritancePolicy: 'session_only',
    childSpawnConstraint: 'deny_all',
    childSpawnAllowList: null,
  }
}

export type SpawnRefusal =
  | 'native_session_fork_forbidden'
  | 'native_session_max_spawn_depth_exceeded'
  | 'native_session_max_children_per_agent_exceeded'
  | 'native_session_child_spawn_denied'
  | 'native_session_child_spawn_external_denied'
  | 'native_session_child_spawn_not_in_allow_list'

export interface SpawnCandidate {
  /** The kind as it is written in an allow list. */
  readonly kind: string
  readonly external: boolean
}

/**
 * The reason why a profile may not start a sub-agent; null if it may. `chain` is its binding and those above it,
 * nearest first. Only the constraints of ancestors count: depth was decremented at each level, and children and forks
 * are limited for each session separately. Anything unknown refuses. (SP-6, DE-2)
 */
export function refuseSpawn(
  chain: readonly ProfileBinding[],
  candidate: SpawnCandidate,
): SpawnRefusal | null {
  const [own] = chain
  if (own === undefined || !mayFork(own)) return 'native_session_fork_forbidden'
  // The negated comparison also refuses NaN.
  if (!(own.maxSpawnDepth > 0)) return 'native_session_max_spawn_depth_exceeded'
  if (!(own.childrenCount < own.maxChildrenPerAgent)) return 'native_session_max_children_per_agent_exceeded'
  for (const binding of chain) {
    switch (binding.childSpawnConstraint) {
      case 'inherit_parent_constraint':
        break
      case 'deny_external':
        return candidate.external === false ? null : 'native_session_child_spawn_external_denied'
      case 'explicit_allow_list':
        return binding.childSpawnAllowList?.includes(candidate.kind)
          ? null
          : 'native_session_child_spawn_not_in_allow_list'
      default:
        return 'native_session_child_spawn_denied'
    }
  }
  // A root that inherits allows everything. If the chain ends before the root, the rest is unknown.
  return chain.at(-1)?.parentRef === null ? null : 'native_session_child_spawn_denied'
}

/**
 * The reason why a caller can start nothing at all, whatever its policies say: recipients, agents without a profile,
 * and kinds of profile that never fork. Null if it depends on the binding. Every request is checked by this. (SP-6,
 * CP-3)
 */
export function refuseStarting(
  audience: Audience,
  profile: { readonly sessionKind: string } | null,
): SpawnRefusal | null {
  const neverForks =
    profile === null ? isAgentAudience(audience) : NEVER_FORK.some(kind => kind === profile.sessionKind)
  return neverForks || isRecipient(audience) ? 'native_session_fork_forbidden' : null
}
const NEVER_FORK: readonly ProfileKind[] = ['share_link_session', 'system_agent_session']

/** The reason why a profile may start no sub-agent of any kind; null if there is one that it may start. (SP-6) */
export function refuseEverySpawn(chain: readonly ProfileBinding[]): SpawnRefusal | null {
  const held = chain.find(({ childSpawnConstraint }) => childSpawnConstraint !== 'inherit_parent_constraint')
  return refuseSpawn(chain, { kind: held?.childSpawnAllowList?.[0] ?? '', external: false })
}

/** A recipient can start nothing, whatever its binding says. */
function mayFork({ bindingKind, forkForbidden }: ProfileBinding): boolean {
  const known = !Number.isNaN(rank(PROFILE_KINDS, bindingKind))
  return known && bindingKind !== 'share_link_session' && forkForbidden === false
}

/** Refuses a binding whose kind differs from that of its profile; null if they agree. (SP-4) */
export function findKindMismatch(
  sessionKind: string,
  bindingKind: string,
): 'session_binding_kind_mismatch' | null {
  const known = !Number.isNaN(rank(PROFILE_KINDS, sessionKind))
  return known && sessionKind === bindingKind ? null : 'session_binding_kind_mismatch'
}
