import { OPERATIONS, operationNamed } from '../../operations.js'
import type { Operation } from '../../runtime/operation.js'
import { numbered, ordered, type Plan, type PlannedRequest, planRequest } from './planned-request.js'
import { type Random, randomOf } from './random.js'
import { type Known, sampleWorld } from './sample-world.js'
import { CORPORA, maybe, TAGS, type Who } from './world.js'

/** A request of a viewer. */
export interface Request {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  readonly options?: Readonly<Record<string, unknown>>
  /** Whether its statements must be equal too: of all but a few that load parts of the index (NI-5). */
  readonly traced: boolean
}

/** A sample request for an operation, based on what the viewer knows. */
export function sampleOf(operation: string, rng: Random, known: Known): Request['input'] {
  return operationNamed(operation).sample(sampleWorld(rng, known))
}

export const isRead = ({ operation }: Request) => operationNamed(operation).access === 'read'

/** Most operations that are not about records are for people; anyone else gets the same refusal. */
const isPerson = ({ audience }: Who) => audience === undefined || audience === 'owner' || audience === 'host'

/** What a script concentrates on: everything, search, graphs, or search by meaning. */
export type Focus = 'everything' | 'search' | 'graph' | 'meaning'

const SEARCHING = [
  'memory.search',
  'memory.search',
  'memory.search',
  'memory.search',
  'memory.complete',
  'receipts.get',
  'searches.save',
  'searches.changes',
] as const

const OFTEN = [
  'memory.get',
  'memory.list',
  'memory.list',
  'memory.remember',
  'memory.relate',
  'memory.explain',
] as const

const GRAPHING = [
  'memory.retrieve_graph',
  'memory.retrieve_graph',
  'memory.retrieve_graph',
  'memory.get',
  'memory.relate',
  'memory.remember',
] as const

/** Options for searches by meaning, in all variants. */
const meaningConditions = (rng: Random): Request['input'] => ({
  ...maybe(rng, 0.6, { mode: rng.pick(['vector', 'hybrid', 'hybrid', 'text']) }),
  ...maybe(rng, 0.3, { maxDistance: rng.pick([0.2, 0.5, 0.9, 1.5]) }),
  ...maybe(rng, 0.3, { neighbours: true }),
  ...maybe(rng, 0.2, { recency: { weight: 0.3, halfLifeDays: 1 } }),
  ...maybe(rng, 0.2, { salience: { weight: 0.4 } }),
  explain: true,
})

/**
 * A script of requests: every record, every operation on records and, over many worlds, every operation. What is asked
 * of one operation does not depend on which others there are.
 */
export function makeRequests(
  plan: Plan,
  viewer: Who,
  known: Known,
  length: number,
  focus: Focus = 'everything',
  operations: readonly Operation[] = OPERATIONS,
): PlannedRequest[] {
  const draw = randomOf(plan.key, focus)
  const more = (from: readonly string[]) => Array.from({ length }, () => draw.pick(from))
  const search = [...SEARCHING, 'receipts.list', 'memory.remember', 'memory.relabel', ...more(SEARCHING)]
  const names: Readonly<Record<Focus, readonly string[]>> = {
    everything: [...known.records.map(() => 'memory.get'), ...more(OFTEN)],
    search,
    graph: [...GRAPHING, ...more(GRAPHING)],
    meaning: [...search, 'memory.retrieve_graph', 'memory.pin', 'memory.reinforce', 'memory.get'],
  }
  const fromTable = operations
    .filter(
      ({ name }) =>
        name.startsWith('memory.') || randomOf(plan.key, name).chance(isPerson(viewer) ? 0.8 : 0.2),
    )
    .map(({ name }) => ({ name, label: name }))
  const planned = [...numbered(names[focus]), ...(focus === 'everything' ? fromTable : [])].map(
    ({ name, label }) =>
      planRequest(plan, label, (rng, key) => {
        const operation = operations.find(one => one.name === name) ?? operationNamed(name)
        const asked = operation.sample(sampleWorld(rng, { ...known, key, script: plan.key }))
        const input =
          focus === 'meaning' && name === 'memory.search' ? { ...asked, ...meaningConditions(rng) } : asked
        return { operation: name, input, traced: true }
      }),
  )
  // Lesser faces show tags but not the corpus, so a search for both must not find them.
  const pointed = focus === 'search' ? CORPORA : []
  return [
    ...ordered(planned),
    ...pointed.map(corpus => ({
      ...planRequest(plan, `memory.search in ${corpus}`, () => ({
        operation: 'memory.search',
        input: { query: TAGS.join(' '), corpus },
        traced: true,
      })),
      at: plan.start + plan.span,
    })),
  ]
}
