import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'
import type { Asker, RequestsOf } from './consent-requests.js'
import type { TimeKey } from './time-key.js'

export const CHANGES = ['forget', 'retract', 'contest', 'supersede'] as const
export type ChangeAsked = (typeof CHANGES)[number]
export const CHANGE_STATES = ['open', 'accepted', 'declined'] as const

export interface ChangeRequestRow {
  readonly requestId: string
  readonly how: ChangeAsked
  /** Null once it was forgotten because of this request. */
  readonly record: string | null
  readonly text: string | null
  readonly reason: string | null
  readonly label: StoredLabel | null
  readonly state: (typeof CHANGE_STATES)[number]
  /** Null once the name is erased. */
  readonly actor: string | null
  readonly createdAt: Date
  readonly decidedAt: Date | null
}

const COLUMNS = `
    r.request_id as "requestId",
    r.how,
    r.record_id as "record",
    r.text,
    r.reason,
    r.label,
    r.state,
    (select a.actor
     from privity.actors a
     where a.tenant_id = r.tenant_id
       and a.actor_id = r.actor_id) as "actor",
    r.created_at as "createdAt",
    r.decided_at as "decidedAt"`

/** How many requests of an asker are open. */
export async function countOpenChanges(
  tx: Transaction,
  tenant: string,
  { actorId, forId, credential }: Asker,
): Promise<number> {
  const [row] = await tx.query<{ open: number }>(COUNT_OPEN, [tenant, actorId, forId, credential])
  return row?.open ?? 0
}

const COUNT_OPEN = `
  select count(*)::int as "open"
  from privity.change_requests
  where tenant_id = $1
    and actor_id = $2
    and for_id = $3
    and credential = $4
    and state = 'open'`

export async function insertChangeRequest(
  tx: Transaction,
  tenant: string,
  { actorId, forId, credential }: Asker,
  asked: Pick<ChangeRequestRow, 'requestId' | 'how' | 'record' | 'text' | 'reason' | 'label' | 'createdAt'>,
): Promise<void> {
  await tx.query(INSERT, [
    tenant,
    asked.requestId,
    actorId,
    forId,
    credential,
    asked.how,
    asked.record,
    asked.text,
    asked.reason,
    asked.createdAt,
    JSON.stringify(asked.label),
  ])
}

const INSERT = `
  insert into privity.change_requests
    (tenant_id, request_id, actor_id, for_id, credential, how, record_id, text, reason, created_at, label)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb)`

/** A request, locked. */
export async function lockChangeRequest(
  tx: Transaction,
  tenant: string,
  { actorId, forId }: RequestsOf,
  requestId: string,
): Promise<ChangeRequestRow | undefined> {
  const [row] = await tx.query<ChangeRequestRow>(LOCK, [tenant, requestId, forId, actorId])
  return row
}

const LOCK = `
  select ${COLUMNS}
  from privity.change_requests r
  where r.tenant_id = $1
    and r.request_id = $2
    and r.for_id = $3
    and ($4::uuid is null or r.actor_id = $4)
  for update`

/** Lists the requests, newest first. */
export function listChangeRequests(
  tx: Transaction,
  tenant: string,
  { actorId, forId }: RequestsOf,
  state: string | null,
  before: TimeKey | null,
  limit: number,
): Promise<ChangeRequestRow[]> {
  return tx.query<ChangeRequestRow>(LIST, [
    tenant,
    forId,
    actorId,
    state,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

const LIST = `
  select ${COLUMNS}
  from privity.change_requests r
  where r.tenant_id = $1
    and r.for_id = $2
    and ($3::uuid is null or r.actor_id = $3)
    and ($4::text is null or r.state = $4)
    and ($5::timestamptz is null or (r.created_at, r.request_id) < ($5, $6::uuid))
  order by r.created_at desc, r.request_id desc
  limit $7`

/** Decides a request. Its words go once they are not needed: what is forgotten must not be told by its request. */
export async function decideChangeRequest(
  tx: Transaction,
  tenant: string,
  requestId: string,
  decided: { state: 'accepted' | 'declined'; now: Date; forgets: boolean },
): Promise<void> {
  await tx.query(DECIDE, [tenant, requestId, decided.state, decided.now, decided.forgets])
}

const DECIDE = `
  update privity.change_requests
  set
    state = $3,
    decided_at = $4,
    record_id = case when $5 then null else record_id end,
    reason = case when $5 then null else reason end
  where tenant_id = $1
    and request_id = $2`
