import { PrivityError } from '../errors.js'
import { sessionOwner } from '../runtime/facts.js'
import type { WriteRequest } from '../runtime/request.js'
import { type SessionRow, type SessionState, setSessionState } from '../storage/queries/sessions.js'
import { notifyInSession } from './session.js'
import { mayChangeState } from './session-state.js'

/** Moves a session to another state and notifies the others. */
export async function changeSessionState(
  request: WriteRequest,
  row: SessionRow,
  state: SessionState,
): Promise<void> {
  if (!mayChangeState(row.state, state)) throw invalidTransition(row.state, state)
  await setSessionState(request.tx, request.tenant, row.sessionId, state, request.now)
  request.changesFactsOf(sessionOwner(row.sessionId))
  const others = row.participants.filter(({ actor }) => actor !== request.caller.actingFor)
  await notifyInSession(
    request,
    row,
    others.map(({ actor }) => ({ recipient: actor, type: 'session.state_changed' })),
  )
}

export const invalidTransition = (from: SessionState, to: SessionState) =>
  new PrivityError('session_state_transition_invalid', `a session that is ${from} cannot become ${to}`, {
    reason: 'session_state_transition_invalid',
  })
