import { z } from 'zod'
import { type CapabilityPattern, validatePolicy } from '../../policy/capability-policy.js'
import { savePolicy } from '../../storage/queries/registrations.js'
import { name } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { changeTenantFacts, noReplay } from './tenant-registrations.js'

export const pattern = z.discriminatedUnion('kind', [
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
