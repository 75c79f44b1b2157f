import { joinLabels, type Label, LEAST_LABEL, sameLabel } from '../policy/labels.js'
import { isAgentAudience } from '../policy/subject.js'
import { readExposures } from '../storage/queries/exposures.js'
import type { WriteRequest } from './request.js'

/**
 * What everything this caller writes now is at least labelled with: what an agent was shown in this conversation, or when it
 * names none, ever (WR-2). It holds for a new record and for what is written onto one: a mark, a tag, an edge.
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
 * The same for words that are kept outside of records. It stands beside them, and whoever reads them back is exposed to
 * it; null where they are under none.
 */
export async function labelToKeep(request: WriteRequest): Promise<Label | null> {
  const label = await writerLabel(request)
  return sameLabel(label, LEAST_LABEL) ? null : label
}
