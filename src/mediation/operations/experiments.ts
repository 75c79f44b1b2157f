import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { id, name, text } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import type { ReadRequest, WriteRequest } from '../../runtime/request.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import type { SessionRow } from '../../storage/queries/sessions.js'
import { EXPERIMENT_STATUSES, experimentOutcome, experimentStatus, outcomesOf } from '../item-facts.js'
import { requireStatement, statement } from '../require-statement.js'
import {
  changeSession,
  lockOpenSession,
  notifyInSession,
  othersIn,
  progressOf,
  requireStage,
  sessionId,
} from '../session.js'
import {
  changeShared,
  readNameMap,
  requireInSession,
  requireRecordForReplay,
  requireRecordInSession,
  writeSessionRecord,
} from '../shared-records.js'
import { findStaleRecords, requireFresh, STALE, stalenessFields } from '../staleness.js'

const experiment = z
  .object({
    id: z.string().meta({ description: 'The id of the experiment.' }),
    text: z.string().meta({ description: 'What to try.' }),
    status: z.enum(EXPERIMENT_STATUSES).meta({ description: 'How far it got.' }),
    outcomes: z.array(experimentOutcome).meta({ description: 'How it went, as each of you tells it.' }),
    checkInAt: z
      .string()
      .nullable()
      .meta({ description: 'When both of you are asked how it goes; null once it is done or dropped.' }),
    ...stalenessFields,
  })
  .meta({ id: 'Experiment', description: 'Something the participants try.' })

async function viewOf(request: ReadRequest, row: RecordRow): Promise<z.input<typeof experiment>> {
  const isStale = (await findStaleRecords(request, [row])).has(row.id)
  const { checkInAt } = row.fields
  return {
    id: row.id,
    text: row.text,
    status: experimentStatus(row),
    outcomes: outcomesOf(request, row),
    checkInAt: typeof checkInAt === 'string' ? checkInAt : null,
    hasStaleInputs: isStale,
    ...(isStale ? STALE : {}),
  }
}

async function replayExperiment(
  request: WriteRequest,
  [named = '']: readonly string[],
  { session }: { readonly session: string },
): Promise<z.input<typeof experiment>> {
  return viewOf(request, await requireRecordForReplay(request, session, named, 'micro_experiment'))
}

const DAY_MS = 86_400_000
const dayFrom = (now: Date, days: number): string => new Date(now.getTime() + days * DAY_MS).toISOString()

/** Tells the others of an experiment. */
const notifyOthers = (
  request: WriteRequest,
  row: SessionRow,
  type: 'experiment.planned' | 'experiment.reported',
  named: string,
) =>
  notifyInSession(
    request,
    row,
    othersIn(request, row).map(recipient => ({ recipient, type, refs: { experiment: named } })),
  )

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
    checkInDays: z
      .int()
      .min(1)
      .max(90)
      .default(7)
      .meta({ description: 'After how many days both of you are asked how it goes.' }),
  }),
  output: experiment,
  async run(request, { session, text: words, agreement, suggestion, checkInDays }) {
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
    const checkInAt = dayFrom(request.now, checkInDays)
    const made = await changeSession(request, row, () =>
      writeSessionRecord(request, row, {
        kind: 'micro_experiment',
        text: plan,
        fields: {
          by: request.caller.actingFor,
          status: 'PLANNED',
          outcomes: {},
          checkInAt,
          ...(suggestion === undefined ? {} : { suggestion }),
        },
        sources,
      }),
    )
    await notifyOthers(request, row, 'experiment.planned', made)
    const output = {
      id: made,
      text: plan,
      status: 'PLANNED' as const,
      outcomes: [],
      checkInAt,
      hasStaleInputs: false,
    }
    return { output, refs: [made] }
  },
  replay: replayExperiment,
})

export const reportExperiment = writeOperation({
  name: 'experiments.report',
  route: 'POST /sessions/:session/experiments/:experiment/report',
  summary: 'Report how something that you tried together went for you',
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
    status: z.enum(['TRYING', 'DONE', 'DROPPED']).meta({
      description: 'Whether you are still trying it, have done it, or gave it up.',
      example: 'DONE',
    }),
    outcome: text(2_000).meta({
      description: 'How it went for you.',
      example: 'I looked forward to it every day.',
    }),
    checkInDays: z.int().min(1).max(90).optional().meta({
      description: 'While you are still trying it: after how many days to ask again. Default: 7.',
    }),
  }),
  output: experiment,
  async run(request, { session, experiment: named, status, outcome: told, checkInDays }) {
    if (checkInDays !== undefined && status !== 'TRYING')
      throw new PrivityError('invalid_input', 'checkInDays: needs the status TRYING')
    const row = await lockOpenSession(request, session)
    const before = await requireRecordInSession(request, row, named, 'micro_experiment')
    const words = await requireStatement(request, row, told)
    const outcomes = { ...readNameMap(before.fields.outcomes), [request.caller.actingFor]: words }
    const checkInAt = status === 'TRYING' ? dayFrom(request.now, checkInDays ?? 7) : null
    const after = await changeSession(request, row, () =>
      changeShared(request, before, { fields: { status, outcomes, checkInAt } }),
    )
    await notifyOthers(request, row, 'experiment.reported', named)
    return { output: await viewOf(request, after), refs: [named] }
  },
  replay: replayExperiment,
})
