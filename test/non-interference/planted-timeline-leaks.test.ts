import { expect, it } from 'vitest'
import type * as Open from '../../src/runtime/open.js'
import { type Connect, checkNonInterference } from '../../src/testing/index.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import { freshDatabase } from '../support/privity.js'

/** In both places: the statement alone would place it wrongly, and the operation would leave it out. */
const PLACED_BY_WHAT_IS_HIDDEN: readonly Mutation[] = [
  {
    file: 'src/storage/queries/timeline-records.ts',
    find: 'r.sensitivity = any ($6::text[])',
    replace: '$6::text[] is null',
  },
  {
    file: 'src/runtime/operations/timeline.ts',
    find: 'if (view && isPlacedByFace(row, view) && matchesByFace(view, asked)) found',
    replace: 'if (view && matchesByFace(view, asked)) found',
  },
]

it('[NI-3, NI-4] the harness sees a metadata face placed on a timeline by when it happened', async () => {
  const mutant = await makeMutant(PLACED_BY_WHAT_IS_HIDDEN)
  const database = await freshDatabase()
  const { openStore, assemble } = (await mutant.import('src/runtime/open.ts')) as typeof Open
  const connect: Connect = async (clock, observe) => {
    const db = await openStore({ databaseUrl: database.url, poolSize: 2, observe })
    return { db, privity: await assemble(db, clock) }
  }
  const leaks = await checkNonInterference({ connect, seed: 1, worlds: 80, failFast: true })
  await database.drop()
  await mutant.dispose()
  expect(leaks.map(({ request }) => request.operation)).toContain('memory.timeline')
}, 600_000)
