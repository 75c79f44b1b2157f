import { LEAST_LABEL } from '../policy/labels.js'
import { draft } from '../runtime/draft.js'
import type { WriteRequest } from '../runtime/request.js'
import { writeRecords } from '../runtime/write-records.js'
import { type ConsentRecordRow, insertConsentRecord, setConsentContent } from '../storage/queries/bridge.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import type { SessionRow } from '../storage/queries/sessions.js'
import { loadStandingShared } from '../storage/queries/standing-shared.js'
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
  /** Who may read it besides its owner. */
  readonly addressees?: readonly string[]
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
  const { addressees = othersIn(request, session) } = shared
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
          addressees,
          consentRecord: consentRecordId,
        },
      },
    ])
    const contentId = stored?.id ?? ''
    await setConsentContent(tx, tenant, consentRecordId, contentId)
    request.changesFactsOf(owner)
    if (isAddressed(addressees, owner))
      await notifyIfSeen(request, session, 'consent.granted', { content: contentId })
    return { record: { ...record, revokedAt: null, contentId }, contentId }
  })
}

/** Whether somebody besides its owner may read shared content. */
export const isAddressed = (addressees: readonly string[], owner: string): boolean =>
  addressees.some(addressee => addressee !== owner)

/**
 * Notifies the others of a grant or revocation, if everybody has reached a stage at which they could see it (RC-8). It
 * names what they can see, or could.
 */
export async function notifyIfSeen(
  request: WriteRequest,
  session: SessionRow,
  type: 'consent.granted' | 'consent.revoked',
  refs: Readonly<Record<string, string>> = {},
  owner = request.caller.actingFor,
): Promise<void> {
  if (leastStage(session) < 2) return
  const others = session.members.filter(member => member !== owner)
  await notifyInSession(
    request,
    session,
    others.map(recipient => ({ recipient, type, refs })),
  )
}

/** The kinds of content that people share by themselves in the first stages. */
const SHARED_EARLY = ['consented_content', 'empathy_attempt'] as const

/** Announces what was shared while others could not see it yet, now that they can. */
export async function announceSharedBefore(request: WriteRequest, session: SessionRow): Promise<void> {
  const { tx, tenant, now } = request
  for (const kind of SHARED_EARLY)
    for (const { id, tuple } of await loadStandingShared(tx, tenant, session.sessionId, kind, now))
      if (isAddressed(tuple.addressees, tuple.owner))
        await notifyIfSeen(request, session, 'consent.granted', { content: id }, tuple.owner)
}
