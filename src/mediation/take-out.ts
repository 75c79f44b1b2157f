import type { WriteRequest } from '../runtime/request.js'
import { revokeConsents, standingConsents } from '../storage/queries/bridge.js'
import { forgetRecords } from '../storage/queries/forget-records.js'
import { eraseSayings, idsOfSession, idsStoodBehindAlone } from '../storage/queries/mediation-records.js'
import { erasePlace, type SessionRow } from '../storage/queries/sessions.js'
import { become } from './become.js'
import { changeSession } from './session.js'
import { mayBecome } from './session-state.js'
import { tellIfSeen } from './share.js'

/**
 * Takes somebody out of a session. It ends; nothing of theirs stays shared, nor what they alone stand behind, and with
 * `erase` nothing of theirs stays at all. What the others shared with them stays readable to them (CB-9).
 */
export function takeOut(
  request: WriteRequest,
  row: SessionRow,
  actor: string,
  erase: boolean,
): Promise<{ consents: string[]; erased: number }> {
  const { tx, tenant, now } = request
  const { sessionId: session } = row
  return changeSession(request, row, async () => {
    if (mayBecome(row.state, 'ABANDONED')) await become(request, row, 'ABANDONED')
    const consents = await standingConsents(tx, tenant, session, actor)
    await revokeConsents(tx, tenant, consents, now)
    if (consents.length > 0) await tellIfSeen(request, row, 'consent.revoked', actor)
    request.changesFactsOf(actor)
    const own = erase ? await idsOfSession(tx, tenant, session, actor) : []
    const doomed = [...own, ...(await idsStoodBehindAlone(tx, tenant, session, actor))]
    await forgetRecords(tx, tenant, doomed)
    await eraseSayings(tx, tenant, session, actor, now)
    if (erase) await erasePlace(tx, tenant, session, actor)
    return { consents, erased: doomed.length }
  })
}
