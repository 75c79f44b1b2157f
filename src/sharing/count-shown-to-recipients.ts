import { meetViews } from '../policy/shared-view.js'
import { corpusKey } from '../policy/tuple.js'
import { RECIPIENT_SCOPES } from '../runtime/caller.js'
import { type VisibleSegment, VisibleSet } from '../runtime/index/visible-set.js'
import { toSharedView } from '../runtime/profile.js'
import type { ReadRequest } from '../runtime/request.js'
import type { SharedViewRow } from '../storage/queries/running-profile.js'
import type { LinkRow } from '../storage/queries/share-links.js'

/** How much of a corpus its host sees, and how much of that a recipient of a link would see. */
export interface ShownCounts {
  readonly records: { readonly shown: number; readonly of: number }
  readonly documents: { readonly shown: number; readonly of: number }
}

type RecipientLimits = Pick<LinkRow, 'maxSensitivity'>

/** By corpus key: how much of each corpus these views together would show now. */
export async function countShownToRecipients(
  request: ReadRequest,
  views: readonly SharedViewRow[],
  shownTo: RecipientLimits,
): Promise<ReadonlyMap<string, ShownCounts>> {
  const visible = await VisibleSet.of(request)
  const met = meetViews(views.map(toSharedView))
  const seen = visible.seenAs({
    audience: 'recipient',
    respectConsent: true,
    trust: { maxSensitivity: shownTo.maxSensitivity, scopes: RECIPIENT_SCOPES, authenticated: false },
    // The gate `view` applies the ceiling of each view.
    visibility: { ceiling: 'firewalled', floor: null },
    views: met,
  })
  return new Map(
    [...met.keys()].map(key => {
      const [own, theirs] = [countIn(visible.segments, key), countIn(seen, key)]
      return [
        key,
        {
          records: { shown: theirs.records, of: own.records },
          documents: { shown: theirs.documents, of: own.documents },
        },
      ]
    }),
  )
}

/**
 * How many records of a corpus its host sees but a view leaves out when it is shared. This is counted once and stored
 * with the view, so that nothing can be inferred from changes of the count (CV-4).
 */
export async function countExcluded(
  request: ReadRequest,
  view: SharedViewRow,
  shownTo: RecipientLimits,
): Promise<number> {
  const [counted] = (await countShownToRecipients(request, [view], shownTo)).values()
  return counted === undefined ? 0 : counted.records.of - counted.records.shown
}

function countIn(segments: readonly VisibleSegment[], key: string) {
  let documents = 0
  let records = 0
  for (const { segment, mask, table } of segments)
    for (const document of mask.documents) {
      const compartment = segment.data.compartments[document] as number
      if (corpusOf(table, compartment) !== key) continue
      records++
      if (table.value('kind', compartment) === 'document') documents++
    }
  return { records, documents }
}

/** The key of the corpus that a compartment belongs to. */
export function corpusOf(table: VisibleSegment['table'], compartment: number): string | null {
  const corpus = table.value('corpus', compartment)
  return corpus === null ? null : corpusKey(table.value('owner', compartment), corpus)
}
