import { atMost, type Face, meet, NONE } from '../../src/policy/faces.js'
import type { Gate } from '../../src/policy/gate.js'
import { type Subject, viewOf } from '../../src/policy/subject.js'
import type { PolicyTuple } from '../../src/policy/tuple.js'
import type { PolicyWorld } from '../../src/testing/policy-world.js'
import { decisionsIn, facesByColumn, facesIn, type Policy, referencesIn } from './decided-worlds.js'
import { NARROWINGS } from './narrowings.js'

/** A sentence about a world. */
export interface Law {
  readonly title: string
  /** Throws where it does not hold; answers whether this world could have shown that it does not. */
  holds(policy: Policy, world: PolicyWorld, pick: number): boolean
}

const law = (title: string, holds: Law['holds']): Law => ({ title, holds })

function equal<T>(a: T, b: T, what: string): void {
  if (a === b) return
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
  if (left !== right) throw new Error(`${what}: ${left} and ${right}`)
}

/** Throws where a face grew; answers whether one shrank. */
function narrower(after: readonly Face[], before: readonly Face[], what: string): boolean {
  for (const [at, face] of after.entries())
    if (!atMost(face, before[at] ?? NONE)) throw new Error(`${what} widened ${before[at]} to ${face}`)
  return after.some((face, at) => face !== before[at])
}

const discloses = (faces: Iterable<Face>) => [...faces].some(face => face !== NONE)

function disclosesNothing(faces: Iterable<Face>, what: string): void {
  if (discloses(faces)) throw new Error(`${what} disclosed something`)
}

export const REFERENCE = law('the fast decision is the plain one', (policy, world) => {
  const faces = facesIn(policy, world)
  const references = referencesIn(world)
  for (const [at, { subject, tuple, times }] of decisionsIn(world).entries()) {
    const reference = references[at]
    const face = faces[at] ?? NONE
    equal<string | undefined>(policy.levelOf(face), reference?.level, 'level')
    if (face !== NONE) equal<string | undefined>(policy.formOf(face), reference?.form, 'form')
    equal(policy.explain(subject, tuple, times).face, face, 'explained')
  }
  return discloses(faces)
})

export const LEAST_FACE = law('a decision is the meet of its gates', (policy, world) => {
  const faces = facesIn(policy, world)
  for (const [at, { subject, tuple, times }] of decisionsIn(world).entries()) {
    const face = faces[at] ?? NONE
    const gates = policy.explain(subject, tuple, times).gates.map(gate => gate.face)
    equal(gates.length, policy.GATES.length, 'gates')
    equal(meet(...gates), face, 'meet')
    for (const gate of gates) narrower([face], [gate], 'another gate')
  }
  return discloses(faces)
})

export const NARROWING_LAWS = NARROWINGS.map(({ name, narrow, hidesAll }) =>
  law(name, (policy, world, pick) => {
    const after = facesByColumn(policy, narrow(world, pick))
    if (hidesAll) disclosesNothing(after, name)
    return narrower(after, facesIn(policy, world), name)
  }),
)

/** The gate that answers for a field which has to be known: it hides the record whatever the others do. */
const ANSWERS_FOR = [
  ['vessel', 'vessel'],
  ['kind', 'evidence'],
  ['sensitivity', 'trust'],
  ['visibilityClass', 'visibility'],
  ['lifecycle', 'freshness'],
] as const

export const UNKNOWN_FIELDS = law('the gate of a field hides what it does not know', (policy, world) => {
  for (const { subject, tuple } of decisionsIn(world)) {
    for (const [field, name] of ANSWERS_FOR) {
      const gate = policy.GATES.find(gate => gate.name === name)
      const face = gate && policy.askGate(gate, subject, { ...tuple, [field]: 'unheard_of' }).face
      equal(face, NONE, `${name} of an unknown ${field}`)
    }
  }
  return true
})

/** Asked of the gate itself: a generated world seldom has a record that ended just when a snapshot was taken. */
export const REPLACED = law('what was replaced passes where every view was taken before', (policy, world) => {
  const freshness = policy.GATES.find(gate => gate.name === 'freshness')
  if (freshness === undefined) throw new Error('there is no gate of freshness')
  let telling = false
  for (const { subject, tuple } of decisionsIn(world)) {
    const view = viewOf(subject, tuple)
    for (const lifecycle of ['superseded', 'stale']) {
      const faceAt = (ended: number) =>
        policy.askGate(freshness, subject, { ...tuple, lifecycle, endedAt: new Date(ended).toISOString() })
          .face
      const stoodAt = view?.stoodAt ?? null
      const until = stoodAt ?? view?.snapshotAt ?? 0
      equal(faceAt(until), NONE, 'ended when the last snapshot was taken')
      equal(faceAt(until + 1) !== NONE, stoodAt !== null, 'ended an instant later')
      telling ||= stoodAt !== null
    }
  }
  return telling
})

/** A tuple with one field of another's after the other; a field of two values is turned over. */
function neighbours(tuple: PolicyTuple, other: PolicyTuple) {
  return (Object.keys(tuple) as (keyof PolicyTuple)[]).map(field => {
    const value = tuple[field]
    const replaced = typeof value === 'boolean' ? !value : other[field]
    const neighbour: PolicyTuple = { ...tuple, [field]: replaced }
    return { field, neighbour, same: JSON.stringify(value) === JSON.stringify(replaced) }
  })
}

export const NEIGHBOURS = law('tuples that differ in one field are decided apart', (policy, world) => {
  const decisions = decisionsIn(world)
  const tuples = decisions.slice(0, world.records.length).map(({ tuple }) => tuple)
  const beside = tuples.flatMap((tuple, at) => [
    tuple,
    ...neighbours(tuple, tuples[(at + 1) % tuples.length] ?? tuple).map(({ neighbour }) => neighbour),
  ])
  const table = new policy.CompartmentTable()
  for (const tuple of beside) table.add(tuple)
  let telling = false
  for (const { subject } of decisions.filter((_, at) => at % world.records.length === 0)) {
    const faces = policy.decide(subject, table)
    const alone = beside.map(tuple =>
      meet(...policy.GATES.map(gate => policy.askGate(gate, subject, tuple).face)),
    )
    equal([...faces], alone, 'by column and alone')
    telling ||= discloses(faces)
  }
  return telling
})

export const COMPARTMENTS = law('tuples share a compartment exactly if they are equal', (policy, world) => {
  const tuples = decisionsIn(world)
    .slice(0, world.records.length)
    .map(({ tuple }) => tuple)
  for (const [at, tuple] of tuples.entries()) {
    const encoded = policy.encodeTuple(tuple)
    const reversed = Object.fromEntries(Object.entries(tuple).reverse()) as unknown as PolicyTuple
    equal(policy.encodeTuple(reversed), encoded, 'fields in another order')
    const other = tuples[(at + 1) % tuples.length] ?? tuple
    for (const { field, neighbour, same } of neighbours(tuple, other))
      equal(policy.encodeTuple(neighbour) === encoded, same, `another ${field}`)
  }
  return true
})

export const ORDER = law('neither order nor repetition changes a decision', (policy, world, pick) => {
  const order = <T>(list: readonly T[]): T[] => {
    const turn = list.length === 0 ? 0 : pick % list.length
    const turned = [...list.slice(turn), ...list.slice(0, turn)]
    return pick % 2 === 0 ? turned : turned.reverse()
  }
  const twice = <T>(list: readonly T[]): T[] => [...order(list), ...list]
  const faces = facesIn(policy, world)
  const shuffled = shuffle(world, order, twice)
  equal(facesByColumn(policy, shuffled, twice(policy.GATES)), faces, 'shuffled facts and gates')

  // Three times, so that a table has to grow.
  const places = [...twice([...world.records.keys()]), ...world.records.keys()]
  const records = places.flatMap(place => world.records[place] ?? [])
  const moved = facesByColumn(policy, { ...world, records })
  const each = world.records.length
  const expected = world.callers.flatMap((_, caller) =>
    places.map(place => faces[caller * each + place] ?? -1),
  )
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
  return discloses(facesIn(policy, world))
})

export const FAILING_FACTS = law(
  'a fact that cannot be looked up discloses nothing more',
  (policy, world) => {
    let telling = false
    for (const { subject, tuple, times } of decisionsIn(world)) {
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
  const odd: Gate = { name: 'odd', reads: [], decide: () => ({ face: 0b1000, reason: 'access.odd' }) }
  const table = new policy.CompartmentTable([...policy.GATES, odd])
  for (const { tuple } of decisionsIn(world)) table.add(tuple)
  for (const { subject } of decisionsIn(world)) disclosesNothing(policy.decide(subject, table), 'no face')
  return discloses(facesIn(policy, world))
})

export const NO_GATES = law('no gates disclose nothing', (policy, world) => {
  equal(policy.meet(), NONE, 'the meet of nothing')
  disclosesNothing(facesByColumn(policy, world, []), 'no gate')
  return discloses(facesIn(policy, world))
})

/** All but the narrowings, which take long and follow from agreeing with the reference. */
export const DECISION_LAWS: readonly Law[] = [
  REFERENCE,
  NEIGHBOURS,
  UNKNOWN_FIELDS,
  REPLACED,
  COMPARTMENTS,
  LEAST_FACE,
  ORDER,
  FAILING_GATE,
  FAILING_FACTS,
  NO_FACE,
  NO_GATES,
]
