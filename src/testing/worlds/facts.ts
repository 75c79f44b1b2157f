import fc, { type Arbitrary } from 'fast-check'
import { CONSENT_STATUSES, RESTRICTIONS } from '../../policy/vocabulary.js'
import type { WorldFacts } from '../policy-world.js'
import { mostly, oneOf, orUnknown, some, someOf } from './draw.js'
import {
  ACTORS,
  CONSENTS,
  MEMBERSHIPS,
  OWNERS,
  PEOPLE_POOL,
  RARE_OWNERS,
  SESSION_OF_OTHERS,
  SESSION_POOL,
  TARGETS,
  UNKNOWN_VALUES,
} from './pools.js'

export interface WorldOptions {
  /** Leaves out values that the database schema refuses, so that the world can be stored. */
  readonly storable?: boolean
}

export function facts({ storable = false }: WorldOptions): Arbitrary<WorldFacts> {
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
    people: someOf(PEOPLE_POOL, person =>
      fc.record({ consent, actor: fc.option(oneOf(ACTORS)) }).map(facts => ({ ...person, ...facts })),
    ),
    memberships: someOf(MEMBERSHIPS, membership => fc.constant(membership)),
    sessions: someOf([...SESSION_POOL, SESSION_OF_OTHERS], id => session(id, stage)),
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

/** A session whose participants are mostly at the same stage. */
function session(id: string, stage: Arbitrary<number>): Arbitrary<WorldFacts['sessions'][number]> {
  const actors = id === SESSION_OF_OTHERS ? ACTORS.slice(1) : ACTORS
  const participants = someOf(actors, actor =>
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
