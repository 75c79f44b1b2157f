import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Policy } from '../support/decided-worlds.js'
import { generatedWorlds, SEED } from '../support/generated.js'
import { CLAIM_LAWS, LABEL_LAWS } from '../support/label-laws.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import { DECISION_LAWS } from '../support/policy-laws.js'
import { POLICY_MUTANTS } from '../support/policy-mutants.js'

const WORLDS_TRIED = 1000

/** The first law that the module breaks, or none. */
function brokenLaw(policy: Policy, laws: Laws): string | null {
  if (laws !== 'decisions') {
    for (const { title, property } of [...LABEL_LAWS, ...CLAIM_LAWS]) {
      const { failed } = fc.check(property(policy), { seed: SEED, numRuns: 500, endOnFailure: true })
      if (failed) return title
    }
  }
  for (const [world, pick] of generatedWorlds(WORLDS_TRIED)) {
    for (const { title, holds } of DECISION_LAWS) {
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

async function brokenLawOf(mutation: Mutation | null): Promise<string | null> {
  const mutant = await makeMutant(mutation)
  try {
    const policy = (await mutant.import('src/policy/index.ts')) as Policy
    return brokenLaw(policy, mutation === null ? 'all' : lawsFor(mutation))
  } finally {
    await mutant.dispose()
  }
}

it('[DE-1, DE-2, DE-3] the unbroken copy keeps every law', async () => {
  expect(await brokenLawOf(null)).toBeNull()
})

describe('[DE-1, DE-2, DE-3] broken on purpose, a law catches it', () => {
  it.each(POLICY_MUTANTS)('%s', async (_, mutation) => {
    expect(await brokenLawOf(mutation)).not.toBeNull()
  })
})
