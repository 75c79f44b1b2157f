import type { EffectiveView } from '../policy/subject.js'
import { type VisibleSegment, VisibleSet } from '../runtime/index/visible-set.js'
import type { ReadRequest } from '../runtime/request.js'
import { corpusOf } from './count-shown-to-recipients.js'

export const DISCLOSES_DRIFT = 'snapshot_at_share_with_drift_disclosure'

/**
 * Whether anything has changed since a snapshot that its view would show if it were live. It reveals one bit for each
 * corpus whose views disclose drift, and nothing else (SV-4, NI-8).
 */
export async function driftOf(request: ReadRequest): Promise<ReadonlyMap<string, boolean>> {
  const { views } = request.parts.identity
  const disclosed = [...(views ?? [])].filter(([, view]) => view.temporalMode === DISCLOSES_DRIFT)
  if (views === null || disclosed.length === 0) return new Map()
  const visible = await VisibleSet.of(request)
  const live = visible.seenAs({ views: new Map([...views].map(([corpus, view]) => [corpus, alive(view)])) })
  return new Map(
    disclosed.map(([corpus]) => [corpus, !isSame(idsIn(visible.segments, corpus), idsIn(live, corpus))]),
  )
}

/** The same view without its snapshot, as if it were live. */
const alive = (view: EffectiveView): EffectiveView => ({ ...view, snapshotAt: null, stoodAt: null })

function idsIn(segments: readonly VisibleSegment[], corpus: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { segment, mask, table } of segments)
    for (const document of mask.documents)
      if (corpusOf(table, segment.data.compartments[document] as number) === corpus)
        ids.add(segment.id(document))
  return ids
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every(id => other.has(id))
