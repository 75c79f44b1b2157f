import { meetViews } from '../policy/shared-view.js'
import { corpusKey } from '../policy/tuple.js'
import { type VisibleSegment, VisibleSet } from '../runtime/index/visible-set.js'
import { toSharedView } from '../runtime/profile.js'
import type { ReadRequest } from '../runtime/request.js'
import type { SharedViewRow } from '../storage/queries/running-profile.js'
import type { LinkRow } from '../storage/queries/share-links.js'

/** What a corpus has for its host, and what of it somebody who comes by a link would see. */
export interface ShownCounts {
  readonly records: { readonly shown: number; readonly of: number }
  readonly documents: { readonly shown: number; readonly of: number }
}

type RecipientLimits = Pick<LinkRow, 'maxSensitivity'>

/** By corpus key: what these views together would show of each corpus, as things stand. */
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
    // Each view's own ceiling holds in the gate of views.
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
 * How many records of a corpus its host sees and a view leaves out, as things stand when it is shared: counted once, kept
 * with the view and never counted again, so that nothing can be told from how it changes (CV-4).
 */
export async function countExcluded(
  request: ReadRequest,
  view: SharedViewRow,
  shownTo: RecipientLimits,
): Promise<number> {
  const [counted] = (await countShownToRecipients(request, [view], shownTo)).values()
  return counted === undefined ? 0 : counted.records.of - counted.records.shown
}

/** The only scope that recipients hold: what is kept to a scope is none of theirs unless it is kept to this one (TR-4). */
export const RECIPIENT_SCOPES: ReadonlySet<string> = new Set(['share_link'])

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

/** The key of the corpus that a compartment lies in. */
export function corpusOf(table: VisibleSegment['table'], compartment: number): string | null {
  const corpus = table.value('corpus', compartment)
  return corpus === null ? null : corpusKey(table.value('owner', compartment), corpus)
}
