import type { Transaction } from '../database.js'
import { RECORD_COLUMNS, type RecordRow } from './fetch-records.js'
import { logChanges } from './insert-records.js'
import { IS_SEEN_IN_FULL } from './seen-rows.js'
import type { TimeKey } from './time-key.js'

/** Which records of a mediation, of one vessel. What is not said asks for all. */
export interface MediationFilter {
  readonly relationship: string
  readonly session?: string | undefined
  readonly notSession?: string | undefined
  readonly kinds: readonly string[]
  readonly contentTypes?: readonly string[] | undefined
  readonly confirmed?: boolean | undefined
  /** Only what this caller sees in full: what a model is given. */
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

/** What somebody keeps for themselves, newest first. Never a partner's vessel (RC-18). */
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

/** What is shared with somebody, and what they shared themselves where that is asked for; newest first. */
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

/** Changes the custom fields of a record, which only its full face shows. */
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

/** Takes out of the shared records of a session what one of its participants said to them. */
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

/** What came of a session as a whole and only one of its participants stands behind: their plans and proposals. */
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

/** Ids of all records of a session, whoever owns them; or of one owner's alone. */
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
