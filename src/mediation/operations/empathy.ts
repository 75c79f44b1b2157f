import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { isAgentAudience } from '../../policy/subject.js'
import { changeTuple } from '../../runtime/change-tuple.js'
import { draft as recordDraft } from '../../runtime/draft.js'
import { id, text } from '../../runtime/input.js'
import { writerLabel } from '../../runtime/labels-of-writes.js'
import { writeOperation } from '../../runtime/operation.js'
import type { WriteRequest } from '../../runtime/request.js'
import { writeRecords } from '../../runtime/write-records.js'
import { listConsentRecords, revokeConsents } from '../../storage/queries/bridge.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { setRecordWords } from '../../storage/queries/mediation-records.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import type { SessionRow } from '../../storage/queries/sessions.js'
import { loadStandingShared } from '../../storage/queries/standing-shared.js'
import { requireStatement, statement } from '../require-statement.js'
import {
  changeSession,
  lockOpenSession,
  notifyInSession,
  requireSession,
  requireStage,
  sessionId,
} from '../session.js'
import { isAddressed, notifyIfSeen, share } from '../share.js'
import {
  changeShared,
  namesIn,
  readNameMap,
  requireInSession,
  requireRecordForReplay,
  requireRecordInSession,
} from '../shared-records.js'
import { transformBuiltIn } from '../transformation.js'

const KIND_OF = { EMPATHY_ATTEMPT: 'empathy_attempt', EMPATHY_DRAFT: 'consented_content' } as const

/** A limit that no session reaches. */
const MOST_DECISIONS = 10_000

/**
 * Stores what the caller's principal thinks the other feels. It stays private until they share a text made from it.
 */
export const draftEmpathy = writeOperation({
  name: 'empathy.draft',
  route: 'POST /sessions/:session/empathy/draft',
  summary: 'Save a private draft of what your partner may feel',
  policies: ['agent'],
  sample: world => ({
    session: world.made('session'),
    text: world.word(),
    ...world.maybe(0.3, { draft: world.record() }),
  }),
  callers: 'anyone',
  effects: ['record_created', 'record_revised'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    text: text(65_536)
      .refine(value => value.trim().length > 0, { message: 'must not be empty' })
      .meta({ description: 'What your partner may feel.', example: 'You come home tired, and nobody asks.' }),
    ready: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether you are done with it. Only its owner can say so.', example: true }),
    draft: id.optional().meta({ description: 'A draft of yours to change, by its id, which it keeps.' }),
  }),
  output: z.object({
    id: z.string().meta({ description: 'The id of the draft.' }),
    ready: z.boolean().meta({ description: 'Whether you are done with it.' }),
  }),
  async run(request, { session, text: words, ready, draft }) {
    const { tx, tenant, caller, now } = request
    if (ready && isAgentAudience(caller.audience))
      throw new PrivityError(
        'not_allowed',
        'only the person whose draft it is may mark it as ready; ask them to',
        {
          reason: 'session.audience_not_allowed',
        },
      )
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 2)
    const replaced = await requireInSession(request, row, draft === undefined ? [] : [draft], 'empathy_draft')
    const atLeast = await writerLabel(request)
    const made = await changeSession(request, row, async () => {
      const [old] = replaced
      if (old !== undefined) {
        // What was shared from the draft stays shared: its owner decided that, and only its owner may revoke it.
        await setRecordWords(tx, tenant, old.id, words, { ...old.fields, ready }, now)
        return old.id
      }
      const [stored] = await writeRecords(request, [
        {
          draft: recordDraft.parse({ kind: 'empathy_draft', text: words, fields: { ready } }),
          owner: caller.actingFor,
          sources: [],
          atLeast,
          mediation: { vessel: 'user', session, relationship: row.relationship },
        },
      ])
      return stored?.id ?? ''
    })
    return { output: { id: made, ready }, refs: [made] }
  },
  async replay(request, [made = ''], { session, ready }) {
    await requireSession(request, session)
    return { id: made, ready }
  },
})

/**
 * Shares the caller's words on what the other may feel, replacing what was shared before: an attempt, which the
 * others validate, or a draft, which passes no gate. It is the owner's own statement to the others, so it is not
 * transformed, but it must not repeat other private records (CB-3). Attempts are revealed together: the first one
 * waits until everybody has shared one, so that nobody answers the other's (RC-20).
 */
export const shareEmpathy = writeOperation({
  name: 'empathy.share',
  route: 'POST /sessions/:session/empathy/share',
  summary: 'Share your words on what your partner may feel, in place of those shared before',
  sample: world => ({
    session: world.made('session'),
    draft: world.record(),
    content: world.word(),
  }),
  callers: 'owner',
  effects: ['consent_decided', 'record_created', 'consent_revoked'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    draft: id.meta({ description: 'The draft it comes from, by its id.' }),
    content: statement.meta({
      description: 'What your partner will read.',
      example: 'I imagine that you feel tired in the evening.',
    }),
    contentType: z
      .enum(['EMPATHY_ATTEMPT', 'EMPATHY_DRAFT'])
      .default('EMPATHY_ATTEMPT')
      .meta({ description: 'What it is shared as.' }),
  }),
  output: z.object({
    id: z.string().meta({ description: 'The id of what is shared.' }),
    consentRecordId: z.string().meta({
      description: 'The decision by which it is shared; pass it to `bridge.revoke` to take it back.',
    }),
    revealed: z.boolean().meta({
      description:
        'Whether your partner can read it now. An attempt waits until both of you have shared one; then both are revealed.',
    }),
  }),
  async run(request, { session, draft, content, contentType: shared }) {
    const { tx, tenant, caller, now } = request
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 2)
    const source = await requireRecordInSession(request, row, draft, 'empathy_draft')
    const words = await requireStatement(request, row, content)
    const decisions = await listConsentRecords(tx, tenant, session, caller.actingFor, MOST_DECISIONS)
    const earlier = decisions.filter(
      ({ contentType, decision, revokedAt }) =>
        contentType === shared && decision === 'GRANTED' && revokedAt === null,
    )
    const reveal = shared === 'EMPATHY_ATTEMPT' ? await findReveal(request, row) : { now: true, waiting: [] }
    const { record, contentId } = await share(request, row, {
      ...(reveal.now ? {} : { addressees: [caller.actingFor] }),
      kind: KIND_OF[shared],
      contentType: shared,
      description: transformBuiltIn(words, shared).description,
      text: words,
      fields: shared === 'EMPATHY_ATTEMPT' ? { validatedBy: [], feedback: {} } : {},
      sources: [source],
      original: source,
    })
    // This comes after the sharing, so that there is no moment at which nothing is shared.
    await changeSession(request, row, () =>
      revokeConsents(
        tx,
        tenant,
        earlier.map(({ consentRecordId }) => consentRecordId),
        now,
      ),
    )
    if (earlier.length > 0 && reveal.now) await notifyIfSeen(request, row, 'consent.revoked')
    await revealAttempts(request, row, reveal.waiting)
    const output = { id: contentId, consentRecordId: record.consentRecordId, revealed: reveal.now }
    return { output, refs: [output.id, output.consentRecordId] }
  },
  async replay(request, [made = '', consentRecordId = ''], { session, contentType: shared }) {
    const { tuple } = await requireRecordForReplay(request, session, made, KIND_OF[shared])
    return { id: made, consentRecordId, revealed: isAddressed(tuple.addressees, tuple.owner) }
  },
})

/**
 * Whether an attempt that the caller shares now can be read at once, and whose attempts have waited for it. Once both
 * were revealed, a refined attempt waits for nothing.
 */
async function findReveal(
  { tx, tenant, caller, now }: WriteRequest,
  { sessionId: session, members }: SessionRow,
): Promise<{ readonly now: boolean; readonly waiting: readonly RecordRow[] }> {
  const attempts = await loadStandingShared(tx, tenant, session, 'empathy_attempt', now)
  const sharedBy = new Set(attempts.map(({ tuple }) => tuple.owner))
  const isRevealed = ({ tuple }: RecordRow) => isAddressed(tuple.addressees, tuple.owner)
  const wasRevealed = attempts.some(each => each.tuple.owner === caller.actingFor && isRevealed(each))
  const everybody = members.every(member => member === caller.actingFor || sharedBy.has(member))
  const waiting = attempts.filter(each => each.tuple.owner !== caller.actingFor && !isRevealed(each))
  return everybody ? { now: true, waiting } : { now: wasRevealed, waiting: [] }
}

/** Lets the others read attempts that waited for the last one. */
async function revealAttempts(
  request: WriteRequest,
  row: SessionRow,
  waiting: readonly RecordRow[],
): Promise<void> {
  const { tx, tenant, now } = request
  const revealed = waiting.map(each => {
    const addressees = row.members.filter(member => member !== each.tuple.owner)
    return changeTuple(each, { ...each.tuple, addressees })
  })
  await retupleRecords(tx, tenant, revealed, now)
  for (const { id, tuple } of waiting) {
    request.changesFactsOf(tuple.owner)
    await notifyIfSeen(request, row, 'consent.granted', { content: id }, tuple.owner)
  }
}

/**
 * Records whether the person described recognizes themselves. The author of the attempt reads the answer and the
 * feedback.
 */
export const validateEmpathy = writeOperation({
  name: 'empathy.validate',
  route: 'POST /sessions/:session/empathy/validate',
  summary: 'Say whether you find yourself understood by what your partner shared',
  sample: world => ({
    session: world.made('session'),
    attempt: world.record(),
    validated: true,
  }),
  callers: 'owner',
  effects: ['empathy_validated'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    attempt: id.meta({ description: 'What your partner shared with you, by its id.' }),
    validated: z.boolean().meta({ description: 'Whether you feel understood.', example: true }),
    feedback: statement
      .optional()
      .meta({ description: 'What your partner will read about that.', example: 'Yes, that is how it is.' }),
  }),
  output: z.object({
    id: z.string().meta({ description: 'The id of what your partner shared.' }),
    validated: z.boolean().meta({ description: 'Whether you feel understood.' }),
  }),
  async run(request, { session, attempt, validated, feedback }) {
    const { caller } = request
    const row = await lockOpenSession(request, session)
    const shared = await requireRecordInSession(request, row, attempt, 'empathy_attempt')
    if (shared.tuple.owner === caller.actingFor)
      throw new PrivityError('conflict', 'only the other person can validate your text')
    const words = feedback === undefined ? undefined : await requireStatement(request, row, feedback)
    const { [caller.actingFor]: _, ...said } = readNameMap(shared.fields.feedback)
    const others = namesIn(shared.fields.validatedBy).filter(name => name !== caller.actingFor)
    await changeSession(request, row, () =>
      changeShared(request, shared, {
        fields: {
          validatedBy: validated ? [...others, caller.actingFor].sort() : others,
          feedback: words === undefined ? said : { ...said, [caller.actingFor]: words },
        },
      }),
    )
    await notifyInSession(request, row, [
      { recipient: shared.tuple.owner, type: 'empathy.validated', refs: { content: attempt } },
    ])
    return { output: { id: attempt, validated }, refs: [attempt] }
  },
  async replay(request, [attempt = ''], { session }) {
    const shared = await requireRecordForReplay(request, session, attempt, 'empathy_attempt')
    return {
      id: attempt,
      validated: namesIn(shared.fields.validatedBy).includes(request.caller.actingFor),
    }
  },
})
