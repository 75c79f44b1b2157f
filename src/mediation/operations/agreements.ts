import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { id } from '../../runtime/input.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent, type ReadRequest } from '../../runtime/request.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { listSharedVessel } from '../../storage/queries/mediation-records.js'
import { AGREEMENT_STATUSES, agreementStatus } from '../item-facts.js'
import { requireStatement, statement } from '../require-statement.js'
import {
  changeSession,
  enterContract,
  lockOpenSession,
  othersIn,
  requireSession,
  requireStage,
  sessionId,
  tell,
} from '../session.js'
import {
  byName,
  changeRecord,
  MOST_SHARED,
  requireAgain,
  requireInSession,
  requireOne,
  writeOfSession,
} from '../shared-records.js'
import { requireFresh, STALE, withStaleInputs } from '../staleness.js'
import { agreedAt, newestAgreedFirst } from '../when-agreed.js'
import { poolOf } from './strategies.js'

const agreement = z.object({
  id: z.string(),
  description: z.string(),
  /** When the last of them agreed; null until then. */
  agreedAt: z.string().nullable(),
  status: z.enum(AGREEMENT_STATUSES),
  hasStaleInputs: z.boolean(),
  staleReason: z.string().optional(),
  staleNotice: z.string().optional(),
  agreedByYou: z.boolean(),
})
type Agreement = z.input<typeof agreement>

/** Agreements as they are told. What they rest on is looked at now: taken back, it marks them and hides nothing (CB-7). */
async function viewsOf(request: ReadRequest, rows: readonly RecordRow[]): Promise<Agreement[]> {
  const stale = await withStaleInputs(request, rows)
  return rows.map(row => {
    const hasStaleInputs = stale.has(row.id)
    return {
      id: row.id,
      description: row.text,
      agreedAt: agreedAt(row),
      status: agreementStatus(row),
      hasStaleInputs,
      ...(hasStaleInputs ? STALE : {}),
      agreedByYou: Object.hasOwn(byName(row.fields.agreedBy), request.caller.actingFor),
    }
  })
}

async function viewOf(request: ReadRequest, row: RecordRow): Promise<Agreement> {
  const [view] = await viewsOf(request, [row])
  if (view === undefined) throw absent()
  return view
}

/** Puts an agreement to the others. It is one once all of them agree; who proposes it does. */
export const proposeAgreement = writeOperation({
  name: 'agreements.propose',
  summary: 'Propose an agreement made from strategies of the pool',
  callers: 'owner',
  effects: ['record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ session: sessionId, text: statement, proposals: z.array(id).min(1).max(10) }),
  output: agreement,
  async run(request, { session, text, proposals }) {
    const { caller, now } = request
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 4)
    const sources = await requireInSession(request, row, [...new Set(proposals)], 'strategy_proposal')
    const pool = new Set((await poolOf(request, row)).map(proposal => proposal.id))
    if (!sources.every(source => pool.has(source.id))) throw absent()
    const words = await requireStatement(request, row, text)
    const made = await changeSession(request, row, () =>
      writeOfSession(request, row, {
        kind: 'agreement',
        text: words,
        fields: {
          status: 'ACTIVE',
          agreedBy: { [caller.actingFor]: now.toISOString() },
          agreedAt: null,
        },
        sources,
      }),
    )
    await tell(
      request,
      row,
      othersIn(request, row).map(recipient => ({
        recipient,
        type: 'agreement.proposed',
        refs: { agreement: made },
      })),
    )
    const proposed = await requireOne(request, row, made, 'agreement')
    return { output: await viewOf(request, proposed), refs: [made] }
  },
  replay: async (request, [made = ''], { session }) =>
    viewOf(request, await requireAgain(request, session, made, 'agreement')),
})

export const agree = writeOperation({
  name: 'agreements.agree',
  summary: 'Agree to what was proposed',
  callers: 'owner',
  effects: ['agreement_agreed'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ session: sessionId, agreement: id }),
  output: agreement,
  async run(request, { session, agreement: named }) {
    const { caller, now } = request
    const row = await lockOpenSession(request, session)
    const before = await requireOne(request, row, named, 'agreement')
    if (agreementStatus(before) !== 'ACTIVE') throw closedAlready()
    await requireFresh(request, [before])
    const at = now.toISOString()
    // The first time counts.
    const agreedBy = { [caller.actingFor]: at, ...byName(before.fields.agreedBy) }
    const confirmed = row.members.every(member => Object.hasOwn(agreedBy, member))
    const after = await changeSession(request, row, () =>
      changeRecord(request, before, {
        fields: { agreedBy, agreedAt: confirmed ? (agreedAt(before) ?? at) : null },
        confirmed,
      }),
    )
    if (confirmed && !before.tuple.confirmed)
      await tell(
        request,
        row,
        othersIn(request, row).map(recipient => ({
          recipient,
          type: 'agreement.reached',
          refs: { agreement: named },
        })),
      )
    return { output: await viewOf(request, after), refs: [named] }
  },
  replay: async (request, [named = ''], { session }) =>
    viewOf(request, await requireAgain(request, session, named, 'agreement')),
})

const closedAlready = () => new PrivityError('conflict', 'this agreement is closed already')

export const closeAgreement = writeOperation({
  name: 'agreements.close',
  summary: 'Close an agreement as completed or abandoned',
  callers: 'owner',
  effects: ['agreement_closed'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ session: sessionId, agreement: id, status: z.enum(['COMPLETED', 'ABANDONED']) }),
  output: agreement,
  async run(request, { session, agreement: named, status }) {
    const row = await lockOpenSession(request, session)
    const before = await requireOne(request, row, named, 'agreement')
    if (agreementStatus(before) !== 'ACTIVE') throw closedAlready()
    if (status === 'COMPLETED' && !before.tuple.confirmed)
      throw new PrivityError('conflict', 'only what everybody agreed to can be completed')
    const after = await changeSession(request, row, () =>
      changeRecord(request, before, { fields: { status } }),
    )
    return { output: await viewOf(request, after), refs: [named] }
  },
  replay: async (request, [named = ''], { session }) =>
    viewOf(request, await requireAgain(request, session, named, 'agreement')),
})

/** What was agreed, from the records of it alone (RC-10). A model reads it in a turn, and nowhere else (RC-12). */
export const listAgreements = readOperation({
  name: 'agreements.list',
  summary: 'List what all of you agreed to, newest first',
  callers: 'owner',
  input: z.strictObject({
    session: sessionId,
    proposed: z.boolean().default(false),
    prior: z.boolean().default(false),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({ agreements: z.array(agreement) }),
  async run(request, { session, proposed, prior, limit }) {
    const { tx, tenant, caller } = request
    const row = await requireSession(request, session)
    enterContract(request, row, 'browse')
    const filter = {
      relationship: row.relationship,
      session: prior ? undefined : session,
      kinds: ['agreement'],
      confirmed: proposed ? undefined : true,
      inFull: true,
    }
    const rows = await listSharedVessel(tx, tenant, caller.actingFor, 'addressed', filter, null, MOST_SHARED)
    const views = new Map(
      (await request.view(rows)).flatMap(view => (view === null ? [] : [[view.id, view]])),
    )
    const seen = rows.filter(({ id }) => views.get(id)?.face === 'full').sort(newestAgreedFirst)
    const listed = seen.slice(0, limit)
    for (const { id } of listed) {
      const view = views.get(id)
      if (view !== undefined) request.show(view)
    }
    return { agreements: await viewsOf(request, listed) }
  },
})
