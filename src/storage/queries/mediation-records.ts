import type { Transaction } from '../database.js'
import { RECORD_COLUMNS, type RecordRow } from './fetch-records.js'
import { logChanges } from './insert-records.js'
import { IS_SEEN_IN_FULL } from './seen-rows.js'
import type { TimeKey } from './time-key.js'

/** Selects the mediation records of one vessel. A missing field does not restrict the selection. */
export interface MediationFilter {
  readonly relationship: string
  readonly session?: string | undefined
  readonly notSession?: string | undefined
  readonly kinds: readonly string[]
  readonly contentTypes?: readonly string[] | undefined
  readonly confirmed?: boolean | undefined
  /** Only records that the caller sees in full, which is what a model receives. */
  readonly inFull?: boolean
}

const parametersOf = (
  tenant: string,
  principal: string,
  filter: MediationFilter,
  before: TimeKey | null,
  limit: number,
) => [
  tenant,
  principal,
  filter.relationship,
  filter.session ?? null,
  filter.notSession ?? null,
  filter.kinds,
  filter.contentTypes ?? null,
  filter.confirmed ?? null,
  filter.inFull ?? false,
  before?.createdAt ?? null,
  before?.id ?? null,
  limit,
]

const select = (vessel: string, whose: string) => `
  select ${RECORD_COLUMNS}
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.vessel = '${vessel}'
    and r.relationship = $3
    and ${whose}
    and ($4::text is null or r.session = $4)
    and ($5::text is null or r.session <> $5)
    and r.kind = any ($6::text[])
    and ($7::text[] is null or r.content_type = any ($7))
    and ($8::boolean is null or r.confirmed = $8)
    and (not $9::boolean or ${IS_SEEN_IN_FULL})
    and ($10::timestamptz is null or (r.created_at, r.record_id) < ($10, $11::uuid))
  order by r.created_at desc, r.record_id desc
  limit $12`

/** The records in a person's own vessel, newest first; never those in a partner's vessel (RC-18). */
export function listUserVessel(
  tx: Transaction,
  tenant: string,
  owner: string,
  filter: MediationFilter,
  before: TimeKey | null,
  limit: number,
): Promise<RecordRow[]> {
  return tx.query<RecordRow>(LIST_USER_VESSEL, parametersOf(tenant, owner, filter, before, limit))
}

const LIST_USER_VESSEL = select('user', 'r.owner = $2')

/**
 * The records that are shared with a person, those that the person shared, or both, as `which` says; newest first.
 */
export function listSharedVessel(
  tx: Transaction,
  tenant: string,
  principal: string,
  which: 'addressed' | 'addressed or own' | 'own',
  filter: MediationFilter,
  before: TimeKey | null,
  limit: number,
): Promise<RecordRow[]> {
  return tx.query<RecordRow>(
    LIST_SHARED_VESSEL[which],
    parametersOf(tenant, principal, filter, before, limit),
  )
}

const ADDRESSED = `(r.addressees = '{}' or $2 = any (r.addressees))`
const LIST_SHARED_VESSEL = {
  addressed: select('shared', ADDRESSED),
  'addressed or own': select('shared', `(r.owner = $2 or ${ADDRESSED})`),
  own: select('shared', 'r.owner = $2'),
}

/** Replaces the custom fields of a record, which only its full face shows. */
export async function setRecordFields(
  tx: Transaction,
  tenant: string,
  id: string,
  fields: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await tx.query(SET_FIELDS, [tenant, id, JSON.stringify(fields), now])
  await logChanges(tx, tenant, [id])
}

const SET_FIELDS = `
  update privity.records
  set fields = $3::jsonb, updated_at = $4
  where tenant_id = $1
    and record_id = $2::uuid`

/** Gives a record other words and fields under the same id. */
export async function setRecordWords(
  tx: Transaction,
  tenant: string,
  id: string,
  text: string,
  fields: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await tx.query(SET_WORDS, [tenant, id, text, JSON.stringify(fields), now])
  await logChanges(tx, tenant, [id])
}

const SET_WORDS = `
  update privity.records
  set text = $3, fields = $4::jsonb, updated_at = $5
  where tenant_id = $1
    and record_id = $2::uuid`

/** Removes a participant's feedback and outcomes from the shared records of a session. */
export async function eraseStatements(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
  now: Date,
): Promise<void> {
  const changed = await tx.query<{ id: string }>(ERASE_SAYINGS, [tenant, session, actor, now])
  await logChanges(
    tx,
    tenant,
    changed.map(row => row.id),
  )
}

const ERASE_SAYINGS = `
  update privity.records
  set
    fields = fields #- array['feedback', $3] #- array['outcomes', $3],
    updated_at = $4
  where tenant_id = $1
    and session = $2
    and vessel = 'shared'
    and (fields -> 'feedback' ? $3 or fields -> 'outcomes' ? $3)
  returning record_id as "id"`

/**
 * Shared records of the session itself that only this participant supports: their plans and unconfirmed proposals.
 */
export async function listIdsBackedByOne(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(STOOD_BEHIND_ALONE, [tenant, session, actor])
  return rows.map(row => row.id)
}

const STOOD_BEHIND_ALONE = `
  select record_id as "id"
  from privity.records
  where tenant_id = $1
    and session = $2
    and vessel = 'shared'
    and consent_record is null
    and (fields ->> 'by' = $3 or kind = 'agreement' and not confirmed and fields -> 'agreedBy' ? $3)
  order by record_id`

/** The ids of all records of a session, whoever owns them, or only of one owner's. */
export async function listSessionRecordIds(
  tx: Transaction,
  tenant: string,
  session: string,
  owner: string | null,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(IDS_OF_SESSION, [tenant, session, owner])
  return rows.map(row => row.id)
}

const IDS_OF_SESSION = `
  select record_id as "id"
  from privity.records
  where tenant_id = $1
    and session = $2
    and ($3::text is null or owner = $3)
  order by record_id`
