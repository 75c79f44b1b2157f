import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { type Capability, register } from '../../policy/capability.js'
import { type CapabilityPolicy, permits } from '../../policy/capability-policy.js'
import { AUDIENCES, type Audience } from '../../policy/vocabulary.js'
import { saveCapability, saveNamespace } from '../../storage/queries/registrations.js'
import { name, text } from '../input.js'
import { mayCall, readOperation, writeOperation } from '../operation.js'
import { disclosed } from '../refusal.js'
import { absent } from '../request.js'
import { BUILT_IN_POLICIES, gateCaller, type TenantFacts } from '../tenant-facts.js'
import { pattern } from './policies.js'
import { changeTenantFacts, noReplay } from './tenant-registrations.js'

const LIFECYCLE_STATES = ['active', 'deprecated', 'retired', 'experimental'] as const

const metadata = z.strictObject({
  schemaKind: z
    .enum(['json_schema', 'structured_grammar', 'free_form_query', 'no_schema'])
    .default('no_schema'),
  schemaRef: name.optional(),
  outputKind: z
    .enum(['structured_data', 'side_effect_only', 'search_results', 'synthesis'])
    .default('structured_data'),
  sideEffects: z
    .array(z.enum(['external_api_call', 'graph_write', 'file_emit', 'notification']))
    .max(4)
    .default([]),
  capacityLeaseClass: name.optional(),
})

export const capability = z.object({
  capability: z.string(),
  namespace: z.string(),
  description: z.string(),
  lifecycleState: z.string(),
})

/** Registers a tool of the host's own, with its namespace, both or neither (CP-1). */
export const registerCapability = writeOperation({
  name: 'capabilities.register',
  summary: 'Register a capability and its namespace',
  callers: 'host',
  effects: ['capability_registered'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    namespace: z.strictObject({
      namespace: name,
      description: text(2_000),
      parentNamespace: name.optional(),
    }),
    capability: z.strictObject({ name, description: text(2_000), metadata: metadata.optional() }),
  }),
  output: capability,
  async run(request, input) {
    const { registry } = await changeTenantFacts(request)
    const { namespace, parentNamespace, description } = input.namespace
    const existing = registry.namespaces.get(namespace)
    const registered = {
      namespace: existing ?? {
        namespace,
        description,
        ...(parentNamespace === undefined ? {} : { parentNamespace }),
        registrationBasis: 'user_registered' as const,
      },
      capability: {
        capabilityId: `${namespace}.${input.capability.name}`,
        namespace,
        name: input.capability.name,
        description: input.capability.description,
        lifecycleState: 'active' as const,
        registrationBasis: 'user_registered_external' as const,
        metadata: withoutUndefined(input.capability.metadata ?? metadata.parse({})),
      },
    }
    register(registry, registered)
    await saveNamespace(request.tx, request.tenant, registered.namespace, request.now)
    await saveCapability(request.tx, request.tenant, registered.capability, request.now)
    return { output: viewCapability(registered.capability), refs: [] }
  },
  replay: noReplay,
})

/** Moves a capability along its life; only an active one is executed (CP-3). */
export const setCapabilityLifecycle = writeOperation({
  name: 'capabilities.set_lifecycle',
  summary: 'Deprecate, retire or reactivate a capability',
  callers: 'host',
  effects: ['capability_lifecycle_set'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({ capability: name, lifecycleState: z.enum(LIFECYCLE_STATES) }),
  output: capability,
  async run(request, input) {
    const { registry } = await changeTenantFacts(request)
    const known = registry.capabilities.get(input.capability)
    if (known === undefined) throw absent()
    if (input.capability === 'capabilities.set_lifecycle')
      throw new PrivityError('conflict', 'this capability is what would bring it back')
    const changed = { ...known, lifecycleState: input.lifecycleState }
    await saveCapability(request.tx, request.tenant, changed, request.now)
    return { output: viewCapability(changed), refs: [] }
  },
  replay: noReplay,
})

/** What can be done at all. */
export const listCapabilities = readOperation({
  name: 'capabilities.list',
  summary: 'List capabilities',
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ capabilities: z.array(capability) }),
  async run(request) {
    const { capabilities } = request.parts.tenantFacts.registry
    return { capabilities: [...capabilities.values()].sort(byId).map(viewCapability) }
  },
})

/** Whether the caller may use a capability now; the reason as far as it may be told (CP-3, RS-2). */
export const checkCapability = readOperation({
  name: 'capabilities.check',
  summary: 'Ask whether you may use a capability',
  callers: 'anyone',
  input: z.strictObject({ capability: name }),
  output: z.object({ permitted: z.boolean(), reason: z.string().nullable(), text: z.string().nullable() }),
  async run(request, input) {
    const { tenantFacts } = request.parts
    const leaseClass = tenantFacts.registry.capabilities.get(input.capability)?.metadata.capacityLeaseClass
    // Capacity is taken when the capability runs; asking takes none.
    const lease = leaseClass === undefined ? 'not_needed' : 'granted'
    const verdict = gateCaller(input.capability, request.caller, tenantFacts, lease, request.parts.profile)
    if (verdict.permitted) return { permitted: true, reason: null, text: null }
    const { profile } = request.parts
    const shown = disclosed(verdict.reasonCode, request.caller, tenantFacts.reasonCodes, profile)
    return { permitted: false, reason: shown.code ?? null, text: shown.text }
  },
})

const CALLERS = ['anyone', 'owner', 'host'] as const

/** What a policy says, by what it says it, and what comes of it. */
const mayOrNot = z.object({
  policy: z.string(),
  /** Of a built-in policy: whom it is for. A policy of the tenant is for the credentials that name it. */
  audience: z.enum(AUDIENCES).nullable(),
  permitted: z.boolean(),
  reason: z.enum([
    'denied_by_pattern',
    'allowed_by_pattern',
    'deny_all_default',
    'allow_all_default',
    'inheritance_depth_exceeded',
  ]),
  /** The pattern that decided, if one did. */
  pattern: pattern.nullable(),
  /** The policies that were asked, its own first; the last one decided. */
  through: z.array(z.string()),
  /** Why it does not run for them in the end; null where it does, as far as there is capacity. */
  refusal: z.string().nullable(),
})

/** Who may use a capability, and why (CP-3): what each policy says, and what the gate makes of it. */
export const whoMay = readOperation({
  name: 'capabilities.who',
  summary: 'Ask who may use a capability, or those of a namespace, and why',
  callers: 'host',
  /** The name of a capability, or of a namespace for all that is its own. */
  input: z.strictObject({ of: name }),
  output: z.object({
    capabilities: z.array(
      capability.extend({
        /** The capacity that a call takes. */
        leaseClass: z.string().nullable(),
        /** Who may call it at all, whatever a policy says. */
        callers: z.enum(CALLERS),
        who: z.array(mayOrNot),
      }),
    ),
  }),
  async run(request, { of }) {
    const { tenantFacts } = request.parts
    const { capabilities } = tenantFacts.registry
    const asked = [...capabilities.values()]
      .filter(known => known.capabilityId === of || known.namespace === of)
      .sort(byId)
    if (asked.length === 0) throw absent()
    const policies = policiesOf(tenantFacts)
    return {
      capabilities: asked.map(known => {
        const callers = tenantFacts.callers.get(known.capabilityId) ?? 'anyone'
        return {
          ...viewCapability(known),
          leaseClass: known.metadata.capacityLeaseClass ?? null,
          callers,
          who: policies.map(one => whetherAndWhy(known, callers, one, tenantFacts)),
        }
      }),
    }
  },
})

interface HeldPolicy {
  readonly policy: CapabilityPolicy
  readonly audience: Audience | null
}

/** Those of the audiences, then those of the tenant by name. */
function policiesOf({ policies }: TenantFacts): HeldPolicy[] {
  const byName = [...policies.values()].sort((a, b) => (a.policyId < b.policyId ? -1 : 1))
  return [
    ...AUDIENCES.map(audience => ({ policy: BUILT_IN_POLICIES[audience], audience })),
    ...byName.map(policy => ({ policy, audience: null })),
  ]
}

function whetherAndWhy(
  { capabilityId }: Capability,
  callers: (typeof CALLERS)[number],
  { policy, audience }: HeldPolicy,
  facts: TenantFacts,
): z.input<typeof mayOrNot> {
  const { permitted, reason, pattern, through } = permits(
    capabilityId,
    policy,
    ref => facts.policies.get(ref),
    facts.registry,
  )
  const held = { audience: audience ?? 'host', policy: audience === null ? policy.policyId : null }
  const verdict = gateCaller(capabilityId, held, facts, 'granted')
  const mayAsk = audience === null || mayCall(callers, audience)
  const refusal = !mayAsk ? 'session.audience_not_allowed' : verdict.permitted ? null : verdict.reasonCode
  return { policy: policy.policyId, audience, permitted, reason, pattern, through: [...through], refusal }
}

const byId = (a: Capability, b: Capability) => (a.capabilityId < b.capabilityId ? -1 : 1)

export const viewCapability = (known: {
  capabilityId: string
  namespace: string
  description: string
  lifecycleState: string
}) => ({
  capability: known.capabilityId,
  namespace: known.namespace,
  description: known.description,
  lifecycleState: known.lifecycleState,
})

function withoutUndefined(value: z.output<typeof metadata>) {
  const { schemaRef, capacityLeaseClass, ...rest } = value
  return {
    ...rest,
    ...(schemaRef === undefined ? {} : { schemaRef }),
    ...(capacityLeaseClass === undefined ? {} : { capacityLeaseClass }),
  }
}
