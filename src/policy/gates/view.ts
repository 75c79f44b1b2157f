import { full, gate, none } from '../gate.js'
import { type EffectiveView, isBoundByViews, viewOf } from '../subject.js'
import { corpusKey, type PolicyTuple, placeOfKey } from '../tuple.js'
import { rank, SURFACES, VISIBILITY_CLASSES } from '../vocabulary.js'

const KNOWN_SURFACES: ReadonlySet<string> = new Set(SURFACES)
const HOST_NOTES: ReadonlySet<string> = new Set(['host_annotations', 'host_strategy_notes', 'host_topics'])

/** What a shared view exposes to those whom it binds (SV-1 to SV-3). */
export const view = gate(
  'view',
  ['owner', 'corpus', 'surface', 'markedShareable', 'visibilityClass', 'scopeTargets', 'citedPlaces'],
  (subject, record) => {
    if (!isBoundByViews(subject)) return full('access.not_a_recipient')
    if (subject.views === null) return none('access.view_missing')
    const view = viewOf(subject, record)
    if (view === undefined) return none('access.not_in_view')
    // An unknown surface is denied, because its rules may depend on more than this build checks.
    if (record.surface === null || !KNOWN_SURFACES.has(record.surface) || !view.surfaces.has(record.surface))
      return none('access.surface_not_exposed')
    const within =
      rank(VISIBILITY_CLASSES, record.visibilityClass) <=
      rank(VISIBILITY_CLASSES, view.visibilityClassCeiling)
    if (!within) return none('access.above_ceiling')
    if (record.surface === 'derived_memories') {
      const policy = view.derivedMemorySharePolicy
      const shared =
        policy === 'include_with_provenance' ||
        (policy === 'include_only_user_marked_shareable' && record.markedShareable)
      // To add a view only narrows (DE-1): marked memories need provenance too where another view asks for it.
      const asksProvenance = policy === 'include_with_provenance' || view.asksProvenance
      if (!shared || (asksProvenance && !showsSources(view, record)))
        return none('access.not_marked_shareable')
    }
    if (HOST_NOTES.has(record.surface)) {
      const shared =
        view.hostAnnotationPolicy === 'include_all' ||
        (view.hostAnnotationPolicy === 'include_marked_shareable' && record.markedShareable)
      if (!shared) return none('access.not_marked_shareable')
    }
    const inScope = view.scopes.every(scope => record.scopeTargets.some(target => scope.has(target)))
    if (!inScope) return none('access.not_in_view')
    return full('access.in_view')
  },
  (subject, times, record) => {
    if (!isBoundByViews(subject)) return full('access.not_a_recipient')
    const view = viewOf(subject, record)
    if (view === undefined) return none('access.not_in_view')
    return view.snapshotAt === null || times.createdAt <= view.snapshotAt
      ? full('access.in_view')
      : none('access.not_in_view')
  },
)

/**
 * Whether a derived memory cites its sources, and the view shows each of them. Labels and overlays of the sources
 * apply to the memory itself (TR-7, OV-2), so only their place is compared here.
 */
function showsSources(
  view: EffectiveView,
  { owner, corpus, citedPlaces }: Pick<PolicyTuple, 'owner' | 'corpus' | 'citedPlaces'>,
): boolean {
  // Tuples that were stored before this field existed lack it.
  const places = (citedPlaces ?? []).map(placeOfKey)
  if (corpus === null || places.length === 0) return false
  const within = corpusKey(owner, corpus)
  return places.every(
    ({ surface, targets }) =>
      surface !== null &&
      view.surfaces.has(surface) &&
      targets.includes(within) &&
      view.scopes.every(scope => targets.some(target => scope.has(target))),
  )
}
