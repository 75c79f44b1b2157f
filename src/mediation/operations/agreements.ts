import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { id } from '../../runtime/input.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { listSharedVessel } from '../../storage/queries/mediation-records.js'
import { AGREEMENT_STATUSES, agreementStatus } from '../item-facts.js'
import { requireStatement, statement } from '../require-statement.js'
import {
  changeSession,
  enterContract,
  lockOpenSession,
  notifyInSession,
  othersIn,
  requireSession,
  requireStage,
  sessionId,
} from '../session.js'
import {
  changeShared,
  MOST_SHARED,
  readNameMap,
  requireInSession,
  requireRecordForReplay,
  requireRecordInSession,
  writeSessionRecord,
} from '../shared-records.js'
import { findStaleRecords, requireFresh, STALE, stalenessFields } from '../staleness.js'
import { agreedAt, newestAgreedFirst } from '../when-agreed.js'
import { poolOf } from './strategies.js'

/** A session may end without an agreement, if both say so (RC-20). */
const OUTCOMES = ['AGREEMENT', 'NO_AGREEMENT'] as const

const agreement = z
  .object({
    id: z.string().meta({ description: 'The id of the agreement.' }),
    description: z.string().meta({ description: 'What was agreed.' }),
    agreedAt: z.string().nullable().meta({ description: 'When the last of you agreed; null until then.' }),
    status: z.enum(AGREEMENT_STATUSES).meta({ description: 'How far it got.' }),
    outcome: z
      .literal('NO_AGREEMENT')
      .optional()
      .meta({ description: 'That you end without an agreement; absent for an agreement.' }),
    ...stalenessFields,
    agreedByYou: z.boolean().meta({ description: 'Whether you have agreed.' }),
  })
  .meta({ id: 'Agreement', description: 'What the participants of a session agreed to.' })
type Agreement = z.input<typeof agreement>

/**
 * Agreements as shown. Their sources are checked now: a revoked consent marks an agreement stale but hides nothing
 * (CB-7).
 */
async function viewsOf(request: ReadRequest, rows: readonly RecordRow[]): Promise<Agreement[]> {
  const stale = await findStaleRecords(request, rows)
  return rows.map(row => {
    const hasStaleInputs = stale.has(row.id)
    return {
      id: row.id,
      description: row.text,
      agreedAt: agreedAt(row),
      status: agreementStatus(row),
      ...(row.fields.outcome === 'NO_AGREEMENT' ? { outcome: 'NO_AGREEMENT' as const } : {}),
      hasStaleInputs,
      ...(hasStaleInputs ? STALE : {}),
      agreedByYou: Object.hasOwn(readNameMap(row.fields.agreedBy), request.caller.actingFor),
    }
  })
}

async function viewOf(request: ReadRequest, row: RecordRow): Promise<Agreement> {
  const [view] = await viewsOf(request, [row])
  if (view === undefined) throw absent()
  return view
}

async function replayAgreement(
  request: WriteRequest,
  [named = '']: readonly string[],
  { session }: { readonly session: string },
): Promise<Agreement> {
  return viewOf(request, await requireRecordForReplay(request, session, named, 'agreement'))
}

/** Proposes an agreement to the others. It counts once all of them agree; the proposer agrees by proposing. */
export const proposeAgreement = writeOperation({
  name: 'agreements.propose',
  route: 'POST /sessions/:session/agreements',
  summary: 'Propose an agreement made from strategies of the pool',
  sample: world => ({
    session: world.made('session'),
    text: world.word(),
    proposals: [world.record()],
  }),
  callers: 'owner',
  effects: ['record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    text: statement.meta({
      description: 'What you would agree to.',
      example: 'We cook together on Sundays.',
    }),
    proposals: z.array(id).max(10).default([]).meta({
      description: 'The strategies it rests on, by their ids; at least one for an agreement.',
    }),
    outcome: z.enum(OUTCOMES).default('AGREEMENT').meta({
      description: 'NO_AGREEMENT proposes to end without one; it rests on no strategy.',
    }),
  }),
  output: agreement,
  async run(request, { session, text, proposals, outcome }) {
    const { caller, now } = request
    if ((outcome === 'AGREEMENT') !== proposals.length > 0)
      throw new PrivityError(
        'invalid_input',
        outcome === 'AGREEMENT'
          ? 'proposals: an agreement rests on at least one strategy'
          : 'proposals: NO_AGREEMENT rests on no strategy; leave them out',
      )
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 4)
    const sources = await requireInSession(request, row, [...new Set(proposals)], 'strategy_proposal')
    const pool = new Set((await poolOf(request, row)).map(proposal => proposal.id))
    if (!sources.every(source => pool.has(source.id))) throw absent()
    const words = await requireStatement(request, row, text)
    const made = await changeSession(request, row, () =>
      writeSessionRecord(request, row, {
        kind: 'agreement',
        text: words,
        fields: {
          status: 'ACTIVE',
          ...(outcome === 'AGREEMENT' ? {} : { outcome }),
          agreedBy: { [caller.actingFor]: now.toISOString() },
          agreedAt: null,
        },
        sources,
      }),
    )
    await notifyInSession(
      request,
      row,
      othersIn(request, row).map(recipient => ({
        recipient,
        type: 'agreement.proposed',
        refs: { agreement: made },
      })),
    )
    const proposed = await requireRecordInSession(request, row, made, 'agreement')
    return { output: await viewOf(request, proposed), refs: [made] }
  },
  replay: replayAgreement,
})

export const agree = writeOperation({
  name: 'agreements.agree',
  route: 'POST /sessions/:session/agreements/:agreement/agree',
  summary: 'Agree to what was proposed',
  sample: world => ({
    session: world.made('session'),
    agreement: world.record(),
  }),
  callers: 'owner',
  effects: ['agreement_agreed'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    agreement: id.meta({ description: 'The agreement, by its id.' }),
  }),
  output: agreement,
  async run(request, { session, agreement: named }) {
    const { caller, now } = request
    const row = await lockOpenSession(request, session)
    const before = await requireRecordInSession(request, row, named, 'agreement')
    if (agreementStatus(before) !== 'ACTIVE') throw closedAlready()
    await requireFresh(request, [before])
    const at = now.toISOString()
    // The time of the first agreement is kept.
    const agreedBy = { [caller.actingFor]: at, ...readNameMap(before.fields.agreedBy) }
    const confirmed = row.members.every(member => Object.hasOwn(agreedBy, member))
    const after = await changeSession(request, row, () =>
      changeShared(request, before, {
        fields: { agreedBy, agreedAt: confirmed ? (agreedAt(before) ?? at) : null },
        confirmed,
      }),
    )
    if (confirmed && !before.tuple.confirmed)
      await notifyInSession(
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
  replay: replayAgreement,
})

const closedAlready = () => new PrivityError('conflict', 'this agreement is already closed')

export const closeAgreement = writeOperation({
  name: 'agreements.close',
  route: 'POST /sessions/:session/agreements/:agreement/close',
  summary: 'Close an agreement as completed or abandoned',
  sample: world => ({
    session: world.made('session'),
    agreement: world.record(),
    status: 'ABANDONED',
  }),
  callers: 'owner',
  effects: ['agreement_closed'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    agreement: id.meta({ description: 'The agreement, by its id.' }),
    status: z.enum(['COMPLETED', 'ABANDONED']).meta({ description: 'How it ended.', example: 'COMPLETED' }),
  }),
  output: agreement,
  async run(request, { session, agreement: named, status }) {
    const row = await lockOpenSession(request, session)
    const before = await requireRecordInSession(request, row, named, 'agreement')
    if (agreementStatus(before) !== 'ACTIVE') throw closedAlready()
    if (status === 'COMPLETED' && !before.tuple.confirmed)
      throw new PrivityError('conflict', 'only an agreement that everybody agreed to can be completed')
    const after = await changeSession(request, row, () =>
      changeShared(request, before, { fields: { status } }),
    )
    return { output: await viewOf(request, after), refs: [named] }
  },
  replay: replayAgreement,
})

/** Lists agreements, from their records alone (RC-10). A model sees them only in a turn (RC-12). */
export const listAgreements = readOperation({
  name: 'agreements.list',
  route: 'GET /sessions/:session/agreements',
  summary: 'List what all of you agreed to, newest first',
  sample: world => ({
    session: world.made('session'),
    proposed: world.chance(0.5),
    prior: world.chance(0.5),
  }),
  callers: 'owner',
  input: z.strictObject({
    session: sessionId,
    proposed: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to list what not all of you have agreed to as well.' }),
    prior: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to list what you agreed to in earlier sessions as well.' }),
    limit: z.int().min(1).max(200).default(50).meta({ description: 'Most agreements to return.' }),
  }),
  output: z.object({ agreements: z.array(agreement).meta({ description: 'The agreements, newest first.' }) }),
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
