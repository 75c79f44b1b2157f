import { z } from 'zod'
import { type CapabilityPattern, validatePolicy } from '../../policy/capability-policy.js'
import { savePolicy } from '../../storage/queries/registrations.js'
import { name } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { changeTenantFacts, noReplay } from './tenant-registrations.js'

const patternKind = <Value extends string>(value: Value) =>
  z.literal(value).meta({ description: 'How capabilities are named: one, by prefix, or a whole namespace.' })

export const pattern = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: patternKind('exact'),
      capability: name.meta({
        description: 'The name of the capability, for example `memory.search`.',
        example: 'memory.search',
      }),
    }),
    z.strictObject({
      kind: patternKind('prefix_wildcard'),
      prefix: name.meta({ description: 'How their names begin.', example: 'memory.' }),
    }),
    z.strictObject({
      kind: patternKind('namespace_all'),
      namespace: name.meta({ description: 'The namespace.', example: 'garden' }),
    }),
  ])
  .meta({
    id: 'CapabilityPattern',
    description: 'One capability, those with a prefix, or all of a namespace.',
  }) satisfies z.ZodType<CapabilityPattern>

const policy = z
  .object({
    policy: z.string().meta({ description: 'The name of the policy.' }),
    mode: z.string().meta({ description: 'What the lists are exceptions from.' }),
    allowedCapabilities: z.array(pattern).meta({ description: 'The capabilities it allows.' }),
    deniedCapabilities: z.array(pattern).meta({ description: 'The capabilities it denies. Denial wins.' }),
    parentRef: z
      .string()
      .nullable()
      .meta({ description: 'The policy it inherits from, by its name; null if none.' }),
  })
  .meta({ id: 'CapabilityPolicy', description: 'Which capabilities a caller may use.' })

/** Creates or replaces a capability policy (CP-2). */
export const setPolicy = writeOperation({
  name: 'policies.set',
  route: 'POST /policies',
  summary: 'Write a capability policy',
  sample: () => ({ policy: 'calm', mode: 'allow_all_except' }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['policy_set'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    policy: name
      .refine(value => !value.startsWith('built-in:'), { message: 'must not be a built-in one' })
      .meta({ description: 'A name for the policy.', example: 'reading' }),
    mode: z
      .enum(['deny_all_except', 'allow_all_except', 'inherit_default'])
      .meta({ description: 'What the lists are exceptions from.', example: 'deny_all_except' }),
    allowedCapabilities: z
      .array(pattern)
      .max(1_000)
      .default([])
      .meta({ description: 'The capabilities it allows.' }),
    deniedCapabilities: z
      .array(pattern)
      .max(1_000)
      .default([])
      .meta({ description: 'The capabilities it denies. Denial wins.' }),
    parentRef: name
      .optional()
      .meta({ description: 'The policy it inherits from, by its name.', example: 'reading' }),
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
  route: 'GET /policies',
  summary: 'List capability policies',
  sample: () => ({}),
  callers: 'host',
  input: z.strictObject({}),
  output: z.object({ policies: z.array(policy).meta({ description: 'The policies.' }) }),
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
