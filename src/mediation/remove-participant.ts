import type { WriteRequest } from '../runtime/request.js'
import { listStandingConsents, revokeConsents } from '../storage/queries/bridge.js'
import { forgetRecords } from '../storage/queries/forget-records.js'
import {
  eraseStatements,
  listIdsBackedByOne,
  listSessionRecordIds,
} from '../storage/queries/mediation-records.js'
import { eraseRankingAndIntensity, type SessionRow } from '../storage/queries/sessions.js'
import { changeSessionState } from './change-session-state.js'
import { changeSession } from './session.js'
import { mayChangeState } from './session-state.js'
import { notifyIfSeen } from './share.js'

/**
 * Removes a participant, which ends the session. Nothing of theirs stays shared, nor anything that they alone
 * support; with `erase`, nothing of theirs stays at all. They can still read what the others shared with them (CB-9).
 */
export function removeParticipant(
  request: WriteRequest,
  row: SessionRow,
  actor: string,
  erase: boolean,
): Promise<{ consents: string[]; erased: number }> {
  const { tx, tenant, now } = request
  const { sessionId: session } = row
  return changeSession(request, row, async () => {
    if (mayChangeState(row.state, 'ABANDONED')) await changeSessionState(request, row, 'ABANDONED')
    const consents = await listStandingConsents(tx, tenant, session, actor)
    await revokeConsents(tx, tenant, consents, now)
    if (consents.length > 0) await notifyIfSeen(request, row, 'consent.revoked', {}, actor)
    request.changesFactsOf(actor)
    const own = erase ? await listSessionRecordIds(tx, tenant, session, actor) : []
    const doomed = [...own, ...(await listIdsBackedByOne(tx, tenant, session, actor))]
    await forgetRecords(tx, tenant, doomed)
    await eraseStatements(tx, tenant, session, actor, now)
    if (erase) await eraseRankingAndIntensity(tx, tenant, session, actor)
    return { consents, erased: doomed.length }
  })
}
