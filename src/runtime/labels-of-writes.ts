import { joinLabels, type Label, LEAST_LABEL, sameLabel } from '../policy/labels.js'
import { isAgentAudience } from '../policy/subject.js'
import { readExposures } from '../storage/queries/exposures.js'
import type { WriteRequest } from './request.js'

/**
 * The least label of everything that this caller writes now: what the agent was shown in this conversation or, if it
 * names none, ever (WR-2). It applies to new records and to what is written onto a record: a mark, a tag, an edge.
 */
export async function writerLabel(request: WriteRequest): Promise<Label> {
  if (!isAgentAudience(request.caller.audience)) return LEAST_LABEL
  const { actorId, forId } = request.parts
  const shown = await readExposures(request.tx, request.tenant, {
    actorId,
    forId,
    session: request.caller.session,
  })
  return joinLabels(...shown)
}

/**
 * The same label for words that are stored outside of records. It is stored beside them, and whoever reads them is
 * exposed to it. Null if there is no label to keep.
 */
export async function labelToKeep(request: WriteRequest): Promise<Label | null> {
  const label = await writerLabel(request)
  return sameLabel(label, LEAST_LABEL) ? null : label
}
