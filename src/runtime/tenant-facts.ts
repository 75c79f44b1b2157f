import { type Capability, type CapabilityRegistry, EMPTY_REGISTRY, register } from '../policy/capability.js'
import { type CapabilityPolicy, type CapabilityVerdict, gateCapability } from '../policy/capability-policy.js'
import type { ReasonCode } from '../policy/reason-codes.js'
import type { Audience } from '../policy/vocabulary.js'
import type { Transaction } from '../storage/database.js'
import { loadTenantFacts } from '../storage/queries/load-tenant-facts.js'

/** Capabilities, policies and reason codes of one tenant, the built-in ones among them. */
export interface TenantFacts {
  readonly generation: string | null
  readonly registry: CapabilityRegistry
  readonly policies: ReadonlyMap<string, CapabilityPolicy>
  readonly reasonCodes: ReadonlyMap<string, ReasonCode>
}

/** How many tenants' facts are kept at hand; beyond them, they are read again. */
const MOST_TENANTS = 10_000

/** Kept while the generation read in the present snapshot stands. */
export class TenantFactsCache {
  readonly #builtIn: CapabilityRegistry
  readonly #tenants = new Map<string, TenantFacts>()

  constructor(builtIn: CapabilityRegistry) {
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
      policies: new Map(rows.policies.map(policy => [policy.policyId, policy])),
      reasonCodes: new Map(rows.reasonCodes.map(code => [code.code, code])),
    }
    if (this.#tenants.size >= MOST_TENANTS) this.#tenants.clear()
    this.#tenants.set(tenant, facts)
    return facts
  }
}

/** The registry of what this build can do, made from its operations (CP-4). */
export function builtInRegistry(operations: Iterable<{ name: string; summary: string }>): CapabilityRegistry {
  let registry = EMPTY_REGISTRY
  for (const { name, summary } of operations) {
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
  return registry
}

const exactly = (...capabilities: readonly string[]) =>
  capabilities.map(capability => ({ kind: 'exact', capability }) as const)

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
      'memory.get',
      'memory.list',
      'memory.timeline',
      'memory.search',
      'memory.complete',
      'memory.retrieve_graph',
      'memory.remember',
      'memory.relate',
      'memory.revise',
      'memory.relabel',
      'memory.reinforce',
      'memory.penalise',
      'memory.pin',
      'memory.unpin',
      'searches.save',
      'searches.list',
      'searches.changes',
      'searches.delete',
      'receipts.get',
      'receipts.list',
      'receipts.cite',
      'receipts.deliver',
      'receipts.feedback',
      'receipts.mark',
      'people.get',
      'sessions.get',
      'sessions.list',
      'stages.get',
      'vessel.write',
      'bridge.request',
      'empathy.draft',
      'common_ground.find',
      'agreements.list',
      'turns.context',
      'consents.request',
      'consents.mine',
      'requests.why_refused',
      'library.list',
      'capabilities.check',
    ),
    deniedCapabilities: [],
  },
  recipient: {
    policyId: 'built-in:recipient',
    mode: 'deny_all_except',
    allowedCapabilities: exactly(
      'memory.get',
      'memory.list',
      'memory.timeline',
      'memory.search',
      'memory.complete',
      'memory.retrieve_graph',
      'receipts.get',
      'requests.why_refused',
      'capabilities.check',
    ),
    deniedCapabilities: [],
  },
}

/** Whether this caller may use a capability now: its own policy, or the built-in one of its audience (CP-3). */
export function gateCaller(
  capabilityId: string,
  caller: { readonly policy: string | null; readonly audience: Audience },
  { registry, policies }: TenantFacts,
  lease: 'granted' | 'refused' | 'not_needed',
): CapabilityVerdict {
  return gateCapability({
    capabilityId,
    registry,
    policy: caller.policy === null ? BUILT_IN_POLICIES[caller.audience] : policies.get(caller.policy),
    lookupParent: ref => policies.get(ref),
    lease,
  })
}
