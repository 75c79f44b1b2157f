import { PrivityError } from '../errors.js'
import type { EffectiveView } from './subject.js'
import { corpusKey, sortedSet, targetKey } from './tuple.js'
import {
  DERIVED_MEMORY_SHARE_POLICIES,
  HOST_ANNOTATION_POLICIES,
  rank,
  SURFACES,
  type Surface,
  type TargetKind,
  TEMPORAL_MODES,
  VISIBILITY_CLASSES,
} from './vocabulary.js'

/** Which documents of its corpus a view is limited to. A selector names targets, and a record is in it by any of them. */
export type DocumentScope =
  | { readonly kind: 'all_documents' }
  | { readonly kind: 'explicit_document_list'; readonly documentRefs: readonly string[] }
  | { readonly kind: 'filing_unit_version_list'; readonly versionRefs: readonly string[] }
  | { readonly kind: 'structural_selector'; readonly selector: readonly StructuralSelector[] }

export interface StructuralSelector {
  readonly kind: Exclude<TargetKind, 'corpus'>
  readonly ref: string
}

/** What a host shares of one corpus. Plain strings, for a newer build may have stored a value unknown here. (SV-1) */
export interface SharedView {
  readonly viewId: string
  readonly owner: string
  readonly corpus: string
  readonly exposedSurfaces: readonly string[]
  readonly derivedMemorySharePolicy: string
  readonly hostAnnotationPolicy: string
  readonly viewTemporalMode: string
  /** When the snapshot was taken; of no meaning in a live view. */
  readonly snapshotAt: number | null
  readonly documentScope: DocumentScope
  readonly visibilityClassCeiling: string
}

export type SharedViewDefaults = Pick<
  SharedView,
  | 'exposedSurfaces'
  | 'derivedMemorySharePolicy'
  | 'hostAnnotationPolicy'
  | 'viewTemporalMode'
  | 'documentScope'
  | 'visibilityClassCeiling'
>

/** Sources only. What is absent when a view is made is filled from here. (SV-1) */
export const SHARE_LINK_DEFAULTS: SharedViewDefaults = {
  exposedSurfaces: [
    'source_documents',
    'filing_metadata',
    'filing_relationships',
    'court_rulings',
    'court_disposition_observations',
  ],
  derivedMemorySharePolicy: 'exclude_all',
  hostAnnotationPolicy: 'exclude_all',
  viewTemporalMode: 'snapshot_at_share',
  documentScope: { kind: 'all_documents' },
  visibilityClassCeiling: 'public_open',
}

/** For those who work together on what is still moving. (SV-1) */
export const COLLABORATIVE_DEFAULTS: SharedViewDefaults = {
  ...SHARE_LINK_DEFAULTS,
  viewTemporalMode: 'live_view',
}

/** Both in one word, kept for those who still ask for it. (SV-2) */
const RULINGS_AND_OUTCOMES: readonly string[] = ['court_rulings', 'court_disposition_observations']

/**
 * The surfaces that a new view exposes, without its alias and without duplicates; refuses unknown ones. (SV-1)
 *
 *     exposed(['rulings_and_outcomes'])  // ['court_rulings', 'court_disposition_observations']
 */
export function resolveSurfaces(surfaces: readonly string[]): readonly Surface[] {
  const named = withoutAlias(surfaces)
  if ([...named].some(surface => Number.isNaN(rank(SURFACES, surface))))
    throw new PrivityError('invalid_input', 'a surface of the view is not known')
  return SURFACES.filter(surface => named.has(surface))
}

function withoutAlias(surfaces: readonly string[]): ReadonlySet<string> {
  return new Set(surfaces.flatMap(s => (s === 'rulings_and_outcomes' ? RULINGS_AND_OUTCOMES : [s])))
}

/** Whether a view in this mode stands still. An unknown mode does. (DE-2) */
export function isSnapshot(temporalMode: string): boolean {
  return strictest(TEMPORAL_MODES, temporalMode).startsWith('snapshot_at_share')
}

/** The target keys that a scope names; null where it is no limit. A scope that is not known names nothing. (DE-2) */
export function targetsOfScope(owner: string, scope: DocumentScope): readonly string[] | null {
  switch (scope.kind) {
    case 'all_documents':
      return null
    case 'explicit_document_list':
      return sortedSet(scope.documentRefs.map(ref => targetKey('document', owner, ref)))
    case 'filing_unit_version_list':
      return sortedSet(scope.versionRefs.map(ref => targetKey('version', owner, ref)))
    case 'structural_selector':
      return sortedSet(scope.selector.map(({ kind, ref }) => targetKey(kind, owner, ref)))
  }
  return []
}

/** A ceiling below every class: nothing is visible under it. */
export const NO_CLASS = 'no_class'
const CEILINGS: readonly string[] = [...[...VISIBILITY_CLASSES].reverse(), NO_CLASS]

/** A snapshot of which the time is lost shows nothing. A real time and not an infinite one, which JSON would turn to null. */
const BEFORE_ALL_TIME = -8_640_000_000_000_000

/** The most restrictive of some values, in an order that ends with the most restrictive; unknown ones count as that. */
function strictest(order: readonly string[], ...values: readonly string[]): string {
  const places = values.map(value => order.indexOf(value)).map(at => (at < 0 ? order.length - 1 : at))
  return order[Math.max(...places)] ?? ''
}

/** One view as it holds alone. Whatever is unknown in it is the most restrictive value there is. (SV-2, DE-2) */
export function effectiveOf(view: SharedView): EffectiveView {
  const named = withoutAlias(view.exposedSurfaces)
  const targets = targetsOfScope(view.owner, view.documentScope)
  return {
    surfaces: new Set(SURFACES.filter(surface => named.has(surface))),
    derivedMemorySharePolicy: strictest(DERIVED_MEMORY_SHARE_POLICIES, view.derivedMemorySharePolicy),
    hostAnnotationPolicy: strictest(HOST_ANNOTATION_POLICIES, view.hostAnnotationPolicy),
    visibilityClassCeiling: strictest(CEILINGS, view.visibilityClassCeiling),
    temporalMode: strictest(TEMPORAL_MODES, view.viewTemporalMode),
    snapshotAt: snapshotOf(view),
    stoodAt: snapshotOf(view),
    scopes: targets === null ? [] : [new Set(targets)],
  }
}

function snapshotOf({ viewTemporalMode, snapshotAt }: SharedView): number | null {
  if (!isSnapshot(viewTemporalMode)) return null
  return snapshotAt !== null && Number.isFinite(snapshotAt) ? snapshotAt : BEFORE_ALL_TIME
}

/** What two views of one corpus both allow. Neither order nor grouping nor repetition matters. (SV-2) */
export function meetEffective(a: EffectiveView, b: EffectiveView): EffectiveView {
  return {
    surfaces: new Set([...a.surfaces].filter(surface => b.surfaces.has(surface))),
    derivedMemorySharePolicy: strictest(
      DERIVED_MEMORY_SHARE_POLICIES,
      a.derivedMemorySharePolicy,
      b.derivedMemorySharePolicy,
    ),
    hostAnnotationPolicy: strictest(HOST_ANNOTATION_POLICIES, a.hostAnnotationPolicy, b.hostAnnotationPolicy),
    visibilityClassCeiling: strictest(CEILINGS, a.visibilityClassCeiling, b.visibilityClassCeiling),
    temporalMode: strictest(TEMPORAL_MODES, a.temporalMode, b.temporalMode),
    snapshotAt:
      a.snapshotAt === null || b.snapshotAt === null
        ? (a.snapshotAt ?? b.snapshotAt)
        : Math.min(a.snapshotAt, b.snapshotAt),
    stoodAt: a.stoodAt === null || b.stoodAt === null ? null : Math.max(a.stoodAt, b.stoodAt),
    scopes: distinct([...a.scopes, ...b.scopes]),
  }
}

/** Each scope once, in one order, so that equal meets look alike. */
function distinct(scopes: readonly ReadonlySet<string>[]): readonly ReadonlySet<string>[] {
  const spelled = new Map(scopes.map(scope => [JSON.stringify([...scope].sort()), scope]))
  return [...spelled].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, scope]) => scope)
}

/** One effective view for each corpus, by corpus key. A corpus that no view names is not there. (SV-2) */
export function meetViews(views: readonly SharedView[]): ReadonlyMap<string, EffectiveView> {
  const met = new Map<string, EffectiveView>()
  for (const view of views) {
    const key = corpusKey(view.owner, view.corpus)
    const before = met.get(key)
    const alone = effectiveOf(view)
    met.set(key, before === undefined ? alone : meetEffective(before, alone))
  }
  return new Map([...met].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export interface ViewAccount {
  readonly corpus: string
  readonly owner: string
  readonly field:
    | 'exposedSurfaces'
    | 'derivedMemorySharePolicy'
    | 'hostAnnotationPolicy'
    | 'visibilityClassCeiling'
    | 'viewTemporalMode'
    | 'snapshotAt'
    | 'documentScope'
  /** The value that holds; of document scopes, their kinds, all of which hold. */
  readonly value: string | number | null | readonly string[]
  /** The views by which it holds, sorted; none where nothing is restricted. */
  readonly restrictedBy: readonly string[]
}

/** For a host: what holds for each corpus, and by which view. (SV-2) */
export function accountOfViews(views: readonly SharedView[]): readonly ViewAccount[] {
  return [...meetViews(views)].flatMap(([key, effective]) => {
    const own = views.filter(({ owner, corpus }) => corpusKey(owner, corpus) === key)
    return own[0] === undefined ? [] : accountOfCorpus(own[0], own, effective)
  })
}

function accountOfCorpus(
  { corpus, owner }: SharedView,
  views: readonly SharedView[],
  effective: EffectiveView,
): readonly ViewAccount[] {
  const alone = views.map(view => ({ view, ...effectiveOf(view) }))
  type Alone = (typeof alone)[number]
  const account = (
    field: ViewAccount['field'],
    value: ViewAccount['value'],
    restricts: (one: Alone) => boolean,
  ): ViewAccount => ({
    corpus,
    owner,
    field,
    value,
    restrictedBy: sortedSet(alone.filter(restricts).map(({ view }) => view.viewId)),
  })
  /** Those whose own value is the one that holds, unless it is the least restrictive of all. */
  const chosen = (
    field: ViewAccount['field'],
    order: readonly string[],
    pick: (view: EffectiveView) => string,
  ) => account(field, pick(effective), one => pick(one) === pick(effective) && pick(one) !== order[0])

  // A view restricts the surfaces if another one exposes more; if all expose the same, all of them do.
  const offered = new Set(alone.flatMap(one => [...one.surfaces]))
  const agreed = offered.size === effective.surfaces.size
  const limited = alone.filter(one => one.scopes.length > 0)
  return [
    account('exposedSurfaces', [...effective.surfaces], one =>
      agreed ? offered.size < SURFACES.length : one.surfaces.size < offered.size,
    ),
    chosen('derivedMemorySharePolicy', DERIVED_MEMORY_SHARE_POLICIES, v => v.derivedMemorySharePolicy),
    chosen('hostAnnotationPolicy', HOST_ANNOTATION_POLICIES, v => v.hostAnnotationPolicy),
    chosen('visibilityClassCeiling', CEILINGS, v => v.visibilityClassCeiling),
    chosen('viewTemporalMode', TEMPORAL_MODES, v => v.temporalMode),
    account(
      'snapshotAt',
      effective.snapshotAt,
      one => one.snapshotAt !== null && one.snapshotAt === effective.snapshotAt,
    ),
    account(
      'documentScope',
      limited.length === 0 ? 'all_documents' : sortedSet(limited.map(one => one.view.documentScope.kind)),
      one => limited.includes(one),
    ),
  ]
}
