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

/** An entry, and the digest of the row of its operation; null if it has none. */
export type UnboundEntry = AuditEntryRow & Pick<EntryBindings, 'operationDigest'>

/** The oldest operations without an audit entry, up to a limit. Their process died between the two writes. */
export async function loadUnaudited(tx: Transaction, tenant: string, limit: number): Promise<UnboundEntry[]> {
  const rows = await tx.query<Omit<UnboundEntry, 'at'> & { at: Date }>(LOAD_UNAUDITED, [tenant, limit])
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
    label,
    encode(${operationDigest('o')}, 'hex') as "operationDigest"
  from privity.operations o
  where tenant_id = $1
    and not audited
  order by created_at, operation_id
  limit $2`
