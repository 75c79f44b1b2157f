import type * as policy from '../../src/policy/index.js'
import { referenceFace } from '../../src/policy/reference.js'
import { type PolicyWorld, subjectOf, tupleOf, type WorldRecord } from '../../src/testing/policy-world.js'

/** The module that decides: the project's own, or a mutant's. */
export type Policy = typeof policy

export interface Decision {
  readonly subject: policy.Subject
  readonly tuple: policy.PolicyTuple
  readonly times: policy.RecordTimes
  readonly record: WorldRecord
}

/** A function of a world, worked out once for each. */
function once<Value>(work: (world: PolicyWorld) => Value): (world: PolicyWorld) => Value {
  const known = new WeakMap<PolicyWorld, Value>()
  return world => {
    const value = known.get(world) ?? work(world)
    known.set(world, value)
    return value
  }
}

/** Everything there is to decide in a world, callers outside and records inside. */
export const decisionsIn = once((world: PolicyWorld): readonly Decision[] => {
  const records = world.records.map(record => ({
    record,
    times: record.times,
    tuple: tupleOf(world.facts, record),
  }))
  return world.callers.flatMap(caller => {
    const subject = subjectOf(world.facts, caller)
    return records.map(record => ({ subject, ...record }))
  })
})

/** What the plain reference says of each. */
export const referencesIn = once(world =>
  decisionsIn(world).map(({ subject, tuple, times }) => referenceFace(subject, { ...tuple, ...times })),
)

/** Every face by column, in the same order: as the runtime decides. */
export function facesByColumn(
  { CompartmentTable, decide, faceOf }: Policy,
  world: PolicyWorld,
  gates?: readonly policy.Gate[],
): readonly policy.Face[] {
  const decisions = decisionsIn(world)
  const table = new CompartmentTable(gates)
  for (const { tuple } of decisions.slice(0, world.records.length)) table.add(tuple)
  let compartments: Uint8Array = new Uint8Array()
  return decisions.map(({ subject, tuple, times }, at) => {
    const place = at % world.records.length
    if (place === 0) compartments = decide(subject, table)
    return faceOf(compartments[place] ?? 0, subject, tuple, times)
  })
}

const known = new WeakMap<Policy, (world: PolicyWorld) => readonly policy.Face[]>()

/** The same with every gate, decided once for each world. */
export function facesIn(policy: Policy, world: PolicyWorld): readonly policy.Face[] {
  const faces = known.get(policy) ?? once(each => facesByColumn(policy, each))
  known.set(policy, faces)
  return faces(world)
}
