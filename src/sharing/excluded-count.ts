import { meetViews } from '../policy/shared-view.js'
import { corpusKey } from '../policy/tuple.js'
import { type VisibleSegment, VisibleSet } from '../runtime/index/visible-set.js'
import { toSharedView } from '../runtime/profile.js'
import type { ReadRequest } from '../runtime/request.js'
import type { SharedViewRow } from '../storage/queries/running-profile.js'
import type { LinkRow } from '../storage/queries/share-links.js'

/**
 * How many records of a corpus its host sees and a view leaves out, as things stand when it is shared: counted once, kept
 * with the view and never counted again, so that nothing can be told from how it changes (CV-4).
 */
export async function countExcluded(
  request: ReadRequest,
  view: SharedViewRow,
  { maxSensitivity }: Pick<LinkRow, 'maxSensitivity'>,
): Promise<number> {
  const visible = await VisibleSet.of(request)
  const shown = visible.seenAs({
    audience: 'recipient',
    respectConsent: true,
    trust: { maxSensitivity, scopes: RECIPIENT_SCOPES, authenticated: false },
    visibility: { ceiling: view.visibilityClassCeiling, floor: null },
    views: meetViews([toSharedView(view)]),
  })
  return countIn(visible.segments, view) - countIn(shown, view)
}

/** The only scope that recipients hold: what is kept to a scope is none of theirs unless it is kept to this one (TR-4). */
export const RECIPIENT_SCOPES: ReadonlySet<string> = new Set(['share_link'])

function countIn(segments: readonly VisibleSegment[], { owner, corpus }: SharedViewRow): number {
  const key = corpusKey(owner, corpus)
  let count = 0
  for (const { segment, mask, table } of segments)
    for (const document of mask.documents)
      if (corpusOf(table, segment.data.compartments[document] as number) === key) count++
  return count
}

/** The key of the corpus that a compartment lies in. */
export function corpusOf(table: VisibleSegment['table'], compartment: number): string | null {
  const corpus = table.value('corpus', compartment)
  return corpus === null ? null : corpusKey(table.value('owner', compartment), corpus)
}
