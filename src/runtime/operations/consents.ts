import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import {
  type ConsentRequestRow,
  decideConsentRequest,
  findOpenRequest,
  insertConsentRequest,
  listConsentRequests,
  loadConsentRequest,
  type RequestsOf,
} from '../../storage/queries/consent-requests.js'
import { lockOwners } from '../../storage/queries/lock.js'
import { resolvePeople, setConsent } from '../../storage/queries/people.js'
import { id, name, text } from '../input.js'
import { labelToKeep } from '../labels-of-writes.js'
import { newestFirst, page as pageFields } from '../newest-first.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'

const MOST_OPEN = 100
const STATES = ['open', 'granted', 'denied'] as const

/**
 * A request as who made it sees it. The name it asks for is the asker's own words: read back in another conversation, it
 * brings along the label of the one it was written in (WR-2). Its reason is for who decides.
 */
const ownRequest = z.object({
  id: z.string(),
  person: z.string(),
  state: z.enum(STATES),
  createdAt: z.string(),
})

/** The same, as who decides it sees it. */
const madeRequest = ownRequest.extend({
  reason: z.string().nullable(),
  requestedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
})

function ownView(request: ReadRequest, row: ConsentRequestRow): z.input<typeof ownRequest> {
  request.expose(row.label)
  return {
    id: row.requestId,
    person: row.person,
    state: row.state,
    createdAt: row.createdAt.toISOString(),
  }
}

const madeView = (request: ReadRequest, row: ConsentRequestRow): z.input<typeof madeRequest> => ({
  ...ownView(request, row),
  reason: row.reason,
  requestedBy: row.actor,
  decidedAt: row.decidedAt?.toISOString() ?? null,
})

const byCaller = ({ parts: { actorId, forId } }: ReadRequest) => ({ actorId, forId })
const toPrincipal = ({ parts: { forId } }: ReadRequest): RequestsOf => ({ actorId: null, forId })

/**
 * Asks the person an agent works for to grant somebody. Nothing is looked up: the answer is the same whether there is
 * such a person or not, and whatever their consent is (NI-5).
 */
export const requestConsent = writeOperation({
  name: 'consents.request',
  summary: 'Ask your principal to grant the consent of a person',
  callers: 'anyone',
  effects: ['consent_requested'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({ person: name, reason: text(2_000).optional() }),
  output: ownRequest,
  async run(request, { person, reason }) {
    const { tx, tenant, now } = request
    const asker = byCaller(request)
    await lockOwners(tx, tenant, [`consent requests of ${asker.actorId}`], 'exclusive')
    const { open, requestId: known } = await findOpenRequest(tx, tenant, asker, person)
    if (known !== null) return { output: await ownRequestOf(request, known), refs: [known] }
    if (open >= MOST_OPEN)
      throw new PrivityError('rate_limit_exceeded', `${MOST_OPEN} requests for consent are open already`, {
        reason: 'rate_limit_exceeded',
      })
    const requestId = request.parts.clock.newId('consent_request')
    await insertConsentRequest(tx, tenant, asker, {
      requestId,
      person,
      reason: reason ?? null,
      label: await labelToKeep(request),
      createdAt: now,
    })
    return { output: await ownRequestOf(request, requestId), refs: [requestId] }
  },
  replay: (request, [requestId = '']) => ownRequestOf(request, requestId),
})

async function ownRequestOf(request: WriteRequest, requestId: string): Promise<z.input<typeof ownRequest>> {
  const row = await loadConsentRequest(request.tx, request.tenant, byCaller(request), requestId)
  if (row === undefined) throw absent()
  return ownView(request, row)
}

const page = {
  state: z.enum(STATES).optional(),
  ...pageFields,
}

export const myConsentRequests = readOperation({
  name: 'consents.mine',
  summary: 'List the requests for consent that you made, newest first',
  callers: 'anyone',
  input: z.strictObject(page),
  output: z.object({ requests: z.array(ownRequest), cursor: z.string().nullable() }),
  async run(request, asked) {
    const { rows, cursor } = await listPage(request, 'consents.mine', byCaller(request), asked)
    return { requests: rows.map(row => ownView(request, row)), cursor }
  },
})

export const listConsentRequestsOf = readOperation({
  name: 'consents.list',
  summary: 'List the requests for consent that were made to you, newest first',
  callers: 'owner',
  input: z.strictObject(page),
  output: z.object({ requests: z.array(madeRequest), cursor: z.string().nullable() }),
  async run(request, asked) {
    const { rows, cursor } = await listPage(request, 'consents.list', toPrincipal(request), asked)
    return { requests: rows.map(row => madeView(request, row)), cursor }
  },
})

async function listPage(
  request: ReadRequest,
  operation: string,
  of: RequestsOf,
  { state, limit, cursor }: z.output<z.ZodObject<typeof page>>,
): Promise<{ rows: ConsentRequestRow[]; cursor: string | null }> {
  return newestFirst(
    request,
    [operation, state],
    { limit, cursor },
    (before, most) => listConsentRequests(request.tx, request.tenant, of, state ?? null, before, most),
    ({ createdAt, requestId }) => ({ createdAt, id: requestId }),
  )
}

/** Decides a request, once. Granting is an act of the owner like any other, and holds from the next request on (WR-4). */
export const decideConsent = writeOperation({
  name: 'consents.decide',
  summary: 'Decide a request for consent that was made to you',
  callers: 'owner',
  effects: ['consent_request_decided'],
  reversibility: 'compensating_operation_only',
  // Whoever changes facts has the owner's lock alone: of two decisions at once, the second finds the first.
  changesFacts: true,
  input: z.strictObject({ request: id, decision: z.enum(['granted', 'denied']) }),
  output: madeRequest,
  async run(request, { request: requestId, decision }) {
    const { tx, tenant, now } = request
    const made = await loadConsentRequest(tx, tenant, toPrincipal(request), requestId)
    if (made === undefined) throw absent()
    if (made.state !== 'open') throw new PrivityError('conflict', 'this request is decided already')
    await decideConsentRequest(tx, tenant, requestId, decision, now)
    const refs = [requestId]
    if (decision === 'granted') refs.push(await grant(request, made.person))
    return { output: madeView(request, { ...made, state: decision, decidedAt: now }), refs }
  },
  async replay(request, [requestId = '']) {
    const made = await loadConsentRequest(request.tx, request.tenant, toPrincipal(request), requestId)
    if (made === undefined) throw absent()
    return madeView(request, made)
  },
})

/** The person, who may be new, is granted. */
async function grant(request: WriteRequest, person: string): Promise<string> {
  const { tx, tenant, now } = request
  const owner = request.caller.actingFor
  const named = [{ name: person, newId: request.parts.clock.newId('person') }]
  await resolvePeople(tx, tenant, owner, named, now)
  const row = await setConsent(tx, tenant, owner, person, 'granted', now)
  if (row === undefined) throw absent()
  request.changesFactsOf(owner)
  return row.personId
}
