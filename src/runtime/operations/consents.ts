import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { exposureOf } from '../../policy/stored-label.js'
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
import { createdAt, nextCursor } from '../fields.js'
import { id, name, text } from '../input.js'
import { labelToKeep } from '../labels-of-writes.js'
import { listNewestFirst, pageInput as pageFields } from '../list-newest-first.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'

const MOST_OPEN = 100
const STATES = ['open', 'granted', 'denied'] as const

// WR-2
const ownRequest = z
  .object({
    id: z.string().meta({ description: 'The id of the request.' }),
    person: z.string().meta({ description: 'The person it asks about, by name.' }),
    state: z.enum(STATES).meta({ description: 'Whether it is open, granted or denied.' }),
    createdAt,
  })
  .meta({ id: 'OwnConsentRequest', description: 'A request for consent, as the agent that made it sees it.' })

const madeRequest = ownRequest
  .extend({
    reason: z.string().nullable().meta({ description: 'Why the agent asks; null if it did not say.' }),
    requestedBy: z.string().nullable().meta({ description: 'The agent that asks; null if it is no more.' }),
    decidedAt: z.string().nullable().meta({ description: 'When it was decided; null until then.' }),
  })
  .meta({ id: 'ConsentRequest', description: 'A request for consent, as whoever decides on it sees it.' })

function ownView(request: ReadRequest, row: ConsentRequestRow): z.input<typeof ownRequest> {
  request.expose(exposureOf(row.label))
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

const byCaller = ({ credential, parts: { actorId, forId } }: ReadRequest) => ({ actorId, forId, credential })
const toPrincipal = ({ parts: { forId } }: ReadRequest): RequestsOf => ({ actorId: null, forId })

/**
 * Asks the person an agent works for to grant consent for somebody. Nothing is looked up, so the answer is the same
 * whether or not that person exists, and whatever their consent is (NI-5).
 */
export const requestConsent = writeOperation({
  name: 'consents.request',
  route: 'POST /consent-requests',
  summary: 'Ask your principal to grant the consent of a person',
  policies: ['agent'],
  sample: world => ({ person: world.pick([...world.people, 'nobody']), reason: world.word() }),
  callers: 'anyone',
  effects: ['consent_requested'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    person: name.meta({ description: 'The person to ask about, by name.', example: 'ben' }),
    reason: text(2_000)
      .optional()
      .meta({ description: 'Why you ask, for its reader.', example: 'She asked me to.' }),
  }),
  output: ownRequest,
  async run(request, { person, reason }) {
    const { tx, tenant, now } = request
    const asker = byCaller(request)
    await lockOwners(tx, tenant, [`consent requests of ${asker.actorId}`], 'exclusive')
    const { open, requestId: known } = await findOpenRequest(tx, tenant, asker, person)
    if (known !== null) return { output: await ownRequestOf(request, known), refs: [known] }
    if (open >= MOST_OPEN)
      throw new PrivityError(
        'rate_limit_exceeded',
        `there are already ${MOST_OPEN} open requests for consent, which is the maximum`,
        {
          reason: 'rate_limit_exceeded',
        },
      )
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
  replay: async (request, [requestId = '']) =>
    ownView(request, await seenRequest(request, byCaller(request), requestId)),
})

/** What was just asked with this credential. It is told once, whether or not it can be read back (NI-6). */
async function ownRequestOf(request: WriteRequest, requestId: string): Promise<z.input<typeof ownRequest>> {
  const row = await loadConsentRequest(request.tx, request.tenant, byCaller(request), requestId)
  if (row === undefined) throw absent()
  return ownView(request, row)
}

/** A request for consent that the caller sees; any other counts as absent (NI-10). */
async function seenRequest(
  request: WriteRequest,
  of: RequestsOf,
  requestId: string,
): Promise<ConsentRequestRow> {
  const found = await loadConsentRequest(request.tx, request.tenant, of, requestId)
  const [row] = await request.seen(found === undefined ? [] : [found])
  if (row === undefined) throw absent()
  return row
}

const page = {
  state: z.enum(STATES).optional().meta({ description: 'Only requests in this state.', example: 'open' }),
  ...pageFields,
}

export const myConsentRequests = readOperation({
  name: 'consents.mine',
  route: 'GET /consent-requests/mine',
  summary: 'List the requests for consent that you made, newest first',
  policies: ['agent', 'reader'],
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'anyone',
  input: z.strictObject(page),
  output: z.object({
    requests: z.array(ownRequest).meta({ description: 'Your requests, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, asked) {
    const { rows, cursor } = await listPage(request, 'consents.mine', byCaller(request), asked)
    return { requests: rows.map(row => ownView(request, row)), cursor }
  },
})

export const listConsentRequestsOf = readOperation({
  name: 'consents.list',
  route: 'GET /consent-requests',
  summary: 'List the requests for consent that were made to you, newest first',
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'owner',
  input: z.strictObject(page),
  output: z.object({
    requests: z.array(madeRequest).meta({ description: 'The requests, newest first.' }),
    cursor: nextCursor,
  }),
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
  const page = await listNewestFirst(
    request,
    [operation, state],
    { limit, cursor },
    (before, most) => listConsentRequests(request.tx, request.tenant, of, state ?? null, before, most),
    ({ createdAt, requestId }) => ({ createdAt, id: requestId }),
  )
  return { ...page, rows: await request.seen(page.rows) }
}

/**
 * Decides a request, once. Granting is like any other act of the owner and applies from the next request on (WR-4).
 */
export const decideConsent = writeOperation({
  name: 'consents.decide',
  route: 'POST /consent-requests/:request/decide',
  summary: 'Grant or deny a request for consent that was made to you',
  sample: world => ({
    request: world.made('consent_request'),
    decision: 'denied',
  }),
  callers: 'owner',
  effects: ['consent_request_decided'],
  reversibility: 'compensating_operation_only',
  // This takes the exclusive lock of the owner, so that the second of two concurrent decisions sees the first.
  changesFacts: true,
  input: z.strictObject({
    request: id.meta({ description: 'The request, by its id.' }),
    decision: z.enum(['granted', 'denied']).meta({ description: 'Whether to grant it.', example: 'granted' }),
  }),
  output: madeRequest,
  async run(request, { request: requestId, decision }) {
    const { tx, tenant, now } = request
    const made = await seenRequest(request, toPrincipal(request), requestId)
    // Granting opens every memory that names the person, whether or not this caller sees them all (NI-11).
    if (decision === 'granted' && !request.seesEverything) throw absent()
    if (made.state !== 'open') throw new PrivityError('conflict', 'this request was already decided')
    await decideConsentRequest(tx, tenant, requestId, decision, now)
    const refs = [requestId]
    if (decision === 'granted') refs.push(await grant(request, made.person))
    return { output: madeView(request, { ...made, state: decision, decidedAt: now }), refs }
  },
  async replay(request, [requestId = '']) {
    return madeView(request, await seenRequest(request, toPrincipal(request), requestId))
  },
})

/** Grants consent for the person, who is created if new. */
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
