import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { type Capability, register } from '../../policy/capability.js'
import { saveCapability, saveNamespace } from '../../storage/queries/registrations.js'
import { name, text } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { disclosed } from '../refusal.js'
import { absent } from '../request.js'
import { gateCaller } from '../tenant-facts.js'
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

/** A capability as it stands in the registry (CP-1). */
export const capability = z.object({
  capability: z.string(),
  namespace: z.string(),
  name: z.string(),
  description: z.string(),
  lifecycleState: z.string(),
  registrationBasis: z.string(),
  metadata: z.object({
    schemaKind: z.string(),
    schemaRef: z.string().optional(),
    outputKind: z.string(),
    sideEffects: z.array(z.string()),
    capacityLeaseClass: z.string().optional(),
  }),
  /** When and by whom; null for what is built in. */
  registeredAt: z.string().nullable(),
  registeredByActorRef: z.string().nullable(),
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
        registeredAt: request.now.toISOString(),
        registeredByActorRef: request.caller.actor,
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

export const byId = (a: Capability, b: Capability) => (a.capabilityId < b.capabilityId ? -1 : 1)

export const viewCapability = (known: Capability): z.input<typeof capability> => ({
  capability: known.capabilityId,
  namespace: known.namespace,
  name: known.name,
  description: known.description,
  lifecycleState: known.lifecycleState,
  registrationBasis: known.registrationBasis,
  metadata: { ...known.metadata, sideEffects: [...known.metadata.sideEffects] },
  registeredAt: known.registeredAt == null ? null : new Date(known.registeredAt).toISOString(),
  registeredByActorRef: known.registeredByActorRef ?? null,
})

function withoutUndefined(value: z.output<typeof metadata>) {
  const { schemaRef, capacityLeaseClass, ...rest } = value
  return {
    ...rest,
    ...(schemaRef === undefined ? {} : { schemaRef }),
    ...(capacityLeaseClass === undefined ? {} : { capacityLeaseClass }),
  }
}
