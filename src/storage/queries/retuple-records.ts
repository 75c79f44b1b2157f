import type { PolicyTuple } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'
import { logChanges } from './insert-records.js'
import { internCompartments } from './intern-compartments.js'

/** A record and its tuple, for writes that change policy-relevant fields. */
export interface TupleRow {
  readonly id: string
  readonly tuple: PolicyTuple
  readonly participantIds: readonly string[]
  readonly targets: readonly string[]
}

/** A record with its new tuple, and its other changes. Undefined leaves a column unchanged. */
export interface TupleChange {
  readonly id: string
  readonly compartmentId: string
  readonly tuple: PolicyTuple
  readonly participantIds?: readonly string[] | undefined
  readonly targets?: readonly string[] | undefined
  readonly contestedReason?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** The salience as of now. */
  readonly salience?: number | undefined
  readonly pinned?: boolean | undefined
  readonly confidence?: number | undefined
  readonly expiresAt?: string | null | undefined
  readonly validTo?: string | null | undefined
  /** The faces whose content changes too (NI-9). An overlay alone changes none. */
  readonly changes: { readonly full: boolean; readonly preview: boolean; readonly metadata: boolean }
}

/** Moves records to other compartments. */
export async function retupleRecords(
  tx: Transaction,
  tenant: string,
  records: readonly TupleChange[],
  now: Date,
): Promise<void> {
  if (records.length === 0) return
  await internCompartments(tx, tenant, new Map(records.map(record => [record.compartmentId, record.tuple])))
  const rows = records.map(({ id, compartmentId, tuple, changes, ...rest }) => ({
    record_id: id,
    compartment_id: `\\x${compartmentId}`,
    sensitivity: tuple.sensitivity,
    scope: tuple.scope,
    visibility_class: tuple.visibilityClass,
    marked_shareable: tuple.markedShareable,
    lifecycle: tuple.lifecycle,
    ended_at: tuple.endedAt ?? null,
    confirmed: tuple.confirmed,
    addressees: tuple.addressees,
    input_consents: tuple.inputConsents,
    participants: rest.participantIds ?? null,
    targets: rest.targets ?? null,
    contested_reason: rest.contestedReason ?? null,
    tags: rest.tags ?? null,
    salience: rest.salience ?? null,
    pinned: rest.pinned ?? null,
    confidence: rest.confidence ?? null,
    expires_at: rest.expiresAt ?? null,
    sets_expiry: rest.expiresAt !== undefined,
    valid_to: rest.validTo ?? null,
    sets_validity: rest.validTo !== undefined,
    full_changed: changes.full,
    preview_changed: changes.preview,
    metadata_changed: changes.metadata,
  }))
  await tx.query(RETUPLE_RECORDS, [tenant, JSON.stringify(rows), now])
  await logChanges(
    tx,
    tenant,
    records.map(record => record.id),
  )
}

const RETUPLE_RECORDS = `
  update privity.records r
  set
    compartment_id = row.compartment_id,
    sensitivity = row.sensitivity,
    scope = row.scope,
    visibility_class = row.visibility_class,
    marked_shareable = row.marked_shareable,
    lifecycle = row.lifecycle,
    ended_at = row.ended_at,
    confirmed = row.confirmed,
    addressees = row.addressees,
    input_consents = row.input_consents,
    participants = coalesce(row.participants, r.participants),
    targets = coalesce(row.targets, r.targets),
    contested_reason = coalesce(row.contested_reason, r.contested_reason),
    tags = coalesce(row.tags, r.tags),
    salience = coalesce(row.salience, r.salience),
    salience_at = case when row.salience is null then r.salience_at else $3 end,
    pinned = coalesce(row.pinned, r.pinned),
    confidence = coalesce(row.confidence, r.confidence),
    expires_at = case when row.sets_expiry then row.expires_at else r.expires_at end,
    valid_to = case when row.sets_validity then row.valid_to else r.valid_to end,
    updated_at = case when row.full_changed then $3 else r.updated_at end,
    preview_updated_at = case when row.preview_changed then $3 else r.preview_updated_at end,
    metadata_updated_at = case when row.metadata_changed then $3 else r.metadata_updated_at end
  from json_to_recordset($2::json) as row (
    record_id uuid, compartment_id bytea, sensitivity text, scope text, visibility_class text,
    marked_shareable boolean, lifecycle text, ended_at timestamptz, confirmed boolean, addressees text[],
    input_consents uuid[], participants uuid[], targets text[],
    contested_reason text, tags text[], salience float8, pinned boolean, confidence float8,
    expires_at timestamptz, sets_expiry boolean, valid_to timestamptz, sets_validity boolean, full_changed boolean, preview_changed boolean, metadata_changed boolean)
  where r.tenant_id = $1
    and r.record_id = row.record_id`

/** Everything derived from these records, at any distance, without the records themselves. */
export function loadDescendants(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<TupleRow[]> {
  return lockAndLoad(tx, tenant, LOCK_DESCENDANTS, ids)
}

/**
 * Everything that these records replaced, and what was made from that, because a snapshot may still show it (SV-4).
 */
export function loadReplaced(tx: Transaction, tenant: string, ids: readonly string[]): Promise<TupleRow[]> {
  return lockAndLoad(tx, tenant, LOCK_REPLACED, ids)
}

/** Every record under a target, including derived ones. */
export function loadUnderTarget(tx: Transaction, tenant: string, target: string): Promise<TupleRow[]> {
  return lockAndLoad(tx, tenant, LOCK_UNDER_TARGET, target)
}

/**
 * Locks records before reading them: a statement that waits for a lock continues with what it saw before, and would
 * miss what was derived or moved to another compartment meanwhile (WR-3). Deriving from a record requires a lock on
 * it, so once locking finds nothing new, nothing new can appear.
 */
async function lockAndLoad(
  tx: Transaction,
  tenant: string,
  lock: string,
  by: string | readonly string[],
): Promise<TupleRow[]> {
  let ids: string[] = []
  for (;;) {
    const locked = await tx.query<{ id: string }>(lock, [tenant, by])
    if (locked.length === ids.length) break
    ids = locked.map(row => row.id)
  }
  return ids.length === 0 ? [] : tx.query<TupleRow>(LOAD_TUPLES, [tenant, ids])
}

const LOCK_DESCENDANTS = `
  with recursive descendants (record_id) as (
    select d.record_id
    from privity.derivations d
    where d.tenant_id = $1
      and d.source_id = any ($2::uuid[])
    union
    select d.record_id
    from descendants
    join privity.derivations d on d.tenant_id = $1 and d.source_id = descendants.record_id
  )
  select r.record_id as "id"
  from privity.records r
  where r.tenant_id = $1
    and r.record_id in (select record_id from descendants)
    and r.record_id <> all ($2::uuid[])
  order by r.record_id
  for update of r`

// A source was replaced if it ended at the moment when its successor was made; any other source was only read. What
// was made from a replaced record ended with it.
const LOCK_REPLACED = `
  with recursive replaced (record_id) as (
    select source.record_id
    from privity.derivations d
    join privity.records successor on successor.tenant_id = $1 and successor.record_id = d.record_id
    join privity.records source on source.tenant_id = $1 and source.record_id = d.source_id
    where d.tenant_id = $1
      and d.record_id = any ($2::uuid[])
      and source.lifecycle = 'superseded'
      and source.ended_at = successor.created_at
    union
    select source.record_id
    from replaced
    join privity.derivations d on d.tenant_id = $1 and d.record_id = replaced.record_id
    join privity.records successor on successor.tenant_id = $1 and successor.record_id = d.record_id
    join privity.records source on source.tenant_id = $1 and source.record_id = d.source_id
    where source.lifecycle = 'superseded'
      and source.ended_at = successor.created_at
  ),
  made_from (record_id) as (
    select record_id
    from replaced
    union
    select d.record_id
    from made_from
    join privity.derivations d on d.tenant_id = $1 and d.source_id = made_from.record_id
  )
  select r.record_id as "id"
  from privity.records r
  where r.tenant_id = $1
    and r.record_id in (select record_id from made_from)
    and r.lifecycle in ('superseded', 'stale')
    and r.ended_at is not null
  order by r.record_id
  for update of r`

const LOCK_UNDER_TARGET = `
  select record_id as "id"
  from privity.records
  where tenant_id = $1
    and $2 = any (targets)
  order by record_id
  for update`

const LOAD_TUPLES = `
  select
    r.record_id as "id",
    c.tuple,
    r.participants as "participantIds",
    r.targets
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.record_id = any ($2::uuid[])
  order by r.record_id`
