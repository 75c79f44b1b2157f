import { LEAST_LABEL } from '../policy/labels.js'
import { draft } from '../runtime/draft.js'
import type { WriteRequest } from '../runtime/request.js'
import { writeRecords } from '../runtime/write-records.js'
import { type ConsentRecordRow, insertConsentRecord, setConsentContent } from '../storage/queries/bridge.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import type { SessionRow } from '../storage/queries/sessions.js'
import { changeSession, leastStage, notifyInSession, othersIn } from './session.js'

/** Content that its owner allows the others to read. */
export interface ContentToShare {
  readonly kind: 'consented_content' | 'empathy_attempt' | 'strategy_proposal'
  readonly contentType: string
  readonly description: string
  readonly text: string
  readonly fields?: Readonly<Record<string, unknown>>
  /** The records that it was made from. It inherits their labels and is deleted with them. */
  readonly sources: readonly RecordRow[]
  readonly original: RecordRow | null
}

/**
 * Puts content into the shared vessel under a consent record of its owner: the only way to get there (CB-3). The
 * caller of this function must have asked the owner and screened the text.
 */
export async function share(
  request: WriteRequest,
  session: SessionRow,
  shared: ContentToShare,
): Promise<{ record: ConsentRecordRow; contentId: string }> {
  const { tx, tenant, caller, now } = request
  const owner = caller.actingFor
  const consentRecordId = request.parts.clock.newId('consent_record')
  const record = {
    consentRecordId,
    sessionId: session.sessionId,
    owner,
    contentType: shared.contentType,
    decision: 'GRANTED' as const,
    decidedAt: now,
    contentDescription: shared.description,
    originalId: shared.original?.id ?? null,
    contentId: null,
  }
  return changeSession(request, session, async () => {
    await insertConsentRecord(tx, tenant, record)
    const [stored] = await writeRecords(request, [
      {
        draft: draft.parse({ kind: shared.kind, text: shared.text, fields: shared.fields ?? {} }),
        owner,
        sources: shared.sources,
        atLeast: LEAST_LABEL,
        mediation: {
          vessel: 'shared',
          session: session.sessionId,
          relationship: session.relationship,
          contentType: shared.contentType,
          addressees: othersIn(request, session),
          consentRecord: consentRecordId,
        },
      },
    ])
    const contentId = stored?.id ?? ''
    await setConsentContent(tx, tenant, consentRecordId, contentId)
    request.changesFactsOf(owner)
    await notifyIfSeen(request, session, 'consent.granted')
    return { record: { ...record, revokedAt: null, contentId }, contentId }
  })
}

/**
 * Notifies the others of a grant or revocation, if everybody has reached a stage at which they could see it (RC-8).
 */
export async function notifyIfSeen(
  request: WriteRequest,
  session: SessionRow,
  type: 'consent.granted' | 'consent.revoked',
  owner = request.caller.actingFor,
): Promise<void> {
  if (leastStage(session) < 2) return
  const others = session.members.filter(member => member !== owner)
  await notifyInSession(
    request,
    session,
    others.map(recipient => ({ recipient, type })),
  )
}
