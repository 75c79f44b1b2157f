import { atMost, meet, NONE } from '../../src/policy/faces.js'
import type * as policy from '../../src/policy/index.js'
import { type PolicyWorld, subjectOf, tupleOf } from '../../src/testing/policy-world.js'
import { NARROWINGS } from './narrowings.js'

/** The module that the laws are held against: the project's own, or a mutant's. */
export type Policy = typeof policy
type Face = policy.Face
type Subject = policy.Subject

/** A sentence about a world. */
export interface Law {
  readonly title: string
  /** Throws where it does not hold; answers whether this world could have shown that it does not. */
  holds(policy: Policy, world: PolicyWorld, pick: number): boolean
}

const law = (title: string, holds: Law['holds']): Law => ({ title, holds })

/** One decision after another, with the record it is about. */
export function* decisions(world: PolicyWorld) {
  for (const caller of world.callers) {
    const subject = subjectOf(world.facts, caller)
    for (const record of world.records)
      yield { subject, tuple: tupleOf(world.facts, record), times: record.times, record, caller }
  }
}

/** Every face by column, callers outside and records inside: as the runtime decides. */
export function facesByColumn(
  { CompartmentTable, decide, faceOf }: Policy,
  { facts, records, callers }: PolicyWorld,
  gates?: readonly policy.Gate[],
): readonly Face[] {
  const table = new CompartmentTable(gates)
  const tuples = records.map(record => tupleOf(facts, record))
  for (const tuple of tuples) table.add(tuple)
  return callers.flatMap(caller => {
    const subject = subjectOf(facts, caller)
    const compartments = decide(subject, table)
    return tuples.map((tuple, at) => {
      const times = records[at]?.times ?? { createdAt: Number.NaN, expiresAt: Number.NaN }
      return faceOf(compartments[at] ?? 0, subject, tuple, times)
    })
  })
}

const remembered = new WeakMap<Policy, WeakMap<PolicyWorld, readonly Face[]>>()

/** The same, decided once for each world: every narrowing starts from it. */
function facesBefore(policy: Policy, world: PolicyWorld): readonly Face[] {
  const ofPolicy = remembered.get(policy) ?? new WeakMap<PolicyWorld, readonly Face[]>()
  remembered.set(policy, ofPolicy)
  const faces = ofPolicy.get(world) ?? facesByColumn(policy, world)
  ofPolicy.set(world, faces)
  return faces
}

const equal = (a: unknown, b: unknown, what: string) => {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
  if (left !== right) throw new Error(`${what}: ${left} and ${right}`)
}

/** Throws where a face grew; answers whether one shrank. */
function narrower(after: readonly Face[], before: readonly Face[], what: string): boolean {
  for (const [at, face] of after.entries())
    if (!atMost(face, before[at] ?? NONE)) throw new Error(`${what} widened ${before[at]} to ${face}`)
  return after.some((face, at) => face !== before[at])
}

const discloses = (faces: readonly Face[]) => faces.some(face => face !== NONE)

function disclosesNothing(faces: readonly Face[], what: string): void {
  if (discloses(faces)) throw new Error(`${what} disclosed something`)
}

export const REFERENCE = law('the fast decision is the plain one', (policy, world) => {
  const faces = facesByColumn(policy, world)
  let at = 0
  for (const { subject, tuple, times } of decisions(world)) {
    const { form, level } = policy.referenceFace(subject, { ...tuple, ...times })
    const face = faces[at++] ?? NONE
    equal(policy.levelOf(face), level, 'level')
    if (level !== 'none') equal(policy.formOf(face), form, 'form')
    equal(policy.explain(subject, tuple, times).face, face, 'explained')
  }
  return discloses(faces)
})

export const LEAST_FACE = law('a decision is the meet of its gates', (policy, world) => {
  const faces = facesByColumn(policy, world)
  let at = 0
  for (const { subject, tuple, times } of decisions(world)) {
    const face = faces[at++] ?? NONE
    const gates = policy.explain(subject, tuple, times).gates.map(gate => gate.face)
    equal(gates.length, policy.GATES.length, 'gates')
    equal(meet(...gates), face, 'meet')
    narrower(
      gates.map(() => face),
      gates,
      'another gate',
    )
  }
  return discloses(faces)
})

export const NARROWING_LAWS = NARROWINGS.map(({ name, narrow, hidesAll }) =>
  law(name, (policy, world, pick) => {
    const after = facesByColumn(policy, narrow(world, pick))
    if (hidesAll) disclosesNothing(after, name)
    return narrower(after, facesBefore(policy, world), name)
  }),
)

export const ORDER = law('neither order nor repetition changes a decision', (policy, world, pick) => {
  const order = <T>(list: readonly T[]): T[] => {
    const turn = list.length === 0 ? 0 : pick % list.length
    const turned = [...list.slice(turn), ...list.slice(0, turn)]
    return pick % 2 === 0 ? turned : turned.reverse()
  }
  const twice = <T>(list: readonly T[]): T[] => [...order(list), ...list]
  const faces = facesByColumn(policy, world)
  const shuffled = shuffle(world, order, twice)
  equal(facesByColumn(policy, shuffled, twice(policy.GATES)), faces, 'shuffled facts and gates')

  // Three times, so that a table has to grow.
  const places = [...twice([...world.records.keys()]), ...world.records.keys()]
  const records = places.flatMap(place => world.records[place] ?? [])
  const moved = facesByColumn(policy, { ...world, records })
  const each = world.records.length
  const expected = world.callers.flatMap((_, caller) => places.map(place => faces[caller * each + place]))
  equal(moved, expected, 'records in another order, each three times')
  return discloses(faces)
})

type Arrange = <T>(list: readonly T[]) => T[]

function shuffle({ facts, records, callers }: PolicyWorld, order: Arrange, twice: Arrange): PolicyWorld {
  return {
    facts: {
      ...facts,
      people: twice(facts.people),
      memberships: twice(facts.memberships),
      sessions: twice(facts.sessions).map(s => ({ ...s, participants: twice(s.participants) })),
      consents: twice(facts.consents),
      overlaidBefore: twice(facts.overlaidBefore),
      overlays: twice(facts.overlays),
      grants: twice(facts.grants),
    },
    records: records.map(({ fields, targets, ...record }) => ({
      ...record,
      targets: twice(targets),
      fields: {
        ...fields,
        participants: twice(fields.participants),
        inputConsents: twice(fields.inputConsents),
        addressees: twice(fields.addressees),
      },
    })),
    callers: callers.map(caller => ({ ...caller, views: caller.views && new Map(order([...caller.views])) })),
  }
}

const fail = (): never => {
  throw new Error('broken on purpose')
}

export const FAILING_GATE = law('a gate that throws denies', (policy, world, pick) => {
  const broken = pick % policy.GATES.length
  const gates = policy.GATES.map((gate, at) => (at === broken ? { ...gate, decide: fail } : gate))
  disclosesNothing(facesByColumn(policy, world, gates), 'a broken gate')
  return discloses(facesBefore(policy, world))
})

export const FAILING_FACTS = law(
  'a fact that cannot be looked up discloses nothing more',
  (policy, world) => {
    let telling = false
    for (const { subject, tuple, times } of decisions(world)) {
      const before = policy.explain(subject, tuple, times).face
      for (const part of ['people', 'consents', 'overlays', 'grants'] as const) {
        const lost: Subject = { ...subject, [part]: { get: fail, has: fail } }
        const after = policy.explain(lost, tuple, times).face
        telling = narrower([after], [before], `${part} that fail`) || telling
      }
    }
    return telling
  },
)

export const NO_FACE = law('a gate that answers with no face denies', (policy, world) => {
  // The original, and nothing of it.
  const odd: policy.Gate = { name: 'odd', reads: [], decide: () => ({ face: 0b1000, reason: 'access.odd' }) }
  disclosesNothing(facesByColumn(policy, world, [...policy.GATES, odd]), 'no face')
  return discloses(facesBefore(policy, world))
})

export const COMPARTMENTS = law(
  'records share a compartment exactly if their tuples are equal',
  (policy, world) => {
    const tuples = world.records.map(record => tupleOf(world.facts, record))
    const encoded = tuples.map(tuple => policy.encodeTuple(tuple))
    const plain = tuples.map(tuple => JSON.stringify(Object.entries(tuple).sort()))
    for (const [a] of tuples.entries())
      for (const [b] of tuples.entries())
        equal(encoded[a] === encoded[b], plain[a] === plain[b], `${plain[a]} with ${plain[b]}`)
    const reversed = tuples.map(tuple => Object.fromEntries(Object.entries(tuple).reverse()) as typeof tuple)
    equal(
      reversed.map(tuple => policy.encodeTuple(tuple)),
      encoded,
      'fields in another order',
    )
    return true
  },
)

export const NO_GATES = law('no gates disclose nothing', (policy, world) => {
  equal(policy.meet(), NONE, 'the meet of nothing')
  disclosesNothing(facesByColumn(policy, world, []), 'no gate')
  return discloses(facesBefore(policy, world))
})

export const DECISION_LAWS: readonly Law[] = [
  REFERENCE,
  LEAST_FACE,
  ...NARROWING_LAWS,
  ORDER,
  FAILING_GATE,
  FAILING_FACTS,
  NO_FACE,
  NO_GATES,
  COMPARTMENTS,
]
