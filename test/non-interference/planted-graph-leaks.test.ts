import { describe, expect, it } from 'vitest'
import type * as Open from '../../src/open.js'
import { type Connect, checkNonInterference } from '../../src/testing/index.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import { freshDatabase } from '../support/privity.js'

const inGraph = (find: string, replace: string): Mutation => ({
  file: 'src/runtime/operations/graph.ts',
  find,
  replace,
})
const inEdges = (find: string, replace: string): Mutation => ({
  file: 'src/runtime/known-edges.ts',
  find,
  replace,
})

const inRequest = (replace: string): Mutation => ({
  file: 'src/runtime/request.ts',
  find: '    const rows = await fetchEdges(this.tx, this.tenant, ids)\n',
  replace,
})

/**
 * Ways in which graphs leak, each put into a copy of the sources. The harness has to see every one. `seenIn` is a world
 * that shows it, to begin with: if worlds change, the search goes on from there.
 */
const LEAKS: Readonly<Record<string, { seenIn: number; mutations: readonly Mutation[] }>> = {
  // Both locks at once: each alone would leave it out.
  'an edge to a hidden node': {
    seenIn: 1,
    mutations: [
      inRequest(`    await setRole(this.tx, 'privity_index')
    const rows = await fetchEdges(this.tx, this.tenant, ids)
    await setRole(this.tx, 'privity_app')\n`),
      inEdges(`if (direction === 'out' ? end.level === 'none' : end.level !== 'full') continue`, ''),
      inGraph(`    level === 'full' &&\n    (kinds`, '    (kinds'),
    ],
  },
  'a way through a lesser face': {
    seenIn: 3,
    mutations: [inGraph(`    level === 'full' &&\n    (kinds`, `    level !== 'none' &&\n    (kinds`)],
  },
  'a way out of a root with a lesser face': {
    seenIn: 1,
    mutations: [inGraph(`roots.filter(({ face }) => face === 'full').map`, 'roots.map')],
  },
  'a limit counted before the decision': {
    seenIn: 1,
    mutations: [
      inRequest(`    await setRole(this.tx, 'privity_index')
    const rows = (await fetchEdges(this.tx, this.tenant, ids)).slice(0, 5)
    await setRole(this.tx, 'privity_app')\n`),
    ],
  },
  'a limit in the statement': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/storage/queries/fetch-edges.ts',
        find: `order by "record", "type", "direction", "other", "sources", "cited"\``,
        replace: `order by "record", "type", "direction", "other", "sources", "cited" limit 3\``,
      },
    ],
  },
  'an edge of which something hidden tells': {
    seenIn: 2,
    mutations: [inEdges(`if (tellers.some(teller => teller?.level !== 'full')) continue`, '')],
  },
  'an edge of which a lesser face tells': {
    seenIn: 2,
    mutations: [inEdges(`teller?.level !== 'full'`, `(teller?.level ?? 'none') === 'none'`)],
  },
  'an edge hidden by those who tell of it as well': {
    seenIn: 22,
    mutations: [
      {
        file: 'sql/004-graph.sql',
        find: 'add primary key (tenant_id, from_id, to_id, type, sources)',
        replace: 'add primary key (tenant_id, from_id, to_id, type)',
      },
    ],
  },
  'a mention by a name that a lesser face does not show': {
    seenIn: 2,
    mutations: [
      {
        file: 'src/runtime/write-records.ts',
        find: 'sources: [to] })',
        replace: 'sources: [] })',
      },
    ],
  },
  'rounds that depend on what is hidden': {
    seenIn: 1,
    mutations: [
      inGraph(
        `outermost = nearest.map(({ id }) => id)`,
        `outermost = nearest.map(({ id }) => id)
    const told = await request.tx.query('select 1 from privity.relations where from_id = any ($1)', [outermost])
    if (told.length % 2 === 1) await request.tx.query('select 1')`,
      ),
    ],
  },
}

/** Worlds to look through before a leak counts as unseen. */
const WORLDS = 60

describe('planted leaks of graphs', () => {
  it.each(Object.entries(LEAKS))(
    '[NI-3, TR-6, PC-5] the harness sees %s',
    async (_name, { seenIn, mutations }) => {
      const mutant = await makeMutant(mutations)
      const database = await freshDatabase()
      const { openStore, assemble } = (await mutant.import('src/open.ts')) as typeof Open
      const connect: Connect = async (clock, observe) => {
        const db = await openStore({ databaseUrl: database.url, poolSize: 2, observe })
        return { db, privity: await assemble(db, clock) }
      }
      let seen = seenIn
      const leaks = await checkNonInterference({
        connect,
        seed: seenIn,
        worlds: WORLDS,
        focus: 'graph',
        requests: 8,
        failFast: true,
        onWorld: world => {
          seen = seenIn + world
        },
      })
      if (seen !== seenIn) console.info(`seen in world ${seen}`)
      await database.drop()
      await mutant.dispose()
      expect(leaks.length).toBeGreaterThan(0)
    },
    600_000,
  )
})
