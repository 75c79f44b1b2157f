import { z } from 'zod'
import { id, name, text } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import type { ReadRequest } from '../../runtime/request.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { EXPERIMENT_STATUSES, experimentStatus, outcomesOf } from '../item-facts.js'
import { requireStatement, statement } from '../require-statement.js'
import { changeSession, lockOpenSession, progressOf, requireStage, sessionId } from '../session.js'
import {
  byName,
  changeRecord,
  requireAgain,
  requireInSession,
  requireOne,
  writeOfSession,
} from '../shared-records.js'
import { requireFresh } from '../staleness.js'

const outcome = z.object({ by: z.enum(['you', 'partner']), text: z.string() })

const experiment = z.object({
  id: z.string(),
  text: z.string(),
  status: z.enum(EXPERIMENT_STATUSES),
  /** How it went, as each tells it. */
  outcomes: z.array(outcome),
})

const viewOf = (request: ReadRequest, row: RecordRow): z.input<typeof experiment> => ({
  id: row.id,
  text: row.text,
  status: experimentStatus(row),
  outcomes: outcomesOf(request, row),
})

export const addExperiment = writeOperation({
  name: 'experiments.add',
  summary: 'Plan something small to try together',
  callers: 'owner',
  effects: ['record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    text: statement,
    agreement: id.optional(),
    suggestion: name.optional(),
  }),
  output: experiment,
  async run(request, { session, text: words, agreement, suggestion }) {
    const row = await lockOpenSession(request, session)
    const { agreementCreated } = await progressOf(request, row)
    if (!agreementCreated) requireStage(request, row, 4)
    const sources = await requireInSession(
      request,
      row,
      agreement === undefined ? [] : [agreement],
      'agreement',
    )
    await requireFresh(request, sources)
    const plan = await requireStatement(request, row, words)
    const made = await changeSession(request, row, () =>
      writeOfSession(request, row, {
        kind: 'micro_experiment',
        text: plan,
        fields: {
          by: request.caller.actingFor,
          status: 'PLANNED',
          outcomes: {},
          ...(suggestion === undefined ? {} : { suggestion }),
        },
        sources,
      }),
    )
    return { output: { id: made, text: plan, status: 'PLANNED' as const, outcomes: [] }, refs: [made] }
  },
  replay: async (request, [made = ''], { session }) =>
    viewOf(request, await requireAgain(request, session, made, 'micro_experiment')),
})

export const reportExperiment = writeOperation({
  name: 'experiments.report',
  summary: 'Tell how something that you tried together went for you',
  callers: 'owner',
  effects: ['experiment_reported'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    experiment: id,
    status: z.enum(['DONE', 'DROPPED']),
    outcome: text(2_000),
  }),
  output: experiment,
  async run(request, { session, experiment: named, status, outcome: told }) {
    const row = await lockOpenSession(request, session)
    const before = await requireOne(request, row, named, 'micro_experiment')
    const words = await requireStatement(request, row, told)
    const outcomes = { ...byName(before.fields.outcomes), [request.caller.actingFor]: words }
    const after = await changeSession(request, row, () =>
      changeRecord(request, before, { fields: { status, outcomes } }),
    )
    return { output: viewOf(request, after), refs: [named] }
  },
  replay: async (request, [named = ''], { session }) =>
    viewOf(request, await requireAgain(request, session, named, 'micro_experiment')),
})
