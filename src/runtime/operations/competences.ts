import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { joinLabels } from '../../policy/labels.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { insertRelations } from '../../storage/queries/relations.js'
import { draft } from '../draft.js'
import { recordId } from '../fields.js'
import { text } from '../input.js'
import { writerLabel } from '../labels-of-writes.js'
import { readOperation, writeOperation } from '../operation.js'
import { recordView } from '../record-view.js'
import { absent, type ReadRequest } from '../request.js'
import { type ParsedQuestion, parseQuestion, QUESTION } from '../search/question.js'
import { receipt } from '../search/receipt.js'
import { cutPage, fetchResults, runSearch } from '../search/run.js'
import { writeRecords } from '../write-records.js'
import { replayStored, storedRecord } from './stored.js'

/** The kinds of records that say how something is done. */
const PROCEDURES = ['competence', 'plan_graph'] as const
const isProcedure = (kind: string): boolean => (PROCEDURES as readonly string[]).includes(kind)
const OUTCOMES = ['success', 'failure', 'partial'] as const
const OUTCOME_OF = 'outcome_of'

/**
 * Keeps what came of following a competence or a plan, as an episode of its own. How often it worked is counted from the
 * episodes that a caller sees, so that a number tells nobody of what they do not (NI-2).
 */
export const recordOutcome = writeOperation({
  name: 'memory.record_outcome',
  route: 'POST /records/:record/outcomes',
  summary: 'Record whether a competence or a plan worked',
  policies: ['agent'],
  sample: world => ({ record: world.record(), outcome: world.pick([...OUTCOMES]), note: world.word() }),
  callers: 'anyone',
  effects: ['record_created', 'relation_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    record: recordId,
    outcome: z.enum(OUTCOMES).meta({ description: 'What came of it.', example: 'success' }),
    note: text(10_000)
      .refine(value => value.trim().length > 0, { message: 'must not be empty' })
      .optional()
      .meta({ description: 'What happened, in words.', example: 'The queue was empty after a minute.' }),
  }),
  output: z.object({
    records: z.array(storedRecord).meta({ description: 'The episode that was written.' }),
  }),
  async run(request, { record, outcome, note }) {
    await lockRecords(request.tx, request.tenant, [record], 'shared')
    const [row] = await request.requireWritable([record])
    if (row === undefined) throw absent()
    if (!isProcedure(row.tuple.kind))
      throw new PrivityError('invalid_input', 'record: must be a competence or a plan_graph')
    const made = draft.parse({
      kind: 'episodic',
      text: note ?? `${row.title ?? row.tuple.kind}: ${outcome}`,
      typed: { kind: 'episodic', outcome },
      // The least label: what it is about and what its writer was shown raise it.
      sensitivity: 'public',
      visibilityClass: 'public_open',
    })
    const atLeast = joinLabels(row.tuple, await writerLabel(request))
    const written = await writeRecords(request, [
      { draft: made, owner: row.tuple.owner, sources: [], atLeast },
    ])
    const relations = written.map(({ id }) => ({ from: id, to: record, type: OUTCOME_OF, sources: [] }))
    await insertRelations(request.tx, request.tenant, relations, request.now)
    return { output: { records: written }, refs: written.map(({ id }) => id) }
  },
  replay: replayStored,
})

const candidate = z
  .object({
    record: recordView.meta({ description: 'The competence or plan.' }),
    relevance: z.number().meta({ description: 'How well it fits the task, from 0 to 1.' }),
    successes: z.int().meta({ description: 'How often it worked, as far as you see.' }),
    failures: z.int().meta({ description: 'How often it did not, or only in part, as far as you see.' }),
    score: z.number().meta({ description: 'What it is ordered by: relevance times the expected success.' }),
  })
  .meta({ id: 'ProcedureCandidate', description: 'A way to do something, and how well it worked.' })

const question = z.object(QUESTION)
/** How many of the best matches are compared by how well they worked. */
const COMPARED = 20

/** Chooses among known ways to do something: those that fit the task, the ones that worked before first. */
export const selectProcedure = readOperation({
  name: 'memory.select',
  route: 'POST /records/select',
  summary: 'Choose a competence or a plan for a task, by what worked before',
  policies: ['agent', 'reader'],
  sample: world => ({ task: world.word(), limit: world.pick([1, 5]) }),
  callers: 'anyone',
  rate: 'query',
  input: z.strictObject({
    task: text(2_000)
      .refine(value => value.trim().length > 0, { message: 'must not be empty' })
      .meta({ description: 'What there is to do, in words.', example: 'mail is late' }),
    kinds: z
      .array(z.enum(PROCEDURES))
      .min(1)
      .max(2)
      .optional()
      .meta({ description: 'Only competences, or only plans.', example: ['competence'] }),
    limit: z.int().min(1).max(COMPARED).default(5).meta({ description: 'How many at most.' }),
  }),
  asks: ({ task, kinds }) => parseQuestion(question.parse({ query: task, kinds: kinds ?? [...PROCEDURES] })),
  output: z.object({
    candidates: z.array(candidate).meta({ description: 'The ways to do it, the best first.' }),
    receipt: receipt.meta({ description: 'What was searched, and how complete the search was.' }),
  }),
  async run(request, { limit }, asked) {
    const searched = await runSearch(request, asked as ParsedQuestion)
    const { page } = cutPage(searched.executed.ranked, null, COMPARED)
    const found = (await fetchResults(request, searched, page)).filter(({ view }) => view.face === 'full')
    const counts = await countOutcomes(
      request,
      found.map(({ view }) => view.id),
    )
    const candidates = found
      .map(({ view, item }) => {
        const { successes, failures } = counts.get(view.id) ?? { successes: 0, failures: 0 }
        // What was never tried counts as if it had worked once and failed once (Laplace).
        const expected = (successes + 1) / (successes + failures + 2)
        const score = Math.round(item.score * expected * 10_000) / 10_000
        return { record: view, relevance: item.score, successes, failures, score }
      })
      .sort((a, b) => b.score - a.score || (a.record.id < b.record.id ? -1 : 1))
      .slice(0, request.atMost(limit))
    for (const { record } of candidates) request.show(record)
    request.leave(searched.account.run)
    return { candidates, receipt: searched.account.receipt }
  },
})

const outcomeField = z.object({ typed: z.object({ outcome: z.enum(OUTCOMES) }) })

/** How often each worked, by the episodes that the caller sees in full. */
async function countOutcomes(
  request: ReadRequest,
  ids: readonly string[],
): Promise<Map<string, { successes: number; failures: number }>> {
  const edges = (await request.edgesOf(ids)).filter(
    ({ type, direction }) => type === OUTCOME_OF && direction === 'in',
  )
  const rows = await request.decide(await request.fetch([...new Set(edges.map(({ other }) => other))]))
  const outcomes = new Map(
    rows.flatMap(({ row, level }) => {
      const fields = outcomeField.safeParse(row.fields)
      return level === 'full' && fields.success ? [[row.id, fields.data.typed.outcome] as const] : []
    }),
  )
  const counts = new Map(ids.map(id => [id, { successes: 0, failures: 0 }]))
  for (const { record, other } of edges) {
    const count = counts.get(record)
    const outcome = outcomes.get(other)
    if (count === undefined || outcome === undefined) continue
    if (outcome === 'success') count.successes++
    else count.failures++
    // A number made of it shows something of it (WR-2).
    const told = rows.find(({ row }) => row.id === other)
    if (told !== undefined) request.expose(told.row.tuple)
  }
  return counts
}
