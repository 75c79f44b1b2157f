import { isSnapshot } from '../policy/shared-view.js'
import type { WriteRequest } from '../runtime/request.js'
import type { SharedViewRow } from '../storage/queries/running-profile.js'
import { shareView } from '../storage/queries/shared-views.js'
import { countExcluded } from './count-shown-to-recipients.js'

/** Once somebody sees by it a view stands still: its snapshot is taken, and what it leaves out is counted (SV-4, CV-4). */
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
    // Whoever sees by it decides again.
    request.changesFactsOf(view.owner)
  }
}

/** A view as it would stand if it were shared now. */
export function fixSnapshot(view: SharedViewRow, now: Date): SharedViewRow {
  return { ...view, snapshotAt: isSnapshot(view.viewTemporalMode) ? (view.snapshotAt ?? now) : null }
}
