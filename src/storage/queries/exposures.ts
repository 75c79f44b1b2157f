import type { Label } from '../../policy/labels.js'
import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'

/** The reader and the conversation. */
export interface Conversation {
  readonly actorId: string
  readonly forId: string
  readonly session: string
}

/**
 * The reader, its credential and the conversation. What was shown within one conversation labels what is then written
 * in it (WR-2).
 */
export interface ExposureKey extends Conversation {
  /** The digest of the clearance of the credential (NI-10). */
  readonly credential: string
}

export const exposureKeyText = (key: ExposureKey) =>
  JSON.stringify([key.actorId, key.forId, key.session, key.credential])

/** What was shown under one credential, and the most that it may be shown; null if it counts for all of them. */
export interface Exposure extends Label {
  readonly clearance: StoredLabel | null
}

/** What was shown so far under these keys, by the text of the key. The rows are locked until the transaction ends. */
export async function loadExposures(
  tx: Transaction,
  tenant: string,
  keys: readonly ExposureKey[],
): Promise<Map<string, Label>> {
  const rows = await tx.query<ExposureKey & Label>(LOAD_EXPOSURES, [tenant, ...columns(keys)])
  return new Map(rows.map(row => [exposureKeyText(row), row]))
}

/**
 * The labels that a write must inherit, read without waiting for locks. A write outside every conversation may be
 * based on any of them.
 */
export function readExposures(tx: Transaction, tenant: string, key: Conversation): Promise<Exposure[]> {
  return tx.query<Exposure>(READ_EXPOSURES, [tenant, key.actorId, key.forId, key.session])
}

const READ_EXPOSURES = `
  select sensitivity, scope, visibility_class as "visibilityClass", participants, clearance
  from privity.exposures
  where tenant_id = $1
    and actor_id = $2
    and for_id = $3
    and ($4 = '' or session = $4)`

export async function saveExposures(
  tx: Transaction,
  tenant: string,
  exposures: readonly { key: ExposureKey; label: Label; clearance: StoredLabel | null }[],
): Promise<void> {
  const rows = exposures.map(({ key, label, clearance }) => ({
    actor_id: key.actorId,
    for_id: key.forId,
    session: key.session,
    credential: key.credential,
    clearance,
    sensitivity: label.sensitivity,
    scope: label.scope,
    visibility_class: label.visibilityClass,
    participants: label.participants,
  }))
  await tx.query(SAVE_EXPOSURES, [tenant, JSON.stringify(rows)])
}

const columns = (keys: readonly ExposureKey[]) => [
  keys.map(key => key.actorId),
  keys.map(key => key.forId),
  keys.map(key => key.session),
  keys.map(key => key.credential),
]

const LOAD_EXPOSURES = `
  select
    e.actor_id as "actorId",
    e.for_id as "forId",
    e.session,
    e.credential,
    e.sensitivity,
    e.scope,
    e.visibility_class as "visibilityClass",
    e.participants
  from privity.exposures e
  join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) as wanted (actor_id, for_id, session, credential)
    using (actor_id, for_id, session, credential)
  where e.tenant_id = $1
  order by e.actor_id, e.for_id, e.session, e.credential
  for update of e`

const SAVE_EXPOSURES = `
  insert into privity.exposures
    (tenant_id, actor_id, for_id, session, credential, clearance, sensitivity, scope, visibility_class, participants)
  select $1, actor_id, for_id, session, credential, clearance, sensitivity, scope, visibility_class, participants
  from json_to_recordset($2::json) as row (
    actor_id uuid, for_id uuid, session text, credential text, clearance jsonb,
    sensitivity text, scope text, visibility_class text, participants text[])
  order by actor_id, for_id, session, credential
  on conflict (tenant_id, actor_id, for_id, session, credential) do update set
    sensitivity = excluded.sensitivity,
    scope = excluded.scope,
    visibility_class = excluded.visibility_class,
    participants = excluded.participants`
