import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { LEAST_LABEL } from '../../policy/labels.js'
import { exposureOf } from '../../policy/stored-label.js'
import { isAgentAudience } from '../../policy/subject.js'
import {
  CHANGE_STATES,
  CHANGES,
  type ChangeRequestRow,
  countOpenChanges,
  decideChangeRequest,
  insertChangeRequest,
  listChangeRequests,
  lockChangeRequest,
} from '../../storage/queries/change-requests.js'
import type { RequestsOf } from '../../storage/queries/consent-requests.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { lockOwners, lockRecords } from '../../storage/queries/lock.js'
import { createdAt, nextCursor, recordId } from '../fields.js'
import { id, text } from '../input.js'
import { labelToKeep } from '../labels-of-writes.js'
import { listNewestFirst, pageInput } from '../list-newest-first.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'
import { forgetOwned } from './forget.js'
import { changeRecord } from './revise.js'

const MOST_OPEN = 100
const MOST_TEXT = 65_536

const ownRequest = z
  .object({
    id: z.string().meta({ description: 'The id of the request.' }),
    how: z.enum(CHANGES).meta({ description: 'What it asks for.' }),
    record: z
      .string()
      .nullable()
      .meta({ description: 'The record it is about, by its id; null once that is forgotten.' }),
    state: z.enum(CHANGE_STATES).meta({ description: 'Whether it is open, accepted or declined.' }),
    createdAt,
  })
  .meta({ id: 'OwnChangeRequest', description: 'A request to change a record, as whoever made it sees it.' })

const madeRequest = ownRequest
  .extend({
    text: z.string().nullable().meta({ description: 'What the record shall say; null if nothing new.' }),
    reason: z.string().nullable().meta({ description: 'Why the agent asks; null if it did not say.' }),
    requestedBy: z.string().nullable().meta({ description: 'The agent that asks; null if it is no more.' }),
    decidedAt: z.string().nullable().meta({ description: 'When it was decided; null until then.' }),
  })
  .meta({
    id: 'ChangeRequest',
    description: 'A request to change a record, as whoever decides on it sees it.',
  })

function ownView(request: ReadRequest, row: ChangeRequestRow): z.input<typeof ownRequest> {
  request.expose(exposureOf(row.label))
  return {
    id: row.requestId,
    how: row.how,
    record: row.record,
    state: row.state,
    createdAt: row.createdAt.toISOString(),
  }
}

const madeView = (request: ReadRequest, row: ChangeRequestRow): z.input<typeof madeRequest> => ({
  ...ownView(request, row),
  text: row.text,
  reason: row.reason,
  requestedBy: row.actor,
  decidedAt: row.decidedAt?.toISOString() ?? null,
})

const byCaller = ({ credential, parts: { actorId, forId } }: ReadRequest) => ({ actorId, forId, credential })
const toPrincipal = ({ parts: { forId } }: ReadRequest): RequestsOf => ({ actorId: null, forId })

const reason = text(2_000)
  .optional()
  .meta({ description: 'Why, for the person who decides.', example: 'She said it is outdated.' })

/**
 * Asks for a change of a record that the caller sees in full. What an agent wrote itself is changed at once, except that
 * nothing is ever deleted without the owner: it is retracted, and the request to forget it stays open (WR-8).
 */
export const requestChange = writeOperation({
  name: 'changes.request',
  route: 'POST /change-requests',
  summary: 'Ask the person you work for to change or forget a record',
  policies: ['agent'],
  sample: world => ({
    record: world.record(),
    ...world.pick([
      { how: 'forget' },
      { how: 'retract', reason: world.word() },
      { how: 'contest' },
      { how: 'supersede', text: world.word() },
    ]),
  }),
  callers: 'anyone',
  effects: ['change_requested'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z
    .strictObject({
      record: recordId,
      how: z.enum(CHANGES).meta({
        description:
          'What to do: `supersede` it by a new text, `retract` it (it no longer holds), `contest` it (it may be wrong), or `forget` it for good.',
        example: 'retract',
      }),
      text: text(MOST_TEXT)
        .refine(value => value.trim().length > 0, { message: 'must not be empty' })
        .optional()
        .meta({ description: 'With `supersede`: what it shall say.', example: 'Ana lives in Graz.' }),
      reason,
    })
    .refine(({ how, text }) => (how === 'supersede') === (text !== undefined), {
      message: 'is needed to supersede a record, and for nothing else',
      path: ['text'],
    }),
  output: z.object({
    done: z.boolean().meta({
      description:
        'Whether it was done at once, because you wrote the record. To forget always waits for the owner.',
    }),
    request: ownRequest
      .nullable()
      .meta({ description: 'The request that the owner decides on; null if none is needed.' }),
    record: z
      .string()
      .nullable()
      .meta({ description: 'The record that took its place, by its id; null if none did.' }),
  }),
  async run(request, asked) {
    await lockRecords(request.tx, request.tenant, [asked.record], 'exclusive')
    const [row] = await request.requireWritable([asked.record])
    if (row === undefined) throw absent()
    const isOwn = isWrittenBy(request, row)
    // An agent has no way to delete: what it wrote may be what others are made of.
    const atOnce = asked.how === 'forget' ? 'retract' : asked.how
    const successor = isOwn ? await apply(request, row, { ...asked, how: atOnce }) : null
    if (isOwn && asked.how !== 'forget')
      return {
        output: { done: true, request: null, record: successor },
        refs: [asked.record, ...(successor === null ? [] : [successor])],
      }
    const made = await leaveRequest(request, asked)
    return {
      output: { done: false, request: ownView(request, made), record: null },
      refs: [asked.record, made.requestId],
    }
  },
  async replay(request, [, made], { how }) {
    const found =
      made === undefined
        ? undefined
        : await lockChangeRequest(request.tx, request.tenant, byCaller(request), made)
    const [row] = await request.seen(found === undefined ? [] : [found])
    return {
      done: found === undefined,
      request: row === undefined ? null : ownView(request, row),
      record: found === undefined && how === 'supersede' ? (made ?? null) : null,
    }
  },
})

const isWrittenBy = ({ caller }: ReadRequest, { author }: RecordRow): boolean =>
  isAgentAudience(caller.audience) && author === caller.actor

type Asked = Pick<ChangeRequestRow, 'how'> & {
  readonly record: string
  readonly text?: string | null | undefined
  readonly reason?: string | null | undefined
}

async function leaveRequest(request: WriteRequest, asked: Asked): Promise<ChangeRequestRow> {
  const { tx, tenant, now } = request
  const asker = byCaller(request)
  await lockOwners(tx, tenant, [`change requests of ${asker.actorId}`], 'exclusive')
  if ((await countOpenChanges(tx, tenant, asker)) >= MOST_OPEN)
    throw new PrivityError(
      'rate_limit_exceeded',
      `there are already ${MOST_OPEN} open requests for changes, which is the maximum`,
      { reason: 'rate_limit_exceeded' },
    )
  const made = {
    requestId: request.parts.clock.newId('change_request'),
    how: asked.how,
    record: asked.record,
    text: asked.text ?? null,
    reason: asked.reason ?? null,
    label: await labelToKeep(request),
    createdAt: now,
  }
  await insertChangeRequest(tx, tenant, asker, made)
  return { ...made, state: 'open', actor: request.caller.actor, decidedAt: null }
}

/** Does what was asked; returns the id of the record that takes its place, if there is one. */
async function apply(
  request: WriteRequest,
  row: RecordRow,
  { how, text, reason }: Asked,
  words = LEAST_LABEL,
): Promise<string | null> {
  switch (how) {
    case 'forget':
      await forgetOwned(request, [row.id])
      return null
    case 'retract':
      await changeRecord(request, [row], { how }, words)
      return null
    case 'contest':
      await changeRecord(request, [row], { how, reason: reason ?? undefined }, words)
      return null
    case 'supersede': {
      const [made] = await changeRecord(request, [row], { how, by: { text: text ?? '' } }, words)
      return made?.id ?? null
    }
  }
}

const page = {
  state: z
    .enum(CHANGE_STATES)
    .optional()
    .meta({ description: 'Only requests in this state.', example: 'open' }),
  ...pageInput,
}

export const myChangeRequests = readOperation({
  name: 'changes.mine',
  route: 'GET /change-requests/mine',
  summary: 'List the changes that you asked for, newest first',
  policies: ['agent', 'reader'],
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'anyone',
  input: z.strictObject(page),
  output: z.object({
    requests: z.array(ownRequest).meta({ description: 'Your requests, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, asked) {
    const { rows, cursor } = await listPage(request, 'changes.mine', byCaller(request), asked)
    return { requests: rows.map(row => ownView(request, row)), cursor }
  },
})

export const listChangeRequestsOf = readOperation({
  name: 'changes.list',
  route: 'GET /change-requests',
  summary: 'List the changes that your agents ask for, newest first',
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'owner',
  input: z.strictObject(page),
  output: z.object({
    requests: z.array(madeRequest).meta({ description: 'The requests, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, asked) {
    const { rows, cursor } = await listPage(request, 'changes.list', toPrincipal(request), asked)
    return { requests: rows.map(row => madeView(request, row)), cursor }
  },
})

async function listPage(
  request: ReadRequest,
  operation: string,
  of: RequestsOf,
  { state, limit, cursor }: z.output<z.ZodObject<typeof page>>,
): Promise<{ rows: ChangeRequestRow[]; cursor: string | null }> {
  const found = await listNewestFirst(
    request,
    [operation, state],
    { limit, cursor },
    (before, most) => listChangeRequests(request.tx, request.tenant, of, state ?? null, before, most),
    row => ({ createdAt: row.createdAt, id: row.requestId }),
  )
  return { rows: await request.seen(found.rows), cursor: found.cursor }
}

/** Decides a request, once. Accepting does what was asked, as the owner's own act (WR-8). */
export const decideChange = writeOperation({
  name: 'changes.decide',
  route: 'POST /change-requests/:request/decide',
  summary: 'Accept or decline a change that an agent asked for',
  sample: world => ({
    request: world.made('change_request'),
    decision: world.pick(['accepted', 'declined']),
  }),
  callers: 'owner',
  effects: ['change_request_decided', 'record_revised'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    request: id.meta({ description: 'The request, by its id.' }),
    decision: z
      .enum(['accepted', 'declined'])
      .meta({ description: 'Whether to do what was asked.', example: 'accepted' }),
  }),
  output: z.object({
    request: madeRequest.meta({ description: 'The request as it is now.' }),
    record: z
      .string()
      .nullable()
      .meta({ description: 'The record that took the place of the old one, by its id; null if none did.' }),
  }),
  async run(request, { request: requestId, decision }) {
    const made = await seenRequest(request, requestId)
    if (made.state !== 'open' || made.record === null)
      throw new PrivityError('conflict', 'this request was already decided')
    const forgets = decision === 'accepted' && made.how === 'forget'
    const { tx, tenant, now } = request
    await decideChangeRequest(tx, tenant, requestId, { state: decision, now, forgets })
    const decided = {
      ...made,
      state: decision,
      decidedAt: now,
      ...(forgets && { record: null, reason: null }),
    }
    const successor = decision === 'accepted' ? await accept(request, made, made.record) : null
    return {
      output: { request: madeView(request, decided), record: successor },
      refs: [requestId, ...(successor === null ? [] : [successor])],
    }
  },
  async replay(request, [requestId = '', successor]) {
    const row = await seenRequest(request, requestId)
    const found = await request.fetchVisible(successor === undefined ? [] : [successor])
    const isSeen = successor !== undefined && found.get(successor)?.level === 'full'
    return { request: madeView(request, row), record: isSeen ? successor : null }
  },
})

async function accept(request: WriteRequest, made: ChangeRequestRow, record: string): Promise<string | null> {
  if (made.how === 'forget') {
    await forgetOwned(request, [record])
    return null
  }
  await lockRecords(request.tx, request.tenant, [record], 'exclusive')
  const [row] = await request.requireWritable([record])
  // The words are the agent's, so they bring the label of what it had been shown (WR-2).
  return row === undefined
    ? null
    : apply(request, row, { ...made, record }, exposureOf(made.label) ?? LEAST_LABEL)
}

/** A request that the caller sees; any other counts as absent (NI-10). */
async function seenRequest(request: WriteRequest, requestId: string): Promise<ChangeRequestRow> {
  const found = await lockChangeRequest(request.tx, request.tenant, toPrincipal(request), requestId)
  const [row] = await request.seen(found === undefined ? [] : [found])
  if (row === undefined) throw absent()
  return row
}
