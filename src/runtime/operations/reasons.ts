import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { findReasonCode, REASON_CODES } from '../../policy/reason-codes.js'
import { saveReasonCode } from '../../storage/queries/registrations.js'
import { name, text } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { changeTenantFacts, noReplay } from './tenant-registrations.js'

const reason = z
  .object({
    code: z.string().meta({ description: 'The reason code.' }),
    description: z.string().meta({ description: 'What it means, in a sentence.' }),
    visibility: z.string().meta({ description: 'Who may read the code.' }),
    owner: z.string().meta({ description: 'Who registered it.' }),
  })
  .meta({ id: 'Reason', description: 'A reason code, and who may read it.' })

/** Registers a reason code of the host (RS-1). */
export const registerReason = writeOperation({
  name: 'reasons.register',
  route: 'POST /reasons',
  summary: 'Register a reason code',
  sample: () => ({ code: 'calendar.closed', description: 'closed', visibility: 'expose' }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['reason_registered'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    code: name.meta({ description: 'The reason code.', example: 'host.not_today' }),
    description: text(2_000).meta({
      description: 'What it means, in a sentence.',
      example: 'The garden is closed today.',
    }),
    visibility: z
      .enum(['expose', 'generic_only', 'audit_log_only'])
      .meta({ description: 'Who may read the code.', example: 'generic_only' }),
  }),
  output: reason,
  async run(request, input) {
    await changeTenantFacts(request)
    if (findReasonCode(input.code) !== undefined)
      throw new PrivityError('conflict', 'this reason code is built in and cannot be changed')
    const registered = { ...input, owner: 'host' as const }
    await saveReasonCode(request.tx, request.tenant, registered)
    return { output: registered, refs: [] }
  },
  replay: noReplay,
})

export const listReasons = readOperation({
  name: 'reasons.list',
  route: 'GET /reasons',
  summary: 'List reason codes',
  sample: () => ({}),
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ reasons: z.array(reason).meta({ description: 'The reason codes.' }) }),
  async run(request) {
    return {
      reasons: [...REASON_CODES, ...request.parts.tenantFacts.reasonCodes.values()].map(code => ({
        ...code,
      })),
    }
  },
})
