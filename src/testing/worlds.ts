import fc, { type Arbitrary } from 'fast-check'
import { corpusKey, personKey, sortedSet, targetKey } from '../policy/tuple.js'
import {
  CONSENT_STATUSES,
  CONTENT_TYPES,
  INTERNAL_KINDS,
  KINDS,
  LIFECYCLES,
  MEMORY_KINDS,
  RESTRICTIONS,
  SENSITIVITIES,
  SURFACES,
  VISIBILITY_CLASSES,
} from '../policy/vocabulary.js'
import type { PolicyWorld, WorldCaller, WorldFacts, WorldRecord } from './policy-world.js'

/**
 * Values that no list holds: an empty one, one of a newer build, names that every object has, a spelling that is
 * nearly right, and the text by which null is encoded.
 */
export const UNKNOWN_VALUES = ['', 'unheard_of', 'constructor', '__proto__', 'Active', '\u0001null'] as const

export interface WorldOptions {
  /** Leave out what a column of the schema refuses, so that the world can be written to a database. */
  readonly storable?: boolean
}

/** Everything is drawn from small pools, so that facts, records and callers meet. */
const uuid = (family: string, n: number) => `${family.padEnd(8, '0')}-0000-4000-8000-00000000000${n}`
const ACTORS = ['ann', 'bob', 'cy'] as const
const GROUPS = [uuid('9', 1), uuid('9', 2)] as const
const OWNERS = ['ann', 'ann', 'ann', 'ann', 'bob', `group:${GROUPS[0]}`, `role:${GROUPS[0]}/editor`] as const
const RARE_OWNERS = [`role:${GROUPS[1]}/`, `group:${GROUPS[1]}`, 'nobody'] as const
const MEMBERSHIPS = [
  { group: GROUPS[0], member: 'ann', role: 'editor' },
  { group: GROUPS[0], member: 'bob', role: '' },
  { group: GROUPS[1], member: 'ann', role: '' },
]
const SESSIONS = ['first', 'second'] as const
const PEOPLE = [
  { id: uuid('a', 1), owner: 'ann' },
  { id: uuid('a', 2), owner: 'ann' },
  { id: uuid('a', 3), owner: 'bob' },
  { id: uuid('a', 4), owner: `group:${GROUPS[0]}` },
]
const CONSENTS = [uuid('c', 1), uuid('c', 2), uuid('c', 3)]
const CORPORA = ['briefs', 'letters'] as const
const TARGETS = [
  corpusKey('ann', 'briefs'),
  targetKey('filing_unit', 'ann', 'f'),
  targetKey('document', 'ann', 'd'),
  targetKey('segment', 'bob', 's'),
]
const NOW = Date.parse('2026-01-01T00:00:00.000Z')
const HOUR = 3_600_000

const oneOf = <T>(values: readonly T[]): Arbitrary<T> => fc.constantFrom(...values)
const unknown: Arbitrary<string> = oneOf(UNKNOWN_VALUES)
/** Mostly the first; the less likely it is that one field alone hides a record, the more the others get to say. */
const mostly = <T, U>(usual: Arbitrary<T>, rare: Arbitrary<U>, weight = 12): Arbitrary<T | U> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })
const orUnknown = (values: readonly string[]) => mostly(oneOf(values), unknown, 24)
const some = <T>(values: readonly T[], most = values.length) =>
  fc.uniqueArray(oneOf(values), { maxLength: most })
const time = fc.integer({ min: -2, max: 2 }).map(hours => NOW + hours * HOUR)

function facts({ storable = false }: WorldOptions): Arbitrary<WorldFacts> {
  const consent = mostly(
    fc.constant('granted'),
    storable ? oneOf(CONSENT_STATUSES) : orUnknown(CONSENT_STATUSES),
    2,
  )
  const stage = mostly(
    oneOf([0, 1, 2, 2, 3, 3, 3, 4]),
    oneOf(storable ? [-1, 7] : [-1, 7, 1.5, Number.NaN]),
    24,
  )
  return fc.record({
    tenant: fc.constant('here'),
    people: someOf(PEOPLE, person =>
      fc.record({ ...constants(person), consent, actor: fc.option(oneOf(ACTORS)) }),
    ),
    memberships: someOf(MEMBERSHIPS, membership => fc.constant(membership)),
    sessions: someOf(SESSIONS, id => session(id, stage)),
    consents: someOf(CONSENTS, id =>
      fc.record({
        id: fc.constant(id),
        decision: mostly(
          fc.constant('GRANTED'),
          oneOf(['DENIED', 'PENDING', 'granted', ...UNKNOWN_VALUES]),
          10,
        ),
        revoked: mostly(fc.constant(false), fc.constant(true), 10),
        active: mostly(fc.constant(true), fc.constant(false), 10),
      }),
    ),
    overlaidBefore: some(TARGETS, 2),
    overlays: fc.array(
      fc.record({
        target: oneOf(TARGETS),
        restriction: mostly(
          oneOf(['explicit_access_required', 'explicit_access_required', ...RESTRICTIONS]),
          oneOf(['access_ceremony_required', ...UNKNOWN_VALUES]),
          16,
        ),
      }),
      { maxLength: 3 },
    ),
    grants: someOf(TARGETS, target =>
      fc.record({ target: fc.constant(target), grantee: mostly(oneOf(OWNERS), oneOf(RARE_OWNERS)) }),
    ),
  })
}

/** Its participants have mostly come as far as each other. */
function session(id: string, stage: Arbitrary<number>): Arbitrary<WorldFacts['sessions'][number]> {
  const participants = someOf(ACTORS, actor =>
    fc.record({ actor: fc.constant(actor), own: mostly(fc.constant(null), stage, 4) }),
  )
  return fc
    .tuple(mostly(fc.constant('couple'), fc.constant('team'), 6), stage, participants)
    .map(([relationship, common, participants]) => ({
      id,
      relationship,
      participants: participants.map(({ actor, own }) => ({ actor, stage: own ?? common })),
    }))
}

/** Most of a pool, each with its own facts; those left out are missing. */
function someOf<T, U>(pool: readonly T[], facts: (item: T) => Arbitrary<U>): Arbitrary<U[]> {
  return fc
    .tuple(...pool.map(item => mostly(facts(item), fc.constant(null), 10)))
    .map(found => found.flatMap(item => (item === null ? [] : [item])))
}

const constants = <T extends object>(values: T): { [K in keyof T]: Arbitrary<T[K]> } =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fc.constant(value)])) as {
    [K in keyof T]: Arbitrary<T[K]>
  }

type Fields = WorldRecord['fields']

/** A plausible record of some sort, before a few of its fields are got wrong. */
const RESTING = {
  tenant: fc.constant('here'),
  vessel: fc.constant('user'),
  owner: oneOf(OWNERS),
  session: fc.constant(null),
  relationship: fc.constant(null),
  kind: oneOf(MEMORY_KINDS),
  contentType: fc.constant(null),
  confirmed: fc.boolean(),
  addressees: fc.constant([]),
  corpus: fc.constant(null),
  surface: fc.constant(null),
  markedShareable: fc.boolean(),
  redacted: fc.boolean(),
  sensitivity: oneOf(['public', 'low', 'medium', 'high']),
  scope: oneOf([null, null, 'work']),
  visibilityClass: oneOf(['public_open', 'public_open', 'party_confidential', 'work_product_internal']),
  participants: some(PEOPLE, 2).map(people => sortedSet(people.map(({ id, owner }) => personKey(owner, id)))),
  consentRecord: fc.constant(null),
  inputConsents: fc.constant([]),
  lifecycle: oneOf(['active', 'active', 'contested']),
}
const MEDIATED = { ...RESTING, session: oneOf(SESSIONS), relationship: fc.constant('couple') }

/** What is mostly written and asked for in a world: memories, a mediation, or a corpus that was shared. */
const SETTINGS = ['memory', 'mediation', 'mediation', 'sharing'] as const
type Setting = (typeof SETTINGS)[number]

const SORTS: Readonly<Record<Setting, Arbitrary<Fields>>> = {
  memory: fields(RESTING),
  mediation: mostly(
    fc.oneof(
      fields({
        ...MEDIATED,
        owner: mostly(fc.constant('ann'), fc.constant('bob'), 8),
        kind: oneOf(['user_event', 'emotional_reading', 'need', 'need', 'boundary']),
      }),
      fields({
        ...MEDIATED,
        vessel: fc.constant('shared'),
        owner: oneOf(['ann', 'bob', 'bob']),
        kind: oneOf([
          'consented_content',
          'consented_content',
          'common_ground',
          'agreement',
          'micro_experiment',
        ]),
        contentType: mostly(oneOf(['IDENTIFIED_NEED', 'BOUNDARY']), oneOf([null, ...CONTENT_TYPES]), 1),
        addressees: mostly(fc.constant([]), some(ACTORS, 2).map(sortedSet), 3),
        consentRecord: mostly(oneOf(CONSENTS), fc.constant(null), 6),
        inputConsents: some(CONSENTS, 1),
      }),
    ),
    fields({ ...RESTING, vessel: fc.constant('global'), kind: fc.constant('experiment_suggestion') }),
    8,
  ),
  sharing: fields({
    ...RESTING,
    owner: oneOf(['ann', 'ann', 'bob']),
    kind: oneOf(['document', 'segment', 'annotation']),
    corpus: oneOf(CORPORA),
    surface: oneOf([...SURFACES, 'derived_memories', 'derived_memories', 'derived_memories', 'host_topics']),
    visibilityClass: oneOf(['public_open', 'public_open', 'party_confidential']),
  }),
}

/** What may stand in each field instead. */
const WRONG: { readonly [K in keyof Fields]: Arbitrary<Fields[K]> } = {
  tenant: fc.constant('elsewhere'),
  vessel: mostly(oneOf(['user', 'shared', 'global']), unknown, 2),
  owner: mostly(oneOf(RARE_OWNERS), unknown, 4),
  session: oneOf([null, ...SESSIONS, 'gone', ...UNKNOWN_VALUES]),
  relationship: oneOf([null, 'couple', 'team', ...UNKNOWN_VALUES]),
  kind: mostly(oneOf([...INTERNAL_KINDS, ...INTERNAL_KINDS, ...UNKNOWN_VALUES]), oneOf(KINDS), 2),
  contentType: oneOf([null, ...CONTENT_TYPES, ...UNKNOWN_VALUES]),
  confirmed: fc.boolean(),
  addressees: some(ACTORS, 2).map(sortedSet),
  corpus: oneOf([null, ...CORPORA, ...UNKNOWN_VALUES]),
  surface: oneOf([null, ...SURFACES, ...UNKNOWN_VALUES]),
  markedShareable: fc.boolean(),
  redacted: fc.boolean(),
  sensitivity: oneOf(['hyper', ...SENSITIVITIES, ...UNKNOWN_VALUES]),
  scope: oneOf(['work', 'home', 'home+work', ...UNKNOWN_VALUES]),
  visibilityClass: oneOf([...VISIBILITY_CLASSES, ...UNKNOWN_VALUES]),
  participants: some(PEOPLE, 4).map(people => sortedSet(people.map(({ id, owner }) => personKey(owner, id)))),
  consentRecord: oneOf([null, ...CONSENTS]),
  inputConsents: some(CONSENTS).map(sortedSet),
  lifecycle: oneOf([...LIFECYCLES, ...UNKNOWN_VALUES]),
}

function fields(arbitraries: { readonly [K in keyof Fields]: Arbitrary<Fields[K]> }): Arbitrary<Fields> {
  return fc.record(arbitraries)
}

/** What belongs to a setting, and now and then what belongs to another. */
function usually<T>(of: Readonly<Record<Setting, Arbitrary<T>>>, setting: Setting): Arbitrary<T> {
  return mostly(of[setting], fc.oneof(...Object.values(of)), 5)
}

/** A few of a thing's parts replaced: too many, and it is hidden for so many reasons that none is tested. */
function spoiled<T extends object>(
  plausible: Arbitrary<T>,
  wrong: { readonly [K in keyof T]?: Arbitrary<T[K]> },
  most: number,
): Arbitrary<T> {
  const parts = Object.entries<Arbitrary<unknown> | undefined>(wrong).map(([key, arbitrary]) =>
    (arbitrary ?? fc.constant(undefined)).map(value => ({ [key]: value })),
  )
  return fc
    .tuple(plausible, fc.array(fc.oneof(...parts), { maxLength: most, size: 'max' }))
    .map(([thing, replaced]) => Object.assign({}, thing, ...replaced))
}

const record = (setting: Setting): Arbitrary<Omit<WorldRecord, 'id'>> =>
  fc
    .record({
      fields: spoiled(usually(SORTS, setting), WRONG, 2),
      targets: fc.subarray(TARGETS, { maxLength: 3 }),
      createdAt: time,
      expiresAt: mostly(fc.constant(null), time, 3),
    })
    .map(({ fields, targets, createdAt, expiresAt }) => {
      const corpus = fields.corpus === null ? [] : [corpusKey(fields.owner, fields.corpus)]
      return { fields, targets: sortedSet([...targets, ...corpus]), times: { createdAt, expiresAt } }
    })

const VIEW = fc.record({
  surfaces: fc
    .subarray([...SURFACES, ...UNKNOWN_VALUES], { minLength: 15 })
    .map((surfaces): ReadonlySet<string> => new Set(surfaces)),
  derivedMemorySharePolicy: orUnknown([
    'exclude_all',
    'include_only_user_marked_shareable',
    'include_with_provenance',
  ]),
  hostAnnotationPolicy: orUnknown(['exclude_all', 'include_marked_shareable', 'include_all']),
  visibilityClassCeiling: orUnknown(['sealed', 'sealed', ...VISIBILITY_CLASSES]),
  snapshotAt: mostly(fc.constant(null), time, 2),
})

const VIEWS = fc
  .tuple(
    ...['ann', 'bob'].flatMap(owner =>
      CORPORA.map(corpus => fc.tuple(fc.constant(corpusKey(owner, corpus)), fc.option(VIEW, { freq: 6 }))),
    ),
  )
  .map(views => new Map(views.flatMap(([key, view]) => (view === null ? [] : [[key, view] as const]))))

type Drawn = Omit<WorldCaller, 'actor'>

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

const CALLERS: Readonly<Record<Setting, Arbitrary<Drawn>>> = {
  memory: fc.record(BROWSING),
  mediation: fc.record({
    ...BROWSING,
    mediation: fc.record({ session: oneOf(SESSIONS), active: fc.constant(true) }),
  }),
  sharing: fc.record({
    ...BROWSING,
    actingFor: oneOf(['ann', 'cy', 'cy']),
    audience: fc.constant('recipient'),
    views: VIEWS,
  }),
}

const WRONG_CALLER: { readonly [K in keyof Drawn]: Arbitrary<Drawn[K]> } = {
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
  mediation: fc.record({ session: oneOf([...SESSIONS, 'gone']), active: fc.boolean() }),
  views: fc.option(VIEWS),
  now: time,
}

function caller(setting: Setting): Arbitrary<WorldCaller> {
  return spoiled(usually(CALLERS, setting), WRONG_CALLER, 1).map(drawn => ({
    ...drawn,
    actor: drawn.audience === 'agent' ? 'assistant' : drawn.actingFor,
    views: ['owner', 'host', 'agent'].includes(drawn.audience) ? null : drawn.views,
  }))
}

/**
 * Worlds to hold policy against: facts, records and callers, with unknown values of every enum and missing facts.
 *
 * @example
 * fc.assert(fc.property(policyWorld(), ({ facts, records, callers }) => …))
 */
export function policyWorld(options: WorldOptions = {}): Arbitrary<PolicyWorld> {
  return fc.oneof(
    ...SETTINGS.map(setting =>
      fc.record({
        facts: facts(options),
        records: fc
          .array(record(setting), { minLength: 1, maxLength: 8, size: 'max' })
          .map(records => records.map((drawn, n) => ({ ...drawn, id: uuid('e', n) }))),
        callers: fc.array(caller(setting), { minLength: 1, maxLength: 3, size: 'max' }),
      }),
    ),
  )
}
