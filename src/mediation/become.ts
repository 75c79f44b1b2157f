import { PrivityError } from '../errors.js'
import { sessionOwner } from '../runtime/facts.js'
import type { WriteRequest } from '../runtime/request.js'
import { type SessionRow, type SessionState, setSessionState } from '../storage/queries/sessions.js'
import { tell } from './session.js'
import { mayBecome } from './session-state.js'

/** Takes a session to another state, and tells the others. */
export async function become(request: WriteRequest, row: SessionRow, state: SessionState): Promise<void> {
  if (!mayBecome(row.state, state)) throw notFrom(row.state, state)
  await setSessionState(request.tx, request.tenant, row.sessionId, state, request.now)
  request.changesFactsOf(sessionOwner(row.sessionId))
  const others = row.participants.filter(({ actor }) => actor !== request.caller.actingFor)
  await tell(
    request,
    row,
    others.map(({ actor }) => ({ recipient: actor, type: 'session.state_changed' })),
  )
}

export const notFrom = (from: SessionState, to: SessionState) =>
  new PrivityError('session_state_transition_invalid', `a session that is ${from} cannot become ${to}`, {
    reason: 'session_state_transition_invalid',
  })
