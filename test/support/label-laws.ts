import fc from 'fast-check'
import { atMost } from '../../src/policy/faces.js'
import type { Label } from '../../src/policy/labels.js'
import type { Trust } from '../../src/policy/subject.js'
import { personKey } from '../../src/policy/tuple.js'
import { SENSITIVITIES, VISIBILITY_CLASSES } from '../../src/policy/vocabulary.js'
import { UNKNOWN_VALUES } from '../../src/testing/worlds.js'
import type { Policy } from './decided-worlds.js'
import { aSubject, aTuple } from './subject.js'

/** A sentence about labels or claims, of the module under test. */
export interface LabelLaw {
  readonly title: string
  readonly property: (policy: Policy) => fc.IProperty<unknown>
}

const PEOPLE = ['p', 'q', 'r'].map(id => personKey('ann', id))
const level = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...SENSITIVITIES) },
  fc.constantFrom(...UNKNOWN_VALUES),
)
const label: fc.Arbitrary<Label> = fc.record({
  sensitivity: level,
  scope: fc.oneof(
    fc.constant(null),
    fc.subarray(['a', 'b', 'c'], { minLength: 1 }).map(scopes => scopes.join('+')),
    fc.constantFrom('', '+', 'a+'),
  ),
  visibilityClass: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...VISIBILITY_CLASSES) },
    fc.constantFrom(...UNKNOWN_VALUES),
  ),
  participants: fc.subarray(PEOPLE),
})
const scopes = fc.oneof(
  fc.constant('all' as const),
  fc.subarray(['a', 'b', 'c']).map((held): ReadonlySet<string> => new Set(held)),
)
const trust: fc.Arbitrary<Trust> = fc.record({ maxSensitivity: level, scopes, authenticated: fc.boolean() })
/** A caller who respects consent and knows some of the people. */
const subject = fc
  .record({
    trust: fc.option(trust),
    ceiling: fc.constantFrom(...VISIBILITY_CLASSES),
    granted: fc.subarray(PEOPLE),
  })
  .map(({ trust, ceiling, granted }) =>
    aSubject({
      trust,
      respectConsent: true,
      visibility: { ceiling, floor: null },
      people: new Map(granted.map(key => [key, { consent: 'granted', actor: null }])),
    }),
  )
const claim = fc.record(
  { maxSensitivity: level, scopes: fc.subarray(['a', 'b', 'c', 'd']) },
  { requiredKeys: [] },
)

function assert(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

const ranks = (list: readonly string[], value: string) => {
  const at = list.indexOf(value)
  return at < 0 ? list.length : at
}
const isKnown = ({ sensitivity, visibilityClass }: Label) =>
  SENSITIVITIES.some(known => known === sensitivity) &&
  VISIBILITY_CLASSES.some(known => known === visibilityClass)
const scopesOf = (label: Label) => (label.scope === null ? [] : label.scope.split('+'))
/** Part by part, written apart from the source; what is not known is above all that is, as is the empty scope. */
const isAtLeast = (a: Label, b: Label) =>
  ranks(SENSITIVITIES, a.sensitivity) >= ranks(SENSITIVITIES, b.sensitivity) &&
  ranks(VISIBILITY_CLASSES, a.visibilityClass) >= ranks(VISIBILITY_CLASSES, b.visibilityClass) &&
  (scopesOf(a).includes('') || scopesOf(b).every(scope => scopesOf(a).includes(scope))) &&
  b.participants.every(person => a.participants.includes(person))
const isLevel = (a: Label, b: Label) => isAtLeast(a, b) && isAtLeast(b, a)

export const LABEL_LAWS: readonly LabelLaw[] = [
  {
    title: 'a joined label is at least as strict as each, and no stricter than needed',
    property: policy =>
      fc.property(label, label, label, (a, b, c) => {
        const joined = policy.joinLabels(a, b)
        assert(isAtLeast(joined, a) && isAtLeast(joined, b), 'not an upper bound')
        if (isAtLeast(c, a) && isAtLeast(c, b)) assert(isAtLeast(c, joined), 'not the least')
        assert(isLevel(policy.joinLabels(c, a, b), policy.joinLabels(a, b, c)), 'depends on order')
        assert(isLevel(policy.joinLabels(a, a), a), 'joining with itself changed it')
        assert(isLevel(policy.joinLabels(policy.LEAST_LABEL, a), a), 'the least label changed it')
      }),
  },
  {
    title: 'labels are the same exactly if every part is',
    property: policy =>
      fc.property(
        label,
        label,
        fc.subarray(['sensitivity', 'scope', 'visibilityClass', 'participants']),
        (a, b, taken) => {
          const other = { ...a, ...Object.fromEntries(taken.map(part => [part, b[part as keyof Label]])) }
          const plain = (l: Label) =>
            JSON.stringify([l.sensitivity, l.scope, l.visibilityClass, l.participants])
          assert(policy.sameLabel(a, other) === (plain(a) === plain(other)), 'same')
        },
      ),
  },
  {
    title: 'what carries a joined label is shown to nobody who is not shown each',
    property: policy =>
      fc.property(label, label, subject, (a, b, who) => {
        const face = (carried: Label) =>
          policy.explain(who, aTuple(carried), { createdAt: 0, expiresAt: null }).face
        const joined = face(policy.joinLabels(a, b))
        assert(atMost(joined, face(a)) && atMost(joined, face(b)), 'joining disclosed more')
      }),
  },
  {
    title: 'a label lowers another exactly where a part of it is less strict',
    property: policy =>
      fc.property(label, label, fc.boolean(), (a, b, same) => {
        const after = same ? policy.joinLabels(a, b) : b
        const known = isKnown(a) && isKnown(after)
        if (known) assert(policy.lowers(a, after) === !isAtLeast(after, a), 'lowers is wrong')
        else if (!isAtLeast(after, a)) assert(policy.lowers(a, after), 'lowering went unseen')
      }),
  },
]

export const CLAIM_LAWS: readonly LabelLaw[] = [
  {
    title: 'a claim shows nobody more than what the credential holds',
    property: policy =>
      fc.property(trust, claim, label, (held, claimed, carried) => {
        const face = (trust: Trust) =>
          policy.explain(aSubject({ trust }), aTuple({ ...carried, participants: [] }), {
            createdAt: 0,
            expiresAt: null,
          }).face
        assert(atMost(face(policy.clampTrust(held, claimed)), face(held)), 'the claim widened')
      }),
  },
  {
    title: 'a claim narrows to what it names, and without one everything held stays',
    property: policy =>
      fc.property(trust, claim, (held, claimed) => {
        const clamped = policy.clampTrust(held, claimed)
        const least = Math.min(
          ranks(SENSITIVITIES, held.maxSensitivity),
          ranks(SENSITIVITIES, claimed.maxSensitivity ?? held.maxSensitivity),
        )
        const known = [held.maxSensitivity, claimed.maxSensitivity ?? 'public'].every(
          value => ranks(SENSITIVITIES, value) < SENSITIVITIES.length,
        )
        assert(
          ranks(SENSITIVITIES, clamped.maxSensitivity) === (known ? least : SENSITIVITIES.length),
          'maximum',
        )
        const asked = claimed.scopes ?? []
        for (const scope of ['a', 'b', 'c', 'd']) {
          const isHeld = held.scopes === 'all' || held.scopes.has(scope)
          const has = clamped.scopes === 'all' || clamped.scopes.has(scope)
          assert(has === (isHeld && (asked.length === 0 || asked.includes(scope))), 'scopes')
        }
        assert(clamped.authenticated === held.authenticated, 'authenticated')
        assert(policy.clampTrust(held, undefined).maxSensitivity === held.maxSensitivity, 'no claim')
      }),
  },
  {
    title: 'only an owner or a host is without the consent of people, and only by not asking',
    property: policy =>
      fc.property(
        fc.constantFrom('owner', 'host', 'agent', 'recipient', ...UNKNOWN_VALUES),
        fc.constantFrom(undefined, false, true),
        (audience, asked) => {
          const person = audience === 'owner' || audience === 'host'
          const clamped = policy.clampRespectConsent(audience as never, asked)
          assert(clamped === (!person || asked === true), 'consent')
        },
      ),
  },
]
