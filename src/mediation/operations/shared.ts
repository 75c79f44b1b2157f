import { z } from 'zod'
import { CONTENT_TYPES } from '../../policy/vocabulary.js'
import { newestFirst, page } from '../../runtime/newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import type { ReadRequest } from '../../runtime/request.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { listSharedVessel } from '../../storage/queries/mediation-records.js'
import { AGREEMENT_STATUSES, EXPERIMENT_STATUSES, outcomesOf } from '../item-facts.js'
import { isNeedCategory, NEED_CATEGORIES } from '../needs.js'
import { enterContract, requireSession, sessionId } from '../session.js'
import { byName, namesIn } from '../shared-records.js'
import { STALE, standingAmong } from '../staleness.js'

/** Strategies are not among them: they are in the pool, where nobody is told whose they are. */
const SHARED_TYPES = [
  'consented_content',
  'common_ground',
  'empathy_attempt',
  'agreement',
  'micro_experiment',
] as const

const STATUSES = [...AGREEMENT_STATUSES, ...EXPERIMENT_STATUSES] as const

const sharedItem = z.object({
  id: z.string(),
  type: z.enum(SHARED_TYPES),
  /** Null where the caller's trust does not reach, like everything below that is not known then. */
  text: z.string().nullable(),
  /** Whose words it is in; what came of the session as a whole is nobody's own. */
  source: z.enum(['you', 'partner', 'session']),
  contentType: z.enum(CONTENT_TYPES).nullable(),
  /** Of the caller's own: by which decision it is shared, to take that back. */
  consentRecordId: z.string().nullable(),
  /** Whether the consent stands that it is shared by; null for what needs none. */
  consentActive: z.boolean().nullable(),
  category: z.enum(NEED_CATEGORIES).nullable(),
  /** By everybody, and by the caller. */
  confirmed: z.boolean(),
  confirmedByYou: z.boolean(),
  /** Of words on what another may feel: whether they find themselves in it, and what they say of it. */
  validated: z.boolean().nullable(),
  feedback: z.array(z.string()),
  status: z.enum(STATUSES).nullable(),
  outcomes: z.array(z.object({ by: z.enum(['you', 'partner']), text: z.string() })),
  hasStaleInputs: z.boolean(),
  /** Of an agreement that has: why, and the words that belong to it wherever it is shown. */
  staleReason: z.string().optional(),
  staleNotice: z.string().optional(),
  createdAt: z.string(),
})
type SharedItem = z.input<typeof sharedItem>

export const listShared = readOperation({
  name: 'shared.list',
  summary: 'List what is shared in a session, newest first',
  callers: 'owner',
  input: z.strictObject({
    session: sessionId,
    types: z.array(z.enum(SHARED_TYPES)).min(1).max(SHARED_TYPES.length).optional(),
    ...page,
  }),
  output: z.object({ items: z.array(sharedItem), cursor: z.string().nullable() }),
  async run(request, { session, types, limit, cursor }) {
    const { tx, tenant, caller } = request
    const row = await requireSession(request, session)
    const { leastStage } = enterContract(request, row, 'browse')
    const filter = {
      relationship: row.relationship,
      session,
      kinds: types ?? SHARED_TYPES,
    }
    // Before everybody is there, one sees what one shared oneself (RC-8).
    const which = leastStage >= 2 ? 'addressed or own' : 'own'
    const { rows, cursor: next } = await newestFirst(
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
  const standing = await standingAmong(
    request,
    rows.flatMap(({ tuple }) => [...tuple.inputConsents, tuple.consentRecord ?? []].flat()),
  )
  return rows.flatMap((row, at) => {
    const view = views[at]
    if (view == null) return []
    request.show(view)
    const { tuple, createdAt } = row
    const hasStaleInputs = !tuple.inputConsents.every(consent => standing.has(consent))
    return [
      {
        id: row.id,
        type: tuple.kind as SharedItem['type'],
        text: view.payload?.text ?? null,
        source: sourceOf(request, row),
        contentType: CONTENT_TYPES.find(type => type === tuple.contentType) ?? null,
        consentRecordId: tuple.owner === request.caller.actingFor ? tuple.consentRecord : null,
        consentActive: tuple.consentRecord === null ? null : standing.has(tuple.consentRecord),
        confirmed: tuple.confirmed,
        hasStaleInputs,
        ...(hasStaleInputs && tuple.kind === 'agreement' ? STALE : {}),
        createdAt: createdAt.toISOString(),
        ...fieldsOf(request, view.face === 'full' ? row : { ...row, fields: {} }),
      },
    ]
  })
}

function sourceOf({ caller }: ReadRequest, { tuple, fields }: RecordRow): SharedItem['source'] {
  const by = tuple.consentRecord === null ? fields.by : tuple.owner
  if (typeof by !== 'string') return 'session'
  return by === caller.actingFor ? 'you' : 'partner'
}

/** What the custom fields of each type tell. */
function fieldsOf(request: ReadRequest, row: RecordRow) {
  const { fields, tuple } = row
  const me = request.caller.actingFor
  const validatedBy = namesIn(fields.validatedBy)
  const others = request.parts.identity.sessions.get(tuple.session ?? '')?.participants ?? new Set()
  return {
    category: isNeedCategory(fields.category) ? fields.category : null,
    confirmedByYou: namesIn(fields.confirmedBy).includes(me) || Object.hasOwn(byName(fields.agreedBy), me),
    validated:
      tuple.kind === 'empathy_attempt'
        ? [...others].every(name => name === tuple.owner || validatedBy.includes(name))
        : null,
    feedback: Object.values(byName(fields.feedback)),
    status: STATUSES.find(status => status === fields.status) ?? null,
    outcomes: outcomesOf(request, row),
  }
}
