import { z } from 'zod'
import { id, name, text } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import type { ReadRequest, WriteRequest } from '../../runtime/request.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { EXPERIMENT_STATUSES, experimentOutcome, experimentStatus, outcomesOf } from '../item-facts.js'
import { requireStatement, statement } from '../require-statement.js'
import { changeSession, lockOpenSession, progressOf, requireStage, sessionId } from '../session.js'
import {
  changeRecord,
  readNameMap,
  requireInSession,
  requireRecordForReplay,
  requireRecordInSession,
  writeSessionRecord,
} from '../shared-records.js'
import { requireFresh } from '../staleness.js'

const experiment = z
  .object({
    id: z.string().meta({ description: 'The id of the experiment.' }),
    text: z.string().meta({ description: 'What to try.' }),
    status: z.enum(EXPERIMENT_STATUSES).meta({ description: 'How far it got.' }),
    outcomes: z.array(experimentOutcome).meta({ description: 'How it went, as each of you tells it.' }),
  })
  .meta({ id: 'Experiment', description: 'Something the participants try.' })

const viewOf = (request: ReadRequest, row: RecordRow): z.input<typeof experiment> => ({
  id: row.id,
  text: row.text,
  status: experimentStatus(row),
  outcomes: outcomesOf(request, row),
})

async function replayExperiment(
  request: WriteRequest,
  [named = '']: readonly string[],
  { session }: { readonly session: string },
): Promise<z.input<typeof experiment>> {
  return viewOf(request, await requireRecordForReplay(request, session, named, 'micro_experiment'))
}

export const addExperiment = writeOperation({
  name: 'experiments.add',
  route: 'POST /sessions/:session/experiments',
  summary: 'Plan something small to try together',
  sample: world => ({
    session: world.made('session'),
    text: world.word(),
    ...world.maybe(0.3, { agreement: world.record() }),
  }),
  callers: 'owner',
  effects: ['record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    text: statement.meta({ description: 'What to try.', example: 'For a week, we have tea at four.' }),
    agreement: id.optional().meta({ description: 'The agreement it is part of, by its id.' }),
    suggestion: name
      .optional()
      .meta({ description: 'The entry of the library it comes from.', example: 'tea-at-four' }),
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
      writeSessionRecord(request, row, {
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
  replay: replayExperiment,
})

export const reportExperiment = writeOperation({
  name: 'experiments.report',
  route: 'POST /sessions/:session/experiments/:experiment/report',
  summary: 'Tell how something that you tried together went for you',
  sample: world => ({
    session: world.made('session'),
    experiment: world.record(),
    status: 'DONE',
    outcome: world.word(),
  }),
  callers: 'owner',
  effects: ['experiment_reported'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    experiment: id.meta({ description: 'The experiment, by its id.' }),
    status: z.enum(['DONE', 'DROPPED']).meta({ description: 'Whether it was done.', example: 'DONE' }),
    outcome: text(2_000).meta({
      description: 'How it went for you.',
      example: 'I looked forward to it every day.',
    }),
  }),
  output: experiment,
  async run(request, { session, experiment: named, status, outcome: told }) {
    const row = await lockOpenSession(request, session)
    const before = await requireRecordInSession(request, row, named, 'micro_experiment')
    const words = await requireStatement(request, row, told)
    const outcomes = { ...readNameMap(before.fields.outcomes), [request.caller.actingFor]: words }
    const after = await changeSession(request, row, () =>
      changeRecord(request, before, { fields: { status, outcomes } }),
    )
    return { output: viewOf(request, after), refs: [named] }
  },
  replay: replayExperiment,
})
