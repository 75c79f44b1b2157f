import { OPERATIONS, operationNamed } from '../../operations.js'
import type { Random } from './random.js'
import { type Known, sampleWorld } from './sample-world.js'
import { CORPORA, maybe, TAGS, type Who } from './world.js'

/** A request of a viewer. */
export interface Request {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  readonly options?: Readonly<Record<string, unknown>>
  /** Whether its statements must be equal too, because it names records, follows relations or has pages (NI-5). */
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

/** A script of requests: every record, every operation on records and, over many worlds, every operation. */
export function makeRequests(
  rng: Random,
  viewer: Who,
  known: Known,
  length: number,
  focus: Focus = 'everything',
): Request[] {
  const often = [
    'memory.get',
    'memory.list',
    'memory.list',
    'memory.remember',
    'memory.relate',
    'memory.explain',
  ]
  const everything = () => [
    ...known.records.map(() => 'memory.get'),
    ...OPERATIONS.map(({ name }) => name as string).filter(
      name => name.startsWith('memory.') || rng.chance(isPerson(viewer) ? 0.8 : 0.2),
    ),
    ...Array.from({ length }, () => rng.pick(often)),
  ]
  const search = () => [
    ...SEARCHING,
    'receipts.list',
    'memory.remember',
    'memory.relabel',
    ...Array.from({ length }, () => rng.pick(SEARCHING)),
  ]
  const graph = () => [...GRAPHING, ...Array.from({ length }, () => rng.pick(GRAPHING))]
  const meaning = () => [...search(), 'memory.retrieve_graph', 'memory.pin', 'memory.reinforce', 'memory.get']
  const names: readonly string[] = { everything, search, graph, meaning }[focus]()
  const shuffled = names.map(name => ({ name, at: rng.below(2 ** 30) })).sort((a, b) => a.at - b.at)
  const requests = shuffled.map(({ name }, at) => {
    const asked = sampleOf(name, rng, { ...known, key: `${known.key}:${at}` })
    const input =
      focus === 'meaning' && name === 'memory.search' ? { ...asked, ...meaningConditions(rng) } : asked
    const named = name === 'memory.consolidate' && 'records' in input
    return { operation: name, input, traced: operationNamed(name).traced === true || named }
  })
  // Lesser faces show tags but not the corpus, so a search for both must not find them.
  const pointed = focus === 'search' ? CORPORA.map(corpus => ({ query: TAGS.join(' '), corpus })) : []
  return [...requests, ...pointed.map(input => ({ operation: 'memory.search', input, traced: false }))]
}
