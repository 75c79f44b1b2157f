import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { type Label, lowers } from '../../policy/labels.js'
import { sessionOwner } from '../../runtime/facts.js'
import { createdAt, nextCursor } from '../../runtime/fields.js'
import { isActorName, name, principal } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import { listStandingConsents, revokeConsents } from '../../storage/queries/bridge.js'
import { forgetRecords } from '../../storage/queries/forget-records.js'
import { lockOwners } from '../../storage/queries/lock.js'
import { listSessionRecordIds } from '../../storage/queries/mediation-records.js'
import { deleteNotificationsOfSession, deleteNotificationsTo } from '../../storage/queries/notifications.js'
import { identifyActors, resolvePeople } from '../../storage/queries/people.js'
import {
  countUnanswered,
  declineInvitation,
  deleteInvitation,
  deleteSessionRows as deleteSessionRow,
  ensureRelationship,
  insertInvitations,
  insertParticipant,
  insertSession,
  listSessions,
  listSessionsMeantFor,
  loadSession,
  SESSION_STATES,
  type SessionRow,
} from '../../storage/queries/sessions.js'
import { changeSessionState, invalidTransition } from '../change-session-state.js'
import { forgetVectors } from '../library/suggest-experiments.js'
import { withdrawAll } from '../library/withdraw-all.js'
import { removeParticipant } from '../remove-participant.js'
import { lockSession, notifyInSession, notifyWhoMayContinue, requireOpen, sessionId } from '../session.js'

/** Seats in a session. The stages speak of one partner; nothing else assumes two people. */
const SEATS = 2

/** How many unanswered sessions the same people may have; more would be a flood. */
const MOST_UNANSWERED = 10

const sessionView = z
  .object({
    id: z.string().meta({ description: 'The id of the session.' }),
    relationship: z.string().meta({ description: 'The relationship it is part of, by its id.' }),
    state: z.enum(SESSION_STATES).meta({ description: 'The state of the session.' }),
    title: z
      .string()
      .nullable()
      .meta({ description: 'What it is about; null if it has no title, or your trust does not reach.' }),
    participants: z.array(z.string()).meta({ description: 'Those who have joined.' }),
    invited: z.array(z.string()).meta({ description: 'Those who were invited and have not answered.' }),
    createdAt,
    updatedAt: z.string().meta({ description: 'When it last changed.' }),
  })
  .meta({ id: 'Session', description: 'A mediation session.' })

/** The title is shared content: it has the label that this has, whoever of the two wrote it (NI-12). */
const TITLE_LABEL: Label = {
  sensitivity: 'medium',
  scope: null,
  visibilityClass: 'party_confidential',
  participants: [],
}

const view = ({ clearance }: ReadRequest, row: SessionRow): z.input<typeof sessionView> => ({
  id: row.sessionId,
  relationship: row.relationship,
  state: row.state,
  title: lowers(TITLE_LABEL, clearance) ? null : row.title,
  participants: row.participants.map(({ actor }) => actor),
  invited: [...row.invited],
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const isIn = ({ caller: { actingFor } }: ReadRequest, row: SessionRow | undefined): row is SessionRow =>
  row !== undefined &&
  (row.participants.some(({ actor }) => actor === actingFor) || row.invited.includes(actingFor))

/** A host opens sessions for others and knows of all of them, except by a key that was narrowed (NI-10). */
const isWholeHost = (request: ReadRequest): boolean =>
  request.caller.audience === 'host' && request.seesEverything

async function viewOf(request: ReadRequest, session: string): Promise<z.input<typeof sessionView>> {
  const row = await loadSession(request.tx, request.tenant, session)
  if (row === undefined || !(isIn(request, row) || isWholeHost(request))) throw absent()
  return view(request, row)
}

const replay = (request: WriteRequest, [session = '']: readonly string[]) => viewOf(request, session)

const person = principal.refine(isActorName, { message: 'must be the name of a person' })

export const createSession = writeOperation({
  name: 'sessions.create',
  route: 'POST /sessions',
  summary: 'Open a mediation between people, and invite them',
  sample: world => ({
    participants: [world.pick(['ben', 'dot'])],
    ...world.maybe(0.3, { invite: false }),
  }),
  callers: 'owner',
  effects: ['session_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    participants: z
      .array(person)
      .min(1)
      .max(SEATS)
      .meta({ description: 'Who takes part beside you. A host names both.', example: ['ben'] }),
    title: name.optional().meta({ description: 'What it is about.', example: 'The kitchen' }),
    invite: z.boolean().default(true).meta({ description: 'Whether to invite the others at once.' }),
  }),
  output: sessionView,
  async run(request, { participants, title, invite }) {
    const { tx, tenant, now, caller } = request
    // Whoever opens a session takes part in it, except a host.
    const seated = caller.audience === 'host' ? [] : [caller.actingFor]
    const members = [...new Set([...seated, ...participants])].sort()
    if (members.length !== SEATS)
      throw new PrivityError(
        'invalid_input',
        `participants: a session needs exactly ${SEATS} people, you included`,
      )
    const relationship = await ensureRelationship(
      tx,
      tenant,
      request.parts.clock.newId('relationship'),
      members,
      now,
    )
    const seenBy = caller.audience === 'host' ? null : caller.actingFor
    if ((await countUnanswered(tx, tenant, relationship, seenBy)) >= MOST_UNANSWERED)
      throw new PrivityError(
        'rate_limit_exceeded',
        `${MOST_UNANSWERED} sessions between the same people wait for an answer or were declined`,
        { reason: 'rate_limit_exceeded' },
      )
    const session = request.parts.clock.newId('session')
    const state = invite ? 'INVITED' : 'CREATED'
    await insertSession(
      tx,
      tenant,
      { sessionId: session, relationship, state, title: title ?? null, members },
      now,
    )
    for (const actor of seated) await insertParticipant(tx, tenant, session, actor, now)
    const row = await load(request, session)
    if (invite) await inviteOthers(request, row)
    return { output: view(request, await load(request, session)), refs: [session] }
  },
  replay,
})

async function load(request: WriteRequest, session: string): Promise<SessionRow> {
  const row = await loadSession(request.tx, request.tenant, session)
  if (row === undefined) throw absent()
  return row
}

/** Invites the others. It does not check whether they exist: an invitation stands until it is answered (NI-5). */
async function inviteOthers(request: WriteRequest, row: SessionRow): Promise<void> {
  const seated = new Set(row.participants.map(({ actor }) => actor))
  const others = row.members.filter(member => !seated.has(member))
  const { tx, tenant, now } = request
  // Whoever was invited before is not notified again, and whoever declined is not asked again.
  const invited = await insertInvitations(tx, tenant, row.sessionId, others, now)
  await notifyInSession(
    request,
    row,
    invited.map(recipient => ({ recipient, type: 'session.invited' })),
  )
}

export const inviteToSession = writeOperation({
  name: 'sessions.invite',
  route: 'POST /sessions/:session/invite',
  summary: 'Invite those who have not joined a session yet',
  positional: ['session'],
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  effects: ['session_invited'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ session: sessionId }),
  output: sessionView,
  async run(request, { session }) {
    const row = await lockSession(request, session)
    requireOpen(row)
    if (row.participants.length === row.members.length)
      throw new PrivityError('conflict', 'everybody has already joined')
    await inviteOthers(request, row)
    const invited = await load(request, session)
    if (invited.invited.length === 0)
      throw new PrivityError('conflict', 'the invitation was declined; create another session to ask again')
    if (row.state === 'CREATED') await changeSessionState(request, row, 'INVITED')
    return { output: view(request, await load(request, session)), refs: [session] }
  },
  replay,
})

export const joinSession = writeOperation({
  name: 'sessions.join',
  route: 'POST /sessions/:session/join',
  summary: 'Accept an invitation to a session',
  positional: ['session'],
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  effects: ['session_joined'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ session: sessionId }),
  output: sessionView,
  async run(request, { session }) {
    const row = await lockInvited(request, session)
    const { actingFor } = request.caller
    await deleteInvitation(request.tx, request.tenant, session, actingFor)
    await insertParticipant(request.tx, request.tenant, session, actingFor, request.now)
    request.changesFactsOf(sessionOwner(session))
    const joined = await load(request, session)
    await notifyInSession(
      request,
      joined,
      row.participants.map(({ actor }) => ({ recipient: actor, type: 'session.joined' })),
    )
    if (joined.participants.length === joined.members.length) {
      await introduce(request, joined)
      await changeSessionState(request, joined, 'ACTIVE')
    }
    return { output: view(request, await load(request, session)), refs: [session] }
  },
  replay,
})

/**
 * Links each member to the others as people they know, so that naming the other in the session means this person
 * (PC-2). Between members, vessels and the bridge govern what is shared.
 */
async function introduce(request: WriteRequest, { members }: SessionRow): Promise<void> {
  const { tx, tenant, now } = request
  for (const owner of members) {
    const others = members.filter(actor => actor !== owner)
    const named = others.map(name => ({ name, newId: request.parts.clock.newId('person') }))
    const ids = await resolvePeople(tx, tenant, owner, named, now)
    await identifyActors(
      tx,
      tenant,
      [...ids].map(([actor, personId]) => ({ actor, personId })),
    )
    request.changesFactsOf(owner)
  }
}

export const declineSession = writeOperation({
  name: 'sessions.decline',
  route: 'POST /sessions/:session/decline',
  summary: 'Decline an invitation to a session',
  positional: ['session'],
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  effects: ['session_declined'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ session: sessionId }),
  output: z.object({ declined: z.literal(true).meta({ description: 'The invitation was declined.' }) }),
  async run(request, { session }) {
    const row = await lockInvited(request, session)
    await declineInvitation(request.tx, request.tenant, session, request.caller.actingFor, request.now)
    const after = await load(request, session)
    if (row.state === 'INVITED' && after.invited.length === 0)
      await changeSessionState(request, row, 'CREATED')
    return { output: { declined: true as const }, refs: [session] }
  },
  replay: async () => ({ declined: true as const }),
})

/** Locks a session for somebody who is invited to it and has not answered. */
async function lockInvited(request: WriteRequest, session: string): Promise<SessionRow> {
  const { tx, tenant, caller } = request
  await lockOwners(tx, tenant, [sessionOwner(session)], 'exclusive')
  const row = await loadSession(tx, tenant, session)
  if (row === undefined || !row.invited.includes(caller.actingFor)) throw absent()
  requireOpen(row)
  return row
}

export const getSession = readOperation({
  name: 'sessions.get',
  route: 'GET /sessions/:session',
  summary: 'Read one session that you take part in or are invited to',
  positional: ['session'],
  policies: ['agent', 'reader'],
  sample: world => ({ session: world.made('session') }),
  callers: 'anyone',
  input: z.strictObject({ session: sessionId }),
  output: sessionView,
  run: (request, { session }) => viewOf(request, session),
})

export const listSessionsOf = readOperation({
  name: 'sessions.list',
  route: 'GET /sessions',
  summary:
    'List the sessions that you take part in or are invited to, newest first; a host lists all of them',
  policies: ['agent', 'reader'],
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'anyone',
  input: z.strictObject({
    states: z
      .array(z.enum(SESSION_STATES))
      .min(1)
      .max(SESSION_STATES.length)
      .optional()
      .meta({ description: 'Only sessions in one of these states.', example: ['ACTIVE'] }),
    ...pageInput,
  }),
  output: z.object({
    sessions: z.array(sessionView).meta({ description: 'The sessions, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { states, limit, cursor }) {
    const { rows, cursor: next } = await listNewestFirst(
      request,
      ['sessions.list', states],
      { limit, cursor },
      (before, most) =>
        listSessions(
          request.tx,
          request.tenant,
          isWholeHost(request) ? null : request.caller.actingFor,
          states ?? null,
          before,
          most,
        ),
      ({ createdAt, sessionId }) => ({ createdAt, id: sessionId }),
    )
    return { sessions: rows.map(row => view(request, row)), cursor: next }
  },
})

export const setSession = writeOperation({
  name: 'sessions.set_state',
  route: 'POST /sessions/:session/state',
  summary: 'Pause, resume or end a session',
  sample: world => ({ session: world.made('session'), state: 'ABANDONED' }),
  callers: 'owner',
  effects: ['session_state_changed'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    state: z
      .enum(['ACTIVE', 'PAUSED', 'RESOLVED', 'ABANDONED'])
      .meta({ description: 'The state to go to.', example: 'PAUSED' }),
  }),
  output: sessionView,
  async run(request, { session, state }) {
    const row = await lockSession(request, session)
    // Only joining can make a session active for the first time.
    if (state === 'ACTIVE' && row.state !== 'PAUSED') throw invalidTransition(row.state, state)
    await changeSessionState(request, row, state)
    if (state === 'ACTIVE') await notifyWhoMayContinue(request, row)
    return { output: view(request, await load(request, session)), refs: [session] }
  },
  replay,
})

export const leaveSession = writeOperation({
  name: 'sessions.leave',
  route: 'POST /sessions/:session/leave',
  summary: 'Leave a session: it ends, nothing of yours stays shared, and your side of it can be erased',
  sample: world => ({ session: world.made('session'), erase: world.chance(0.5) }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['session_left', 'consent_revoked', 'record_deleted'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    erase: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to delete everything of yours in it as well.' }),
  }),
  output: z.object({
    left: z.literal(true).meta({ description: 'You left the session.' }),
    revoked: z.int().meta({ description: 'Number of consents that were revoked.' }),
    erased: z.int().meta({ description: 'Number of records that were deleted.' }),
  }),
  async run(request, { session, erase }) {
    const { caller } = request
    const row = await lockSession(request, session)
    const { consents, erased } = await removeParticipant(request, row, caller.actingFor, erase)
    return {
      output: { left: true as const, revoked: consents.length, erased },
      refs: [session, ...consents],
    }
  },
  replay: async () => ({ left: true as const, revoked: 0, erased: 0 }),
})

export const deleteSession = writeOperation({
  name: 'sessions.delete',
  route: 'DELETE /sessions/:session',
  summary: 'Delete a session with everything that was said and shared in it',
  positional: ['session'],
  sample: world => ({ session: world.made('session') }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['session_deleted', 'record_deleted'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ session: sessionId }),
  output: z.object({
    deleted: z.literal(true).meta({ description: 'The session was deleted.' }),
    records: z.int().meta({ description: 'Number of records that were deleted with it.' }),
  }),
  async run(request, { session }) {
    const { tx, tenant, now } = request
    await lockOwners(tx, tenant, [sessionOwner(session)], 'exclusive')
    const row = await load(request, session)
    const consents = await listStandingConsents(tx, tenant, session, null)
    await revokeConsents(tx, tenant, consents, now)
    const records = await listSessionRecordIds(tx, tenant, session, null)
    await forgetRecords(tx, tenant, records)
    await deleteSessionRow(tx, tenant, session)
    await deleteNotificationsOfSession(tx, tenant, session)
    for (const owner of [sessionOwner(session), ...row.members]) request.changesFactsOf(owner)
    return { output: { deleted: true as const, records: records.length }, refs: [session] }
  },
  replay: async () => ({ deleted: true as const, records: 0 }),
})

/**
 * Removes a person from every mediation: each of their sessions ends as if they had left it and erased their side,
 * and their library contributions and notifications are deleted. Their other records are not touched (CB-9).
 */
export const erasePerson = writeOperation({
  name: 'sessions.erase_person',
  route: 'DELETE /participants/:person',
  summary: 'Take a person out of every session, the library and notifications, and erase their side of it',
  positional: ['person'],
  sample: world => ({ person: world.pick(['ben', 'dot', 'nobody']) }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: [
    'session_left',
    'consent_revoked',
    'record_deleted',
    'library_entry_withdrawn',
    'notifications_deleted',
  ],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ person: person.meta({ description: 'The person, by name.', example: 'ben' }) }),
  output: z.object({
    sessions: z.int().meta({ description: 'Number of sessions they left.' }),
    revoked: z.int().meta({ description: 'Number of consents that were revoked.' }),
    erased: z.int().meta({ description: 'Number of records that were deleted.' }),
    withdrawn: z.int().meta({ description: 'Number of contributions to the library that were withdrawn.' }),
  }),
  async run(request, { person: actor }) {
    const { tx, tenant } = request
    const sessions = await listSessionsMeantFor(tx, tenant, actor)
    await lockOwners(tx, tenant, sessions.map(sessionOwner), 'exclusive')
    const revoked: string[] = []
    let erased = 0
    for (const session of sessions) {
      const taken = await removeParticipant(request, await load(request, session), actor, true)
      await deleteInvitation(tx, tenant, session, actor)
      revoked.push(...taken.consents)
      erased += taken.erased
    }
    const withdrawn = await withdrawAll(request, actor)
    forgetVectors(request)
    await deleteNotificationsTo(tx, tenant, actor)
    request.changesFactsOf(actor)
    return {
      output: { sessions: sessions.length, revoked: revoked.length, erased, withdrawn },
      refs: [...sessions, ...revoked],
    }
  },
  replay: async () => ({ sessions: 0, revoked: 0, erased: 0, withdrawn: 0 }),
})
