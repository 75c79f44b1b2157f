import fc from 'fast-check'
import type { PolicyWorld } from '../../src/testing/policy-world.js'
import { policyWorld } from '../../src/testing/worlds.js'
import { times } from './depth.js'

/** How many worlds each property is tried on, and from which seed; both may be set to look longer or again. */
export const WORLDS = Number(process.env.PRIVITY_WORLDS ?? times(20, 1000))
export const SEED = Number(process.env.PRIVITY_SEED ?? 20_260_101)

const CHUNK = 1000
const CHUNKS_KEPT = 5
const kept = new Map<number, readonly [PolicyWorld, number][]>()

const drawn = () => fc.tuple(policyWorld(), fc.nat())
const parameters = (chunk: number, numRuns = CHUNK) => ({ seed: SEED + chunk, numRuns })

/** Worlds, each with a number to choose by. Making one costs more than deciding in it, so the first are made once. */
export function* generatedWorlds(count = WORLDS): Generator<readonly [PolicyWorld, number]> {
  for (let chunk = 0; chunk * CHUNK < count; chunk++) {
    const wanted = Math.min(CHUNK, count - chunk * CHUNK)
    const known = kept.get(chunk) ?? []
    const worlds = known.length >= wanted ? known : fc.sample(drawn(), parameters(chunk, wanted))
    if (chunk < CHUNKS_KEPT) kept.set(chunk, worlds)
    yield* worlds.slice(0, wanted)
  }
}

/**
 * Holds a law on every generated world; where it fails, on the smallest world found that fails it. Answers how many
 * worlds could have shown a failure.
 */
export function forEveryWorld(holds: (world: PolicyWorld, pick: number) => boolean): number {
  let at = 0
  let telling = 0
  for (const [world, pick] of generatedWorlds()) {
    try {
      if (holds(world, pick)) telling++
    } catch (e) {
      const property = fc.property(drawn(), drawnWorld => void holds(...drawnWorld))
      fc.assert(property, parameters(Math.floor(at / CHUNK)))
      throw e
    }
    at++
  }
  return telling
}
