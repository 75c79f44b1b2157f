import { joinLabels, type Label, LEAST_LABEL } from '../policy/labels.js'
import { isAgentAudience } from '../policy/subject.js'
import { readExposure } from '../storage/queries/exposures.js'
import type { WriteRequest } from './request.js'

/** What everything this caller writes now is at least labelled with: what an agent was shown in this session (WR-2). */
export async function writerLabel(request: WriteRequest): Promise<Label> {
  if (!isAgentAudience(request.caller.audience)) return LEAST_LABEL
  const { actorId, forId } = request.parts
  const shown = await readExposure(request.tx, request.tenant, {
    actorId,
    forId,
    session: request.caller.session,
  })
  return shown === null ? LEAST_LABEL : joinLabels(shown)
}
