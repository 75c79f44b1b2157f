import type { Transaction } from '../database.js'
import { PROFILE_COLUMNS, type ProfilePolicyRow, type ProfileRow } from './running-profile.js'
import type { TimeKey } from './time-key.js'

/** A new profile. Fields that only later events set are null. */
export type NewProfile = Omit<
  ProfileRow,
  | 'endsAt'
  | 'endsReason'
  | 'suspendedAt'
  | 'suspendedReason'
  | 'revokedAt'
  | 'revokedReasonCode'
  | OfRecipient
> &
  Partial<Pick<ProfileRow, OfRecipient>> & { readonly views: readonly string[] }
type OfRecipient = 'recipientName' | 'linkRequest' | 'recipientEmail' | 'agreementHash' | 'idleAt'

export async function insertProfile(tx: Transaction, tenant: string, row: NewProfile): Promise<void> {
  await tx.query(INSERT_PROFILE, [
    tenant,
    row.profileId,
    row.owner,
    row.actor,
    row.sessionKind,
    row.identityMode,
    row.state,
    row.linkId,
    row.parentProfile,
    JSON.stringify(row.fields),
    row.expiresAt,
    row.createdBy,
    row.createdAt,
    row.activatedAt,
    row.version,
    row.hash,
    row.policyGeneration,
    row.recipientName ?? null,
    row.linkRequest ?? null,
    row.recipientEmail ?? null,
    row.agreementHash ?? null,
    row.idleAt ?? null,
  ])
  await tx.query(INSERT_PROFILE_VIEWS, [tenant, row.profileId, row.views])
}

const INSERT_PROFILE = `
  insert into privity.profiles
    (tenant_id, profile_id, owner, actor, session_kind, identity_mode, state, link_id, parent_profile, fields,
     expires_at, created_by, created_at, activated_at, version, hash, policy_generation, recipient_name, link_request,
     recipient_email, agreement_hash, idle_at)
  values
    ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`

const INSERT_PROFILE_VIEWS = `
  insert into privity.profile_views (tenant_id, profile_id, view_id)
  select $1, $2, view_id
  from unnest($3::uuid[]) as view_id
  on conflict do nothing`

/** A profile with the ids of its views and the generation of its owner's facts, which include its typed policies. */
export type ProfileWithViews = ProfileRow & {
  readonly views: readonly string[]
  readonly ownerGeneration: string | null
}

/** The additional columns of a ProfileWithViews. */
export const PROFILE_VIEWS = `
    (select g.generation
     from privity.generations g
     where g.tenant_id = p.tenant_id
       and g.owner = p.owner) as "ownerGeneration",
    array(
      select pv.view_id
      from privity.profile_views pv
      where pv.tenant_id = p.tenant_id
        and pv.profile_id = p.profile_id
      order by pv.view_id) as "views"`

/** A profile of one of these owners; locked if it is about to change. */
export async function findProfile(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  profileId: string,
  options: { readonly lock?: boolean } = {},
): Promise<ProfileWithViews | undefined> {
  const [row] = await tx.query<ProfileWithViews>(options.lock ? LOCK_PROFILE : FIND_PROFILE, [
    tenant,
    owners,
    profileId,
  ])
  return row
}

const FIND_PROFILE = `
  select ${PROFILE_COLUMNS}, ${PROFILE_VIEWS}
  from privity.profiles p
  where p.tenant_id = $1
    and p.owner = any ($2::text[])
    and p.profile_id = $3`
const LOCK_PROFILE = `${FIND_PROFILE}
  for update`

export interface ProfileFilter {
  readonly sessionKind: string | null
  readonly link: string | null
}

/** Lists profiles, newest first. */
export function listProfiles(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  filter: ProfileFilter,
  before: TimeKey | null,
  limit: number,
): Promise<ProfileWithViews[]> {
  return tx.query(LIST_PROFILES, [
    tenant,
    owners,
    filter.sessionKind,
    filter.link,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

const LIST_PROFILES = `
  select ${PROFILE_COLUMNS}, ${PROFILE_VIEWS}
  from privity.profiles p
  where p.tenant_id = $1
    and p.owner = any ($2::text[])
    and ($3::text is null or p.session_kind = $3)
    and ($4::uuid is null or p.link_id = $4)
    -- A host who looks as a recipient is nobody who came.
    and not (p.link_id is not null and p.identity_mode = 'host_user')
    and ($5::timestamptz is null or (p.created_at, p.profile_id) < ($5, $6::uuid))
  order by p.created_at desc, p.profile_id desc
  limit $7`

/** Saves the fields of a profile that can change. */
export async function saveProfile(tx: Transaction, tenant: string, row: ProfileRow): Promise<void> {
  await tx.query(SAVE_PROFILE, [
    tenant,
    row.profileId,
    row.state,
    JSON.stringify(row.fields),
    row.expiresAt,
    row.endsAt,
    row.endsReason,
    row.activatedAt,
    row.suspendedAt,
    row.suspendedReason,
    row.revokedAt,
    row.revokedReasonCode,
    row.version,
    row.hash,
    row.policyGeneration,
    row.identityMode,
    row.idleAt,
  ])
}

const SAVE_PROFILE = `
  update privity.profiles
  set
    state = $3,
    fields = $4::jsonb,
    expires_at = $5,
    ends_at = $6,
    ends_reason = $7,
    activated_at = $8,
    suspended_at = $9,
    suspended_reason = $10,
    revoked_at = $11,
    revoked_reason_code = $12,
    version = $13,
    hash = $14,
    policy_generation = $15,
    identity_mode = $16,
    idle_at = $17
  where tenant_id = $1
    and profile_id = $2`

export async function replaceProfileViews(
  tx: Transaction,
  tenant: string,
  profileId: string,
  views: readonly string[],
): Promise<void> {
  await tx.query(DELETE_PROFILE_VIEWS, [tenant, profileId])
  await tx.query(INSERT_PROFILE_VIEWS, [tenant, profileId, views])
}

const DELETE_PROFILE_VIEWS = `
  delete from privity.profile_views
  where tenant_id = $1
    and profile_id = $2`

export async function deleteProfile(tx: Transaction, tenant: string, profileId: string): Promise<void> {
  await tx.query(DELETE_PROFILE, [tenant, profileId])
}

const DELETE_PROFILE = `
  delete from privity.profiles
  where tenant_id = $1
    and profile_id = $2`

/** The profiles of a link that have not ended, locked. */
export function lockProfilesOfLink(
  tx: Transaction,
  tenant: string,
  linkId: string,
  now: Date,
): Promise<ProfileRow[]> {
  return tx.query<ProfileRow>(LOCK_PROFILES, [tenant, linkId, now])
}

/** The number of profiles of a link that have not ended. */
export async function countProfilesOfLink(
  tx: Transaction,
  tenant: string,
  linkId: string,
  now: Date,
): Promise<number> {
  const [row] = await tx.query<{ sessions: number }>(COUNT_PROFILES, [tenant, linkId, now])
  return row?.sessions ?? 0
}

const OF_LINK = `
  from privity.profiles p
  where p.tenant_id = $1
    and p.link_id = $2
    and p.state in ('active', 'suspended')
    and (p.expires_at is null or p.expires_at > $3)
    and (p.state = 'suspended' or p.idle_at is null or p.idle_at > $3)
    and (p.ends_at is null or p.ends_at > $3)`
const LOCK_PROFILES = `
  select ${PROFILE_COLUMNS} ${OF_LINK}
  order by p.profile_id
  for update`
const COUNT_PROFILES = `
  select count(*)::int as "sessions" ${OF_LINK}
    and p.identity_mode <> 'host_user'`

/** Notes that a profile is in use, which moves the time at which it would end idle. */
export async function noteProfileUse(
  tx: Transaction,
  tenant: string,
  profileId: string,
  idleAt: Date,
): Promise<void> {
  await tx.query(NOTE_USE, [tenant, profileId, idleAt])
}

const NOTE_USE = `
  update privity.profiles
  set idle_at = $3
  where tenant_id = $1
    and profile_id = $2
    and idle_at < $3`

/** A profile in which a host looks at a link as a recipient would (DE-8). */
export interface PreviewRow {
  readonly profileId: string
  readonly actor: string
  readonly createdBy: string
  readonly ceiling: string
  readonly maxSensitivity: string
  readonly expiresAt: Date
}

export async function loadPreview(
  tx: Transaction,
  tenant: string,
  profileId: string,
): Promise<PreviewRow | undefined> {
  const [row] = await tx.query<PreviewRow>(LOAD_PREVIEW, [tenant, profileId])
  return row
}

/** The preview of a link that somebody opened before, if it lasts until a time. */
export async function findPreview(
  tx: Transaction,
  tenant: string,
  linkId: string,
  createdBy: string,
  until: Date,
): Promise<PreviewRow | undefined> {
  const [row] = await tx.query<PreviewRow>(FIND_PREVIEW, [tenant, linkId, createdBy, until])
  return row
}

const PREVIEWS = `
  select
    p.profile_id as "profileId",
    p.actor,
    p.created_by as "createdBy",
    p.fields ->> 'visibilityClassCeiling' as "ceiling",
    l.max_sensitivity as "maxSensitivity",
    p.expires_at as "expiresAt"
  from privity.profiles p
  join privity.share_links l using (tenant_id, link_id)
  where p.tenant_id = $1
    and p.identity_mode = 'host_user'`
const LOAD_PREVIEW = `${PREVIEWS}
    and p.profile_id = $2`
const FIND_PREVIEW = `${PREVIEWS}
    and p.link_id = $2
    and p.created_by = $3
    and p.state = 'active'
    and p.ends_at is null
    and p.expires_at > $4
  order by p.expires_at desc
  limit 1`

/** The implicit profile of an actor who uses no explicit one, under one capability policy. */
export async function findImplicitProfile(
  tx: Transaction,
  tenant: string,
  owner: string,
  actor: string,
  policy: string,
): Promise<ProfileWithViews | undefined> {
  const [row] = await tx.query<ProfileWithViews>(FIND_IMPLICIT, [tenant, owner, actor, policy])
  return row
}

const FIND_IMPLICIT = `
  select ${PROFILE_COLUMNS}, ${PROFILE_VIEWS}
  from privity.profiles p
  where p.tenant_id = $1
    and p.owner = $2
    and p.actor = $3
    and p.fields ->> 'capabilityPolicyRef' = $4
    and p.fields -> 'implicit' = 'true'::jsonb
    and p.state = 'active'
  order by p.created_at, p.profile_id
  limit 1`

/** Everything that a profile has spawned, directly or indirectly, farthest first; locked. */
export function lockDescendants(
  tx: Transaction,
  tenant: string,
  profileId: string,
): Promise<ProfileWithViews[]> {
  return tx.query(LOCK_DESCENDANTS, [tenant, profileId])
}

// The depth limit exceeds any valid chain: a cycle ends here.
const LOCK_DESCENDANTS = `
  with recursive below (profile_id, depth) as (
    select p.profile_id, 1
    from privity.profiles p
    where p.tenant_id = $1
      and p.parent_profile = $2
    union
    select p.profile_id, below.depth + 1
    from below
    join privity.profiles p on p.tenant_id = $1 and p.parent_profile = below.profile_id
    where below.depth < 16
  )
  select ${PROFILE_COLUMNS}, ${PROFILE_VIEWS}
  from (select profile_id, max(depth) as depth from below group by profile_id) as deepest
  join privity.profiles p on p.tenant_id = $1 and p.profile_id = deepest.profile_id
  where p.profile_id <> $2
  order by deepest.depth desc, p.profile_id
  for update of p`

/** Records that profiles have expired or that their remaining time has run out, by the same rules as `stateOf`. */
export function expireProfiles(
  tx: Transaction,
  tenant: string,
  now: Date,
): Promise<{ profileId: string; state: string }[]> {
  return tx.query(EXPIRE_PROFILES, [tenant, now])
}

// A profile that nobody uses ends as one whose time is over. `least` ignores what is null.
const EXPIRES = 'least(expires_at, idle_at)'
const IS_CUT = `ends_at <= $2 and (state = 'suspended' or ${EXPIRES} is null or ends_at < ${EXPIRES})`
const EXPIRE_PROFILES = `
  update privity.profiles
  set
    state = case when ${IS_CUT} then 'revoked' else 'expired' end,
    revoked_at = case when ${IS_CUT} then ends_at end,
    revoked_reason_code = case when ${IS_CUT} then ends_reason end
  where tenant_id = $1
    and ((state = 'active' and (${EXPIRES} <= $2 or ends_at <= $2)) or (state = 'suspended' and ends_at <= $2))
  returning profile_id as "profileId", state`

export async function saveProfilePolicy(
  tx: Transaction,
  tenant: string,
  row: ProfilePolicyRow,
): Promise<void> {
  await tx.query(SAVE_POLICY, [
    tenant,
    row.kind,
    row.policyId,
    row.owner,
    JSON.stringify(row.policy),
    row.createdAt,
  ])
}

const SAVE_POLICY = `
  insert into privity.session_policies (tenant_id, kind, policy_id, owner, policy, created_at)
  values ($1, $2, $3, $4, $5::jsonb, $6)
  on conflict (tenant_id, kind, owner, policy_id) do update set policy = excluded.policy`
