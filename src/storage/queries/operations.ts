import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'
import { operationDigest } from './audit-bindings.js'
import { type MailProgress, mailStateOf, type StoredMailState } from './mails.js'
import type { TimeKey } from './time-key.js'

export interface OperationRow {
  readonly operationId: string
  readonly name: string
  readonly actorId: string
  readonly forId: string
  readonly audience: string
  readonly authenticated: boolean
  readonly effects: readonly string[]
  readonly reversibility: string
  readonly refs: readonly string[]
  readonly causalParents: readonly string[]
  readonly idempotencyKey: string | null
  readonly requestDigest: Uint8Array | null
  readonly policyGeneration: string | null
  readonly createdAt: Date
  /** The most that the request could be shown; null counts as the strictest label (NI-10). */
  readonly label: StoredLabel | null
  /** The digest of that clearance. */
  readonly credential: string
}

/**
 * Adds an entry to the durable log of state changes (AU-2), in the transaction that makes the change. Returns the
 * digest of its row, which its audit entry binds.
 */
export async function insertOperation(tx: Transaction, tenant: string, row: OperationRow): Promise<string> {
  const asked = JSON.stringify(operationToWrite(row))
  const [inserted] = await tx.query<{ digest: string }>(INSERT_OPERATION, [tenant, asked])
  if (inserted === undefined) throw new Error('an operation was not written')
  return inserted.digest
}

/** The row of an operation, as its insert reads it. */
export const operationToWrite = (row: OperationRow) => ({
  operation_id: row.operationId,
  name: row.name,
  actor_id: row.actorId,
  for_id: row.forId,
  audience: row.audience,
  authenticated: row.authenticated,
  effects: row.effects,
  reversibility: row.reversibility,
  refs: row.refs,
  causal_parents: row.causalParents,
  idempotency_key: row.idempotencyKey,
  request_digest: row.requestDigest && `\\x${Buffer.from(row.requestDigest).toString('hex')}`,
  policy_generation: row.policyGeneration,
  created_at: row.createdAt.toISOString(),
  label: row.label,
  credential: row.credential,
})

const OPERATION_COLUMNS = [
  'operation_id uuid',
  'name text',
  'actor_id uuid',
  'for_id uuid',
  'audience text',
  'authenticated boolean',
  'effects text[]',
  'reversibility text',
  'refs uuid[]',
  'causal_parents uuid[]',
  'idempotency_key text',
  'request_digest bytea',
  'policy_generation uuid',
  'created_at timestamptz',
  'label jsonb',
  'credential text',
]
const OPERATION_NAMES = OPERATION_COLUMNS.map(column => column.split(' ')[0]).join(', ')

/** Inserts the operation of a tenant ($1) that a text of jsonb holds, and returns the digest of its row. */
export const insertOperationSql = (asked: string) => `
  insert into privity.operations as o (tenant_id, ${OPERATION_NAMES})
  select $1, ${OPERATION_NAMES}
  from jsonb_to_record(${asked}) as row (${OPERATION_COLUMNS.join(', ')})
  returning encode(${operationDigest('o')}, 'hex') as "digest"`

const INSERT_OPERATION = insertOperationSql('$2::jsonb')

export interface KnownRequest {
  readonly operationId: string
  readonly requestDigest: Uint8Array
  readonly refs: readonly string[]
}

/**
 * Finds a request of this credential and operation with the same idempotency key. The lock makes the second of two
 * concurrent requests wait for the first, so that only one does the work.
 */
export async function findRequest(
  tx: Transaction,
  tenant: string,
  by: { actorId: string; forId: string; credential: string; name: string; idempotencyKey: string },
): Promise<KnownRequest | undefined> {
  const key = JSON.stringify([tenant, by.actorId, by.forId, by.credential, by.name, by.idempotencyKey])
  await tx.query(LOCK_KEY, [key])
  const [row] = await tx.query<KnownRequest>(FIND_REQUEST, [
    tenant,
    by.actorId,
    by.forId,
    by.name,
    by.idempotencyKey,
    by.credential,
  ])
  return row
}

const LOCK_KEY = `select pg_advisory_xact_lock(hashtextextended($1, 11))`

const FIND_REQUEST = `
  select operation_id as "operationId", request_digest as "requestDigest", refs
  from privity.operations
  where tenant_id = $1
    and actor_id = $2
    and for_id = $3
    and name = $4
    and idempotency_key = $5
    and credential = $6`

/** Whether the policies of a tenant ever had this generation. Each generation was made by an operation. */
export async function hasPolicyGeneration(
  tx: Transaction,
  tenant: string,
  generation: string,
): Promise<boolean> {
  const [row] = await tx.query<{ was: boolean }>(WAS_GENERATION, [tenant, generation])
  return row?.was === true
}

const WAS_GENERATION = `
  select exists (
    select
    from privity.operations
    where tenant_id = $1
      and policy_generation = $2) as was`

export interface ListedOperation
  extends Omit<OperationRow, 'actorId' | 'forId' | 'authenticated' | 'requestDigest' | 'credential'> {
  /** Null once the name is erased. */
  readonly actor: string | null
  readonly actingFor: string | null
}

/** Lists operations, newest first; optionally only those of one name or about one thing. */
export function listOperations(
  tx: Transaction,
  tenant: string,
  of: { readonly name: string | null; readonly ref: string | null },
  before: TimeKey | null,
  limit: number,
): Promise<ListedOperation[]> {
  return tx.query<ListedOperation>(LIST_OPERATIONS, [
    tenant,
    of.name,
    of.ref,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

const LIST_OPERATIONS = `
  select
    o.operation_id as "operationId",
    o.name,
    actor.actor as "actor",
    principal.actor as "actingFor",
    o.audience,
    o.effects,
    o.reversibility,
    o.refs,
    o.causal_parents as "causalParents",
    o.idempotency_key as "idempotencyKey",
    o.policy_generation as "policyGeneration",
    o.label,
    o.created_at as "createdAt"
  from privity.operations o
  left join privity.actors actor on actor.tenant_id = o.tenant_id and actor.actor_id = o.actor_id
  left join privity.actors principal on principal.tenant_id = o.tenant_id and principal.actor_id = o.for_id
  where o.tenant_id = $1
    and ($2::text is null or o.name = $2)
    and ($3::uuid is null or o.refs @> array[$3::uuid])
    and ($4::timestamptz is null or (o.created_at, o.operation_id) < ($4, $5::uuid))
  order by o.created_at desc, o.operation_id desc
  limit $6`

/** The operations of these names that were about these things, oldest first. */
export async function findOperationsAbout(
  tx: Transaction,
  tenant: string,
  names: readonly string[],
  refs: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ operationId: string }>(OPERATIONS_ABOUT, [tenant, names, refs])
  return rows.map(({ operationId }) => operationId)
}

const OPERATIONS_ABOUT = `
  select operation_id as "operationId"
  from privity.operations
  where tenant_id = $1
    and name = any ($2::text[])
    and refs && $3::uuid[]
  order by created_at, operation_id`

/** Those of these ids that belong to links, views, profiles or mail, with the state of a mail. */
export async function findSharingIds(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredMailState | null>> {
  const rows = await tx.query<{ id: string; isMail: boolean } & MailProgress>(IDS_OF_SHARING, [tenant, ids])
  return new Map(rows.map(row => [row.id, row.isMail ? mailStateOf(row) : null]))
}

const IDS_OF_SHARING = `
  select link_id as id, false as "isMail", null::timestamptz as "sentAt", null::timestamptz as "failedAt", null as "failure"
  from privity.share_links
  where tenant_id = $1
    and link_id = any ($2::uuid[])
  union all
  select view_id, false, null, null, null
  from privity.shared_views
  where tenant_id = $1
    and view_id = any ($2::uuid[])
  union all
  select profile_id, false, null, null, null
  from privity.profiles
  where tenant_id = $1
    and profile_id = any ($2::uuid[])
  union all
  select mail_id, true, sent_at, failed_at, failure
  from privity.mails
  where tenant_id = $1
    and mail_id = any ($2::uuid[])
    and owner is not null`

/** Which of these ids are those of mediation sessions and of consent records in them. */
export async function findMediationIds(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(IDS_OF_MEDIATIONS, [tenant, ids])
  return rows.map(({ id }) => id)
}

const IDS_OF_MEDIATIONS = `
  select session_id as id
  from privity.sessions
  where tenant_id = $1
    and session_id = any ($2::text[])
  union all
  select consent_record_id::text
  from privity.consent_records
  where tenant_id = $1
    and consent_record_id = any ($2::uuid[])`
