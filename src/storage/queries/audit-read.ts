import type { Transaction } from '../database.js'
import { actorDigest, operationDigest } from './audit-bindings.js'
import type { AuditEntryRow, ChainedEntry, EntryBindings } from './audit-lane.js'

export interface LaneRow {
  readonly laneId: string
  readonly closedSeq: number | null
  readonly closedHash: string | null
}

/** Loads the register of lanes. */
export function loadLanes(tx: Transaction, tenant: string): Promise<LaneRow[]> {
  return tx.query<LaneRow>(LOAD_LANES, [tenant])
}

const LOAD_LANES = `
  select lane_id as "laneId", closed_seq as "closedSeq", encode(closed_hash, 'hex') as "closedHash"
  from privity.audit_lanes
  where tenant_id = $1
  order by lane_id`

/** The lanes that have entries, registered or not, each with its last entry. */
export function loadHeads(
  tx: Transaction,
  tenant: string,
): Promise<{ laneId: string; seq: number; hash: string }[]> {
  return tx.query(LOAD_HEADS, [tenant])
}

const LOAD_HEADS = `
  select distinct on (lane_id) lane_id as "laneId", seq, encode(hash, 'hex') as "hash"
  from privity.audit_entries
  where tenant_id = $1
  order by lane_id, seq desc`

const ENTRY_COLUMNS = `
    e.seq,
    encode(e.previous, 'hex') as "previous",
    encode(e.hash, 'hex') as "hash",
    e.entry_id as "entryId",
    e.at,
    e.actor_id as "actorId",
    e.for_id as "forId",
    e.audience,
    e.authenticated,
    e.operation,
    e.outcome,
    e.reason,
    e.refs,
    e.counts,
    e.operation_id as "operationId",
    e.version,
    encode(e.actor_digest, 'hex') as "actorDigest",
    encode(e.for_digest, 'hex') as "forDigest",
    encode(e.operation_digest, 'hex') as "operationDigest",
    e.label`

/** An entry, and what it would bind today. Null is what does not exist any more. */
export interface StoredEntry extends ChainedEntry {
  readonly now: Omit<EntryBindings, 'version'>
}

type EntryRow = Omit<ChainedEntry, 'at'> & {
  at: Date
  actorNow: string | null
  forNow: string | null
  operationNow: string | null
}

/** The next entries of a lane after a position. */
export async function loadLaneEntries(
  tx: Transaction,
  tenant: string,
  laneId: string,
  after: number,
  limit: number,
): Promise<StoredEntry[]> {
  const rows = await tx.query<EntryRow>(LOAD_LANE_ENTRIES, [tenant, laneId, after, limit])
  return rows.map(({ actorNow, forNow, operationNow, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    now: { actorDigest: actorNow, forDigest: forNow, operationDigest: operationNow },
  }))
}

const LOAD_LANE_ENTRIES = `
  select ${ENTRY_COLUMNS},
    encode(${actorDigest('actor')}, 'hex') as "actorNow",
    encode(${actorDigest('principal')}, 'hex') as "forNow",
    case when o.operation_id is not null then encode(${operationDigest('o')}, 'hex') end as "operationNow"
  from privity.audit_entries e
  left join privity.actors actor on actor.tenant_id = e.tenant_id and actor.actor_id = e.actor_id
  left join privity.actors principal on principal.tenant_id = e.tenant_id and principal.actor_id = e.for_id
  left join privity.operations o on o.tenant_id = e.tenant_id and o.operation_id = e.operation_id
  where e.tenant_id = $1
    and e.lane_id = $2
    and e.seq > $3
  order by e.seq
  limit $4`

export interface ListedEntry extends AuditEntryRow {
  readonly actor: string | null
  readonly actingFor: string | null
}

/** Which entries to list. */
export interface EntryFilter {
  readonly operation?: string | undefined
  readonly outcome?: string | undefined
}

/** Audit entries, newest first: of one principal, or of the whole tenant if `forId` is null. */
export async function listEntries(
  tx: Transaction,
  tenant: string,
  forId: string | null,
  filter: EntryFilter,
  before: { at: Date; entryId: string } | null,
  limit: number,
): Promise<ListedEntry[]> {
  const rows = await tx.query<Omit<ListedEntry, 'at'> & { at: Date }>(LIST_ENTRIES, [
    tenant,
    forId,
    before?.at ?? null,
    before?.entryId ?? null,
    limit,
    filter.operation ?? null,
    filter.outcome ?? null,
  ])
  return rows.map(row => ({ ...row, at: row.at.toISOString() }))
}

const LIST_ENTRIES = `
  select ${ENTRY_COLUMNS},
    actor.actor as "actor",
    principal.actor as "actingFor"
  from privity.audit_entries e
  left join privity.actors actor on actor.tenant_id = e.tenant_id and actor.actor_id = e.actor_id
  left join privity.actors principal on principal.tenant_id = e.tenant_id and principal.actor_id = e.for_id
  where e.tenant_id = $1
    and ($2::uuid is null or e.for_id = $2)
    and ($3::timestamptz is null or (e.at, e.entry_id) < ($3, $4::uuid))
    and ($6::text is null or e.operation = $6)
    and ($7::text is null or e.outcome = $7)
  order by e.at desc, e.entry_id desc
  limit $5`

export interface CheckpointRow {
  readonly checkpointId: string
  readonly at: string
  readonly heads: readonly { laneId: string; seq: number; hash: string }[]
  readonly previous: string
  readonly hash: string
}

/** All checkpoints, unordered: each says itself which one it follows. */
export async function loadCheckpoints(tx: Transaction, tenant: string): Promise<CheckpointRow[]> {
  const rows = await tx.query<Omit<CheckpointRow, 'at'> & { at: Date }>(LOAD_CHECKPOINTS, [tenant])
  return rows.map(row => ({ ...row, at: row.at.toISOString() }))
}

const LOAD_CHECKPOINTS = `
  select
    checkpoint_id as "checkpointId",
    at,
    heads,
    encode(previous, 'hex') as "previous",
    encode(hash, 'hex') as "hash"
  from privity.audit_checkpoints
  where tenant_id = $1`

export async function insertCheckpoint(
  tx: Transaction,
  tenant: string,
  checkpoint: CheckpointRow,
): Promise<void> {
  await tx.query(INSERT_CHECKPOINT, [
    tenant,
    checkpoint.checkpointId,
    checkpoint.at,
    JSON.stringify(checkpoint.heads),
    Buffer.from(checkpoint.previous, 'hex'),
    Buffer.from(checkpoint.hash, 'hex'),
  ])
}

const INSERT_CHECKPOINT = `
  insert into privity.audit_checkpoints (tenant_id, checkpoint_id, at, heads, previous, hash)
  values ($1, $2, $3, $4::jsonb, $5, $6)`
