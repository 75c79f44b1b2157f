import { describe, expect, it } from 'vitest'
import type * as Open from '../../src/open.js'
import { type Connect, checkNonInterference } from '../../src/testing/index.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import { freshDatabase } from '../support/privity.js'

interface Planted {
  /** A world that shows it, to begin with. */
  readonly seenIn: number
  readonly operation: RegExp
  readonly mutations: readonly Mutation[]
}

/** Each in two places: with the statement alone broken, the operation would leave the record out. */
const LEAKS: Readonly<Record<string, Planted>> = {
  'a metadata face placed on a timeline by when it happened': {
    seenIn: 1,
    operation: /^memory\.timeline$/,
    mutations: [
      {
        file: 'src/storage/queries/timeline-records.ts',
        find: 'IS_SEEN_IN_FULL} then r.occurred_at',
        replace: 'true} then r.occurred_at',
      },
      {
        file: 'src/runtime/operations/timeline.ts',
        find: 'if (view && isPlacedByFace(row, view) && matchesByFace(view, asked)) found',
        replace: 'if (view && matchesByFace(view, asked)) found',
      },
    ],
  },
  'a filter that finds a lesser face by what it hides': {
    seenIn: 20,
    // Shared documents are listed by the same statement.
    operation: /^(?:memory|document_view)\.list$/,
    mutations: [
      {
        file: 'src/storage/queries/list-records.ts',
        find: 'IS_SEEN_IN_FULL})',
        replace: 'true})',
      },
      {
        file: 'src/runtime/operations/list.ts',
        find: `return view.face === 'full' || !asksPayload`,
        replace: 'return true',
      },
    ],
  },
}

describe('planted leaks of pages', () => {
  it.each(Object.entries(LEAKS))(
    '[NI-3, NI-4] the harness sees %s',
    async (_, { seenIn, operation, mutations }) => {
      const mutant = await makeMutant(mutations)
      const database = await freshDatabase()
      const { openStore, assemble } = (await mutant.import('src/open.ts')) as typeof Open
      const connect: Connect = async (clock, observe) => {
        const db = await openStore({ databaseUrl: database.url, poolSize: 2, observe })
        return { db, privity: await assemble(db, clock) }
      }
      const leaks = await checkNonInterference({ connect, seed: seenIn, worlds: 80, failFast: true })
      await database.drop()
      await mutant.dispose()
      expect(leaks.map(({ request }) => request.operation)).toContainEqual(expect.stringMatching(operation))
      expect(leaks.map(({ kind }) => kind)).not.toEqual(['statements'])
    },
    600_000,
  )
})
