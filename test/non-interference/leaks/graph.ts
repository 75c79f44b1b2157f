import type { Mutation } from '../../support/mutants.js'
import type { Leaks } from '../../support/planted-leaks.js'

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

/** Ways in which graphs leak, each put into a copy of the sources. The harness has to see every one. */
export const GRAPH_LEAKS: Leaks = {
  // Both locks at once: each alone would leave it out.
  'an edge to a hidden node': {
    seenIn: 1,
    mutations: [
      inRequest(`    await this.tx.query("select set_config('role', 'privity_index', true)")
    const rows = await fetchEdges(this.tx, this.tenant, ids)
    await this.tx.query("select set_config('role', 'privity_app', true)")\n`),
      inEdges(`if (direction === 'out' ? end.level === 'none' : end.level !== 'full') continue`, ''),
    ],
  },
  'a way through a lesser face': {
    seenIn: 3,
    mutations: [inGraph('nearest.filter(({ full }) => full).map', 'nearest.map')],
  },
  'a way out of a root with a lesser face': {
    seenIn: 78,
    mutations: [inGraph(`roots.filter(({ face }) => face === 'full').map`, 'roots.map')],
  },
  'a limit counted before the decision': {
    seenIn: 12,
    mutations: [
      inRequest(`    await this.tx.query("select set_config('role', 'privity_index', true)")
    const rows = (await fetchEdges(this.tx, this.tenant, ids)).slice(0, 5)
    await this.tx.query("select set_config('role', 'privity_app', true)")\n`),
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
    seenIn: 4,
    mutations: [inEdges(`if (tellers.some(teller => teller?.level !== 'full')) continue`, '')],
  },
  'an edge of which a lesser face tells': {
    seenIn: 4,
    mutations: [inEdges(`teller?.level !== 'full'`, `(teller?.level ?? 'none') === 'none'`)],
  },
  'an edge hidden by those who tell of it as well': {
    seenIn: 22,
    mutations: [
      {
        file: 'sql/001-baseline.sql',
        find: 'primary key (tenant_id, from_id, to_id, type, sources)',
        replace: 'primary key (tenant_id, from_id, to_id, type)',
      },
    ],
  },
  'a mention by a name that a lesser face does not show': {
    seenIn: 11,
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
        'outermost = nearest.filter(({ full }) => full).map(({ id }) => id)',
        `outermost = nearest.filter(({ full }) => full).map(({ id }) => id)
    const told = await request.tx.query('select 1 from privity.relations where from_id = any ($1)', [outermost])
    if (told.length % 2 === 1) await request.tx.query('select 1')`,
      ),
    ],
  },
}
