import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'
import type { TimeKey } from './time-key.js'

/** The actor who asks, the principal for whom it works, and the credential that it asks with. */
export interface Asker {
  readonly actorId: string
  readonly forId: string
  readonly credential: string
}

export interface ConsentRequestRow {
  readonly requestId: string
  readonly person: string
  readonly reason: string | null
  /** The label of everything that the asker could be shown; null counts as the strictest (NI-10). */
  readonly label: StoredLabel | null
  readonly state: 'open' | 'granted' | 'denied'
  /** Null once the name is erased. */
  readonly actor: string | null
  readonly createdAt: Date
  readonly decidedAt: Date | null
}

const COLUMNS = `
    r.request_id as "requestId",
    r.person,
    r.reason,
    r.label,
    r.state,
    (select a.actor
     from privity.actors a
     where a.tenant_id = r.tenant_id
       and a.actor_id = r.actor_id) as "actor",
    r.created_at as "createdAt",
    r.decided_at as "decidedAt"`

/** The open request of an asker for a name, if there is one, and the number of all open requests. */
export async function findOpenRequest(
  tx: Transaction,
  tenant: string,
  { actorId, forId, credential }: Asker,
  person: string,
): Promise<{ open: number; requestId: string | null }> {
  const [row] = await tx.query<{ open: number; requestId: string | null }>(FIND_OPEN, [
    tenant,
    actorId,
    forId,
    person,
    credential,
  ])
  return row ?? { open: 0, requestId: null }
}

const FIND_OPEN = `
  select
    count(*)::int as "open",
    (array_agg(request_id) filter (where person = $4))[1] as "requestId"
  from privity.consent_requests
  where tenant_id = $1
    and actor_id = $2
    and for_id = $3
    and credential = $5
    and state = 'open'`

export async function insertConsentRequest(
  tx: Transaction,
  tenant: string,
  { actorId, forId, credential }: Asker,
  request: Pick<ConsentRequestRow, 'requestId' | 'person' | 'reason' | 'label' | 'createdAt'>,
): Promise<void> {
  await tx.query(INSERT_REQUEST, [
    tenant,
    request.requestId,
    actorId,
    forId,
    request.person,
    request.reason,
    request.createdAt,
    request.label === null ? null : JSON.stringify(request.label),
    credential,
  ])
}

const INSERT_REQUEST = `
  insert into privity.consent_requests
    (tenant_id, request_id, actor_id, for_id, person, reason, created_at, label, credential)
  values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)`

/** Selects the requests of one asker, or of everyone who works for a principal if `actorId` is null. */
export interface RequestsOf {
  readonly actorId: string | null
  readonly forId: string
}

export async function loadConsentRequest(
  tx: Transaction,
  tenant: string,
  { actorId, forId }: RequestsOf,
  requestId: string,
): Promise<ConsentRequestRow | undefined> {
  const [row] = await tx.query<ConsentRequestRow>(LOAD_REQUEST, [tenant, requestId, forId, actorId])
  return row
}

const LOAD_REQUEST = `
  select ${COLUMNS}
  from privity.consent_requests r
  where r.tenant_id = $1
    and r.request_id = $2
    and r.for_id = $3
    and ($4::uuid is null or r.actor_id = $4)`

/** Lists the requests, newest first. */
export function listConsentRequests(
  tx: Transaction,
  tenant: string,
  { actorId, forId }: RequestsOf,
  state: string | null,
  before: TimeKey | null,
  limit: number,
): Promise<ConsentRequestRow[]> {
  return tx.query<ConsentRequestRow>(LIST_REQUESTS, [
    tenant,
    forId,
    actorId,
    state,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

const LIST_REQUESTS = `
  select ${COLUMNS}
  from privity.consent_requests r
  where r.tenant_id = $1
    and r.for_id = $2
    and ($3::uuid is null or r.actor_id = $3)
    and ($4::text is null or r.state = $4)
    and ($5::timestamptz is null or (r.created_at, r.request_id) < ($5, $6::uuid))
  order by r.created_at desc, r.request_id desc
  limit $7`

export async function decideConsentRequest(
  tx: Transaction,
  tenant: string,
  requestId: string,
  state: 'granted' | 'denied',
  now: Date,
): Promise<void> {
  await tx.query(DECIDE_REQUEST, [tenant, requestId, state, now])
}

const DECIDE_REQUEST = `
  update privity.consent_requests
  set state = $3, decided_at = $4
  where tenant_id = $1
    and request_id = $2
    and state = 'open'`
