import { type Capability, type CapabilityRegistry, EMPTY_REGISTRY, register } from '../policy/capability.js'
import { type CapabilityPolicy, type CapabilityVerdict, gateCapability } from '../policy/capability-policy.js'
import { refuseStarting, type SpawnRefusal } from '../policy/profile-binding.js'
import type { ReasonCode } from '../policy/reason-codes.js'
import type { Audience } from '../policy/vocabulary.js'
import { DEFAULT_LABEL_POLICY, type LabelPolicy } from './label-policy.js'
import type { ClassBounds } from './leases.js'
import type { BuiltInPolicy, Callers, Operation, WriteOperation } from './operation.js'
import { type GatedProfile, policiesOf } from './profile.js'
import type { RequestReads } from './request-reads.js'

/** The capabilities, policies and reason codes of one tenant, including the built-in ones. */
export interface TenantFacts {
  readonly generation: string | null
  readonly registry: CapabilityRegistry
  /** Who may call each operation of this build, whatever a policy says. */
  readonly callers: ReadonlyMap<string, Callers>
  /** The effects of each operation that changes something, and whether they can be undone (AU-2). */
  readonly changes: ReadonlyMap<string, ChangeKind>
  readonly builtInPolicies: BuiltInPolicies
  /** The tenant's own policies. */
  readonly policies: ReadonlyMap<string, CapabilityPolicy>
  readonly reasonCodes: ReadonlyMap<string, ReasonCode>
  /** The capacity of each class that the host allows. */
  readonly capacities: ReadonlyMap<string, ClassBounds>
  /** What is done about what is recognised in texts that are written (WR-6). */
  readonly labelPolicy: LabelPolicy
}

/** How many tenants' facts are cached. */
const MOST_TENANTS = 10_000

/** A cache that is valid as long as the generation in the present snapshot is the same. */
export class TenantFactsCache {
  readonly #builtIn: BuiltInRegistry
  readonly #tenants = new Map<string, TenantFacts>()

  constructor(builtIn: BuiltInRegistry) {
    this.#builtIn = builtIn
  }

  async read(
    reads: Pick<RequestReads, 'tenantFacts'>,
    tenant: string,
    generation: string | null,
  ): Promise<TenantFacts> {
    const kept = this.#tenants.get(tenant)
    if (kept !== undefined && kept.generation === generation) return kept
    const rows = await reads.tenantFacts(generation)
    const facts: TenantFacts = {
      generation,
      registry: {
        namespaces: new Map([
          ...this.#builtIn.namespaces,
          ...rows.namespaces.map(namespace => [namespace.namespace, namespace] as const),
        ]),
        capabilities: new Map([
          ...this.#builtIn.capabilities,
          ...rows.capabilities.map(capability => [capability.capabilityId, capability] as const),
        ]),
      },
      callers: this.#builtIn.callers,
      changes: this.#builtIn.changes,
      builtInPolicies: this.#builtIn.builtInPolicies,
      policies: new Map(rows.policies.map(policy => [policy.policyId, policy])),
      labelPolicy: { ...DEFAULT_LABEL_POLICY, ...(rows.labelPolicy as Partial<LabelPolicy> | null) },
      reasonCodes: new Map(rows.reasonCodes.map(code => [code.code, code])),
      capacities: new Map(rows.capacities.map(capacity => [capacity.leaseClass, capacity])),
    }
    if (this.#tenants.size >= MOST_TENANTS) this.#tenants.clear()
    this.#tenants.set(tenant, facts)
    return facts
  }
}

export type ChangeKind = Pick<WriteOperation, 'effects' | 'reversibility'>

export interface BuiltInRegistry extends CapabilityRegistry {
  readonly callers: ReadonlyMap<string, Callers>
  readonly changes: ReadonlyMap<string, ChangeKind>
  readonly builtInPolicies: BuiltInPolicies
}

/** The policies of each audience for credentials that name none, and that of an agent that may only read (SP-7). */
export type BuiltInPolicies = Readonly<Record<Audience | BuiltInPolicy, CapabilityPolicy>>

export const builtInPolicyId = (of: Audience | BuiltInPolicy) => `built-in:${of}`

/** The capability registry of this build, made from its operations (CP-4). */
export function builtInRegistry(
  operations: readonly (Pick<Operation, 'name' | 'summary' | 'callers' | 'policies'> & Partial<ChangeKind>)[],
): BuiltInRegistry {
  let registry = EMPTY_REGISTRY
  const known = new Map<string, Callers>()
  const changes = new Map<string, ChangeKind>()
  for (const { name, summary, callers, effects, reversibility } of operations) {
    known.set(name, callers)
    if (effects !== undefined && reversibility !== undefined) changes.set(name, { effects, reversibility })
    const [namespace = '', verb = ''] = name.split('.')
    const capability: Capability = {
      capabilityId: name,
      namespace,
      name: verb,
      description: summary,
      lifecycleState: 'active',
      registrationBasis: 'v1_6_native_capability',
      metadata: { schemaKind: 'json_schema', outputKind: 'structured_data', sideEffects: [] },
    }
    registry = register(registry, {
      namespace: { namespace, description: `built-in: ${namespace}`, registrationBasis: 'v1_6_introduced' },
      capability,
    })
  }
  return { ...registry, callers: known, changes, builtInPolicies: builtInPolicies(operations) }
}

/** Owners and hosts may do whatever their audience may; the others may do what operations declare. */
function builtInPolicies(operations: readonly Pick<Operation, 'name' | 'policies'>[]): BuiltInPolicies {
  const everything = (audience: Audience): CapabilityPolicy => ({
    policyId: builtInPolicyId(audience),
    mode: 'allow_all_except',
    allowedCapabilities: [],
    deniedCapabilities: [],
  })
  const declared = (of: BuiltInPolicy): CapabilityPolicy => ({
    policyId: builtInPolicyId(of),
    mode: 'deny_all_except',
    allowedCapabilities: operations
      .filter(({ policies = [] }) => policies.includes(of))
      .map(({ name }) => ({ kind: 'exact', capability: name })),
    deniedCapabilities: [],
  })
  return {
    owner: everything('owner'),
    host: everything('host'),
    agent: declared('agent'),
    reader: declared('reader'),
    recipient: declared('recipient'),
  }
}

/** The one capability that a kind of profile may lack whatever its policies say. */
export const SPAWN = 'agents.spawn'

/**
 * Whether this caller may use a capability now. Its own policy (or the built-in one of its audience) and those of its
 * profile apply; each of them can only withhold (CP-3). A caller that can never start a sub-agent is told so first
 * (SP-6).
 */
export function gateCaller(
  capabilityId: string,
  caller: { readonly policy: string | null; readonly audience: Audience },
  facts: TenantFacts,
  lease: 'granted' | 'refused' | 'not_needed',
  profile: GatedProfile | null = null,
): CapabilityVerdict | { readonly permitted: false; readonly reasonCode: SpawnRefusal } {
  const { registry, policies } = facts
  const running = profile?.chain[0] ?? null
  const reasonCode = capabilityId === SPAWN ? refuseStarting(caller.audience, running) : null
  if (reasonCode !== null) return { permitted: false, reasonCode }
  for (const policy of findPoliciesFor(caller, facts, profile)) {
    const lookupParent = (ref: string) => policies.get(ref)
    const verdict = gateCapability({ capabilityId, registry, policy, lookupParent, lease })
    if (!verdict.permitted) return verdict
  }
  return { permitted: true }
}

/** The policies of a caller: its own or the built-in one of its audience, and those of its profile. */
export function findPoliciesFor(
  caller: { readonly policy: string | null; readonly audience: Audience },
  facts: TenantFacts,
  profile: GatedProfile | null,
): readonly (CapabilityPolicy | undefined)[] {
  const own =
    caller.policy === null ? facts.builtInPolicies[caller.audience] : facts.policies.get(caller.policy)
  return [own, ...(profile === null ? [] : policiesOf(profile, ref => findPolicy(ref, facts)))]
}

/** A policy that a profile refers to: the tenant's or a built-in one. */
export function findPolicy(
  ref: string,
  { policies, builtInPolicies }: TenantFacts,
): CapabilityPolicy | undefined {
  return Object.values(builtInPolicies).find(({ policyId }) => policyId === ref) ?? policies.get(ref)
}
