import { z } from 'zod'
import { CompartmentTable } from '../../policy/compartments.js'
import { explain } from '../../policy/explain.js'
import { type Face, formOf, levelOf, shownLevel } from '../../policy/faces.js'
import { findReasonCode } from '../../policy/reason-codes.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { loadPreview } from '../../storage/queries/profiles.js'
import { clampCaller, type RequestCaller } from '../caller.js'
import { type Identity, loadIdentity, loadSubject } from '../facts.js'
import { recordId } from '../fields.js'
import { credentialOfViewer, type LookedAs, lookAsRecipient, viewer } from '../look-as.js'
import { readOperation } from '../operation.js'
import { enterAsRecipient } from '../profile.js'
import { type ReadRequest, timesOf } from '../request.js'

const shownFace = z.object({
  form: z.string().meta({ description: 'Which form of the record it is: itself or its redacted twin.' }),
  level: z.string().meta({ description: 'How much of it is shown.' }),
})
const show = (face: Face) => ({ form: formOf(face), level: levelOf(face) })

/** Whoever the verdicts are for; null for somebody whom the caller may not look as. */
async function readerOf(
  { tx, tenant, caller, parts: { now } }: ReadRequest,
  as: LookedAs,
): Promise<{ caller: RequestCaller; identity: Identity } | null> {
  if ('profile' in as) {
    const preview = await loadPreview(tx, tenant, as.profile)
    const recipient = lookAsRecipient(caller, preview)
    const identity = await loadIdentity(tx, recipient, now)
    return enterAsRecipient(tx, { ...recipient, profile: as.profile }, identity, now)
  }
  const asked = credentialOfViewer(as, caller)
  const reader = clampCaller(asked, {})
  const identity = await loadIdentity(tx, reader, now)
  return asked.actingFor === caller.actingFor ? { caller: reader, identity } : null
}

/**
 * Returns every gate's verdict on one record for one caller. Only somebody who sees the record in full may ask, about
 * themselves or those who work for them; for anyone else the record does not exist (DE-4).
 */
export const explainRecord = readOperation({
  name: 'memory.explain',
  route: 'POST /records/:record/explain',
  summary: 'Show every gate and its verdict on a record',
  sample: world => ({
    record: world.record(),
    ...world.maybe(0.5, {
      as: {
        actor: 'helper',
        audience: 'agent',
        for: world.pick(['ana', 'ben']),
        trust: { maxSensitivity: 'low' },
      },
    }),
  }),
  callers: 'owner',
  input: z.strictObject({
    record: recordId,
    as: viewer.optional().meta({ description: 'The caller to look as. Default: yourself.' }),
  }),
  output: z
    .object({
      record: z.string().meta({ description: 'The id of the record.' }),
      shown: z.string().meta({ description: "How much is shown under the record's own id." }),
      face: shownFace.meta({ description: 'What all gates together show.' }),
      gates: z
        .array(
          z.object({
            gate: z.string().meta({ description: 'The gate, by its name.' }),
            face: shownFace.meta({ description: 'What the gate would show.' }),
            reason: z.string().meta({ description: 'Why, as a code.' }),
            description: z.string().meta({ description: 'Why, in words.' }),
          }),
        )
        .meta({ description: 'What each gate says.' }),
    })
    .nullable(),
  async run(request, input) {
    const rows = await fetchRecords(request.tx, request.tenant, [input.record])
    const [view = null] = await request.view(rows)
    const [row] = rows
    const { cache, now, reads } = request.parts
    const reader = await readerOf(request, input.as ?? { actor: request.caller.actingFor })
    if (row === undefined || view?.face !== 'full' || reader === null) return null
    const { caller: as, identity } = reader
    const table = new CompartmentTable()
    table.add(row.tuple)
    const { subject } = await loadSubject(reads, cache, as, identity, table.cited, now.getTime())
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
