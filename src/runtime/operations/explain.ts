import { z } from 'zod'
import { CompartmentTable } from '../../policy/compartments.js'
import { explain } from '../../policy/explain.js'
import { type Face, formOf, levelOf, shownLevel } from '../../policy/faces.js'
import { findReasonCode } from '../../policy/reason-codes.js'
import { AUDIENCES } from '../../policy/vocabulary.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { clampCaller, readCredential, trustContext, visibilityBounds } from '../caller.js'
import { loadIdentity, loadSubject } from '../facts.js'
import { id, name, principal } from '../input.js'
import { readOperation } from '../operation.js'
import { timesOf } from '../request.js'

const shownFace = z.object({ form: z.string(), level: z.string() })
const show = (face: Face) => ({ form: formOf(face), level: levelOf(face) })

/** The caller to look as: a credential of this tenant. */
const viewer = z.strictObject({
  actor: principal,
  audience: z.enum(AUDIENCES).optional(),
  for: principal.optional(),
  trust: trustContext.optional(),
  session: name.optional(),
  policy: name.optional(),
  visibility: visibilityBounds.optional(),
})

/**
 * Every gate's verdict on one record for one caller. For someone who sees the record in full and whom that caller
 * works for, or is; for anyone else the record is absent (DE-4).
 */
export const explainRecord = readOperation({
  name: 'memory.explain',
  summary: 'Show every gate and its verdict on a record',
  callers: 'owner',
  input: z.strictObject({ record: id, as: viewer.optional() }),
  output: z
    .object({
      record: z.string(),
      /** What is shown under the record's own id, all told. */
      shown: z.string(),
      face: shownFace,
      gates: z.array(
        z.object({ gate: z.string(), face: shownFace, reason: z.string(), description: z.string() }),
      ),
    })
    .nullable(),
  async run(request, input) {
    const rows = await fetchRecords(request.tx, request.tenant, [input.record])
    const [view = null] = await request.view(rows)
    const [row] = rows
    const { cache, now } = request.parts
    // An agent of whom nothing else is said works for the one who asks.
    const asked = readCredential({
      ...(input.as?.audience === 'agent' ? { for: request.caller.actingFor } : {}),
      ...(input.as ?? { actor: request.caller.actingFor }),
      tenant: request.tenant,
    })
    const mayLookAs = asked.actingFor === request.caller.actingFor
    const as = clampCaller(asked, {})
    const identity = await loadIdentity(request.tx, as, now)
    if (row === undefined || view?.face !== 'full' || !mayLookAs) return null
    const table = new CompartmentTable()
    table.add(row.tuple)
    const { subject } = await loadSubject(request.tx, cache, as, identity, table.cited, now.getTime())
    const { face, gates } = explain(subject, row.tuple, timesOf(row))
    request.show(view)
    return {
      record: row.id,
      shown: shownLevel(face),
      face: show(face),
      gates: gates.map(verdict => ({
        gate: verdict.gate,
        face: show(verdict.face),
        reason: verdict.reason,
        description: findReasonCode(verdict.reason)?.description ?? verdict.reason,
      })),
    }
  },
})
