import { z } from 'zod'
import { MEMORY_KINDS } from '../../policy/vocabulary.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { name } from '../input.js'
import type { KnownEdge } from '../known-edges.js'
import { readOperation } from '../operation.js'
import { type RecordView, recordView } from '../record-view.js'
import type { ReadRequest } from '../request.js'
import { sampleConditions } from '../sample-world.js'
import { parseQuestion, QUESTION } from '../search/question.js'
import { expansionRecord, receipt } from '../search/receipt.js'
import { cutPage, fetchResults, runSearch } from '../search/run.js'

const { query: task, ...conditions } = QUESTION

const input = z.strictObject({
  task: task.meta({
    description: 'What there is to do, asked like a search: the best results are the roots.',
    example: 'plan the garden',
  }),
  /**
   * Search conditions for the roots. `kinds` applies to every node: other kinds are neither returned nor traversed.
   */
  ...conditions,
  rootLimit: z.int().min(1).max(50).default(10).meta({ description: 'Most search results to start from.' }),
  nodeLimit: z.int().min(1).max(200).default(25).meta({ description: 'Most records to return.' }),
  edgeLimit: z.int().min(0).max(1_000).default(100).meta({ description: 'Most relations to return.' }),
  maxHops: z
    .int()
    .min(0)
    .max(4)
    .default(1)
    .meta({ description: 'Most relations between a start and a record; 0 for the starts alone.' }),
  relationTypes: z
    .array(name)
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Follow only relations of these types.', example: ['supports'] }),
})
type Input = z.output<typeof input>

const edge = z.object({
  from: z.string().meta({ description: 'The record that stands in the relation, by its id.' }),
  to: z.string().meta({ description: 'The record it stands in the relation to, by its id.' }),
  type: z.string().meta({ description: 'The relation.' }),
})
type Edge = z.infer<typeof edge>

/** Returns what is known around a task: the best results of a search, and the records they lead to (TR-6). */
export const retrieveGraph = readOperation({
  name: 'memory.retrieve_graph',
  route: 'POST /graph',
  summary: 'Search for a task and follow relations from what is found',
  positional: ['task', '...'],
  policies: ['agent', 'reader'],
  sample: world => {
    // Lesser faces can be found only by their tags.
    const task = [world.tag(), world.word(), world.typed(), world.typed()].join(' ')
    return {
      task,
      ...(world.chance(0.3) ? sampleConditions(world) : {}),
      rootLimit: world.pick([1, 2, 10]),
      nodeLimit: world.pick([1, 2, 3, 5, 25]),
      edgeLimit: world.pick([1, 3, 100]),
      maxHops: world.pick([0, 1, 1, 2, 3]),
      ...world.maybe(0.2, { relationTypes: [world.pick(['about', 'mentions', 'derived_from'])] }),
    }
  },
  callers: 'anyone',
  rate: 'query',
  input,
  asks: ({
    task,
    rootLimit: _,
    nodeLimit: __,
    edgeLimit: ___,
    maxHops: ____,
    relationTypes: _____,
    ...asked
  }) => parseQuestion({ ...asked, query: task }),
  output: z.object({
    // TR-5
    nodes: z
      .array(
        z.object({
          record: recordView.meta({ description: 'The record.' }),
          hop: z.int().meta({ description: 'Number of relations from the nearest root.' }),
          root: z.boolean().meta({ description: 'Whether the search found it.' }),
          score: z
            .number()
            .nullable()
            .meta({ description: 'Its score in the search; null for what was reached by a relation.' }),
        }),
      )
      .meta({ description: 'The records, nearest to the roots first.' }),
    edges: z.array(edge).meta({ description: 'Relations of nodes that are shown in full to other nodes.' }),
    truncated: z
      .object({
        nodes: z.boolean().meta({ description: 'Whether there are more nodes.' }),
        edges: z.boolean().meta({ description: 'Whether there are more edges.' }),
      })
      .meta({ description: 'Whether the limits left something out.' }),
    receipt: receipt.meta({ description: 'What was searched, and how complete the search was.' }),
    expansions: z
      .array(expansionRecord)
      .meta({ description: 'The words that were added to the question, and why.' }),
  }),
  async run(request, asked, question) {
    const { rootLimit, nodeLimit, edgeLimit, relationTypes } = asked
    const searched = await runSearch(request, question)
    const { page } = cutPage(searched.executed.ranked, null, rootLimit)
    const roots = await fetchResults(request, searched, page)
    const views = new Map(roots.map(({ view }) => [view.id, view]))

    const reached = await reach(request, [...views.values()], asked)
    const kept = reached.slice(0, nodeLimit)
    const asOf = asked.asOf === 'any' ? null : (asked.asOf ?? request.now).toISOString()
    for (const view of await viewsOf(request, kept)) if (holds(view, asOf)) views.set(view.id, view)

    const scores = new Map(roots.map(({ item }) => [item.id, item.score]))
    const nodes = kept.flatMap(({ id, hop }) => {
      const record = views.get(id)
      return record === undefined ? [] : { record, hop, root: hop === 0, score: scores.get(id) ?? null }
    })
    const edges = edgesBetween(
      nodes.map(({ record }) => record),
      relationTypes,
    )
    for (const { record } of nodes) request.show(record)
    request.leave(searched.account.run)
    return {
      nodes,
      edges: edges.slice(0, edgeLimit),
      truncated: { nodes: reached.length > nodeLimit, edges: edges.length > edgeLimit },
      receipt: searched.account.receipt,
      expansions: searched.account.expansions,
    }
  },
})

/** A record that was reached: its distance from a root, and the position of that root. */
interface ReachedRecord {
  readonly id: string
  readonly hop: number
  readonly root: number
  readonly layer: number
  readonly full: boolean
}

/**
 * Traverses from the roots, in order, up to one node more than asked for. Only full faces are traversed. Every limit
 * counts visible records only, and the number of statements depends only on what is visible (NI-1, NI-5).
 */
async function reach(
  request: ReadRequest,
  roots: readonly RecordView[],
  { nodeLimit, maxHops, kinds, relationTypes }: Input,
): Promise<ReachedRecord[]> {
  // A neighbour with a lesser face is a node too, as `get` names it; nothing is reached through it.
  const follows = ({ kind, type }: KnownEdge) =>
    (kinds === undefined || kinds.some(wanted => wanted === kind)) &&
    (relationTypes === undefined || relationTypes.includes(type))

  const reached = new Map<string, ReachedRecord>(
    roots.map(({ id, kind, face }, root) => [
      id,
      { id, hop: 0, root, layer: layerOf(kind), full: face === 'full' },
    ]),
  )
  let outermost = roots.filter(({ face }) => face === 'full').map(({ id }) => id)
  for (let hop = 1; hop <= maxHops && outermost.length > 0 && reached.size <= nodeLimit; hop++) {
    const next = new Map<string, ReachedRecord>()
    for (const edge of (await request.edgesOf(outermost)).filter(follows)) {
      const root = reached.get(edge.record)?.root ?? Number.POSITIVE_INFINITY
      if (reached.has(edge.other) || (next.get(edge.other)?.root ?? Number.POSITIVE_INFINITY) <= root)
        continue
      next.set(edge.other, {
        id: edge.other,
        hop,
        root,
        layer: layerOf(edge.kind),
        full: edge.level === 'full',
      })
    }
    const nearest = [...next.values()].sort(inOrder).slice(0, nodeLimit + 1 - reached.size)
    for (const found of nearest) reached.set(found.id, found)
    outermost = nearest.filter(({ full }) => full).map(({ id }) => id)
  }
  return [...reached.values()]
}

function inOrder(a: ReachedRecord, b: ReachedRecord): number {
  return a.root - b.root || a.layer - b.layer || (a.id < b.id ? -1 : 1)
}

const LAYERS: readonly string[] = MEMORY_KINDS

const layerOf = (kind: string): number => (LAYERS.includes(kind) ? LAYERS.indexOf(kind) : LAYERS.length)

/** The faces of the reached records, except for the roots, which are already loaded. */
async function viewsOf(request: ReadRequest, nodes: readonly ReachedRecord[]): Promise<RecordView[]> {
  const ids = nodes.filter(({ hop }) => hop > 0).map(({ id }) => id)
  const rows = await fetchRecords(request.tx, request.tenant, ids)
  const views = await request.view(rows)
  return views.filter(view => view !== null)
}

/** Whether a record holds at a moment, as far as its face says (TR-9). */
function holds({ payload }: RecordView, asOf: string | null): boolean {
  if (asOf === null) return true
  return (payload?.validFrom ?? asOf) <= asOf && (payload?.validTo == null || asOf < payload.validTo)
}

/** The edges between these records, each once, in a fixed order. */
function edgesBetween(records: readonly RecordView[], types: readonly string[] | undefined): Edge[] {
  const shown = new Set(records.map(({ id }) => id))
  return records
    .flatMap(({ id, relations }) =>
      relations
        .filter(({ direction, record }) => direction === 'out' && shown.has(record))
        .map(({ type, record }) => ({ from: id, to: record, type })),
    )
    .filter(({ type }) => types === undefined || types.includes(type))
    .sort((a, b) => compare(a.from, b.from) || compare(a.type, b.type) || compare(a.to, b.to))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
