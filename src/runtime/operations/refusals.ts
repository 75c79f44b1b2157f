import { z } from 'zod'
import { loadRefusal } from '../../storage/queries/load-refusal.js'
import { id } from '../input.js'
import { readOperation } from '../operation.js'
import { disclosed } from '../refusal.js'

/** Reasons to refuse a request as a whole. One that has to do with a record is never among them (DE-4). */
const ABOUT_A_REQUEST = /^(?:session[._]|rate_limit_exceeded$|capacity[._])/

/** Why a request of the caller's own was refused: session, capability, audience, trust, rate, capacity. Else null. */
export const whyRefused = readOperation({
  name: 'requests.why_refused',
  summary: 'Tell why a request of your own was refused',
  callers: 'anyone',
  input: z.strictObject({ requestId: id }),
  output: z
    .object({
      requestId: z.string(),
      at: z.string(),
      operation: z.string(),
      code: z.string(),
      reason: z.object({ code: z.string().optional(), text: z.string() }),
    })
    .nullable(),
  async run(request, { requestId }) {
    const { actorId, forId, tenantFacts, profile } = request.parts
    const row = await loadRefusal(request.tx, request.tenant, { actorId, forId }, requestId)
    if (row === undefined || !ABOUT_A_REQUEST.test(row.reason)) return null
    return {
      requestId,
      at: row.at.toISOString(),
      operation: row.operation,
      code: row.outcome,
      reason: disclosed(row.reason, request.caller, tenantFacts.reasonCodes, profile),
    }
  },
})
