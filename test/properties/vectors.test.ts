import { beforeAll, expect, it, vi } from 'vitest'
import { SEED, WORLDS } from '../support/generated.js'
import {
  BOUNDS,
  EXACT,
  HIDDEN_IS_ABSENT,
  KEPT,
  OWN_SCALE,
  TIGHT,
  TWINS,
  TWO_CALLERS,
  type VectorLaw,
  type Vectors,
  vectorsFrom,
} from '../support/vector-laws.js'
import { vectorWorlds } from '../support/vector-worlds.js'

let vectors: Vectors
const COUNT = Math.ceil(WORLDS / 2)

/** More worlds may take longer. */
vi.setConfig({ testTimeout: 60_000 + 60 * WORLDS })

beforeAll(async () => {
  console.info(`${COUNT} worlds from seed ${SEED}`)
  vectors = await vectorsFrom(path => import(/* @vite-ignore */ `../../${path}`))
})

/** Holds a law, and sees to it that some of the worlds were able to break it. */
function hold({ holds }: VectorLaw): void {
  let telling = 0
  for (const world of vectorWorlds(COUNT)) {
    try {
      if (holds(vectors, world)) telling++
    } catch (e) {
      throw new Error(`in the world of seed ${world.seed}, ${e instanceof Error ? e.message : e}`, {
        cause: e,
      })
    }
  }
  if (COUNT >= 100) expect(telling).toBeGreaterThan(COUNT / 20)
}

it('[SC-3, SC-4] cosines, extremes, scores and neighbours are those of brute force over stored vectors, to the last bit', () => {
  hold(EXACT)
})

it('[SC-3] no bound is ever wrong, and a record without a visible vector has a part of exactly 0', () => {
  hold(BOUNDS)
})

it('[SC-3] bounds are narrow enough to exclude', () => {
  hold(TIGHT)
})

it('[SC-3] SIMD and plain JavaScript give the same bytes', () => {
  hold(TWINS)
})

it('[NI-2, NI-4] vectors that are hidden or seen through a lesser face change nothing, even if they would win', () => {
  hold(HIDDEN_IS_ABSENT)
})

it('[NI-2] what one caller asks, and what is added meanwhile, changes nothing for another', () => {
  hold(TWO_CALLERS)
})

it('[SC-3] vectors that were kept, compacted and written down are the same', () => {
  hold(KEPT)
})

it('[SC-3, NI-2] a vector is stored by its own largest component, whatever was stored before', () => {
  hold(OWN_SCALE)
})
