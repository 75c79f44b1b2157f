import { describe, expect, it } from 'vitest'
import { chosen, someMutants } from '../support/chosen.js'
import { deep } from '../support/depth.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import {
  HISTORY_LAWS,
  QUICK_LAWS,
  type Search,
  type SearchLaw,
  searchFrom,
  WORLD_LAWS,
} from '../support/search-laws.js'
import { SEARCH_MUTANTS } from '../support/search-mutants.js'
import { searchHistories, searchWorlds } from '../support/search-worlds.js'

/** What a mutant is shown before it counts as unseen. */
const WORLDS = 160
const FEW = 8

/** The first law that the modules break, or none: what is seen soon comes first, and cells where they are broken. */
function brokenLaw(search: Search, file = '', most = WORLDS): string | null {
  const worlds = (laws: readonly SearchLaw[], from: number, to: number) => () =>
    brokenIn(search, laws, searchWorlds(to).slice(from))
  const histories = (from: number, to: number) => () =>
    brokenIn(search, HISTORY_LAWS, searchHistories(to).slice(from))
  const steps = [worlds(WORLD_LAWS, 0, FEW), histories(0, FEW)]
  if (file.includes('/cell')) steps.reverse()
  steps.push(worlds(QUICK_LAWS, FEW, most), worlds(WORLD_LAWS, FEW, most), histories(FEW, most))
  for (const step of steps) {
    const title = step()
    if (title !== null) return title
  }
  return null
}

function brokenIn<World>(
  search: Search,
  laws: readonly { title: string; holds(search: Search, world: World): boolean }[],
  worlds: readonly World[],
): string | null {
  for (const world of worlds) {
    for (const { title, holds } of laws) {
      try {
        holds(search, world)
      } catch {
        return title
      }
    }
  }
  return null
}

async function brokenLawOf(mutation: Mutation | null, most = WORLDS): Promise<string | null> {
  const mutant = await makeMutant(mutation)
  try {
    return brokenLaw(await searchFrom(path => mutant.import(path)), mutation?.file, most)
  } finally {
    await mutant.dispose()
  }
}

it('[NI-1, NI-2, NI-4, SC-1, SC-2] the unbroken copy keeps every law', async () => {
  expect(await brokenLawOf(null, deep ? 40 : FEW)).toBeNull()
}, 600_000)

describe('[NI-1, NI-2, NI-4, SC-1, SC-2, SC-4, SC-5] broken on purpose, a law catches it', () => {
  it.each(chosen('search', SEARCH_MUTANTS, someMutants(SEARCH_MUTANTS)))(
    '%s',
    async (_, mutation) => {
      expect(await brokenLawOf(mutation)).not.toBeNull()
    },
    600_000,
  )
})
