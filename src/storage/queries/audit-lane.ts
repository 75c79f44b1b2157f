import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'
import { operationDigest } from './audit-bindings.js'

/** One audited request. It holds ids, codes and counts, never content (AU-3). */
export interface AuditEntryRow {
  readonly entryId: string
  readonly at: string
  /** The pseudonyms of the caller and of the principal for whom it acts. */
  readonly actorId: string
  readonly forId: string
  readonly audience: string
  /** From the trust context: recorded, but never used by a gate (TR-2). */
  readonly authenticated: boolean
  readonly operation: string
  /** `ok`, or the error code of the refusal. */
  readonly outcome: string
  readonly reason: string | null
  readonly refs: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly operationId: string | null
  /** The most that the request could be shown; null counts as the strictest label (NI-10). */
  readonly label: StoredLabel | null
}

/**
 * What an entry binds beyond itself, as hexadecimal digests (AU-1): the names behind its pseudonyms and the row of its
 * operation. Entries of version 1 bind nothing.
 */
export interface EntryBindings {
  readonly version: number
  readonly actorDigest: string | null
  readonly forDigest: string | null
  readonly operationDigest: string | null
}

/**
 * An entry in its lane: numbered without gaps, each with the hash of the one before (AU-1). Hashes are hexadecimal.
 */
export interface ChainedEntry extends AuditEntryRow, EntryBindings {
  readonly seq: number
  readonly previous: string
  readonly hash: string
}

export async function insertLane(tx: Transaction, tenant: string, laneId: string, now: Date): Promise<void> {
  await tx.query(INSERT_LANE, [tenant, laneId, now])
}

const INSERT_LANE = `
  insert into privity.audit_lanes (tenant_id, lane_id, opened_at)
  values ($1, $2, $3)`

export async function closeLane(
  tx: Transaction,
  tenant: string,
  laneId: string,
  now: Date,
  seq: number,
  hash: string,
): Promise<void> {
  await tx.query(CLOSE_LANE, [tenant, laneId, now, seq, Buffer.from(hash, 'hex')])
}

const CLOSE_LANE = `
  update privity.audit_lanes
  set closed_at = $3, closed_seq = $4, closed_hash = $5
  where tenant_id = $1
    and lane_id = $2`

export async function insertEntries(
  tx: Transaction,
  tenant: string,
  laneId: string,
  entries: readonly ChainedEntry[],
): Promise<void> {
  const rows = entries.map(entry => ({
    seq: entry.seq,
    previous: `\\x${entry.previous}`,
    hash: `\\x${entry.hash}`,
    entry_id: entry.entryId,
    at: entry.at,
    actor_id: entry.actorId,
    for_id: entry.forId,
    audience: entry.audience,
    authenticated: entry.authenticated,
    operation: entry.operation,
    outcome: entry.outcome,
    reason: entry.reason,
    refs: entry.refs,
    counts: entry.counts,
    operation_id: entry.operationId,
    version: entry.version,
    actor_digest: bytes(entry.actorDigest),
    for_digest: bytes(entry.forDigest),
    operation_digest: bytes(entry.operationDigest),
    label: entry.label,
  }))
  await tx.query(INSERT_ENTRIES, [tenant, laneId, JSON.stringify(rows)])
}

const bytes = (hex: string | null) => (hex === null ? null : `\\x${hex}`)

const INSERT_ENTRIES = `
  insert into privity.audit_entries
    (tenant_id, lane_id, seq, previous, hash, entry_id, at, actor_id, for_id, audience, authenticated, operation, outcome,
     reason, refs, counts, operation_id, version, actor_digest, for_digest, operation_digest, label)
  select
    $1, $2, seq, previous, hash, entry_id, at, actor_id, for_id, audience, authenticated, operation, outcome, reason,
    refs, counts, operation_id, version, actor_digest, for_digest, operation_digest,
    label
  from json_to_recordset($3::json) as row (
    seq int, previous bytea, hash bytea, entry_id uuid, at timestamptz, actor_id uuid, for_id uuid, audience text,
    authenticated boolean, operation text, outcome text, reason text, refs uuid[], counts jsonb, operation_id uuid,
    version smallint, actor_digest bytea, for_digest bytea, operation_digest bytea,
    label jsonb)`

/** The oldest operations without an audit entry, up to a limit. Their process died between the two writes. */
export async function loadUnaudited(
  tx: Transaction,
  tenant: string,
  limit: number,
): Promise<AuditEntryRow[]> {
  const rows = await tx.query<Omit<AuditEntryRow, 'at'> & { at: Date }>(LOAD_UNAUDITED, [tenant, limit])
  return rows.map(row => ({ ...row, at: row.at.toISOString() }))
}

const LOAD_UNAUDITED = `
  select
    operation_id as "entryId",
    created_at as "at",
    actor_id as "actorId",
    for_id as "forId",
    audience,
    authenticated,
    name as "operation",
    'ok' as "outcome",
    null as "reason",
    refs,
    jsonb_build_object('records', cardinality(refs)) as "counts",
    operation_id as "operationId",
    label
  from privity.operations
  where tenant_id = $1
    and not audited
  order by created_at, operation_id
  limit $2`

/** Marks operations as audited and returns those that were not audited before, with the digest of their rows. */
export async function markAudited(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; digest: string }>(MARK_AUDITED, [tenant, ids])
  return new Map(rows.map(({ id, digest }) => [id, digest]))
}

const MARK_AUDITED = `
  update privity.operations o
  set audited = true
  where o.tenant_id = $1
    and o.operation_id = any ($2::uuid[])
    and not o.audited
  returning o.operation_id as "id", encode(${operationDigest('o')}, 'hex') as "digest"`
