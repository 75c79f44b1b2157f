import fc, { type Arbitrary } from 'fast-check'
import { corpusKey } from '../../policy/tuple.js'
import { SENSITIVITIES, SURFACES, VISIBILITY_CLASSES } from '../../policy/vocabulary.js'
import type { WorldCaller } from '../policy-world.js'
import { mostly, oneOf, orUnknown, type Setting, some, spoiled, time, unknown, usually } from './draw.js'
import { CORPUS_POOL, SESSION_POOL, TARGETS, UNKNOWN_VALUES } from './pools.js'

const VIEW = fc
  .record({
    surfaces: fc
      .subarray([...SURFACES, ...UNKNOWN_VALUES], { minLength: 15 })
      .map((surfaces): ReadonlySet<string> => new Set(surfaces)),
    derivedMemorySharePolicy: orUnknown([
      'exclude_all',
      'include_only_user_marked_shareable',
      'include_with_provenance',
    ]),
    hostAnnotationPolicy: orUnknown(['exclude_all', 'include_marked_shareable', 'include_all']),
    visibilityClassCeiling: orUnknown(['sealed', 'sealed', 'sealed', ...VISIBILITY_CLASSES]),
    temporalMode: oneOf(['live_view', 'snapshot_at_share']),
    isMet: fc.boolean(),
    taken: fc.record({
      snapshotAt: mostly(fc.constant(null), time, 3),
      later: oneOf([null, 0, 0, 3_600_000]),
    }),
    scopes: mostly(
      fc.constant([]),
      fc.array(
        some(TARGETS, 3).map((targets): ReadonlySet<string> => new Set(targets)),
        { minLength: 1, maxLength: 2 },
      ),
      3,
    ),
  })
  .map(({ taken: { snapshotAt, later }, isMet, ...view }) => ({
    ...view,
    // Another view of the corpus may ask for provenance, too.
    asksProvenance: isMet || view.derivedMemorySharePolicy === 'include_with_provenance',
    snapshotAt,
    // The latest of several snapshots; null if one of the views is live.
    stoodAt: snapshotAt === null || later === null ? null : snapshotAt + later,
  }))

const VIEWS = fc
  .tuple(
    ...['ann', 'bob'].flatMap(owner =>
      CORPUS_POOL.map(corpus =>
        fc.tuple(fc.constant(corpusKey(owner, corpus)), fc.option(VIEW, { freq: 12 })),
      ),
    ),
  )
  .map(views => new Map(views.flatMap(([key, view]) => (view === null ? [] : [[key, view] as const]))))

type DrawnCaller = Omit<WorldCaller, 'actor'>

const BROWSING = {
  tenant: fc.constant('here'),
  actingFor: mostly(fc.constant('ann'), fc.constant('bob'), 8),
  audience: oneOf(['owner', 'host', 'agent']),
  trust: fc.record({
    maxSensitivity: oneOf(['medium', 'high', 'hyper']),
    scopes: fc.oneof(
      fc.constant('all' as const),
      fc.subarray(['work', 'home', 'elsewhere']).map((scopes): ReadonlySet<string> => new Set(scopes)),
    ),
    authenticated: fc.boolean(),
  }),
  respectConsent: fc.boolean(),
  visibility: fc.record({
    ceiling: oneOf(VISIBILITY_CLASSES.slice(1)),
    floor: oneOf([null, null, 'public_open', 'party_confidential']),
  }),
  mediation: fc.constant(null),
  views: fc.constant(null),
  now: time,
}

const CALM = {
  ...BROWSING,
  visibility: fc.record({ ceiling: oneOf(['sealed', 'firewalled']), floor: oneOf([null, 'public_open']) }),
}

const CALLERS: Readonly<Record<Setting, Arbitrary<DrawnCaller>>> = {
  memory: fc.record(BROWSING),
  mediation: fc.record({
    ...CALM,
    mediation: fc.record({
      session: oneOf(SESSION_POOL),
      active: mostly(fc.constant(true), fc.constant(false), 6),
      purpose: oneOf(['turn', 'turn', 'browse']),
    }),
  }),
  sharing: fc.record({
    ...CALM,
    actingFor: oneOf(['ann', 'cy', 'cy']),
    audience: mostly(oneOf(['recipient', 'recipient', 'agent']), unknown, 6),
    views: VIEWS,
  }),
}

const WRONG_CALLER: { readonly [K in keyof DrawnCaller]: Arbitrary<DrawnCaller[K]> } = {
  tenant: fc.constant('elsewhere'),
  actingFor: oneOf(['bob', 'cy', 'nobody']),
  audience: oneOf(['owner', 'host', 'agent', 'recipient', ...UNKNOWN_VALUES]),
  trust: fc.option(
    fc.record({
      maxSensitivity: oneOf([...SENSITIVITIES, ...UNKNOWN_VALUES]),
      scopes: fc.constant(new Set<string>()),
      authenticated: fc.constant(true),
    }),
  ),
  respectConsent: fc.boolean(),
  visibility: fc.option(
    fc.record({
      ceiling: oneOf([...VISIBILITY_CLASSES, ...UNKNOWN_VALUES]),
      floor: oneOf([...VISIBILITY_CLASSES, ...UNKNOWN_VALUES]),
    }),
  ),
  mediation: fc.record({
    session: oneOf([...SESSION_POOL, 'gone']),
    active: fc.boolean(),
    purpose: oneOf(['turn', 'browse', ...UNKNOWN_VALUES]) as Arbitrary<'turn'>,
  }),
  views: fc.option(VIEWS),
  now: time,
}

export function caller(setting: Setting): Arbitrary<WorldCaller> {
  return spoiled(usually(CALLERS, setting), WRONG_CALLER, 1).map(drawn => ({
    ...drawn,
    actor: drawn.audience === 'agent' ? 'assistant' : drawn.actingFor,
    // Apart from recipients, only agents are ever limited by views.
    views: ['owner', 'host'].includes(drawn.audience) ? null : drawn.views,
  }))
}
