import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { isAgentAudience } from '../../policy/subject.js'
import { draft as recordDraft } from '../../runtime/draft.js'
import { id, text } from '../../runtime/input.js'
import { writerLabel } from '../../runtime/labels-of-writes.js'
import { writeOperation } from '../../runtime/operation.js'
import { retupled } from '../../runtime/retuple.js'
import { writeRecords } from '../../runtime/write-records.js'
import { listConsentRecords, revokeConsents } from '../../storage/queries/bridge.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import { requireStatement, statement } from '../require-statement.js'
import { changeSession, lockOpenSession, requireSession, requireStage, sessionId } from '../session.js'
import { share, tellIfSeen } from '../share.js'
import {
  byName,
  changeRecord,
  namesIn,
  requireAgain,
  requireInSession,
  requireOne,
} from '../shared-records.js'
import { transformBuiltIn } from '../transformation.js'

const KIND_OF = { EMPATHY_ATTEMPT: 'empathy_attempt', EMPATHY_DRAFT: 'consented_content' } as const

/** More than anybody decides in one session. */
const MOST_DECISIONS = 10_000

/** Keeps what the caller's principal thinks the other feels. It is theirs alone until they share words of it. */
export const draftEmpathy = writeOperation({
  name: 'empathy.draft',
  summary: 'Keep a draft of what your partner may feel, for yourself',
  callers: 'anyone',
  effects: ['record_created', 'record_revised'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    text: text(65_536).refine(value => value.trim().length > 0, { message: 'must not be empty' }),
    ready: z.boolean().default(false),
    draft: id.optional(),
  }),
  output: z.object({ id: z.string(), ready: z.boolean() }),
  async run(request, { session, text: words, ready, draft }) {
    const { tx, tenant, caller, now } = request
    if (ready && isAgentAudience(caller.audience))
      throw new PrivityError('not_allowed', 'only its owner can say that a draft is ready', {
        reason: 'session.audience_not_allowed',
      })
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 2)
    const replaced = await requireInSession(request, row, draft === undefined ? [] : [draft], 'empathy_draft')
    const atLeast = await writerLabel(request)
    const [stored] = await changeSession(request, row, async () => {
      // What was shared of it stays shared: that was its owner's word, and is theirs to take back.
      const superseded = replaced.map(old => retupled(old, { ...old.tuple, lifecycle: 'superseded' }))
      await retupleRecords(tx, tenant, superseded, now)
      return writeRecords(request, [
        {
          draft: recordDraft.parse({ kind: 'empathy_draft', text: words, fields: { ready } }),
          owner: caller.actingFor,
          sources: replaced,
          atLeast,
          mediation: { vessel: 'user', session, relationship: row.relationship },
        },
      ])
    })
    const made = stored?.id ?? ''
    return { output: { id: made, ready }, refs: [made] }
  },
  async replay(request, [made = ''], { session, ready }) {
    await requireSession(request, session)
    return { id: made, ready }
  },
})

/**
 * Lets the others read what the caller wrote to them, in place of what they could read before it: an attempt, which they
 * are to validate, or the draft of one, which passes no gate. Either is a statement by its owner on what another may feel,
 * so that nothing is hidden by wording it otherwise; what is private besides may not be in it (CB-3).
 */
export const shareEmpathy = writeOperation({
  name: 'empathy.share',
  summary: 'Share your words on what your partner may feel, in place of those shared before',
  callers: 'owner',
  effects: ['consent_decided', 'record_created', 'consent_revoked'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    draft: id,
    content: statement,
    contentType: z.enum(['EMPATHY_ATTEMPT', 'EMPATHY_DRAFT']).default('EMPATHY_ATTEMPT'),
  }),
  output: z.object({ id: z.string(), consentRecordId: z.string() }),
  async run(request, { session, draft, content, contentType: shared }) {
    const { tx, tenant, caller, now } = request
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 2)
    const source = await requireOne(request, row, draft, 'empathy_draft')
    const words = await requireStatement(request, row, content)
    const decisions = await listConsentRecords(tx, tenant, session, caller.actingFor, MOST_DECISIONS)
    const earlier = decisions.filter(
      ({ contentType, decision, revokedAt }) =>
        contentType === shared && decision === 'GRANTED' && revokedAt === null,
    )
    const { record, contentId } = await share(request, row, {
      kind: KIND_OF[shared],
      contentType: shared,
      description: transformBuiltIn(words, shared).description,
      text: words,
      fields: shared === 'EMPATHY_ATTEMPT' ? { validatedBy: [], feedback: {} } : {},
      sources: [source],
      original: source,
    })
    // Afterwards, so that in between nobody seems to have shared nothing.
    await changeSession(request, row, () =>
      revokeConsents(
        tx,
        tenant,
        earlier.map(({ consentRecordId }) => consentRecordId),
        now,
      ),
    )
    if (earlier.length > 0) await tellIfSeen(request, row, 'consent.revoked')
    const output = { id: contentId, consentRecordId: record.consentRecordId }
    return { output, refs: [output.id, output.consentRecordId] }
  },
  async replay(request, [made = '', consentRecordId = ''], { session, contentType: shared }) {
    await requireAgain(request, session, made, KIND_OF[shared])
    return { id: made, consentRecordId }
  },
})

/** Whether the one it speaks of finds themselves in it. Its owner reads that, and what they say of it. */
export const validateEmpathy = writeOperation({
  name: 'empathy.validate',
  summary: 'Say whether you find yourself understood by what your partner shared',
  callers: 'owner',
  effects: ['empathy_validated'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    attempt: id,
    validated: z.boolean(),
    feedback: statement.optional(),
  }),
  output: z.object({ id: z.string(), validated: z.boolean() }),
  async run(request, { session, attempt, validated, feedback }) {
    const { caller } = request
    const row = await lockOpenSession(request, session)
    const shared = await requireOne(request, row, attempt, 'empathy_attempt')
    if (shared.tuple.owner === caller.actingFor)
      throw new PrivityError('conflict', 'your own words are for the other to validate')
    const words = feedback === undefined ? undefined : await requireStatement(request, row, feedback)
    const { [caller.actingFor]: _, ...said } = byName(shared.fields.feedback)
    const others = namesIn(shared.fields.validatedBy).filter(name => name !== caller.actingFor)
    await changeSession(request, row, () =>
      changeRecord(request, shared, {
        fields: {
          validatedBy: validated ? [...others, caller.actingFor].sort() : others,
          feedback: words === undefined ? said : { ...said, [caller.actingFor]: words },
        },
      }),
    )
    return { output: { id: attempt, validated }, refs: [attempt] }
  },
  async replay(request, [attempt = ''], { session }) {
    const shared = await requireAgain(request, session, attempt, 'empathy_attempt')
    return {
      id: attempt,
      validated: namesIn(shared.fields.validatedBy).includes(request.caller.actingFor),
    }
  },
})
