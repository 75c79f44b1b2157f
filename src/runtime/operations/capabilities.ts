import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { type Capability, register } from '../../policy/capability.js'
import { saveCapability, saveNamespace } from '../../storage/queries/registrations.js'
import { name, text } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { discloseTo } from '../refusal.js'
import { absent } from '../request.js'
import { gateCaller } from '../tenant-facts.js'
import { changeTenantFacts, noReplay } from './tenant-registrations.js'

const LIFECYCLE_STATES = ['active', 'deprecated', 'retired', 'experimental'] as const

const metadata = z.strictObject({
  schemaKind: z
    .enum(['json_schema', 'structured_grammar', 'free_form_query', 'no_schema'])
    .default('no_schema')
    .meta({ description: 'How its input is described.' }),
  schemaRef: name
    .optional()
    .meta({ description: 'Where that description is.', example: 'https://example.com/water.json' }),
  outputKind: z
    .enum(['structured_data', 'side_effect_only', 'search_results', 'synthesis'])
    .default('structured_data')
    .meta({ description: 'What it returns.' }),
  sideEffects: z
    .array(z.enum(['external_api_call', 'graph_write', 'file_emit', 'notification']))
    .max(4)
    .default([])
    .meta({ description: 'What else it does.' }),
  capacityLeaseClass: name
    .optional()
    .meta({ description: 'The class of capacity that a call takes.', example: 'ocr' }),
})

const shownMetadata = z
  .object({
    schemaKind: z.string().meta({ description: 'How its input is described.' }),
    schemaRef: z.string().optional().meta({ description: 'Where that description is.' }),
    outputKind: z.string().meta({ description: 'What it returns.' }),
    sideEffects: z.array(z.string()).meta({ description: 'What else it does.' }),
    capacityLeaseClass: z
      .string()
      .optional()
      .meta({ description: 'The class of capacity that a call takes.' }),
  })
  .meta({ id: 'CapabilityProperties', description: 'What is known of a capability beside its name.' })

// CP-1
export const capability = z
  .object({
    capability: z.string().meta({ description: 'The name of the capability, with its namespace.' }),
    namespace: z.string().meta({ description: 'The namespace it belongs to.' }),
    name: z.string().meta({ description: 'Its name within the namespace.' }),
    description: z.string().meta({ description: 'What it does, in a sentence.' }),
    lifecycleState: z.string().meta({ description: 'Whether it is in use.' }),
    registrationBasis: z.string().meta({ description: 'Whether it is built in or was registered.' }),
    metadata: shownMetadata.meta({ description: 'What is known of the tool.' }),
    registeredAt: z
      .string()
      .nullable()
      .meta({ description: 'When it was registered; null if it is built in.' }),
    registeredByActorRef: z
      .string()
      .nullable()
      .meta({ description: 'Who registered it; null if it is built in.' }),
  })
  .meta({
    id: 'Capability',
    description: 'Something a caller may be allowed to do: an operation, or a tool of the host.',
  })

/** Registers a tool of the host with its namespace: both succeed or neither does (CP-1). */
export const registerCapability = writeOperation({
  name: 'capabilities.register',
  route: 'POST /capabilities',
  summary: 'Register a capability and its namespace',
  sample: () => ({
    namespace: { namespace: 'calendar', description: 'dates' },
    capability: { name: 'read', description: 'read dates' },
  }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['capability_registered'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    namespace: z
      .strictObject({
        namespace: name.meta({ description: 'The name of the namespace.', example: 'garden' }),
        description: text(2_000).meta({
          description: 'What it is for, in a sentence.',
          example: 'Waters the garden.',
        }),
        parentNamespace: name
          .optional()
          .meta({ description: 'The namespace it is part of.', example: 'home' }),
      })
      .meta({ description: 'The namespace it belongs to.' }),
    capability: z
      .strictObject({
        name: name.meta({ description: 'Its name within the namespace.', example: 'water' }),
        description: text(2_000).meta({
          description: 'What it does, in a sentence.',
          example: 'Waters the garden.',
        }),
        metadata: metadata.optional().meta({ description: 'What is known of the tool.' }),
      })
      .meta({ description: 'A tool of your own.' }),
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

/** Changes the lifecycle state of a capability; only an active one can be run (CP-3). */
export const setCapabilityLifecycle = writeOperation({
  name: 'capabilities.set_lifecycle',
  route: 'POST /capabilities/lifecycle',
  summary: 'Deprecate, retire or reactivate a capability',
  sample: () => ({ capability: 'calendar.read', lifecycleState: 'deprecated' }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['capability_lifecycle_set'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    capability: name.meta({
      description: 'The name of the capability, for example `memory.search`.',
      example: 'memory.search',
    }),
    lifecycleState: z
      .enum(LIFECYCLE_STATES)
      .meta({ description: 'Whether it is in use.', example: 'active' }),
  }),
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

/** Lists all capabilities. */
export const listCapabilities = readOperation({
  name: 'capabilities.list',
  route: 'GET /capabilities',
  summary: 'List capabilities',
  sample: () => ({}),
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ capabilities: z.array(capability).meta({ description: 'The capabilities.' }) }),
  async run(request) {
    const { capabilities } = request.parts.tenantFacts.registry
    return { capabilities: [...capabilities.values()].sort(byId).map(viewCapability) }
  },
})

/** Tells whether the caller may use a capability now, and why not as far as it may know (CP-3, RS-2). */
export const checkCapability = readOperation({
  name: 'capabilities.check',
  route: 'GET /capabilities/check',
  summary: 'Ask whether you may use a capability',
  policies: ['agent', 'reader', 'recipient'],
  sample: world => ({ capability: world.pick(['memory.get', 'memory.forget', 'no.such']) }),
  callers: 'anyone',
  input: z.strictObject({
    capability: name.meta({
      description: 'The name of the capability, for example `memory.search`.',
      example: 'memory.search',
    }),
  }),
  output: z.object({
    permitted: z.boolean().meta({ description: 'Whether the caller may use it.' }),
    reason: z.string().nullable().meta({ description: 'Why not, as a code; null if it may.' }),
    text: z.string().nullable().meta({ description: 'Why not, in words; null if it may.' }),
  }),
  async run(request, input) {
    const { tenantFacts } = request.parts
    const leaseClass = tenantFacts.registry.capabilities.get(input.capability)?.metadata.capacityLeaseClass
    // Capacity is taken when the capability runs, not when somebody asks.
    const lease = leaseClass === undefined ? 'not_needed' : 'granted'
    const verdict = gateCaller(input.capability, request.caller, tenantFacts, lease, request.parts.profile)
    if (verdict.permitted) return { permitted: true, reason: null, text: null }
    const { profile } = request.parts
    const shown = discloseTo(verdict.reasonCode, request.caller, tenantFacts.reasonCodes, profile)
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
