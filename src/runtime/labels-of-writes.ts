import { joinLabels, type Label, LEAST_LABEL, sameLabel } from '../policy/labels.js'
import { covers, type StoredLabel } from '../policy/stored-label.js'
import { isAgentAudience } from '../policy/subject.js'
import { heldClearance } from './caller.js'
import type { WriteRequest } from './request.js'

/** How long what was shown counts at most. */
const DAY = 24 * 3_600_000

/** What an agent was shown, and the records that raised its label. */
export interface ShownToWriter {
  readonly label: Label
  readonly records: readonly string[]
}

/**
 * The least label of everything that this caller writes now: what the agent was shown within a day in this
 * conversation or, if it names none, in any (WR-2, WR-6). It applies to new records and to what is written onto a record: a mark, a tag, an edge.
 * What the agent was shown under a credential that sees more than this one does not count: it would tell this one that
 * there is more (NI-10).
 */
export async function shownToWriter(request: WriteRequest): Promise<ShownToWriter> {
  if (!isAgentAudience(request.caller.audience)) return { label: LEAST_LABEL, records: [] }
  const { actorId, forId } = request.parts
  const { session } = request.caller
  const since = new Date(request.now.getTime() - DAY)
  const shown = await request.parts.reads.exposures({ actorId, forId, session }, since)
  const held = heldClearance(request.caller)
  const counted = shown.filter(({ clearance }) => clearance === null || covers(held, clearance))
  return {
    label: joinLabels(...counted),
    records: [...new Set(counted.flatMap(({ records }) => records))],
  }
}

export async function writerLabel(request: WriteRequest): Promise<Label> {
  return (await shownToWriter(request)).label
}

/**
 * The label of words and names that are stored outside of records: the most that this request may be shown, joined
 * with what the agent was shown. It is stored beside them; whoever does not pass its gates does not see them (NI-10),
 * and an agent that reads them is exposed to what their author was shown (WR-2).
 */
export async function labelToKeep(request: WriteRequest): Promise<StoredLabel> {
  const { clearance } = request
  const shown = await writerLabel(request)
  return {
    ...joinLabels(clearance, shown),
    profile: clearance.profile ?? null,
    shown: sameLabel(shown, LEAST_LABEL) ? null : shown,
  }
}
