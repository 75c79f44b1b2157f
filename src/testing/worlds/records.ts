import fc, { type Arbitrary } from 'fast-check'
import { corpusKey, personKey, placeKey, sortedSet } from '../../policy/tuple.js'
import {
  CONTENT_TYPES,
  INTERNAL_KINDS,
  KINDS,
  LIFECYCLES,
  MEMORY_KINDS,
  SENSITIVITIES,
  SURFACES,
  VISIBILITY_CLASSES,
} from '../../policy/vocabulary.js'
import type { WorldRecord } from '../policy-world.js'
import { mostly, oneOf, type Setting, some, spoiled, time, unknown, usually } from './draw.js'
import {
  ACTORS,
  CONSENTS,
  CORPUS_POOL,
  OWNERS,
  PEOPLE_POOL,
  RARE_OWNERS,
  SESSION_OF_OTHERS,
  SESSION_POOL,
  TARGETS,
  UNKNOWN_VALUES,
} from './pools.js'

type Fields = WorldRecord['fields']

const moment = time.map(at => new Date(at).toISOString())

/** A plausible record, before a few of its fields are replaced by wrong values. */
const RESTING = {
  tenant: fc.constant('here'),
  vessel: fc.constant('user'),
  owner: oneOf(OWNERS),
  session: fc.constant(null),
  relationship: fc.constant(null),
  kind: mostly(oneOf(MEMORY_KINDS), oneOf(INTERNAL_KINDS), 16),
  contentType: fc.constant(null),
  confirmed: fc.boolean(),
  addressees: fc.constant([]),
  corpus: fc.constant(null),
  surface: fc.constant(null),
  markedShareable: fc.boolean(),
  redacted: fc.boolean(),
  opening: fc.boolean(),
  sensitivity: oneOf(['public', 'low', 'medium', 'high']),
  scope: mostly(oneOf([null, null, 'work']), oneOf(['', 'home', 'home+work']), 8),
  visibilityClass: oneOf(['public_open', 'public_open', 'party_confidential', 'work_product_internal']),
  participants: some(PEOPLE_POOL, 2).map(people =>
    sortedSet(people.map(({ id, owner }) => personKey(owner, id))),
  ),
  consentRecord: fc.constant(null),
  inputConsents: fc.constant([]),
  lifecycle: mostly(oneOf(['active', 'active', 'contested']), oneOf(LIFECYCLES), 8),
  scopeTargets: fc.constant([]),
  citedPlaces: fc.constant([]),
  endedAt: mostly(fc.constant(null), moment, 4),
}
/** Labels that rarely hide a record, so that other gates decide. */
const CALM = {
  ...RESTING,
  sensitivity: oneOf(['public', 'low', 'medium']),
  scope: mostly(fc.constant(null), fc.constant('work'), 8),
  visibilityClass: mostly(fc.constant('public_open'), fc.constant('party_confidential'), 4),
  participants: mostly(fc.constant([]), RESTING.participants, 1),
  lifecycle: mostly(fc.constant('active'), oneOf(LIFECYCLES), 16),
}
const MEDIATED = {
  ...CALM,
  session: mostly(oneOf(SESSION_POOL), fc.constant(SESSION_OF_OTHERS), 8),
  relationship: fc.constant('couple'),
}

/** A place in the corpora of either owner, or in one of them. */
const citedPlace = fc
  .record({
    surface: mostly(fc.constant('source_documents'), oneOf([null, ...SURFACES]), 3),
    corpora: mostly(fc.constant(CORPUS_POOL), some(CORPUS_POOL, 1), 3),
    targets: mostly(fc.constant(TARGETS), some(TARGETS, 2), 2),
  })
  .map(({ surface, corpora, targets }) =>
    placeKey({
      surface,
      targets: [
        ...corpora.flatMap(corpus => ['ann', 'bob'].map(owner => corpusKey(owner, corpus))),
        ...targets,
      ],
    }),
  )

const SORTS: Readonly<Record<Setting, Arbitrary<Fields>>> = {
  memory: fields(RESTING),
  mediation: mostly(
    fc.oneof(
      fields({
        ...MEDIATED,
        owner: mostly(fc.constant('ann'), oneOf(OWNERS), 4),
        kind: oneOf(['user_event', 'emotional_reading', 'need', 'need', 'boundary', 'empathy_draft']),
      }),
      fields({
        ...MEDIATED,
        vessel: fc.constant('shared'),
        owner: mostly(oneOf(['ann', 'bob', 'bob']), oneOf(OWNERS), 4),
        kind: oneOf([
          'consented_content',
          'consented_content',
          'common_ground',
          'agreement',
          'agreement',
          'micro_experiment',
          'empathy_attempt',
          'strategy_proposal',
        ]),
        contentType: mostly(oneOf(['IDENTIFIED_NEED', 'BOUNDARY']), oneOf([null, ...CONTENT_TYPES]), 1),
        addressees: mostly(fc.constant([]), some(ACTORS, 2).map(sortedSet), 3),
        consentRecord: mostly(oneOf(CONSENTS), fc.constant(null), 6),
        inputConsents: some(CONSENTS, 2).map(sortedSet),
      }),
    ),
    fields({ ...CALM, vessel: fc.constant('global'), kind: fc.constant('experiment_suggestion') }),
    8,
  ),
  sharing: fields({
    ...CALM,
    owner: oneOf(['ann', 'ann', 'bob']),
    kind: oneOf(['document', 'segment', 'annotation']),
    corpus: oneOf(CORPUS_POOL),
    surface: oneOf([...SURFACES, 'derived_memories', 'derived_memories', 'derived_memories', 'host_topics']),
    lifecycle: mostly(fc.constant('active'), oneOf(['superseded', 'stale', ...LIFECYCLES]), 3),
    endedAt: mostly(moment, fc.constant(null), 4),
    scopeTargets: some(TARGETS, 2).map(sortedSet),
    citedPlaces: mostly(
      fc.array(citedPlace, { minLength: 1, maxLength: 2 }).map(sortedSet),
      fc.constant([]),
      3,
    ),
  }),
}

/** Wrong or unusual values for each field. */
const WRONG: { readonly [K in keyof Fields]: Arbitrary<Fields[K]> } = {
  tenant: fc.constant('elsewhere'),
  vessel: mostly(oneOf(['user', 'shared', 'global']), unknown, 2),
  owner: mostly(oneOf(RARE_OWNERS), unknown, 4),
  session: oneOf([null, ...SESSION_POOL, SESSION_OF_OTHERS, 'gone', ...UNKNOWN_VALUES]),
  relationship: oneOf([null, 'couple', 'team', ...UNKNOWN_VALUES]),
  kind: mostly(oneOf([...INTERNAL_KINDS, ...INTERNAL_KINDS, ...UNKNOWN_VALUES]), oneOf(KINDS), 2),
  contentType: oneOf([null, ...CONTENT_TYPES, ...UNKNOWN_VALUES]),
  confirmed: fc.boolean(),
  addressees: some(ACTORS, 2).map(sortedSet),
  corpus: oneOf([null, ...CORPUS_POOL, ...UNKNOWN_VALUES]),
  surface: mostly(unknown, oneOf([null, ...SURFACES]), 1),
  markedShareable: fc.boolean(),
  redacted: fc.boolean(),
  opening: fc.boolean(),
  sensitivity: oneOf(['hyper', ...SENSITIVITIES, ...UNKNOWN_VALUES]),
  scope: oneOf(['work', 'home', 'home+work', ...UNKNOWN_VALUES]),
  visibilityClass: oneOf([...VISIBILITY_CLASSES, ...UNKNOWN_VALUES]),
  participants: some(PEOPLE_POOL, 4).map(people =>
    sortedSet(people.map(({ id, owner }) => personKey(owner, id))),
  ),
  consentRecord: oneOf([null, ...CONSENTS]),
  inputConsents: some(CONSENTS).map(sortedSet),
  lifecycle: oneOf([...LIFECYCLES, ...UNKNOWN_VALUES]),
  scopeTargets: some(TARGETS, 3).map(sortedSet),
  citedPlaces: fc.array(citedPlace, { maxLength: 2 }).map(sortedSet),
  endedAt: fc.option(moment),
}

function fields(arbitraries: { readonly [K in keyof Fields]: Arbitrary<Fields[K]> }): Arbitrary<Fields> {
  return fc.record(arbitraries)
}

export const record = (setting: Setting): Arbitrary<Omit<WorldRecord, 'id'>> =>
  fc
    .record({
      fields: spoiled(usually(SORTS, setting), WRONG, 2),
      targets: fc.subarray(TARGETS, { maxLength: 3 }),
      createdAt: time,
      expiresAt: mostly(fc.constant(null), time, 5),
    })
    .map(({ fields, targets, createdAt, expiresAt }) => {
      const corpus = fields.corpus === null ? [] : [corpusKey(fields.owner, fields.corpus)]
      return { fields, targets: sortedSet([...targets, ...corpus]), times: { createdAt, expiresAt } }
    })
