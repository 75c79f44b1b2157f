import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import type * as Open from '../../src/open.js'
import { type Connect, type Leak, withoutClosing } from '../../src/testing/index.js'
import { type Mutation, makeMutant } from './mutants.js'
import { withSeenIn } from './seen-in.js'
import { freshDatabase } from './stores.js'

/** A way to leak, put into a copy of the sources. */
export interface PlantedLeak {
  /** A world in which the harness sees it: the only one that is looked at. */
  readonly seenIn: number
  readonly mutations: readonly Mutation[]
  /** Whether it is an error that nobody expects. No other leak is seen by such an error: then the copy is just broken. */
  readonly isDefect?: boolean
}

export type Leaks<L extends PlantedLeak = PlantedLeak> = Readonly<Record<string, L>>

/** How to reach the copy: with these options, and perhaps through two Privity on one store. */
export type ConnectWith = (options?: Parameters<typeof Open.assemble>[2], twin?: 'twin') => Connect

/** What the harness reports of one world. */
export type Look<L> = (connectWith: ConnectWith, world: number, leak: L) => Promise<readonly Leak[]>

/** Worlds to look through for one that shows a leak again: a few, or with PRIVITY_UPDATE=1 many. */
const FEW_WORLDS = 12
const MANY_WORLDS = 200
const updates = process.env.PRIVITY_UPDATE === '1'

/** In milliseconds, on a busy machine. */
export const TIME_TO_LOOK = updates ? 7_200_000 : 600_000

/**
 * Holds that the harness sees a leak of `leaks/<list>.ts` in its world. Where it does not any more, since worlds or
 * sources changed, it fails and names the next world that shows the leak; with PRIVITY_UPDATE=1 it writes that into the
 * list instead.
 */
export async function expectSeen<L extends PlantedLeak>(
  list: string,
  name: string,
  leak: L,
  look: Look<L>,
): Promise<void> {
  const { seenIn } = leak
  await withCopy(leak.mutations, async connectWith => {
    const worlds = updates ? MANY_WORLDS : FEW_WORLDS
    for (let world = seenIn; world <= seenIn + worlds; world++) {
      const reported = await look(connectWith, world, leak)
      const leaks = reported.filter(({ kind }) => (kind === 'internal error') === (leak.isDefect ?? false))
      if (leaks.length === 0) continue
      if (world === seenIn) return
      if (updates) return writeSeenIn(list, name, seenIn, world)
      expect.fail(`seenIn: ${seenIn} is now ${world}, for "${name}" in ${pathOf(list)} (${leaks[0]?.kind})`)
    }
    const further = updates ? '' : '; with PRIVITY_UPDATE=1 more worlds are tried'
    expect.fail(`seenIn: ${seenIn} does not show "${name}", nor do the next ${worlds} worlds${further}`)
  })
}

/** What the harness reports of the copy with nothing broken: the control of every planted leak. */
export async function leaksOfUnbroken<L extends PlantedLeak>(
  leak: L,
  look: Look<L>,
): Promise<readonly Leak[]> {
  let leaks: readonly Leak[] = []
  await withCopy([], async connectWith => {
    leaks = await look(connectWith, leak.seenIn, leak)
  })
  return leaks
}

async function withCopy(
  mutations: readonly Mutation[],
  use: (connectWith: ConnectWith) => Promise<void>,
): Promise<void> {
  const mutant = await makeMutant(mutations)
  // Row-level security is installed again where its text differs; tables are not.
  const makesTables = mutations.some(({ file }) => /^sql\/\d/.test(file))
  const database = await freshDatabase(makesTables ? 'empty' : 'migrated')
  try {
    const { openStore, assemble } = (await mutant.import('src/open.ts')) as typeof Open
    await use((options, twin) => async (clock, observe) => {
      const db = await openStore({ databaseUrl: database.url, poolSize: 2, observe })
      const other = twin && (await assemble(withoutClosing(db), clock, options))
      return { db, ...(other && { twin: other }), privity: await assemble(db, clock, options) }
    })
  } finally {
    await database.drop()
    await mutant.dispose()
  }
}

const pathOf = (list: string) => `test/non-interference/leaks/${list}.ts`

function writeSeenIn(list: string, name: string, from: number, to: number): void {
  const file = new URL(`../../${pathOf(list)}`, import.meta.url)
  writeFileSync(file, withSeenIn(readFileSync(file, 'utf8'), name, from, to))
  console.info(`seenIn: ${from} is now ${to}, for "${name}": written to ${pathOf(list)}`)
}
