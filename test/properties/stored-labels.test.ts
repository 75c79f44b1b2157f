import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  clearanceOf,
  covers,
  STRICTEST_LABEL,
  type StoredLabel,
  type Subject,
  seesStored,
} from '../../src/policy/index.js'
import { personKey } from '../../src/policy/tuple.js'
import { AUDIENCES, SENSITIVITIES, VISIBILITY_CLASSES } from '../../src/policy/vocabulary.js'
import { SEED } from '../support/generated.js'
import { bothEngines, migratedDatabase, type TestDatabase } from '../support/stores.js'
import { aSubject } from '../support/subject.js'

const TENANT = 'labels'
const GRANTED = randomUUID()
const PENDING = randomUUID()
const [ONE, OTHER] = [randomUUID(), randomUUID()]
const PEOPLE = [personKey('ann', GRANTED), personKey('ann', PENDING), personKey('ann', randomUUID())]

const profile = fc.constantFrom(null, null, ONE, OTHER)
const reader = fc
  .record({
    audience: fc.constantFrom(...AUDIENCES),
    sensitivity: fc.constantFrom(...SENSITIVITIES),
    scopes: fc.constantFrom<'all' | string[]>('all', 'all', ['a'], ['a', 'b']),
    ceiling: fc.constantFrom(...VISIBILITY_CLASSES),
    floor: fc.constantFrom(null, null, 'party_confidential', 'sealed'),
    respectConsent: fc.boolean(),
    isBound: fc.boolean(),
    profile,
  })
  // Only a profile binds somebody who is no recipient.
  .filter(by => !by.isBound || by.profile !== null)
type Reader = typeof reader extends fc.Arbitrary<infer T> ? T : never

/** As the runtime has it: a recipient is bound, with or without a profile. */
const bindingOf = (by: Reader) => by.profile ?? (by.audience === 'recipient' ? 'recipient' : null)

const subjectOf = (by: Reader): Subject =>
  aSubject({
    audience: by.audience,
    trust: {
      maxSensitivity: by.sensitivity,
      scopes: by.scopes === 'all' ? 'all' : new Set(by.scopes),
      authenticated: true,
    },
    visibility: { ceiling: by.ceiling, floor: by.floor },
    respectConsent: by.respectConsent,
    views: by.isBound ? new Map() : null,
    people: new Map([
      [PEOPLE[0] ?? '', { consent: 'granted', actor: null }],
      [PEOPLE[1] ?? '', { consent: 'pending', actor: null }],
    ]),
  })
const clearance = (by: Reader) =>
  clearanceOf({
    trust: subjectOf(by).trust,
    respectConsent: by.respectConsent,
    ceiling: by.ceiling,
    profile: bindingOf(by),
  })

const label: fc.Arbitrary<StoredLabel | null> = fc.oneof(
  fc.constant(null),
  fc.constant(STRICTEST_LABEL),
  reader.map(clearance),
  fc.record({
    sensitivity: fc.constantFrom<string>(...SENSITIVITIES, 'unheard of'),
    scope: fc.constantFrom(null, 'a', 'a+b', 'c', ''),
    visibilityClass: fc.constantFrom<string>(...VISIBILITY_CLASSES, 'unheard of'),
    participants: fc.subarray(PEOPLE),
    profile: fc.oneof(profile, fc.constant('recipient')),
  }),
)

describe('the label of something stored beside records', () => {
  it('[NI-10] is passed by its author, by whoever sees more, and for whom it is the strictest, by nobody less', () => {
    fc.assert(
      fc.property(reader, reader, (a, b) => {
        const own = clearance(a)
        const floor = { ...a, floor: null }
        expect(seesStored(subjectOf(floor), bindingOf(a), own)).toBe(true)
        const isLess = own !== null && covers(clearance(b) ?? STRICTEST_LABEL, own)
        // Under another profile it tells of that one, which takes to see everything.
        const isTold = (own.profile ?? null) === null || own.profile === bindingOf(b)
        if (isLess && isTold && !b.isBound && b.audience !== 'recipient' && b.floor === null)
          expect(seesStored(subjectOf(b), bindingOf(b), own)).toBe(true)
        if (seesStored(subjectOf(b), bindingOf(b), null))
          expect(seesStored(subjectOf(b), bindingOf(b), own)).toBe(true)
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
})

describe.each(bothEngines)('on %s', engine => {
  let store: TestDatabase
  beforeAll(async () => {
    store = await migratedDatabase(engine, { poolSize: 1 })
    const settings = { 'privity.tenant': TENANT }
    await store.db.transaction({ access: 'write', role: 'privity_writer', settings }, async tx => {
      await tx.query('insert into privity.tenants (tenant_id, created_at) values ($1, now())', [TENANT])
      for (const [id, consent] of [
        [GRANTED, 'granted'],
        [PENDING, 'pending'],
      ] as const)
        await tx.query(
          `insert into privity.people (tenant_id, person_id, owner, name, consent, created_at, updated_at)
           values ($1, $2, 'ann', $3, $3, now(), now())`,
          [TENANT, id, consent],
        )
    })
  })
  afterAll(() => store.dispose())

  it('[NI-10, DE-6] row-level security passes exactly the labels that the gates pass', async () => {
    const asked = fc.sample(fc.tuple(reader, fc.array(label, { minLength: 12, maxLength: 12 })), {
      seed: SEED,
      numRuns: 60,
    })
    let passed = 0
    for (const [by, labels] of asked) {
      const settings = {
        'privity.tenant': TENANT,
        'privity.principal': 'ann',
        'privity.audience': by.audience,
        'privity.respect_consent': by.respectConsent ? 'on' : 'off',
        'privity.max_sensitivity': by.sensitivity,
        'privity.all_scopes': by.scopes === 'all' ? 'on' : 'off',
        'privity.scopes': by.scopes === 'all' ? '' : by.scopes.join('+'),
        'privity.ceiling': by.ceiling,
        'privity.floor': by.floor ?? 'none',
        'privity.profile': by.profile ?? '',
        'privity.bound': by.isBound ? 'on' : 'off',
      }
      const rows = await store.db.transaction({ access: 'read', role: 'privity_app', settings }, tx =>
        tx.query<{ sees: boolean | null }>(
          `select privity.sees(case when label = 'null' then null else label end) as sees
           from jsonb_array_elements($1::jsonb) with ordinality as l (label, at)
           order by at`,
          [JSON.stringify(labels)],
        ),
      )
      const gates = labels.map(one => seesStored(subjectOf(by), bindingOf(by), one))
      expect(
        rows.map(({ sees }) => sees === true),
        JSON.stringify([by, labels]),
      ).toEqual(gates)
      passed += gates.filter(Boolean).length
    }
    expect(passed).toBeGreaterThan(10)
  })
})
