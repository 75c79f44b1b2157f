import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { findReasonCode } from '../../policy/reason-codes.js'
import { isAgentAudience } from '../../policy/subject.js'
import { EXAMPLE_ID } from '../../runtime/fields.js'
import { id, name, text } from '../../runtime/input.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { firstCharacters } from '../../runtime/preview.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import { contentType } from '../../runtime/vocabulary.js'
import {
  type BridgeRequestRow,
  type ConsentRecordRow,
  closeBridgeRequest,
  insertConsentRecord,
  listConsentRecords,
  listOpenRequests,
  loadBridgeRequest,
  loadConsentRecord,
  loadLastDenial,
  revokeConsents,
} from '../../storage/queries/bridge.js'
import { fetchRecords, type RecordRow } from '../../storage/queries/fetch-records.js'
import { lockRecords } from '../../storage/queries/lock.js'
import type { SessionRow } from '../../storage/queries/sessions.js'
import { ASKABLE, askForConsent, askForStage } from '../ask-for-consent.js'
import { namesOfOthers } from '../names-of-others.js'
import { categoryOf, isNeedCategory, isSubNeed } from '../needs.js'
import { recognise } from '../needs-and-feelings.js'
import { recogniseShareable } from '../recognise-shareable.js'
import { screen, screenKindOf } from '../screen.js'
import { selectConsentedRecords } from '../select-consented-records.js'
import {
  changeSession,
  enterContract,
  lockOpenSession,
  lockSession,
  requireSession,
  requireStage,
  sessionId,
} from '../session.js'
import { isOpen } from '../session-state.js'
import { isAddressed, notifyIfSeen, share } from '../share.js'
import { stripInvisible } from '../words.js'

/** A limit that no session reaches. */
const MOST = 10_000
const SUMMARY_CHARACTERS = 200

const consentRequest = z
  .object({
    id: z.string().meta({ description: 'The id of the request; pass it to `bridge.decide`.' }),
    contentType: contentType.meta({ description: 'What it would be shared as.' }),
    contentDescription: z.string().meta({ description: 'What would be shared, in a sentence.' }),
    transformedPreview: z.string().meta({
      description: 'What your partner would read. Empty if nothing was recognised: share your own words.',
    }),
    originalContentId: z.string().meta({ description: 'What of yours it comes from, by its id.' }),
    originalContentSummary: z.string().meta({ description: 'The beginning of what of yours it comes from.' }),
  })
  .meta({ id: 'SharingRequest', description: 'Something you are asked to share with your partner.' })

const consentRecord = z
  .object({
    id: z.string().meta({ description: 'The id of the decision.' }),
    contentType: contentType.meta({ description: 'What it is shared as.' }),
    decision: z.enum(['GRANTED', 'DENIED']).meta({ description: 'What you decided.' }),
    decidedAt: z.string().meta({ description: 'When you decided.' }),
    revokedAt: z.string().nullable().meta({ description: 'When you took it back; null while it stands.' }),
    contentDescription: z.string().meta({ description: 'What the decision is about, in a sentence.' }),
  })
  .meta({ id: 'SharingDecision', description: 'Whether you agreed to share something.' })

const sharedContent = z
  .object({
    id: z.string().meta({ description: 'The id of what is shared.' }),
    sourceUserId: z.string().meta({ description: 'Whose words it comes from.' }),
    transformedContent: z.string().meta({ description: 'What is shared, as it reads.' }),
    consentedAt: z.string().meta({ description: 'When its owner agreed to share it.' }),
    consentActive: z.boolean().meta({ description: 'Whether the consent stands.' }),
  })
  .meta({ id: 'SharedContent', description: 'Something that is shared with your partner.' })

function requestView(row: BridgeRequestRow): z.input<typeof consentRequest> {
  const summary = firstCharacters(row.originalText, SUMMARY_CHARACTERS)
  return {
    id: row.requestId,
    contentType: row.contentType as z.input<typeof consentRequest>['contentType'],
    contentDescription: row.contentDescription,
    transformedPreview: row.transformedPreview,
    originalContentId: row.originalId,
    originalContentSummary: summary.length < row.originalText.length ? `${summary}…` : summary,
  }
}

const recordView = (row: ConsentRecordRow): z.input<typeof consentRecord> => ({
  id: row.consentRecordId,
  contentType: row.contentType as z.input<typeof consentRecord>['contentType'],
  decision: row.decision,
  decidedAt: row.decidedAt.toISOString(),
  revokedAt: row.revokedAt?.toISOString() ?? null,
  contentDescription: row.contentDescription,
})

/** Parses an id. A malformed id is reported as absent, like one that does not exist (NI-5). */
function idOrAbsent(value: string): string {
  const parsed = id.safeParse(value)
  if (!parsed.success) throw absent()
  return parsed.data
}

const ASKABLE_TYPES = Object.keys(ASKABLE) as (keyof typeof ASKABLE)[]

/** Asks somebody to share something from their own vessel. Only the owner reads the preview. */
export const requestSharing = writeOperation({
  name: 'bridge.request',
  route: 'POST /sessions/:session/consent/request',
  summary: 'Ask for something of your own vessel, or your principal’s, to be shared',
  policies: ['agent'],
  sample: world => ({
    session: world.made('session'),
    content: world.record(),
    contentType: 'EVENT_SUMMARY',
  }),
  callers: 'anyone',
  effects: ['consent_requested'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    session: sessionId,
    content: id.meta({ description: 'What to share, by its id.' }),
    contentType: z
      .enum(ASKABLE_TYPES)
      .meta({ description: 'What it would be shared as.', example: 'EVENT_SUMMARY' }),
  }),
  output: z.object({ requested: z.literal(true).meta({ description: 'Its owner was asked.' }) }),
  async run(request, { session, content, contentType }) {
    const row = await lockOpenSession(request, session)
    const { kind, stage } = ASKABLE[contentType]
    requireStage(request, row, stage)
    enterContract(request, row, isAgentAudience(request.caller.audience) ? 'turn' : 'browse')
    await lockRecords(request.tx, request.tenant, [content], 'shared')
    const [original] = await request.requireFull([content])
    const { tuple } = original ?? {}
    if (original === undefined || tuple?.owner !== request.caller.actingFor || tuple.vessel !== 'user')
      throw absent()
    if (tuple.session !== session || tuple.kind !== kind) throw absent()
    requireConfirmed(original)
    const asks = !isAgentAudience(request.caller.audience) || (await mayAgentAsk(request, original))
    const made = asks ? await askForConsent(request, row, [{ row: original, contentType }]) : []
    return { output: { requested: true as const }, refs: made }
  },
  replay: async () => ({ requested: true as const }),
})

/** A need may be shared only after its owner has confirmed it (RC-6). */
function requireConfirmed({ tuple }: RecordRow): void {
  if (tuple.kind === 'need' && !tuple.confirmed)
    throw new PrivityError('conflict', 'the need is not confirmed; its owner must confirm it first', {
      reason: 'bridge_need_not_confirmed',
    })
}

const PAUSE_AFTER_DENIAL_MS = 7 * 86_400_000

/**
 * Whether an agent may ask its principal for this: not if the record says not to ask, and not soon after a denial.
 * The agent gets the same answer either way, since it must not learn what its principal decided.
 */
async function mayAgentAsk(request: WriteRequest, { id: original, fields }: RecordRow): Promise<boolean> {
  const denied = await loadLastDenial(request.tx, request.tenant, original)
  const isRecent = denied !== null && request.now.getTime() - denied.getTime() < PAUSE_AFTER_DENIAL_MS
  return fields.ask !== false && !isRecent
}

export const pendingConsents = readOperation({
  name: 'bridge.pending',
  route: 'GET /sessions/:session/consent/pending',
  summary: 'List what you are asked to share, with what the other would read',
  positional: ['session'],
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  input: z.strictObject({ session: sessionId }),
  output: z.object({
    pendingRequests: z
      .array(consentRequest)
      .meta({ description: 'What you are asked to share, oldest first.' }),
  }),
  async run(request, { session }) {
    const { tx, tenant, caller, now } = request
    const row = await requireSession(request, session)
    enterContract(request, row, 'browse')
    // A session that has ended asks nobody for anything.
    const most = isOpen(row.state) ? MOST : 0
    const rows = await listOpenRequests(tx, tenant, session, caller.actingFor, now, most)
    const asked = [...new Set(rows.map(({ originalId }) => originalId))].sort()
    const views = await request.view(await fetchRecords(tx, tenant, asked))
    // A request reveals its original, so it is listed only if the caller sees that in full.
    const full = views.filter(view => view?.face === 'full')
    for (const view of full) if (view !== null) request.show(view)
    const seen = new Set(full.map(view => view?.id))
    return { pendingRequests: rows.filter(({ originalId }) => seen.has(originalId)).map(requestView) }
  },
})

/**
 * Says whether the owner's own wording could be shared, and decides nothing. It tells about words of the original, so
 * only who sees that in full is answered (CB-4).
 */
export const screenSharing = readOperation({
  name: 'bridge.screen',
  route: 'POST /sessions/:session/consent/screen',
  summary: 'Check your own wording before you share it',
  sample: world => ({
    session: world.made('session'),
    consentRequestId: world.other(),
    editedContent: 'I need more rest.',
  }),
  callers: 'owner',
  input: z.strictObject({
    session: sessionId,
    consentRequestId: name.meta({ description: 'What you were asked, by its id.', example: EXAMPLE_ID }),
    editedContent: text(10_000).meta({
      description: 'What you would share, in your own words.',
      example: 'I would like more time together.',
    }),
  }),
  output: z.object({
    shareable: z.boolean().meta({ description: 'Whether it can be shared as it is.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it cannot be shared, as a code; null if it can.' }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Why it cannot be shared, in words; null if it can.' }),
  }),
  async run(request, { session, consentRequestId, editedContent }) {
    const { tx, tenant, caller } = request
    const row = await requireSession(request, session)
    enterContract(request, row, 'browse')
    const requestId = idOrAbsent(consentRequestId)
    const asked = await loadBridgeRequest(tx, tenant, session, caller.actingFor, requestId)
    const names = await namesOfOthers(request, row)
    // What is absent is looked up as well, so that it costs the same.
    const [original] = await fetchRecords(tx, tenant, [asked?.originalId ?? requestId])
    const [view = null] = await request.view(original === undefined ? [] : [original])
    if (asked === undefined || original === undefined || view?.face !== 'full') throw absent()
    request.show(view)
    const kind = screenKindOf(asked.contentType)
    const screened = screen(stripInvisible(editedContent), original.text, { kind, names })
    const reason = screened.ok ? null : screened.reason
    return {
      shareable: screened.ok,
      reason,
      description: reason === null ? null : (findReasonCode(reason)?.description ?? reason),
    }
  },
})

const decided = z.object({
  recorded: z.boolean().meta({ description: 'Whether the decision was written down.' }),
  consentRecord: consentRecord.meta({ description: 'The decision.' }),
  sharedContent: sharedContent
    .optional()
    .meta({ description: 'What is shared now; absent if you denied it.' }),
})

/** Grants or denies a request, once. What is shared is the preview, or the owner's own wording of it (CB-5). */
export const decideSharing = writeOperation({
  name: 'bridge.decide',
  route: 'POST /sessions/:session/consent/decide',
  summary: 'Grant or deny a request to share something of yours',
  sample: world => ({
    session: world.made('session'),
    consentRequestId: world.other(),
    decision: 'GRANTED',
  }),
  callers: 'owner',
  effects: ['consent_decided', 'record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    consentRequestId: name.meta({ description: 'What you were asked, by its id.', example: EXAMPLE_ID }),
    decision: z.enum(['GRANTED', 'DENIED']).meta({ description: 'Whether to share it.', example: 'GRANTED' }),
    editedContent: text(10_000).optional().meta({
      description: 'What to share instead of the preview, in your own words. It must not quote the original.',
      example: 'I would like more time together.',
    }),
  }),
  output: decided,
  async run(request, { session, consentRequestId, decision, editedContent }) {
    const { tx, tenant, caller, now } = request
    if (decision === 'DENIED' && editedContent !== undefined)
      throw new PrivityError('invalid_input', 'editedContent: is only for the decision GRANTED; leave it out')
    const row = await lockOpenSession(request, session)
    const requestId = idOrAbsent(consentRequestId)
    const asked = await loadBridgeRequest(tx, tenant, session, caller.actingFor, requestId)
    const isSeen = await seesItsRecord(request, row, asked?.originalId ?? requestId)
    if (asked === undefined || !isSeen) throw absent()
    if (asked.consentRecordId !== null)
      throw new PrivityError('conflict', 'this request was already decided', {
        reason: 'bridge_already_decided',
      })
    if (asked.expiresAt <= now)
      throw new PrivityError('conflict', 'this request has expired; create a new one', {
        reason: 'bridge_request_expired',
      })
    const { record, contentId } =
      decision === 'DENIED'
        ? { record: await deny(request, asked), contentId: null }
        : await grant(request, row, asked, editedContent)
    await closeBridgeRequest(tx, tenant, asked.requestId, record.consentRecordId)
    const refs = [record.consentRecordId, ...(contentId === null ? [] : [contentId])]
    const [content] = await fetchRecords(tx, tenant, contentId === null ? [] : [contentId])
    // The decision makes room for another request.
    await askForStage(request, row)
    return { output: decidedView(record, content), refs }
  },
  async replay(request, [consentRecordId = ''], { session }) {
    enterContract(request, await requireSession(request, session), 'browse')
    const record = await loadConsentRecord(
      request.tx,
      request.tenant,
      session,
      request.caller.actingFor,
      consentRecordId,
    )
    if (record === undefined) throw absent()
    const { contentId } = record
    const seen = await request.fetchVisible(contentId === null ? [] : [contentId])
    const content = seen.get(contentId ?? '')
    return decidedView(record, content?.level === 'full' ? content.row : undefined)
  },
})

/**
 * Whether the caller may decide about something that rests on this record: it sees it in full, or sees everything, also
 * if the record is gone (NI-11). What is absent is looked up as well, so that it costs the same (NI-5).
 */
async function seesItsRecord(request: WriteRequest, session: SessionRow, record: string): Promise<boolean> {
  enterContract(request, session, 'browse')
  await lockRecords(request.tx, request.tenant, [record], 'shared')
  const found = (await request.fetchVisible([record])).get(record)
  return request.seesEverything || found?.level === 'full'
}

async function deny(request: WriteRequest, asked: BridgeRequestRow): Promise<ConsentRecordRow> {
  const record = {
    consentRecordId: request.parts.clock.newId('consent_record'),
    sessionId: asked.sessionId,
    owner: asked.owner,
    contentType: asked.contentType,
    decision: 'DENIED' as const,
    decidedAt: request.now,
    contentDescription: asked.contentDescription,
    originalId: asked.originalId,
    contentId: null,
  }
  await insertConsentRecord(request.tx, request.tenant, record)
  return { ...record, revokedAt: null }
}

async function grant(
  request: WriteRequest,
  session: SessionRow,
  asked: BridgeRequestRow,
  editedContent: string | undefined,
) {
  const [original] = await request.requireFull([asked.originalId])
  if (original === undefined) throw absent()
  requireConfirmed(original)
  await requirePeopleGranted(request, original)
  // Checked only now that the caller is known to see the original, because a refused edit reveals words of it.
  const edited = editedContent === undefined ? undefined : stripInvisible(editedContent)
  const names = await namesOfOthers(request, session)
  if (edited === undefined && asked.transformedPreview === '')
    throw new PrivityError(
      'invalid_input',
      'editedContent: the preview is empty because nothing was recognised; write what to share in your own words',
      { reason: 'bridge_text_empty' },
    )
  // A preview too: whoever asked for it may have known the others by fewer names.
  requireShareable(edited ?? asked.transformedPreview, original.text, asked.contentType, names)
  // A shared need names its category, from which common ground is found, unless the owner's own wording does not
  // express it.
  const { category } = original.fields
  const tells =
    isNeedCategory(category) && (edited === undefined || recognise(edited).needs.includes(category))
  return share(request, session, {
    kind: 'consented_content',
    contentType: asked.contentType,
    description: asked.contentDescription,
    text: edited ?? asked.transformedPreview,
    fields: tells ? { category, ...needFields(original, edited) } : {},
    sources: [original],
    original,
  })
}

/** The particular need that a shared need names, if it is one of its category. */
function needFields({ text, fields }: RecordRow, edited: string | undefined): { need?: string } {
  const { category, need: given } = fields
  const need = edited === undefined && isSubNeed(given) ? given : recogniseShareable(edited ?? text).need
  return isSubNeed(need) && categoryOf(need) === category ? { need } : {}
}

/**
 * The others' models see what is shared, so everybody in the original must have consented to that (PC-2). This is
 * checked only once: the shared text names nobody, and its owner can revoke it.
 */
async function requirePeopleGranted(request: WriteRequest, original: RecordRow): Promise<void> {
  const granted = await selectConsentedRecords(request, [original])
  if (!granted.has(original))
    throw new PrivityError(
      'conflict',
      'somebody named in the original has not consented; record their consent with people.consent first',
      {
        reason: 'bridge_person_not_granted',
      },
    )
}

/** Refuses text that repeats the original, accuses or attacks, and gives the reason (CB-4). */
function requireShareable(
  content: string,
  original: string,
  contentType: string,
  names: ReadonlySet<string>,
): void {
  const screened = screen(content, original, { kind: screenKindOf(contentType), names })
  if (!screened.ok)
    throw new PrivityError(
      'invalid_input',
      'this text cannot be shared as it is; reason says what to change',
      {
        reason: screened.reason,
      },
    )
}

function decidedView(row: ConsentRecordRow, shared: RecordRow | undefined): z.input<typeof decided> {
  return {
    recorded: true,
    consentRecord: recordView(row),
    ...(shared === undefined
      ? {}
      : {
          sharedContent: {
            id: shared.id,
            sourceUserId: row.owner,
            transformedContent: shared.text,
            consentedAt: row.decidedAt.toISOString(),
            consentActive: row.revokedAt === null,
          },
        }),
  }
}

/** Revokes a consent from the next request on. A repeated call returns when it was first revoked (CB-6). */
export const revokeSharing = writeOperation({
  name: 'bridge.revoke',
  route: 'POST /sessions/:session/consent/revoke',
  summary: 'Revoke your consent to share something',
  sample: world => ({
    session: world.made('session'),
    consentRecordId: world.other(),
  }),
  callers: 'owner',
  effects: ['consent_revoked'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    consentRecordId: name.meta({ description: 'A decision of yours, by its id.', example: EXAMPLE_ID }),
  }),
  output: z.object({
    revoked: z.boolean().meta({ description: 'Whether it was revoked; false if it was not there.' }),
    revokedAt: z.string().meta({ description: 'When it was revoked.' }),
  }),
  async run(request, { session, consentRecordId }) {
    const { tx, tenant, caller, now } = request
    // A consent can be revoked whatever the state of the session is.
    const row = await lockSession(request, session)
    const recordId = idOrAbsent(consentRecordId)
    const record = await loadConsentRecord(tx, tenant, session, caller.actingFor, recordId)
    const isSeen = await seesItsRecord(request, row, record?.contentId ?? record?.originalId ?? recordId)
    if (record === undefined || !isSeen) throw absent()
    if (record.decision !== 'GRANTED')
      throw new PrivityError('conflict', 'nothing was shared by this decision', {
        reason: 'bridge_nothing_to_revoke',
      })
    if (record.revokedAt === null)
      await changeSession(request, row, async () => {
        await revokeConsents(tx, tenant, [recordId], now)
        request.changesFactsOf(caller.actingFor)
        const { contentId } = record
        const [content] = await fetchRecords(tx, tenant, contentId === null ? [] : [contentId])
        // Nobody learns of an attempt that still waited to be revealed.
        if (content === undefined || isAddressed(content.tuple.addressees, caller.actingFor))
          await notifyIfSeen(
            request,
            row,
            'consent.revoked',
            contentId === null ? {} : { content: contentId },
          )
      })
    return {
      output: { revoked: true, revokedAt: (record.revokedAt ?? now).toISOString() },
      refs: [recordId],
    }
  },
  async replay(request, [recordId = ''], { session }) {
    const record = await loadConsentRecord(
      request.tx,
      request.tenant,
      session,
      request.caller.actingFor,
      recordId,
    )
    if (record?.revokedAt == null) throw absent()
    return { revoked: true, revokedAt: record.revokedAt.toISOString() }
  },
})

export const consentHistory = readOperation({
  name: 'bridge.history',
  route: 'GET /sessions/:session/consent/history',
  summary: 'List every decision of yours in a session, newest first',
  positional: ['session'],
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  needsWholeSight: { otherwise: { records: [] } },
  input: z.strictObject({ session: sessionId }),
  output: z.object({
    records: z.array(consentRecord).meta({ description: 'Your decisions, newest first.' }),
  }),
  async run(request, { session }) {
    await requireSession(request, session)
    const rows = await listConsentRecords(request.tx, request.tenant, session, request.caller.actingFor, MOST)
    return { records: rows.map(recordView) }
  },
})
