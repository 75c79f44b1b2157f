import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../test/support/depth.js'
import { aSubject, aTuple } from '../../test/support/subject.js'
import { levelOf } from './faces.js'
import { view as viewGate } from './gates/view.js'
import {
  accountOfViews,
  COLLABORATIVE_DEFAULTS,
  type DocumentScope,
  effectiveOf,
  isSnapshot,
  meetEffective,
  meetViews,
  resolveSurfaces,
  SHARE_LINK_DEFAULTS,
  type SharedView,
  targetsOfScope,
} from './shared-view.js'
import type { EffectiveView } from './subject.js'
import { corpusKey, type PolicyTuple, targetKey } from './tuple.js'
import {
  DERIVED_MEMORY_SHARE_POLICIES,
  HOST_ANNOTATION_POLICIES,
  SURFACES,
  TEMPORAL_MODES,
  VISIBILITY_CLASSES,
} from './vocabulary.js'

const BRIEFS = corpusKey('ann', 'briefs')

function aView(change: Partial<SharedView> = {}): SharedView {
  return {
    viewId: 'v',
    owner: 'ann',
    corpus: 'briefs',
    ...SHARE_LINK_DEFAULTS,
    snapshotAt: 1_000,
    ...change,
  }
}

/** What the gate shows of one record to a recipient of these views. */
function shown(
  views: ReadonlyMap<string, EffectiveView>,
  record: Partial<PolicyTuple>,
  createdAt = 0,
): boolean {
  const subject = aSubject({ audience: 'recipient', views })
  const tuple = aTuple({ corpus: 'briefs', ...record })
  const times = { createdAt, expiresAt: null }
  return (
    levelOf(viewGate.decide(subject, tuple).face) === 'full' &&
    levelOf(viewGate.condition?.(subject, times, tuple).face ?? 0) === 'full'
  )
}

const anyOf = <T extends string>(list: readonly T[]): Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom<string>(...list) }, fc.constantFrom('unheard_of', ''))

const REFS = ['a', 'b', 'c']
const anyScope: Arbitrary<DocumentScope> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<DocumentScope>({ kind: 'all_documents' }) },
  fc.subarray(REFS).map(documentRefs => ({ kind: 'explicit_document_list', documentRefs }) as const),
  fc.subarray(REFS).map(versionRefs => ({ kind: 'filing_unit_version_list', versionRefs }) as const),
  fc
    .array(
      fc.record({
        kind: fc.constantFrom('document' as const, 'filing_unit' as const, 'version' as const),
        ref: fc.constantFrom(...REFS),
      }),
      { maxLength: 3 },
    )
    .map(selector => ({ kind: 'structural_selector', selector }) as const),
  fc.constant({ kind: 'unheard_of' } as unknown as DocumentScope),
)

const anyView: Arbitrary<SharedView> = fc.record({
  viewId: fc.constantFrom('v1', 'v2', 'v3'),
  owner: fc.constant('ann'),
  corpus: fc.constantFrom('briefs', 'notes'),
  exposedSurfaces: fc.subarray<string>([...SURFACES, 'rulings_and_outcomes', 'unheard_of'], { minLength: 8 }),
  derivedMemorySharePolicy: anyOf(DERIVED_MEMORY_SHARE_POLICIES),
  hostAnnotationPolicy: anyOf(HOST_ANNOTATION_POLICIES),
  viewTemporalMode: anyOf(TEMPORAL_MODES),
  snapshotAt: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 20 }), fc.constant(Number.NaN)),
  documentScope: anyScope,
  visibilityClassCeiling: anyOf(VISIBILITY_CLASSES),
})
const anyEffective = anyView.map(effectiveOf)

const anyRecord = fc.record({
  owner: fc.constant('ann'),
  corpus: fc.constantFrom('briefs', 'notes'),
  surface: fc.constantFrom<string>(...SURFACES, 'unheard_of'),
  markedShareable: fc.boolean(),
  visibilityClass: fc.constantFrom<string>(...VISIBILITY_CLASSES, 'unheard_of'),
  scopeTargets: fc.subarray(
    REFS.flatMap(ref => [targetKey('document', 'ann', ref), targetKey('version', 'ann', ref)]),
  ),
})

describe('defaults', () => {
  it('[SV-1] a share link shows sources only, of what is public, as they were', () => {
    expect(SHARE_LINK_DEFAULTS).toEqual({
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
    })
    expect(COLLABORATIVE_DEFAULTS).toEqual({ ...SHARE_LINK_DEFAULTS, viewTemporalMode: 'live_view' })
  })
})

describe('exposed', () => {
  it('[SV-2] rulings_and_outcomes is both of what it stands for, once', () => {
    const both = ['court_rulings', 'court_disposition_observations']
    expect(resolveSurfaces(['rulings_and_outcomes'])).toEqual(both)
    expect(
      resolveSurfaces(['court_disposition_observations', 'rulings_and_outcomes', 'court_rulings']),
    ).toEqual(both)
    expect(resolveSurfaces([...SURFACES].reverse())).toEqual(SURFACES)
    expect(resolveSurfaces([])).toEqual([])
  })

  it('[SV-1] refuses a surface that is not known', () => {
    for (const surface of ['everything', '', 'Source_documents'])
      expect(() => resolveSurfaces(['source_documents', surface])).toThrowError(
        expect.objectContaining({ code: 'invalid_input' }),
      )
  })

  it('[SV-2] a stored alias means the same', () => {
    const stored = effectiveOf(aView({ exposedSurfaces: ['rulings_and_outcomes'] }))
    expect([...stored.surfaces]).toEqual(['court_rulings', 'court_disposition_observations'])
  })
})

describe('targetsOfScope', () => {
  it.each([
    [{ kind: 'all_documents' }, null],
    [
      { kind: 'explicit_document_list', documentRefs: ['b', 'a', 'b'] },
      ['["document","ann","a"]', '["document","ann","b"]'],
    ],
    [{ kind: 'filing_unit_version_list', versionRefs: ['x'] }, ['["version","ann","x"]']],
    [
      {
        kind: 'structural_selector',
        selector: [
          { kind: 'segment', ref: 's' },
          { kind: 'filing_unit', ref: 'f' },
        ],
      },
      ['["filing_unit","ann","f"]', '["segment","ann","s"]'],
    ],
    [{ kind: 'explicit_document_list', documentRefs: [] }, []],
  ] satisfies [DocumentScope, readonly string[] | null][])('[SV-1] of %o', (scope, targets) => {
    expect(targetsOfScope('ann', scope)).toEqual(targets)
  })

  it('[DE-2] a scope that is not known names nothing, so the view shows nothing', () => {
    const documentScope = { kind: 'everything' } as unknown as DocumentScope
    expect(targetsOfScope('ann', documentScope)).toEqual([])
    const record = { surface: 'source_documents', scopeTargets: ['["document","ann","a"]'] }
    expect(shown(meetViews([aView()]), record)).toBe(true)
    expect(shown(meetViews([aView({ documentScope })]), record)).toBe(false)
  })
})

describe('effectiveOf', () => {
  const record = { surface: 'source_documents' }

  it('[DE-2] what is not known is the most restrictive', () => {
    expect(
      effectiveOf(
        aView({
          exposedSurfaces: ['source_documents', 'everything'],
          derivedMemorySharePolicy: 'include_everything',
          hostAnnotationPolicy: '',
          viewTemporalMode: 'time_travel',
          snapshotAt: 7,
        }),
      ),
    ).toEqual({
      surfaces: new Set(['source_documents']),
      derivedMemorySharePolicy: 'exclude_all',
      asksProvenance: false,
      hostAnnotationPolicy: 'exclude_all',
      visibilityClassCeiling: 'public_open',
      temporalMode: 'snapshot_at_share',
      snapshotAt: 7,
      stoodAt: 7,
      scopes: [],
    })
    expect(shown(meetViews([aView({ visibilityClassCeiling: 'unheard_of' })]), record)).toBe(false)
  })

  it('[DE-2] a snapshot without a time shows nothing, not even after it went through JSON', () => {
    for (const snapshotAt of [null, Number.NaN, Number.POSITIVE_INFINITY]) {
      const views = meetViews([aView({ snapshotAt })])
      for (const createdAt of [Number.MIN_SAFE_INTEGER, 0, 1_000]) {
        const stored = JSON.parse(JSON.stringify(views.get(BRIEFS)?.snapshotAt))
        expect(stored).toBe(views.get(BRIEFS)?.snapshotAt)
        expect(stored).toBeLessThan(0)
        if (createdAt >= 0) expect(shown(views, record, createdAt)).toBe(false)
      }
    }
  })

  it('[SV-4] the time that a live view carries is none of its own', () => {
    for (const viewTemporalMode of ['live_view', 'live_view_with_change_log']) {
      expect(effectiveOf(aView({ viewTemporalMode, snapshotAt: 5 })).snapshotAt).toBeNull()
      expect(isSnapshot(viewTemporalMode)).toBe(false)
    }
    for (const mode of ['snapshot_at_share', 'snapshot_at_share_with_drift_disclosure', 'unheard_of'])
      expect(isSnapshot(mode)).toBe(true)
  })
})

describe('example 21.2', () => {
  const corpus = 'MTD Securities Litigation 9th Circuit'
  const key = corpusKey('ann', corpus)
  const V1 = aView({
    viewId: 'V1',
    corpus,
    exposedSurfaces: ['source_documents', 'filing_metadata', 'court_rulings'],
    derivedMemorySharePolicy: 'include_with_provenance',
    hostAnnotationPolicy: 'include_marked_shareable',
    visibilityClassCeiling: 'public_open',
    viewTemporalMode: 'snapshot_at_share',
    snapshotAt: 300,
  })
  const V2 = aView({
    viewId: 'V2',
    corpus,
    exposedSurfaces: ['source_documents', 'filing_metadata'],
    derivedMemorySharePolicy: 'exclude_all',
    hostAnnotationPolicy: 'exclude_all',
    visibilityClassCeiling: 'public_open',
    viewTemporalMode: 'snapshot_at_share_with_drift_disclosure',
    snapshotAt: 200,
  })
  const V3 = aView({
    viewId: 'V3',
    corpus,
    derivedMemorySharePolicy: 'include_only_user_marked_shareable',
    hostAnnotationPolicy: 'include_marked_shareable',
    visibilityClassCeiling: 'work_product_internal',
    viewTemporalMode: 'live_view',
    snapshotAt: null,
  })
  const met = meetViews([V1, V2, V3])
  const effective = met.get(key)

  it('[SV-2] step 2: the surfaces that are in all of them', () => {
    expect([...(effective?.surfaces ?? [])]).toEqual(['source_documents', 'filing_metadata'])
  })
  it('[SV-2] step 3: no derived memories', () => {
    expect(effective?.derivedMemorySharePolicy).toBe('exclude_all')
  })
  it('[SV-2] step 4: no annotations', () => {
    expect(effective?.hostAnnotationPolicy).toBe('exclude_all')
  })
  it('[SV-2] step 5: the lowest ceiling', () => {
    expect(effective?.visibilityClassCeiling).toBe('public_open')
  })
  it('[SV-2] step 6: the snapshot, and of the earliest moment of all', () => {
    expect(effective?.temporalMode).toBe('snapshot_at_share')
    expect(effective?.snapshotAt).toBe(200)
  })
  it('[SV-2] step 7: one view for the one corpus, and no other', () => {
    expect([...met.keys()]).toEqual([key])
    expect(effective?.scopes).toEqual([])
  })
  it.each([
    ['source_documents', true],
    ['filing_metadata', true],
    ['court_rulings', false],
    ['filing_relationships', false],
    ['derived_memories', false],
    ['host_annotations', false],
  ])('[SV-2] step 8: %s is shown: %s', (surface, visible) => {
    const record = { corpus, surface, markedShareable: true }
    expect(shown(met, record, 200)).toBe(visible)
    expect(shown(met, record, 201)).toBe(false)
    expect(shown(met, { ...record, owner: 'bob' }, 200)).toBe(false)
    expect(shown(met, { ...record, corpus: 'other' }, 200)).toBe(false)
  })
  it('[SV-2] the account says by which view each of it holds', () => {
    const rows = accountOfViews([V3, V1, V2])
    expect(rows.every(row => row.corpus === corpus && row.owner === 'ann')).toBe(true)
    expect(rows.map(({ field, value, restrictedBy }) => [field, value, restrictedBy])).toEqual([
      ['exposedSurfaces', ['source_documents', 'filing_metadata'], ['V1', 'V2']],
      ['derivedMemorySharePolicy', 'exclude_all', ['V2']],
      ['hostAnnotationPolicy', 'exclude_all', ['V2']],
      ['visibilityClassCeiling', 'public_open', ['V1', 'V2']],
      ['viewTemporalMode', 'snapshot_at_share', ['V1']],
      ['snapshotAt', 200, ['V2']],
      ['documentScope', 'all_documents', []],
    ])
  })
})

describe('accountOfViews', () => {
  const account = (...views: readonly SharedView[]) =>
    accountOfViews(views).map(({ corpus, field, value, restrictedBy }) => [
      corpus,
      field,
      value,
      restrictedBy,
    ])

  it('[SV-2] a view that restricts nothing is named nowhere', () => {
    const open = aView({
      exposedSurfaces: SURFACES,
      derivedMemorySharePolicy: 'include_with_provenance',
      hostAnnotationPolicy: 'include_all',
      visibilityClassCeiling: 'firewalled',
      viewTemporalMode: 'live_view_with_change_log',
    })
    expect(accountOfViews([open]).flatMap(({ restrictedBy }) => restrictedBy)).toEqual([])
    expect(accountOfViews([])).toEqual([])
  })

  it('[SV-2] views that overlap each take surfaces from the other; each corpus has its own account', () => {
    const left = aView({
      viewId: 'left',
      exposedSurfaces: ['source_documents', 'host_topics'],
      documentScope: { kind: 'explicit_document_list', documentRefs: ['a'] },
    })
    const right = aView({ viewId: 'right', exposedSurfaces: ['neutral_topics', 'source_documents'] })
    const apart = aView({ viewId: 'apart', corpus: 'notes' })
    const rows = account(left, apart, right)
    expect(rows).toHaveLength(14)
    expect(rows).toContainEqual(['briefs', 'exposedSurfaces', ['source_documents'], ['left', 'right']])
    expect(rows).toContainEqual(['briefs', 'documentScope', ['explicit_document_list'], ['left']])
    expect(rows).toContainEqual(['briefs', 'snapshotAt', 1_000, ['left', 'right']])
    expect(rows).toContainEqual(['notes', 'exposedSurfaces', SHARE_LINK_DEFAULTS.exposedSurfaces, ['apart']])
    expect(rows).toContainEqual(['notes', 'documentScope', 'all_documents', []])
  })

  it('[SV-2] says of every field what holds, and names only views of that corpus', () => {
    fc.assert(
      fc.property(fc.array(anyView, { maxLength: 5 }), views => {
        const met = meetViews(views)
        const rows = accountOfViews(views)
        expect(rows).toHaveLength(met.size * 7)
        for (const { corpus, owner, field, value, restrictedBy } of rows) {
          const held = met.get(corpusKey(owner, corpus))
          const own = views.filter(view => view.corpus === corpus).map(({ viewId }) => viewId)
          for (const name of restrictedBy) expect(own).toContain(name)
          if (field === 'viewTemporalMode') expect(value).toBe(held?.temporalMode)
          else if (field === 'exposedSurfaces') expect(value).toEqual([...(held?.surfaces ?? [])])
          else if (field !== 'documentScope') expect(value).toBe(held?.[field])
        }
      }),
    )
  })
})

describe('the meet of views', () => {
  it('[SV-2] does not depend on order', () => {
    fc.assert(
      fc.property(anyEffective, anyEffective, (a, b) => {
        expect(meetEffective(a, b)).toEqual(meetEffective(b, a))
      }),
    )
  })

  it('[SV-2] does not depend on grouping', () => {
    fc.assert(
      fc.property(anyEffective, anyEffective, anyEffective, (a, b, c) => {
        expect(meetEffective(meetEffective(a, b), c)).toEqual(meetEffective(a, meetEffective(b, c)))
      }),
    )
  })

  it('[SV-2] does not depend on repetition', () => {
    fc.assert(
      fc.property(anyEffective, anyEffective, (a, b) => {
        expect(meetEffective(a, a)).toEqual(a)
        const both = meetEffective(a, b)
        expect(meetEffective(both, b)).toEqual(both)
      }),
    )
  })

  it('[SV-2] of a list of views is the same in any order and with any of them twice', () => {
    const lists = fc
      .array(anyView, { minLength: 1, maxLength: 5 })
      .chain(views =>
        fc.tuple(
          fc.constant(views),
          fc.shuffledSubarray([...views, ...views], { minLength: views.length * 2 }),
        ),
      )
    fc.assert(
      fc.property(lists, ([views, again]) => {
        const met = meetViews(views)
        expect(meetViews(again)).toEqual(met)
        expect([...meetViews(again).keys()]).toEqual([...met.keys()])
        for (const effective of met.values())
          expect(effective.scopes.map(scope => JSON.stringify([...scope]))).toEqual(
            [...new Set(effective.scopes.map(scope => JSON.stringify([...scope])))].sort(),
          )
      }),
    )
  })

  it('[SV-2] lets through exactly what every view lets through alone, so that another view never widens', () => {
    let visible = 0
    const several = fc.array(
      anyView.map(view => ({ ...view, corpus: 'briefs' })),
      { minLength: 1, maxLength: 3 },
    )
    fc.assert(
      fc.property(
        several,
        anyView,
        anyRecord,
        fc.integer({ min: -1, max: 21 }),
        (views, more, record, at) => {
          const every = views.every(view => shown(meetViews([view]), { ...record, corpus: 'briefs' }, at))
          const met = shown(meetViews(views), { ...record, corpus: 'briefs' }, at)
          expect(met).toBe(every)
          if (met) visible++
          // A view of another corpus adds only that corpus. This record belongs to the corpus that is already there.
          if (shown(meetViews([...views, more]), { ...record, corpus: 'briefs' }, at)) expect(met).toBe(true)
        },
      ),
      { numRuns: times(1_200, 3_000) },
    )
    expect(visible).toBeGreaterThan(30) // The test proves nothing if nothing is ever shown.
  })

  it('[SV-2] no corpus is there without a view, and each is met apart from the others', () => {
    expect(meetViews([])).toEqual(new Map())
    const briefs = aView()
    const notes = aView({ corpus: 'notes', exposedSurfaces: ['host_topics'] })
    const theirs = aView({ owner: 'bob', exposedSurfaces: [] })
    expect(meetViews([notes, briefs, theirs])).toEqual(
      new Map([
        [corpusKey('ann', 'briefs'), effectiveOf(briefs)],
        [corpusKey('ann', 'notes'), effectiveOf(notes)],
        [corpusKey('bob', 'briefs'), effectiveOf(theirs)],
      ]),
    )
  })
})
