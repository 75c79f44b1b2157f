import { type Capability, type CapabilityRegistry, EMPTY_REGISTRY, register } from '../policy/capability.js'
import { type CapabilityPolicy, type CapabilityVerdict, gateCapability } from '../policy/capability-policy.js'
import type { ReasonCode } from '../policy/reason-codes.js'
import { refuseStarting, type SpawnRefusal } from '../policy/session-binding.js'
import type { Audience } from '../policy/vocabulary.js'
import type { Transaction } from '../storage/database.js'
import { loadTenantFacts } from '../storage/queries/load-tenant-facts.js'
import type { Bounds } from './leases.js'
import type { Callers, Operation, WriteOperation } from './operation.js'
import { type GatedProfile, policiesOf } from './profile.js'

/** Capabilities, policies and reason codes of one tenant, the built-in ones among them. */
export interface TenantFacts {
  readonly generation: string | null
  readonly registry: CapabilityRegistry
  /** Who may call the operations of this build, whatever a policy says. */
  readonly callers: ReadonlyMap<string, Callers>
  /** What those that change something do, and whether it can be undone (AU-2). */
  readonly changes: ReadonlyMap<string, Change>
  readonly policies: ReadonlyMap<string, CapabilityPolicy>
  readonly reasonCodes: ReadonlyMap<string, ReasonCode>
  /** How much its host lets it have of a class of capacity. */
  readonly capacities: ReadonlyMap<string, Bounds>
}

/** How many tenants' facts are kept at hand; beyond them, they are read again. */
const MOST_TENANTS = 10_000

/** Kept while the generation read in the present snapshot stands. */
export class TenantFactsCache {
  readonly #builtIn: BuiltInRegistry
  readonly #tenants = new Map<string, TenantFacts>()

  constructor(builtIn: BuiltInRegistry) {
    this.#builtIn = builtIn
  }

  async read(tx: Transaction, tenant: string, generation: string | null): Promise<TenantFacts> {
    const kept = this.#tenants.get(tenant)
    if (kept !== undefined && kept.generation === generation) return kept
    const rows = await loadTenantFacts(tx, tenant)
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
      policies: new Map(rows.policies.map(policy => [policy.policyId, policy])),
      reasonCodes: new Map(rows.reasonCodes.map(code => [code.code, code])),
      capacities: new Map(rows.capacities.map(capacity => [capacity.leaseClass, capacity])),
    }
    if (this.#tenants.size >= MOST_TENANTS) this.#tenants.clear()
    this.#tenants.set(tenant, facts)
    return facts
  }
}

export type Change = Pick<WriteOperation, 'effects' | 'reversibility'>

export interface BuiltInRegistry extends CapabilityRegistry {
  readonly callers: ReadonlyMap<string, Callers>
  readonly changes: ReadonlyMap<string, Change>
}

/** The registry of what this build can do, made from its operations (CP-4). */
export function builtInRegistry(
  operations: Iterable<Pick<Operation, 'name' | 'summary' | 'callers'> & Partial<Change>>,
): BuiltInRegistry {
  let registry = EMPTY_REGISTRY
  const known = new Map<string, Callers>()
  const changes = new Map<string, Change>()
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
  return { ...registry, callers: known, changes }
}

const exactly = (...capabilities: readonly string[]) =>
  capabilities.map(capability => ({ kind: 'exact', capability }) as const)

/** What an agent may do that leaves everything as it is. */
const AGENT_READS = [
  'memory.get',
  'memory.list',
  'memory.timeline',
  'memory.search',
  'memory.complete',
  'memory.retrieve_graph',
  'search.plan',
  'search.execute',
  'search.expand',
  'search.bundle',
  'documents.list',
  'documents.get',
  'documents.read',
  'documents.fields',
  'bindings.outcome',
  'bindings.outcomes',
  'bindings.manifest',
  'bindings.contributions',
  'bindings.health',
  'searches.list',
  'receipts.get',
  'receipts.list',
  'people.get',
  'sessions.get',
  'sessions.list',
  'stages.get',
  'consents.mine',
  'requests.why_refused',
  'library.list',
  'profiles.current',
  'capabilities.check',
]

/** What an audience may do when its credential names no policy. */
export const BUILT_IN_POLICIES: Readonly<Record<Audience, CapabilityPolicy>> = {
  owner: {
    policyId: 'built-in:owner',
    mode: 'allow_all_except',
    allowedCapabilities: [],
    deniedCapabilities: [],
  },
  host: {
    policyId: 'built-in:host',
    mode: 'allow_all_except',
    allowedCapabilities: [],
    deniedCapabilities: [],
  },
  agent: {
    policyId: 'built-in:agent',
    mode: 'deny_all_except',
    allowedCapabilities: exactly(
      ...AGENT_READS,
      'memory.remember',
      'memory.relate',
      'memory.revise',
      'memory.relabel',
      'memory.reinforce',
      'memory.penalise',
      'memory.pin',
      'memory.unpin',
      'documents.ingest',
      'documents.extract',
      'searches.save',
      'searches.changes',
      'searches.delete',
      'receipts.cite',
      'receipts.deliver',
      'receipts.feedback',
      'receipts.mark',
      'vessel.write',
      'bridge.request',
      'empathy.draft',
      'turns.context',
      'consents.request',
      'signals.record',
      'agents.spawn',
      'agents.end',
      // Of tools that its policy allows as well.
      'capabilities.acquire',
      'capabilities.release',
    ),
    deniedCapabilities: [],
  },
  recipient: {
    policyId: 'built-in:recipient',
    mode: 'deny_all_except',
    // What they are shown is a document as it is shared, without what its host keeps about it: memory.* shows that.
    allowedCapabilities: exactly(
      'search.plan',
      'search.execute',
      'search.expand',
      'search.bundle',
      'search.complete',
      'document_view.list',
      'document_view.open',
      'document_download.fetch',
      'links.redeem',
      'profiles.current',
      'profiles.leave',
      'profiles.log',
      'views.changes',
      'signals.record',
      'receipts.get',
      'requests.why_refused',
      'capabilities.check',
    ),
    deniedCapabilities: [],
  },
}

/** The one capability that a session may lack by its kind, whatever its policies say. */
export const SPAWN = 'agents.spawn'

/** What an agent may do to whom its host delegates: ask, and change nothing (SP-7). */
export const READER_POLICY: CapabilityPolicy = {
  policyId: 'built-in:reader',
  mode: 'deny_all_except',
  allowedCapabilities: exactly(...AGENT_READS),
  deniedCapabilities: [],
}

/**
 * Whether this caller may use a capability now: its own policy, or the built-in one of its audience, and those of the
 * profile it runs under; each of them can only withhold (CP-3). Who can never start a sub-agent is told so first (SP-6).
 */
export function gateCaller(
  capabilityId: string,
  caller: { readonly policy: string | null; readonly audience: Audience },
  facts: TenantFacts,
  lease: 'granted' | 'refused' | 'not_needed',
  profile: GatedProfile | null = null,
): CapabilityVerdict | { readonly permitted: false; readonly reasonCode: SpawnRefusal } {
  const { registry, policies } = facts
  const session = profile?.chain[0] ?? null
  const reasonCode = capabilityId === SPAWN ? refuseStarting(caller.audience, session) : null
  if (reasonCode !== null) return { permitted: false, reasonCode }
  for (const policy of policiesBinding(caller, facts, profile)) {
    const lookupParent = (ref: string) => policies.get(ref)
    const verdict = gateCapability({ capabilityId, registry, policy, lookupParent, lease })
    if (!verdict.permitted) return verdict
  }
  return { permitted: true }
}

/** The policies that a caller is under: its own, or the built-in one of its audience, and those of its profile. */
export function policiesBinding(
  caller: { readonly policy: string | null; readonly audience: Audience },
  facts: TenantFacts,
  profile: GatedProfile | null,
): readonly (CapabilityPolicy | undefined)[] {
  const own = caller.policy === null ? BUILT_IN_POLICIES[caller.audience] : facts.policies.get(caller.policy)
  return [own, ...(profile === null ? [] : policiesOf(profile, ref => policyNamed(ref, facts)))]
}

/** A policy that a profile refers to: one of the tenant's, or a built-in one. */
export function policyNamed(ref: string, { policies }: TenantFacts): CapabilityPolicy | undefined {
  const builtIn = [...Object.values(BUILT_IN_POLICIES), READER_POLICY]
  return builtIn.find(({ policyId }) => policyId === ref) ?? policies.get(ref)
}
