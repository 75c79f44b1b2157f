import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { findReasonCode, REASON_CODES } from '../../policy/reason-codes.js'
import { saveReasonCode } from '../../storage/queries/registrations.js'
import { name, text } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { changeTenantFacts, noReplay } from './tenant-registrations.js'

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
