import { PrivityError } from '../errors.js'
import { notify } from '../notifications/notify.js'
import type { NewNotification } from '../notifications/types.js'
import { isStage, type Stage } from '../policy/retrieval-contract.js'
import { mayEnterNext, type Progress } from '../policy/stages.js'
import type { ContractFacts } from '../policy/subject.js'
import { sessionOwner } from '../runtime/facts.js'
import { EXAMPLE_ID } from '../runtime/fields.js'
import { name } from '../runtime/input.js'
import { absent, type ReadRequest, type WriteRequest } from '../runtime/request.js'
import { lockOwners } from '../storage/queries/lock.js'
import {
  loadProgress,
  loadSession,
  type ParticipantRow,
  type SessionRow,
} from '../storage/queries/sessions.js'
import { setRole } from '../storage/queries/set-role.js'
import { isOpen } from './session-state.js'

/** The id of a session. An unknown id is absent, just like the id of somebody else's session (NI-5). */
export const sessionId = name.meta({ description: 'The mediation session, by its id.', example: EXAMPLE_ID })

/** Loads a session for a participant. For everybody else it does not exist. */
export async function requireSession(request: ReadRequest, session: string): Promise<SessionRow> {
  const row = await loadSession(request.tx, request.tenant, session)
  if (row === undefined || !isSeated(request, row)) throw absent()
  return row
}

/** Loads a session for a change and locks it, so that other changes of it wait (CB-5). */
export async function lockSession(request: WriteRequest, session: string): Promise<SessionRow> {
  await lockOwners(request.tx, request.tenant, [sessionOwner(session)], 'exclusive')
  return requireSession(request, session)
}

/** Locks a session that still accepts messages and sharing. */
export async function lockOpenSession(request: WriteRequest, session: string): Promise<SessionRow> {
  const row = await lockSession(request, session)
  requireOpen(row)
  return row
}

export function requireOpen({ state }: SessionRow): void {
  if (!isOpen(state))
    throw new PrivityError('session_state_transition_invalid', 'the session has ended', {
      reason: 'session_state_transition_invalid',
    })
}

const isSeated = ({ caller }: ReadRequest, { participants }: SessionRow): boolean =>
  participants.some(({ actor }) => actor === caller.actingFor)

/** The caller's own seat in a session. */
export function seatOf({ caller }: ReadRequest, { participants }: SessionRow): ParticipantRow {
  const seat = participants.find(({ actor }) => actor === caller.actingFor)
  if (seat === undefined) throw absent()
  return seat
}

/** The caller's stage, which depends only on the caller's own progress (RC-8). */
export function stageOf(request: ReadRequest, session: SessionRow): Stage {
  const { stage } = seatOf(request, session)
  if (!isStage(stage)) throw new PrivityError('internal', 'the stage of a participant is not known')
  return stage
}

/** Refuses an action before the caller has reached its stage. */
export function requireStage(request: ReadRequest, session: SessionRow, least: Stage): void {
  if (stageOf(request, session) < least)
    throw new PrivityError('conflict', `this needs stage ${least}; advance to it first`, {
      reason: 'session.stage_not_reached',
    })
}

/** Everybody in the session except the caller. */
export const othersIn = ({ caller }: ReadRequest, { members }: SessionRow): string[] =>
  members.filter(member => member !== caller.actingFor)

/** The contract of this session for the caller. */
export const contractOf = (
  request: ReadRequest,
  session: SessionRow,
  purpose: ContractFacts['purpose'],
): ContractFacts => ({
  purpose,
  session: session.sessionId,
  relationship: session.relationship,
  stage: stageOf(request, session),
  leastStage: leastStage(session),
  active: session.state === 'ACTIVE',
})

/** Makes the rest of the request read under the contract of this session. */
export function enterContract(
  request: ReadRequest,
  session: SessionRow,
  purpose: ContractFacts['purpose'],
): ContractFacts {
  const contract = contractOf(request, session, purpose)
  request.enterContract(contract)
  return contract
}

/** The lowest stage of all members; -1 until everybody has joined. */
export const leastStage = ({ members, participants }: SessionRow) =>
  participants.length < members.length ? -1 : Math.min(...participants.map(({ stage }) => stage))

/**
 * Everybody's progress. It is read with a role that sees all vessels; only the state of the gates may leave this
 * function, and the partner's gates are declared as disclosed (NI-8).
 */
export async function progressOf(request: ReadRequest, session: SessionRow): Promise<Progress> {
  await setRole(request.tx, 'privity_writer')
  const rows = await loadProgress(request.tx, request.tenant, session.sessionId)
  await setRole(request.tx, request.role)
  const [first, ...rest] = rows.map(row => new Set(row.favourites))
  const everybodyIsThere = rows.length === session.members.length
  return {
    participants: new Map(
      rows.map(({ actor, favourites: _, agreementCreated: __, ...done }) => [actor, done]),
    ),
    overlapIdentified:
      everybodyIsThere && first !== undefined && [...first].some(id => rest.every(set => set.has(id))),
    agreementCreated: rows.some(row => row.agreementCreated),
  }
}

/** Changes a session and notifies those who may now enter their next stage. */
export async function changeSession<T>(
  request: WriteRequest,
  session: SessionRow,
  change: () => Promise<T>,
): Promise<T> {
  const before = await progressOf(request, session)
  const result = await change()
  request.changesFactsOf(sessionOwner(session.sessionId))
  const after = await progressOf(request, session)
  const freed = [...findWhoMayContinue(session, after)].filter(
    actor => !findWhoMayContinue(session, before).has(actor),
  )
  if (after.overlapIdentified && !before.overlapIdentified)
    await notifyInSession(
      request,
      session,
      session.members.map(recipient => ({ recipient, type: 'strategies.overlap' as const })),
    )
  // While the session is paused nobody can continue; they are notified when it resumes.
  if (session.state === 'ACTIVE') await notifyReady(request, session, freed)
  return result
}

/** Those who may enter their next stage. */
function findWhoMayContinue({ participants }: SessionRow, progress: Progress): ReadonlySet<string> {
  const able = participants.filter(
    ({ actor, stage }) => isStage(stage) && mayEnterNext(progress, actor, stage),
  )
  return new Set(able.map(({ actor }) => actor))
}

const notifyReady = (request: WriteRequest, session: SessionRow, actors: readonly string[]) =>
  notifyInSession(
    request,
    session,
    actors.map(actor => ({ recipient: actor, type: 'stage.ready' })),
  )

/** Notifies those who may continue in a session that was paused. */
export async function notifyWhoMayContinue(request: WriteRequest, session: SessionRow): Promise<void> {
  const progress = await progressOf(request, session)
  await notifyReady(request, session, [...findWhoMayContinue(session, progress)])
}

/** Notifies people about an event in this session. */
export function notifyInSession(
  request: WriteRequest,
  session: SessionRow,
  events: readonly (Pick<NewNotification, 'recipient' | 'type'> & Partial<Pick<NewNotification, 'refs'>>)[],
): Promise<void> {
  return notify(
    request,
    events.map(event => ({ refs: {}, ...event, session: session.sessionId })),
  )
}
