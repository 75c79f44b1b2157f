import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chosen, someMutants } from '../support/chosen.js'
import type { Policy } from '../support/decided-worlds.js'
import { deep } from '../support/depth.js'
import { generatedWorlds, SEED } from '../support/generated.js'
import { CLAIM_LAWS, LABEL_LAWS } from '../support/label-laws.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import { DECISION_LAWS, type Law, REFERENCE } from '../support/policy-laws.js'
import { POLICY_MUTANTS } from '../support/policy-mutants.js'

/** What a mutant is shown before it counts as unseen. */
const WORLDS = 1000

/** The first law that the module breaks, or none. */
function brokenLaw(policy: Policy, laws: Laws, most: number): string | null {
  if (laws !== 'decisions') {
    for (const { title, property } of [...LABEL_LAWS, ...CLAIM_LAWS]) {
      const { failed } = fc.check(property(policy), { seed: SEED, numRuns: 500, endOnFailure: true })
      if (failed) return title
    }
  }
  // The reference sees nearly all there is to see and is quick, so it gets the most worlds.
  return (
    brokenIn(policy, DECISION_LAWS, 10) ??
    brokenIn(policy, [REFERENCE], 3 * most) ??
    brokenIn(policy, DECISION_LAWS, most)
  )
}

function brokenIn(policy: Policy, laws: readonly Law[], worlds: number): string | null {
  for (const [world, pick] of generatedWorlds(worlds)) {
    for (const { title, holds } of laws) {
      try {
        holds(policy, world, pick)
      } catch {
        return title
      }
    }
  }
  return null
}

type Laws = 'all' | 'decisions'
const lawsFor = ({ file }: Mutation): Laws => (/gates\/|decide|explain/.test(file) ? 'decisions' : 'all')

async function brokenLawOf(mutation: Mutation | null, most = WORLDS): Promise<string | null> {
  const mutant = await makeMutant(mutation)
  try {
    const policy = (await mutant.import('src/policy/index.ts')) as Policy
    return brokenLaw(policy, mutation === null ? 'all' : lawsFor(mutation), most)
  } finally {
    await mutant.dispose()
  }
}

it('[DE-1, DE-2, DE-3] the unbroken copy keeps every law', async () => {
  expect(await brokenLawOf(null, deep ? WORLDS : 15)).toBeNull()
}, 600_000)

describe('[DE-1, DE-2, DE-3] broken on purpose, a law catches it', () => {
  it.each(chosen('policy', POLICY_MUTANTS, someMutants(POLICY_MUTANTS)))(
    '%s',
    async (_, mutation) => {
      expect(await brokenLawOf(mutation)).not.toBeNull()
    },
    600_000,
  )
})
