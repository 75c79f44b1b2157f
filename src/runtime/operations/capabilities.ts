import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { register } from '../../policy/capability.js'
import { type CapabilityPattern, validatePolicy } from '../../policy/capability-policy.js'
import { disclose, findReasonCode, REASON_CODES } from '../../policy/reason-codes.js'
import { isAgentAudience } from '../../policy/subject.js'
import { lockOwners } from '../../storage/queries/lock.js'
import {
  saveCapability,
  saveNamespace,
  savePolicy,
  saveReasonCode,
} from '../../storage/queries/registrations.js'
import { name, text } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type WriteRequest } from '../request.js'
import { gateCaller, type TenantFacts } from '../tenant-facts.js'

const LIFECYCLE_STATES = ['active', 'deprecated', 'retired', 'experimental'] as const

const metadata = z.strictObject({
  schemaKind: z
    .enum(['json_schema', 'structured_grammar', 'free_form_query', 'no_schema'])
    .default('no_schema'),
  schemaRef: name.optional(),
  outputKind: z
    .enum(['structured_data', 'side_effect_only', 'search_results', 'synthesis'])
    .default('structured_data'),
  sideEffects: z.array(z.enum(['external_api_call', 'graph_write', 'file_emit', 'notification'])).default([]),
  capacityLeaseClass: name.optional(),
})

const capability = z.object({
  capability: z.string(),
  namespace: z.string(),
  description: z.string(),
  lifecycleState: z.string(),
})

/** Facts of the tenant are changed one at a time, and read anew under the lock. */
async function changeTenantFacts(request: WriteRequest): Promise<TenantFacts> {
  await lockOwners(request.tx, request.tenant, [''], 'exclusive')
  request.changesFactsOf('')
  return request.parts.readTenantFacts()
}

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
    const sorted = [...capabilities.values()].sort((a, b) => (a.capabilityId < b.capabilityId ? -1 : 1))
    return { capabilities: sorted.map(viewCapability) }
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
    const verdict = gateCaller(input.capability, request.caller, tenantFacts, lease)
    if (verdict.permitted) return { permitted: true, reason: null, text: null }
    const audience = isAgentAudience(request.caller.audience) ? 'other' : 'host'
    const shown = disclose(verdict.reasonCode, audience, tenantFacts.reasonCodes)
    return { permitted: false, reason: shown.code ?? null, text: shown.text }
  },
})

const pattern = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('exact'), capability: name }),
  z.strictObject({ kind: z.literal('prefix_wildcard'), prefix: name }),
  z.strictObject({ kind: z.literal('namespace_all'), namespace: name }),
]) satisfies z.ZodType<CapabilityPattern>

const policy = z.object({
  policy: z.string(),
  mode: z.string(),
  allowedCapabilities: z.array(pattern),
  deniedCapabilities: z.array(pattern),
  parentRef: z.string().nullable(),
})

/** Writes a capability policy, new or in the place of one (CP-2). */
export const setPolicy = writeOperation({
  name: 'policies.set',
  summary: 'Write a capability policy',
  callers: 'host',
  effects: ['policy_set'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    policy: name.refine(value => !value.startsWith('built-in:'), { message: 'must not be a built-in one' }),
    mode: z.enum(['deny_all_except', 'allow_all_except', 'inherit_default']),
    allowedCapabilities: z.array(pattern).max(1_000).default([]),
    deniedCapabilities: z.array(pattern).max(1_000).default([]),
    parentRef: name.optional(),
  }),
  output: policy,
  async run(request, { policy: policyId, parentRef, ...rest }) {
    const { registry } = await changeTenantFacts(request)
    const written = { policyId, ...rest, ...(parentRef === undefined ? {} : { parentRef }) }
    validatePolicy(written, registry)
    await savePolicy(request.tx, request.tenant, written, request.now)
    return { output: { policy: policyId, ...rest, parentRef: parentRef ?? null }, refs: [] }
  },
  replay: noReplay,
})

export const listPolicies = readOperation({
  name: 'policies.list',
  summary: 'List capability policies',
  callers: 'host',
  input: z.strictObject({}),
  output: z.object({ policies: z.array(policy) }),
  async run(request) {
    const policies = [...request.parts.tenantFacts.policies.values()]
    return {
      policies: policies.map(({ policyId, mode, allowedCapabilities, deniedCapabilities, parentRef }) => ({
        policy: policyId,
        mode,
        allowedCapabilities: [...allowedCapabilities],
        deniedCapabilities: [...deniedCapabilities],
        parentRef: parentRef ?? null,
      })),
    }
  },
})

const reason = z.object({
  code: z.string(),
  description: z.string(),
  visibility: z.string(),
  owner: z.string(),
})

/** Registers a reason code of the host's own (RS-1). */
export const registerReason = writeOperation({
  name: 'reasons.register',
  summary: 'Register a reason code',
  callers: 'host',
  effects: ['reason_registered'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    code: name,
    description: text(2_000),
    visibility: z.enum(['expose', 'generic_only', 'audit_log_only']),
  }),
  output: reason,
  async run(request, input) {
    await changeTenantFacts(request)
    if (findReasonCode(input.code) !== undefined) throw new PrivityError('conflict', 'this code is built in')
    const registered = { ...input, owner: 'host' as const }
    await saveReasonCode(request.tx, request.tenant, registered)
    return { output: registered, refs: [] }
  },
  replay: noReplay,
})

export const listReasons = readOperation({
  name: 'reasons.list',
  summary: 'List reason codes',
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ reasons: z.array(reason) }),
  async run(request) {
    return {
      reasons: [...REASON_CODES, ...request.parts.tenantFacts.reasonCodes.values()].map(code => ({
        ...code,
      })),
    }
  },
})

/** What these write is named by the caller, not by an id, and is the same however often it is written. */
async function noReplay(): Promise<never> {
  throw new PrivityError('idempotency_conflict', 'this was done already; read it to see how it stands now')
}

const viewCapability = (known: {
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
