import { z } from 'zod'
import { loadRefusal } from '../../storage/queries/load-refusal.js'
import { id } from '../input.js'
import { readOperation } from '../operation.js'
import { discloseTo } from '../refusal.js'

/** Reasons to refuse a request as a whole. Reasons that concern a record are never among them (DE-4). */
const ABOUT_A_REQUEST = /^(?:session[._]|rate_limit_exceeded$|capacity[._])/

/**
 * Tells why one of the caller's own requests was refused: profile, capability, audience, trust, rate, capacity.
 * Otherwise null.
 */
export const whyRefused = readOperation({
  name: 'requests.why_refused',
  route: 'GET /requests/:requestId/refusal',
  summary: 'Show why a request of yours was refused',
  positional: ['requestId'],
  policies: ['agent', 'reader', 'recipient'],
  sample: world => ({ requestId: world.made('entry') }),
  callers: 'anyone',
  input: z.strictObject({
    requestId: id.meta({ description: 'The request, by the `requestId` in its error.' }),
  }),
  output: z
    .object({
      requestId: z.string().meta({ description: 'The id of the request.' }),
      at: z.string().meta({ description: 'When it was refused.' }),
      operation: z.string().meta({ description: 'The operation, by its name.' }),
      code: z.string().meta({ description: 'The error code.' }),
      reason: z
        .object({
          code: z
            .string()
            .optional()
            .meta({ description: 'The reason code; absent if the caller may not read it.' }),
          text: z.string().meta({ description: 'Why, in words.' }),
        })
        .meta({ description: 'Why it was refused.' }),
    })
    .nullable(),
  async run(request, { requestId }) {
    const { actorId, forId, tenantFacts, profile } = request.parts
    const found = await loadRefusal(request.tx, request.tenant, { actorId, forId }, requestId)
    const [row] = await request.seen(found === undefined ? [] : [found])
    if (row === undefined || !ABOUT_A_REQUEST.test(row.reason)) return null
    return {
      requestId,
      at: row.at.toISOString(),
      operation: row.operation,
      code: row.outcome,
      reason: discloseTo(row.reason, request.caller, tenantFacts.reasonCodes, profile),
    }
  },
})
