import { beforeAll, describe, expect, it } from 'vitest'
import * as policy from '../../src/policy/index.js'
import { decisionsIn } from '../support/decided-worlds.js'
import { forEveryWorld, SEED, WORLDS } from '../support/generated.js'
import {
  COMPARTMENTS,
  FAILING_FACTS,
  FAILING_GATE,
  type Law,
  LEAST_FACE,
  NARROWING_LAWS,
  NEIGHBOURS,
  NO_FACE,
  NO_GATES,
  ORDER,
  REFERENCE,
  REPLACED,
  UNKNOWN_FIELDS,
} from '../support/policy-laws.js'

beforeAll(() => console.info(`${WORLDS} worlds from seed ${SEED}`))

/** Holds a law, and sees to it that some of the worlds were able to break it. */
function hold({ holds }: Law): void {
  const telling = forEveryWorld((world, pick) => holds(policy, world, pick))
  if (WORLDS >= 1000) expect(telling).toBeGreaterThan(0)
}

it('[DE-5] by column, gate by gate and by the plain reference, a record has one face', () => {
  hold(REFERENCE)
})

it('[DE-1] a decision is the meet of its gates, so it shows no more than any of them', () => {
  hold(LEAST_FACE)
})

it('[DE-3] each gate alone hides records that all others would show', () => {
  const alone = new Map(policy.GATES.map(gate => [gate.name, 0]))
  forEveryWorld(world => {
    for (const { subject, tuple, times } of decisionsIn(world)) {
      const { gates } = policy.explain(subject, tuple, times)
      const closed = gates.filter(({ face }) => face === policy.NONE)
      const [only] = closed
      if (closed.length === 1 && only) alone.set(only.gate, (alone.get(only.gate) ?? 0) + 1)
    }
    return true
  })
  if (WORLDS >= 1000) expect([...alone].filter(([, times]) => times === 0)).toEqual([])
})

describe('[DE-1, DE-2] nobody is shown more', () => {
  it.each(NARROWING_LAWS.map(law => [law.title, law] as const))('by %s', (_, law) => {
    hold(law)
  })
})

it('[DE-1] the order of gates, facts and records does not matter, nor does repetition', () => {
  hold(ORDER)
})

it('[DE-2] the gate that answers for a field hides what it does not know, whatever the others do', () => {
  hold(UNKNOWN_FIELDS)
  hold(REPLACED)
})

it('[DE-2] a gate that throws denies', () => {
  hold(FAILING_GATE)
})

it('[DE-2] a gate that answers with no face denies', () => {
  hold(NO_FACE)
})

it('[DE-2] a fact that cannot be looked up discloses nothing more', () => {
  hold(FAILING_FACTS)
})

it('[DE-2] an empty list of gates discloses nothing', () => {
  hold(NO_GATES)
})

it('[DE-5] tuples that differ in one field only are decided as if each stood alone', () => {
  hold(NEIGHBOURS)
})

it('[DE-5] tuples share a compartment exactly if they are equal', () => {
  hold(COMPARTMENTS)
})
