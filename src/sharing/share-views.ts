import { isSnapshot } from '../policy/shared-view.js'
import type { WriteRequest } from '../runtime/request.js'
import type { SharedViewRow } from '../storage/queries/running-profile.js'
import { shareView } from '../storage/queries/shared-views.js'
import { countExcluded } from './count-shown-to-recipients.js'

/** Fixes views when they are first shared: takes the snapshot and counts what each leaves out (SV-4, CV-4). */
export async function shareViews(
  request: WriteRequest,
  views: readonly SharedViewRow[],
  shownTo: { readonly maxSensitivity: string },
): Promise<void> {
  const { now: sharedAt } = request
  for (const view of views) {
    if (view.sharedAt !== null) continue
    const shared = fixSnapshot(view, sharedAt)
    const { snapshotAt } = shared
    const excludedCount = view.disclosesExclusions ? await countExcluded(request, shared, shownTo) : 0
    await shareView(request.tx, request.tenant, { viewId: view.viewId, snapshotAt, excludedCount, sharedAt })
    // Everybody who reads through this view must decide again.
    request.changesFactsOf(view.owner)
  }
}

/** A view as it would be if it were shared now. */
export function fixSnapshot(view: SharedViewRow, now: Date): SharedViewRow {
  return { ...view, snapshotAt: isSnapshot(view.viewTemporalMode) ? (view.snapshotAt ?? now) : null }
}
