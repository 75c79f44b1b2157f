import { z } from 'zod'
import { CONTENT_TYPES } from '../../policy/vocabulary.js'
import { createdAt, nextCursor } from '../../runtime/fields.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import type { ReadRequest } from '../../runtime/request.js'
import { contentType } from '../../runtime/vocabulary.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { listSharedVessel } from '../../storage/queries/mediation-records.js'
import { AGREEMENT_STATUSES, EXPERIMENT_STATUSES, experimentOutcome, outcomesOf } from '../item-facts.js'
import { isNeedCategory, isSubNeed, needCategory, subNeed } from '../needs.js'
import { enterContract, requireSession, sessionId } from '../session.js'
import { isAddressed } from '../share.js'
import { namesIn, readNameMap } from '../shared-records.js'
import { findStandingConsents, STALE, stalenessFields } from '../staleness.js'

/** Strategies are missing here because they are in the pool, which does not reveal their authors. */
const SHARED_TYPES = [
  'consented_content',
  'common_ground',
  'empathy_attempt',
  'agreement',
  'micro_experiment',
] as const

const STATUSES = [...AGREEMENT_STATUSES, ...EXPERIMENT_STATUSES] as const

const sharedItem = z
  .object({
    id: z.string().meta({ description: 'The id of the item.' }),
    type: z.enum(SHARED_TYPES).meta({ description: 'What sort of item it is.' }),
    text: z.string().nullable().meta({ description: 'What it says; null where your trust does not reach.' }),
    source: z.enum(['you', 'partner', 'session']).nullable().meta({
      description:
        "Whose words it is: yours, your partner's, or the session's; null where your trust does not reach.",
    }),
    contentType: contentType
      .nullable()
      .meta({ description: 'What it was shared as; null if it needed no consent.' }),
    consentRecordId: z
      .string()
      .nullable()
      .meta({ description: 'Your decision by which it is shared; null if it is not yours to take back.' }),
    consentActive: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the consent stands; null for what needs none.' }),
    category: needCategory.nullable().meta({ description: 'What the need is about; null for other items.' }),
    need: subNeed.nullable().meta({ description: 'The more particular need; null for other items.' }),
    confirmed: z.boolean().meta({ description: 'Whether everybody has confirmed it.' }),
    confirmedByYou: z.boolean().meta({ description: 'Whether you have confirmed it.' }),
    validated: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether whoever it is about feels understood; null until they say.' }),
    feedback: z.array(z.string()).meta({ description: 'What they say about it.' }),
    status: z.enum(STATUSES).nullable().meta({ description: 'How far it got; null for what has no status.' }),
    outcomes: z.array(experimentOutcome).meta({ description: 'How it went, as each of you tells it.' }),
    checkInAt: z
      .string()
      .nullable()
      .meta({ description: 'When both of you are asked how an experiment goes; null for other items.' }),
    revealed: z.boolean().meta({
      description: 'Whether others can read it. An empathy text waits until both of you have shared one.',
    }),
    ...stalenessFields,
    createdAt,
  })
  .meta({ id: 'SharedItem', description: 'Something that is shared in a session.' })
type SharedItem = z.input<typeof sharedItem>

export const listShared = readOperation({
  name: 'shared.list',
  route: 'GET /sessions/:session/shared',
  summary: 'List what is shared in a session, newest first',
  sample: world => ({ session: world.made('session'), limit: world.pick([1, 50]) }),
  callers: 'owner',
  input: z.strictObject({
    session: sessionId,
    types: z
      .array(z.enum(SHARED_TYPES))
      .min(1)
      .max(SHARED_TYPES.length)
      .optional()
      .meta({ description: 'Only items of these types.', example: ['common_ground'] }),
    ...pageInput,
  }),
  output: z.object({
    items: z.array(sharedItem).meta({ description: 'What is shared in the session, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { session, types, limit, cursor }) {
    const { tx, tenant, caller } = request
    const row = await requireSession(request, session)
    const { leastStage } = enterContract(request, row, 'browse')
    const filter = {
      relationship: row.relationship,
      session,
      kinds: types ?? SHARED_TYPES,
    }
    // Until everybody has reached this stage, a caller sees only what they shared themselves (RC-8).
    const which = leastStage >= 2 ? 'addressed or own' : 'own'
    const { rows, cursor: next } = await listNewestFirst(
      request,
      ['shared.list', session, types],
      { limit, cursor },
      (before, most) => listSharedVessel(tx, tenant, caller.actingFor, which, filter, before, most),
      ({ createdAt, id }) => ({ createdAt, id }),
    )
    return { items: await viewItems(request, rows), cursor: next }
  },
})

async function viewItems(request: ReadRequest, rows: readonly RecordRow[]): Promise<SharedItem[]> {
  const views = await request.view(rows)
  const standing = await findStandingConsents(
    request,
    rows.flatMap(({ tuple }) => [...tuple.inputConsents, tuple.consentRecord ?? []].flat()),
  )
  return rows.flatMap((row, at) => {
    const view = views[at]
    if (view == null) return []
    request.show(view)
    const { tuple, createdAt } = row
    // What else there is to tell is no part of a lesser face (TR-3).
    const isFull = view.face === 'full'
    const hasStaleInputs = isFull && !tuple.inputConsents.every(consent => standing.has(consent))
    return [
      {
        id: row.id,
        type: tuple.kind as SharedItem['type'],
        text: view.payload?.text ?? null,
        source: isFull ? sourceOf(request, row) : null,
        contentType: isFull ? (CONTENT_TYPES.find(type => type === tuple.contentType) ?? null) : null,
        consentRecordId: isFull && tuple.owner === request.caller.actingFor ? tuple.consentRecord : null,
        consentActive: isFull && tuple.consentRecord !== null ? standing.has(tuple.consentRecord) : null,
        confirmed: isFull && tuple.confirmed,
        hasStaleInputs,
        ...(hasStaleInputs ? STALE : {}),
        revealed: tuple.addressees.length === 0 || isAddressed(tuple.addressees, tuple.owner),
        createdAt: createdAt.toISOString(),
        ...fieldsOf(request, isFull ? row : { ...row, fields: {} }),
      },
    ]
  })
}

function sourceOf({ caller }: ReadRequest, { tuple, fields }: RecordRow): NonNullable<SharedItem['source']> {
  const by = tuple.consentRecord === null ? fields.by : tuple.owner
  if (typeof by !== 'string') return 'session'
  return by === caller.actingFor ? 'you' : 'partner'
}

/** The custom fields that are shown for each content type. */
function fieldsOf(request: ReadRequest, row: RecordRow) {
  const { fields, tuple } = row
  const me = request.caller.actingFor
  const validatedBy = namesIn(fields.validatedBy)
  const others = request.parts.identity.sessions.get(tuple.session ?? '')?.participants ?? new Set()
  return {
    category: isNeedCategory(fields.category) ? fields.category : null,
    need: isSubNeed(fields.need) ? fields.need : null,
    confirmedByYou:
      namesIn(fields.confirmedBy).includes(me) || Object.hasOwn(readNameMap(fields.agreedBy), me),
    validated:
      tuple.kind === 'empathy_attempt'
        ? [...others].every(name => name === tuple.owner || validatedBy.includes(name))
        : null,
    feedback: Object.values(readNameMap(fields.feedback)),
    status: STATUSES.find(status => status === fields.status) ?? null,
    outcomes: outcomesOf(request, row),
    checkInAt: typeof fields.checkInAt === 'string' ? fields.checkInAt : null,
  }
}
