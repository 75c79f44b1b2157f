import { describe, expect, it } from 'vitest'
import { chosen, someMutants } from '../support/chosen.js'
import { deep } from '../support/depth.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import { VECTOR_LAWS, type Vectors, vectorsFrom } from '../support/vector-laws.js'
import { VECTOR_MUTANTS } from '../support/vector-mutants.js'
import { vectorWorlds } from '../support/vector-worlds.js'

/** What a mutant is shown before it counts as unseen. */
const WORLDS = 160

/** The first law that the modules break, or none. */
function brokenLaw(vectors: Vectors, most: number): string | null {
  for (const world of vectorWorlds(most))
    for (const { title, holds } of VECTOR_LAWS) {
      try {
        holds(vectors, world)
      } catch {
        return title
      }
    }
  return null
}

async function brokenLawOf(mutation: Mutation | null, most = WORLDS): Promise<string | null> {
  const mutant = await makeMutant(mutation)
  try {
    return brokenLaw(await vectorsFrom(path => mutant.import(path)), most)
  } finally {
    await mutant.dispose()
  }
}

it('[SC-3, SC-4, NI-2] the unbroken copy keeps every law of vectors', async () => {
  expect(await brokenLawOf(null, deep ? 40 : 8)).toBeNull()
}, 600_000)

describe('[SC-3, SC-4, NI-2] vectors broken on purpose, a law catches it', () => {
  it.each(chosen('vectors', VECTOR_MUTANTS, someMutants(VECTOR_MUTANTS)))(
    '%s',
    async (_, mutation) => {
      expect(await brokenLawOf(mutation)).not.toBeNull()
    },
    600_000,
  )
})
