import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { isKeptLocal } from '../../policy/labels.js'
import {
  type CaptureJobRow,
  captureJobStateOf,
  insertCaptureJobs,
  listCaptureJobs,
  lockCaptureJob,
  requeueCaptureJob,
} from '../../storage/queries/capture-jobs.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { type CaptureModel, modelFailed } from '../capture/capture-model.js'
import { capturePrompt } from '../capture/capture-prompt.js'
import { factsByModel } from '../capture/facts-by-model.js'
import type { FoundFact, KeptTurn } from '../capture/found-fact.js'
import { jobCredential, jobSealContext, writeJobCredential } from '../capture/job-credential.js'
import { keepFacts } from '../capture/keep-facts.js'
import { createdAt, EXAMPLE_ID, nextCursor } from '../fields.js'
import { id } from '../input.js'
import { shownToWriter } from '../labels-of-writes.js'
import { listNewestFirst, pageInput } from '../list-newest-first.js'
import { readOperation, writeOperation } from '../operation.js'
import { knownPeople } from '../propose-labels.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'
import { capturedFact, viewFacts } from './captured-fact.js'

const MOST_TURNS = 500
/** How many turns one job holds. */
const TURNS_IN_A_JOB = 100
const STATES = ['waiting', 'done', 'failed'] as const

/**
 * Makes facts of turns that are kept, with the configured model. Turns that the caller does not see in full are left
 * out as if they were not there; sealed and firewalled ones are sent to a local model only (OV-4, WR-7).
 */
export const extractFacts = writeOperation({
  name: 'memory.extract',
  route: 'POST /capture/extract',
  summary: 'Extract facts from stored turns with the configured model',
  policies: ['agent'],
  sample: world => ({ records: [world.record(), world.record()] }),
  callers: 'anyone',
  effects: ['record_created', 'record_revised'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    records: z
      .array(id)
      .min(1)
      .max(MOST_TURNS)
      .meta({ description: 'The turns to read: episodic records, by their ids.', example: [EXAMPLE_ID] }),
  }),
  output: z.object({
    facts: z.array(capturedFact).meta({ description: 'The facts that were made of them.' }),
    heldBack: z.array(z.string()).meta({
      description: 'Ids of sealed turns that were not sent, because the model is on another machine.',
    }),
  }),
  async run(request, asked) {
    const model = request.parts.captureAnswers.require()
    const ids = [...new Set(asked.records)].sort()
    await lockRecords(request.tx, request.tenant, ids, 'shared')
    const rows = await readableTurns(request, ids)
    const [first] = rows
    if (first === undefined) throw absent()
    const { owner } = first.tuple
    if (rows.some(({ tuple }) => tuple.owner !== owner))
      throw new PrivityError('invalid_input', 'records: must all have one owner')
    const heldBack = rows.filter(row => !mayGo(row, model)).map(row => row.id)
    const batches = batchesOf(rows.filter(row => mayGo(row, model)).map(asTurn), model.maxCharacters)
    // Before anything gets an id: a request that has to wait for the index or the model starts again (NI-5).
    const people = (await knownPeople(request, owner)).flatMap(({ name, aliases }) => [name, ...aliases])
    const answers = request.parts.captureAnswers.of(
      batches.map(turns => ({
        messages: capturePrompt(turns),
        records: turns.map(({ source }) => source.id),
      })),
      request.restsOn,
    )
    const { label } = await shownToWriter(request)
    const found = readAnswers(batches, people, answers)
    const facts = await keepFacts(request, owner, batches.flat(), found, label, model.model.name)
    return {
      output: { facts: await viewFacts(request, facts), heldBack },
      refs: facts.map(({ record }) => record),
    }
  },
  /** What became of the facts is in the past. */
  replay: async () => ({ facts: [], heldBack: [] }),
})

/** The episodes among these records that the caller sees in full and may write beside, in the order of their turns. */
async function readableTurns(request: WriteRequest, ids: readonly string[]): Promise<RecordRow[]> {
  const found = await request.fetchVisible(ids)
  const at = (row: RecordRow) => (row.occurredAt ?? row.createdAt).getTime()
  return [...found.values()]
    .filter(
      ({ row: { tuple }, level }) =>
        level === 'full' &&
        tuple.vessel === 'user' &&
        tuple.kind === 'episodic' &&
        request.parts.identity.principals.has(tuple.owner),
    )
    .map(({ row }) => row)
    .sort((a, b) => at(a) - at(b) || (a.turn ?? 0) - (b.turn ?? 0) || (a.id < b.id ? -1 : 1))
}

const mayGo = ({ tuple }: RecordRow, { model }: CaptureModel) =>
  model.local || !isKeptLocal(tuple.visibilityClass)

const asTurn = (row: RecordRow): KeptTurn => ({
  source: row,
  text: row.text,
  speaker: row.speaker ?? row.tuple.owner,
  at: row.occurredAt ?? row.createdAt,
  language: row.language,
  states: row.fields.role === undefined || row.fields.role === 'user',
})

/** The turns in pieces that a model takes at once. Of one that is too long, the beginning is read. */
function batchesOf(turns: readonly KeptTurn[], maxCharacters: number): KeptTurn[][] {
  const batches: KeptTurn[][] = []
  let room = 0
  for (const turn of turns) {
    const text = turn.text.slice(0, maxCharacters)
    if (text.length > room) {
      batches.push([])
      room = maxCharacters
    }
    batches.at(-1)?.push({ ...turn, text })
    room -= text.length
  }
  return batches
}

/** What the model found in all batches, with the places of turns counted through. */
function readAnswers(
  batches: readonly (readonly KeptTurn[])[],
  people: readonly string[],
  answers: readonly string[],
): FoundFact[] {
  let before = 0
  try {
    return batches.flatMap((turns, at) => {
      const facts = factsByModel(turns, people, answers[at] ?? '')
      const found = facts.map(fact => ({ ...fact, turn: fact.turn + before }))
      before += turns.length
      return found
    })
  } catch (thrown) {
    throw modelFailed(thrown)
  }
}

/** Lets the model read these turns later, if there is one that does so by itself. Nothing waits for it. */
export async function leaveToModel(
  request: WriteRequest,
  owner: string,
  conversation: string,
  turns: readonly KeptTurn[],
): Promise<void> {
  const { captureAnswers } = request.parts
  if (captureAnswers.model?.inBackground !== true || !turns.some(({ states }) => states)) return
  const jobs = []
  for (let from = 0; from < turns.length; from += TURNS_IN_A_JOB) {
    const jobId = request.parts.clock.newId('capture_job')
    jobs.push({
      id: jobId,
      owner,
      conversation,
      records: turns.slice(from, from + TURNS_IN_A_JOB).map(({ source }) => source.id),
      sealed: sealedCredential(request, jobId),
      createdAt: request.now,
      label: request.clearance,
    })
  }
  await insertCaptureJobs(request.tx, request.tenant, jobs)
  request.leavesToSend()
}

const sealedCredential = ({ parts: { secrets, caller } }: ReadRequest, jobId: string): string =>
  secrets.seal(writeJobCredential(jobCredential(caller, jobId)), jobSealContext(caller.tenant, jobId))

const job = z
  .object({
    job: z.string().meta({ description: 'The id of the job.' }),
    conversation: z.string().meta({ description: 'The conversation that its turns belong to.' }),
    turns: z.int().meta({ description: 'How many turns the model reads.' }),
    state: z.enum(STATES).meta({ description: 'How far it is. A failed one is tried again when you ask.' }),
    attempts: z.int().meta({ description: 'How often it was tried.' }),
    lastFailure: z.string().nullable().meta({
      description:
        'Why the last attempt failed, for example `unreachable`, `timed_out`, `invalid_answer`, `budget_spent` or `credential_ended`.',
    }),
    facts: z.int().nullable().meta({ description: 'How many facts it led to; null until it is done.' }),
    heldBack: z.int().nullable().meta({
      description:
        'How many sealed turns were not sent to a model on another machine; null until it is done.',
    }),
    createdAt,
    nextAttemptAt: z.string().nullable().meta({ description: 'When it is tried next; null if it is not.' }),
  })
  .meta({ id: 'CaptureJob', description: 'Turns that a model reads in the background.' })

export const listCaptures = readOperation({
  name: 'captures.list',
  route: 'GET /captures',
  summary: 'List which conversations the model has read, and which failed',
  policies: ['agent', 'reader'],
  sample: world => ({ limit: world.pick([1, 50]), ...world.maybe(0.3, { state: world.pick([...STATES]) }) }),
  callers: 'anyone',
  input: z.strictObject({
    state: z.enum(STATES).optional().meta({ description: 'Only jobs in this state.', example: 'failed' }),
    ...pageInput,
  }),
  output: z.object({
    jobs: z.array(job).meta({ description: 'The jobs, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { state, limit, cursor }) {
    const { tx, tenant, parts } = request
    const owners = [...parts.identity.principals]
    const page = await listNewestFirst(
      request,
      ['captures.list', state],
      { limit, cursor },
      (before, most) => listCaptureJobs(tx, tenant, owners, state ?? null, before, most),
      row => ({ createdAt: row.createdAt, id: row.id }),
    )
    return { jobs: (await request.seen(page.rows)).map(viewJob), cursor: page.cursor }
  },
})

export const retryCapture = writeOperation({
  name: 'captures.retry',
  route: 'POST /captures/:job/retry',
  summary: 'Retry turns that the model failed to read',
  positional: ['job'],
  policies: ['agent'],
  sample: world => ({ job: world.made('capture_job') }),
  callers: 'anyone',
  effects: ['capture_requeued'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({ job: id.meta({ description: 'The job, by its id.' }) }),
  output: job,
  async run(request, { job: jobId }) {
    request.parts.captureAnswers.require()
    const row = await seenJob(request, jobId)
    if (captureJobStateOf(row) !== 'failed') throw new PrivityError('conflict', 'this job has not failed')
    // From now on it is this caller's: its credential decides what is read.
    await requeueCaptureJob(
      request.tx,
      request.tenant,
      jobId,
      sealedCredential(request, jobId),
      request.clearance,
    )
    request.leavesToSend()
    return { output: viewJob({ ...row, failedAt: null, attempts: 0, nextAt: request.now }), refs: [jobId] }
  },
  replay: async (request, [jobId = '']) => viewJob(await seenJob(request, jobId)),
})

async function seenJob(request: WriteRequest, jobId: string): Promise<CaptureJobRow> {
  const owners = [...request.parts.identity.principals]
  const found = await lockCaptureJob(request.tx, request.tenant, owners, jobId)
  const [row] = await request.seen(found === undefined ? [] : [found])
  if (row === undefined) throw absent()
  return row
}

function viewJob(row: CaptureJobRow): z.input<typeof job> {
  const state = captureJobStateOf(row)
  return {
    job: row.id,
    conversation: row.conversation,
    turns: row.records.length,
    state,
    attempts: row.attempts,
    lastFailure: row.failure,
    facts: row.facts,
    heldBack: row.heldBack,
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: state === 'waiting' ? row.nextAt.toISOString() : null,
  }
}
