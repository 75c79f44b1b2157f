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

/**
 * Limits a view to some documents of its corpus. A selector names targets, and a record matches by any of its
 * targets.
 */
export type DocumentScope =
  | { readonly kind: 'all_documents' }
  | { readonly kind: 'explicit_document_list'; readonly documentRefs: readonly string[] }
  | { readonly kind: 'filing_unit_version_list'; readonly versionRefs: readonly string[] }
  | { readonly kind: 'structural_selector'; readonly selector: readonly StructuralSelector[] }

export interface StructuralSelector {
  readonly kind: Exclude<TargetKind, 'corpus'>
  readonly ref: string
}

/**
 * What a host shares of one corpus. Values are plain strings, because a newer build may have stored unknown ones.
 * (SV-1)
 */
export interface SharedView {
  readonly viewId: string
  readonly owner: string
  readonly corpus: string
  readonly exposedSurfaces: readonly string[]
  readonly derivedMemorySharePolicy: string
  readonly hostAnnotationPolicy: string
  readonly viewTemporalMode: string
  /** When the snapshot was taken; ignored in a live view. */
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

/** The defaults for missing fields of a new view, which expose only sources. (SV-1) */
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

/** The defaults for people who work together on documents that still change. (SV-1) */
export const COLLABORATIVE_DEFAULTS: SharedViewDefaults = {
  ...SHARE_LINK_DEFAULTS,
  viewTemporalMode: 'live_view',
}

/** The two surfaces of the old alias `rulings_and_outcomes`, which is still accepted. (SV-2) */
const RULINGS_AND_OUTCOMES: readonly string[] = ['court_rulings', 'court_disposition_observations']

/**
 * The surfaces that a new view exposes, with the alias resolved and without duplicates. Refuses unknown ones. (SV-1)
 *
 *     resolveSurfaces(['rulings_and_outcomes'])  // ['court_rulings', 'court_disposition_observations']
 */
export function resolveSurfaces(surfaces: readonly string[]): readonly Surface[] {
  const named = withoutAlias(surfaces)
  if ([...named].some(surface => Number.isNaN(rank(SURFACES, surface))))
    throw new PrivityError('invalid_input', 'exposedSurfaces: contains an unknown surface')
  return SURFACES.filter(surface => named.has(surface))
}

function withoutAlias(surfaces: readonly string[]): ReadonlySet<string> {
  return new Set(surfaces.flatMap(s => (s === 'rulings_and_outcomes' ? RULINGS_AND_OUTCOMES : [s])))
}

/** Whether a view in this mode is a snapshot. A view in an unknown mode is. (DE-2) */
export function isSnapshot(temporalMode: string): boolean {
  return strictest(TEMPORAL_MODES, temporalMode).startsWith('snapshot_at_share')
}

/** The target keys that a scope names; null if it does not limit. An unknown scope names nothing. (DE-2) */
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

/** A ceiling below every class, under which nothing is visible. */
export const NO_CLASS = 'no_class'
const CEILINGS: readonly string[] = [...[...VISIBILITY_CLASSES].reverse(), NO_CLASS]

/**
 * The time of a snapshot whose own time is lost, so that it shows nothing. It is finite, because JSON turns Infinity
 * into null.
 */
export const BEFORE_ALL_TIME = -8_640_000_000_000_000

/**
 * The most restrictive of some values. `order` ends with the most restrictive, and an unknown value counts as that.
 */
function strictest(order: readonly string[], ...values: readonly string[]): string {
  const places = values.map(value => order.indexOf(value)).map(at => (at < 0 ? order.length - 1 : at))
  return order[Math.max(...places)] ?? ''
}

/** The effective view of a single view. Anything unknown counts as the most restrictive value. (SV-2, DE-2) */
export function effectiveOf(view: SharedView): EffectiveView {
  const named = withoutAlias(view.exposedSurfaces)
  const targets = targetsOfScope(view.owner, view.documentScope)
  return {
    surfaces: new Set(SURFACES.filter(surface => named.has(surface))),
    derivedMemorySharePolicy: strictest(DERIVED_MEMORY_SHARE_POLICIES, view.derivedMemorySharePolicy),
    asksProvenance: view.derivedMemorySharePolicy === 'include_with_provenance',
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

/** What two views of one corpus both allow. Order, grouping and repetition do not matter. (SV-2) */
export function meetEffective(a: EffectiveView, b: EffectiveView): EffectiveView {
  return {
    surfaces: new Set([...a.surfaces].filter(surface => b.surfaces.has(surface))),
    derivedMemorySharePolicy: strictest(
      DERIVED_MEMORY_SHARE_POLICIES,
      a.derivedMemorySharePolicy,
      b.derivedMemorySharePolicy,
    ),
    asksProvenance: a.asksProvenance || b.asksProvenance,
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

/** Sorts scopes and removes duplicates, so that equal meets compare as equal. */
function distinct(scopes: readonly ReadonlySet<string>[]): readonly ReadonlySet<string>[] {
  const spelled = new Map(scopes.map(scope => [JSON.stringify([...scope].sort()), scope]))
  return [...spelled].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, scope]) => scope)
}

/** One effective view for each corpus, by corpus key. A corpus without a view is missing. (SV-2) */
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
  /** The effective value; for document scopes, the kinds, all of which apply. */
  readonly value: string | number | null | readonly string[]
  /** The views that cause this value, sorted; empty if nothing is restricted. */
  readonly restrictedBy: readonly string[]
}

/** Tells a host what is in effect for each corpus, and because of which view. (SV-2) */
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
  /** The views whose own value is the effective one, unless it is the least restrictive of all. */
  const chosen = (
    field: ViewAccount['field'],
    order: readonly string[],
    pick: (view: EffectiveView) => string,
  ) => account(field, pick(effective), one => pick(one) === pick(effective) && pick(one) !== order[0])

  // A view restricts surfaces if another exposes more. If all expose the same surfaces, all of them restrict.
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
