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
  /** The hour in which it was shown. After a day it no longer counts (WR-6). */
  readonly hour: Date
}

export const exposureKeyText = (key: ExposureKey) =>
  JSON.stringify([key.actorId, key.forId, key.session, key.credential, key.hour.getTime()])

/** What was shown under one credential, and the most that it may be shown; null if it counts for all of them. */
export interface Exposure extends Label {
  readonly clearance: StoredLabel | null
  /** The records that raised the label, as far as it was records. */
  readonly records: readonly string[]
}

/** How long what was shown counts at most. */
const DAY = 24 * 3_600_000

/** How many records are kept as reasons for a label. */
const MOST_REASONS = 50

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
 * The labels of the last day that a write must inherit, read without waiting for locks. A write outside every
 * conversation may be based on any of them.
 */
export function readExposures(
  tx: Transaction,
  tenant: string,
  key: Conversation,
  now: Date,
): Promise<Exposure[]> {
  const since = new Date(now.getTime() - DAY)
  return tx.query<Exposure>(READ_EXPOSURES, [tenant, key.actorId, key.forId, key.session, since])
}

const READ_EXPOSURES = `
  select sensitivity, scope, visibility_class as "visibilityClass", participants, clearance, records
  from privity.exposures
  where tenant_id = $1
    and actor_id = $2
    and for_id = $3
    and ($4 = '' or session = $4)
    and hour > $5`

export async function saveExposures(
  tx: Transaction,
  tenant: string,
  exposures: readonly {
    key: ExposureKey
    label: Label
    clearance: StoredLabel | null
    records: readonly string[]
  }[],
): Promise<void> {
  const rows = exposures.map(({ key, label, clearance, records }) => ({
    actor_id: key.actorId,
    for_id: key.forId,
    session: key.session,
    credential: key.credential,
    hour: key.hour.toISOString(),
    clearance,
    records,
    sensitivity: label.sensitivity,
    scope: label.scope,
    visibility_class: label.visibilityClass,
    participants: label.participants,
  }))
  const oldest = Math.min(...exposures.map(({ key }) => key.hour.getTime())) - 2 * DAY
  await tx.query(SAVE_EXPOSURES, [tenant, JSON.stringify(rows), new Date(oldest)])
}

const columns = (keys: readonly ExposureKey[]) => [
  keys.map(key => key.actorId),
  keys.map(key => key.forId),
  keys.map(key => key.session),
  keys.map(key => key.credential),
  keys.map(key => key.hour),
]

const LOAD_EXPOSURES = `
  select
    e.actor_id as "actorId",
    e.for_id as "forId",
    e.session,
    e.credential,
    e.hour,
    e.sensitivity,
    e.scope,
    e.visibility_class as "visibilityClass",
    e.participants
  from privity.exposures e
  join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[])
      as wanted (actor_id, for_id, session, credential, hour)
    using (actor_id, for_id, session, credential, hour)
  where e.tenant_id = $1
  order by e.actor_id, e.for_id, e.session, e.credential, e.hour
  for update of e`

const SAVE_EXPOSURES = `
  with shown as (
    select *
    from json_to_recordset($2::json) as row (
      actor_id uuid, for_id uuid, session text, credential text, hour timestamptz, clearance jsonb, records uuid[],
      sensitivity text, scope text, visibility_class text, participants text[])
  ),
  ended as (
    delete from privity.exposures e
    where e.tenant_id = $1
      and e.actor_id in (select actor_id from shown)
      and e.hour < $3
  )
  insert into privity.exposures (
    tenant_id, actor_id, for_id, session, credential, hour, clearance, records,
    sensitivity, scope, visibility_class, participants)
  select
    $1, actor_id, for_id, session, credential, hour, clearance, records,
    sensitivity, scope, visibility_class, participants
  from shown
  order by actor_id, for_id, session, credential, hour
  on conflict (tenant_id, actor_id, for_id, session, credential, hour) do update set
    records = (exposures.records || excluded.records)[:${MOST_REASONS}],
    sensitivity = excluded.sensitivity,
    scope = excluded.scope,
    visibility_class = excluded.visibility_class,
    participants = excluded.participants`
