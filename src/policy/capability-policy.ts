import { PrivityError } from '../errors.js'
import { type CapabilityRegistry, namespaceOf } from './capability.js'

/**
 * The capabilities to which a line of a policy applies. `prefix` is `calendar.` or `calendar.event_`, with or without
 * `*`.
 */
export type CapabilityPattern =
  | { readonly kind: 'exact'; readonly capability: string }
  | { readonly kind: 'prefix_wildcard'; readonly prefix: string }
  | { readonly kind: 'namespace_all'; readonly namespace: string }

export interface CapabilityPolicy {
  readonly policyId: string
  readonly mode: 'deny_all_except' | 'allow_all_except' | 'inherit_default'
  /** Used only in mode deny_all_except. */
  readonly allowedCapabilities: readonly CapabilityPattern[]
  /** Used in every mode, and checked first. */
  readonly deniedCapabilities: readonly CapabilityPattern[]
  /** Used only in mode inherit_default. */
  readonly parentRef?: string
}

export interface PolicyVerdict {
  readonly permitted: boolean
  readonly reason:
    | 'denied_by_pattern'
    | 'allowed_by_pattern'
    | 'deny_all_default'
    | 'allow_all_default'
    | 'inheritance_depth_exceeded'
  /** The first matching pattern of the level that decided; null if no pattern did. */
  readonly pattern: CapabilityPattern | null
  /** The policies that were evaluated, from the caller's own upwards; the last one decided. */
  readonly through: readonly string[]
}

export type LookupParent = (parentRef: string) => CapabilityPolicy | undefined

/** The policy itself, its parent and its grandparent. (CP-2) */
const INHERITANCE_LEVELS = 3

/**
 * Whether a pattern covers a capability. An allowing pattern covers only its own namespace: `email.` and namespace_all
 * `email` do not allow `email.outbox.send`. A denying pattern also covers child namespaces, so that a namespace that is
 * added later under a denied one is denied from the start. A prefix without a whole namespace and its dot (`cal`,
 * `calendar`) covers no capability in either case; `validatePolicy` refuses it. (CP-2)
 */
export function matches(
  pattern: CapabilityPattern,
  capabilityId: string,
  purpose: 'allow' | 'deny',
  registry: CapabilityRegistry,
): boolean {
  const namespace = namespaceOf(capabilityId)
  const covers = (covered: string) =>
    purpose === 'deny' ? liesWithin(namespace, covered, registry) : namespace === covered
  switch (pattern.kind) {
    case 'exact':
      return pattern.capability === capabilityId
    case 'namespace_all':
      return covers(pattern.namespace)
    case 'prefix_wildcard': {
      const { home, stem } = splitPrefix(pattern.prefix)
      return covers(home) && (stem === '' || capabilityId.startsWith(`${home}.${stem}`))
    }
  }
  return purpose === 'deny' // An unknown kind allows nothing and denies everything (DE-2).
}

/** Splits `calendar.event_*` into home `calendar` and stem `event_`. Without a dot there is no home. */
function splitPrefix(prefix: string): { home: string; stem: string } {
  const text = prefix.endsWith('*') ? prefix.slice(0, -1) : prefix
  return { home: namespaceOf(text), stem: text.slice(text.lastIndexOf('.') + 1) }
}

/**
 * Whether a namespace is the ancestor or lies under it, by its dots or by a declared parent. A denial applies by
 * either.
 */
function liesWithin(namespace: string, ancestor: string, registry: CapabilityRegistry): boolean {
  const seen = new Set<string>() // Stored parents might form a cycle.
  let at: string | undefined = namespace
  while (at !== undefined && !seen.has(at)) {
    if (at === ancestor || at.startsWith(`${ancestor}.`)) return true
    seen.add(at)
    at = registry.namespaces.get(at)?.parentNamespace
  }
  return false
}

/** Refuses a policy that names anything unregistered. Call this before storing a policy. (CP-2) */
export function validatePolicy(policy: CapabilityPolicy, registry: CapabilityRegistry): void {
  for (const pattern of [...policy.allowedCapabilities, ...policy.deniedCapabilities]) {
    if (!isRegistered(pattern, registry)) {
      throw new PrivityError('unregistered_pattern', `pattern is not registered: ${textOf(pattern)}`)
    }
  }
}

function isRegistered(pattern: CapabilityPattern, registry: CapabilityRegistry): boolean {
  switch (pattern.kind) {
    case 'exact':
      return registry.capabilities.has(pattern.capability)
    case 'namespace_all':
      return registry.namespaces.has(pattern.namespace)
    case 'prefix_wildcard': {
      // It must be this exact namespace, not a registered one above it: `email.outbox.` binds to email.outbox.
      // Otherwise it could later allow a namespace that was not registered when the policy was written.
      const { home, stem } = splitPrefix(pattern.prefix)
      return registry.namespaces.has(home) && /^([a-z][a-z0-9_]*)?$/.test(stem)
    }
  }
  return false
}

function textOf(pattern: CapabilityPattern): string {
  switch (pattern.kind) {
    case 'exact':
      return pattern.capability
    case 'prefix_wildcard':
      return pattern.prefix
    case 'namespace_all':
      return pattern.namespace
  }
  return 'unknown kind'
}

/**
 * Whether a policy permits a capability. Denials apply at every level that is evaluated. A policy that inherits can
 * only add denials: its allowances are ignored, because otherwise a child could widen its parent. A missing parent, a
 * cycle and a fourth level all result in inheritance_depth_exceeded. (CP-2, DE-2)
 *
 * @example
 * permits('calendar.create_event', policy, ref => policies.get(ref), registry).permitted
 */
export function permits(
  capabilityId: string,
  policy: CapabilityPolicy,
  lookupParent: LookupParent,
  registry: CapabilityRegistry,
): PolicyVerdict {
  const through: string[] = []
  let at: CapabilityPolicy | undefined = policy
  while (at !== undefined && through.length < INHERITANCE_LEVELS) {
    through.push(at.policyId)
    const denying = at.deniedCapabilities.find(pattern => matches(pattern, capabilityId, 'deny', registry))
    if (denying !== undefined) {
      return { permitted: false, reason: 'denied_by_pattern', pattern: denying, through }
    }
    if (at.mode === 'allow_all_except') {
      return { permitted: true, reason: 'allow_all_default', pattern: null, through }
    }
    if (at.mode !== 'inherit_default') {
      const allowing =
        at.mode === 'deny_all_except' // and not a mode we do not know (DE-2)
          ? at.allowedCapabilities.find(pattern => matches(pattern, capabilityId, 'allow', registry))
          : undefined
      return allowing === undefined
        ? { permitted: false, reason: 'deny_all_default', pattern: null, through }
        : { permitted: true, reason: 'allowed_by_pattern', pattern: allowing, through }
    }
    at = at.parentRef === undefined ? undefined : lookupParent(at.parentRef)
  }
  return { permitted: false, reason: 'inheritance_depth_exceeded', pattern: null, through }
}

export type CapabilityRefusal =
  | 'session.capability_not_available'
  | 'session.capability_not_active'
  | 'session.capability_blocked_by_policy'
  | 'session.capability_capacity_blocked'

export type CapabilityVerdict =
  | { readonly permitted: true }
  | { readonly permitted: false; readonly reasonCode: CapabilityRefusal }

/**
 * The only capability check before anything is executed, for every interface. It reports the first refusal in this
 * order. (CP-3, CP-4)
 */
export function gateCapability(request: {
  readonly capabilityId: string
  readonly registry: CapabilityRegistry
  /** Undefined if the profile's policy cannot be found, which blocks the request. */
  readonly policy: CapabilityPolicy | undefined
  readonly lookupParent: LookupParent
  readonly lease: 'granted' | 'refused' | 'not_needed'
}): CapabilityVerdict {
  const { capabilityId, registry, policy, lookupParent, lease } = request
  const capability = registry.capabilities.get(capabilityId)
  if (capability === undefined) return refused('session.capability_not_available')
  if (capability.lifecycleState !== 'active') return refused('session.capability_not_active')
  if (policy === undefined || !permits(capabilityId, policy, lookupParent, registry).permitted) {
    return refused('session.capability_blocked_by_policy')
  }
  // The caller may skip the lease only if the capability does not require one.
  const leaseFree = lease === 'not_needed' && capability.metadata.capacityLeaseClass === undefined
  if (lease !== 'granted' && !leaseFree) return refused('session.capability_capacity_blocked')
  return { permitted: true }
}

const refused = (reasonCode: CapabilityRefusal): CapabilityVerdict => ({ permitted: false, reasonCode })
