import type { MarkingPolicy } from '../../policy/watermark.js'
import type { Transaction } from '../database.js'

/** A profile as it is stored. */
export interface ProfileRow {
  readonly profileId: string
  /** The principal to whom it belongs: the host, also for recipients who come by a link. */
  readonly owner: string
  /** The actor who makes requests under it. */
  readonly actor: string
  readonly sessionKind: string
  readonly identityMode: string
  readonly state: string
  readonly linkId: string | null
  /** The name under which its host let the recipient in, and the approved request. */
  readonly recipientName: string | null
  readonly linkRequest: string | null
  /** The address that the recipient proved, sealed. */
  readonly recipientEmail: string | null
  /** The hash of what the recipient agreed to when it was opened. */
  readonly agreementHash: string | null
  readonly parentProfile: string | null
  readonly fields: ProfileFields
  readonly expiresAt: Date | null
  /** When it expires unless it is used before; null if it does not. */
  readonly idleAt: Date | null
  /** The time at which it is revoked, for the reason `endsReason`. */
  readonly endsAt: Date | null
  readonly endsReason: string | null
  readonly createdBy: string
  readonly createdAt: Date
  readonly activatedAt: Date | null
  readonly suspendedAt: Date | null
  readonly suspendedReason: string | null
  readonly revokedAt: Date | null
  readonly revokedReasonCode: string | null
  readonly version: number
  readonly hash: string
  readonly policyGeneration: string | null
}

/** The settings of a profile, apart from its identity and its lifecycle (SP-1). Absent and null mean the same. */
export interface ProfileFields {
  readonly capabilityPolicyRef?: string | null | undefined
  readonly documentAccessPolicyRef?: string | null | undefined
  readonly sourceVisibilityFloor?: string | null | undefined
  readonly visibilityClassCeiling?: string | null | undefined
  readonly whyBlockedSurface?: boolean | undefined
  readonly sessionDenialMessagePolicyRef?: string | null | undefined
  readonly derivedMemorySharePolicy?: string | null | undefined
  readonly hostAnnotationPolicy?: string | null | undefined
  readonly outputPolicyRef?: string | null | undefined
  readonly documentDeliveryPolicyRef?: string | null | undefined
  readonly transcriptRetentionPolicyRef?: string | null | undefined
  readonly learningCapturePolicyRef?: string | null | undefined
  readonly utilitySignalPolicyRef?: string | null | undefined
  readonly doc1GovernanceSplitRef?: string | null | undefined
  readonly maxQueriesPerHour?: number | null | undefined
  readonly maxDocumentViewsPerHour?: number | null | undefined
  readonly maxUploadsPerDay?: number | null | undefined
  readonly maxResultCount?: number | null | undefined
  readonly maxContextTokens?: number | null | undefined
  readonly maxDocumentBytes?: number | null | undefined
  readonly maxUiComplexityTier?: string | null | undefined
  readonly effectiveUiComplexityTier?: string | null | undefined
  readonly expertMode?: boolean | undefined
  readonly nativeSessionScopeBindingRef?: string | null | undefined
  readonly externalUploadFileSafetyControlsRef?: string | null | undefined
  readonly sourcePolicySnapshotRef?: string | null | undefined
  readonly auditScope?: string | undefined
  /** The intent of every question under it, whatever the question says (SR-2). */
  readonly queryIntent?: string | null | undefined
  /**
   * Whether it sees only through its views. Recipients always do, and so do agents that inherit only part of what
   * their host sees.
   */
  readonly boundByViews?: boolean
  /**
   * Whether it represents the requests of an actor without an explicit profile, so that what these spawn has a
   * parent.
   */
  readonly implicit?: boolean
}

export const PROFILE_COLUMNS = `
    p.profile_id as "profileId",
    p.owner,
    p.actor,
    p.session_kind as "sessionKind",
    p.identity_mode as "identityMode",
    p.state,
    p.link_id as "linkId",
    p.recipient_name as "recipientName",
    p.link_request as "linkRequest",
    p.recipient_email as "recipientEmail",
    p.agreement_hash as "agreementHash",
    p.parent_profile as "parentProfile",
    p.fields,
    p.expires_at as "expiresAt",
    p.idle_at as "idleAt",
    p.ends_at as "endsAt",
    p.ends_reason as "endsReason",
    p.created_by as "createdBy",
    p.created_at as "createdAt",
    p.activated_at as "activatedAt",
    p.suspended_at as "suspendedAt",
    p.suspended_reason as "suspendedReason",
    p.revoked_at as "revokedAt",
    p.revoked_reason_code as "revokedReasonCode",
    p.version,
    p.hash,
    p.policy_generation as "policyGeneration"`

/** A view as it is stored. */
export interface SharedViewRow {
  readonly viewId: string
  readonly owner: string
  readonly corpus: string
  readonly name: string
  readonly ownerSessionRef: string | null
  readonly exposedSurfaces: readonly string[]
  readonly derivedMemorySharePolicy: string
  readonly hostAnnotationPolicy: string
  readonly viewTemporalMode: string
  readonly snapshotAt: Date | null
  readonly documentScope: unknown
  readonly visibilityClassCeiling: string
  readonly disclosesExclusions: boolean
  readonly excludedCount: number | null
  readonly sharedAt: Date | null
  readonly createdAt: Date
}

export const VIEW_COLUMNS = `
    v.view_id as "viewId",
    v.owner,
    v.corpus,
    v.name,
    v.owner_session as "ownerSessionRef",
    v.exposed_surfaces as "exposedSurfaces",
    v.derived_memory_share_policy as "derivedMemorySharePolicy",
    v.host_annotation_policy as "hostAnnotationPolicy",
    v.view_temporal_mode as "viewTemporalMode",
    v.snapshot_at as "snapshotAt",
    v.document_scope as "documentScope",
    v.visibility_class_ceiling as "visibilityClassCeiling",
    v.discloses_exclusions as "disclosesExclusions",
    v.excluded_count as "excludedCount",
    v.shared_at as "sharedAt",
    v.created_at as "createdAt"`

/** The settings of a profile's link that apply to all its requests. */
export interface LinkFacts {
  readonly linkId: string
  readonly allowedActions: readonly unknown[]
  readonly rateLimits: {
    readonly maxQueriesPerHour?: number
    readonly maxDocumentViewsPerHour?: number
    readonly maxUploadsPerDay?: number
  }
  readonly auditVisibility: string
  /** How copies are marked; null if they are not. */
  readonly watermarkPolicy: MarkingPolicy | null
  /** The email address, sealed. */
  readonly recipientEmail: string | null
  /** After how many seconds without use its sessions end; null if they do not. */
  readonly sessionIdleSeconds: number | null
  /** What its host asks for, if it only takes files in. Where that is filed is for the host alone. */
  readonly requestMessage: string | null
}

/** A typed policy to which profiles refer. */
export interface ProfilePolicyRow {
  readonly kind: string
  readonly policyId: string
  readonly owner: string
  readonly policy: unknown
  readonly createdAt: Date
}

/** A profile and everything on which a request under it depends. */
export interface RunningRow {
  /** The profile, and those that spawned it, nearest first. */
  readonly chain: readonly ProfileRow[]
  readonly link: LinkFacts | null
  readonly views: readonly SharedViewRow[]
  /** The typed policies of the profiles' owners. */
  readonly policies: readonly ProfilePolicyRow[]
  /** The generations of the profiles, of their owners and of the link, by owner of facts. */
  readonly generations: ReadonlyMap<string, string>
}

/** The owners of facts whose generations advance with a profile and with a link. */
export const profileOwner = (profile: string): string => `profile:${profile}`
export const linkOwner = (link: string): string => `link:${link}`

/**
 * Runs five statements whatever it finds, so that an absent profile takes as long as one that is not the caller's
 * (NI-5).
 */
export async function loadRunningProfile(
  tx: Transaction,
  tenant: string,
  profileId: string,
  options: { readonly lock?: boolean } = {},
): Promise<RunningRow> {
  const chain = await tx.query<ProfileRow>(options.lock ? HOLD_CHAIN : LOAD_CHAIN, [tenant, profileId])
  const link = chain[0]?.linkId ?? null
  const views = await tx.query<SharedViewRow>(LOAD_VIEWS, [tenant, profileId])
  const [found = null] = await tx.query<LinkFacts>(LOAD_LINK, [tenant, link])
  const hosts = [...new Set(chain.map(({ owner }) => owner))]
  const policies = await listProfilePolicies(tx, tenant, hosts)
  const owners = [
    ...hosts,
    ...chain.map(row => profileOwner(row.profileId)),
    ...(link === null ? [] : [linkOwner(link)]),
  ]
  const rows = await tx.query<{ owner: string; generation: string }>(LOAD_GENERATIONS, [tenant, owners])
  return {
    chain,
    link: found,
    views,
    policies,
    generations: new Map(rows.map(({ owner, generation }) => [owner, generation])),
  }
}

/** A profile and those that spawned it, nearest first; empty for null. */
export function loadChain(tx: Transaction, tenant: string, profileId: string | null): Promise<ProfileRow[]> {
  return tx.query<ProfileRow>(LOAD_CHAIN, [tenant, profileId])
}

/** The chains of several profiles, each nearest first, by the profile with which they begin. */
export async function loadChains(
  tx: Transaction,
  tenant: string,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ProfileRow[]>> {
  const chains = new Map<string, ProfileRow[]>()
  const rows = await tx.query<ProfileRow & { readonly first: string }>(LOAD_CHAINS, [tenant, profileIds])
  for (const { first, ...row } of rows) chains.set(first, [...(chains.get(first) ?? []), row])
  return chains
}

const LOAD_CHAINS = `
  with recursive chain (first, profile_id, depth) as (
    select first, first, 0
    from unnest($2::uuid[]) as first
    union all
    select chain.first, p.parent_profile, chain.depth + 1
    from chain
    join privity.profiles p on p.tenant_id = $1 and p.profile_id = chain.profile_id
    where p.parent_profile is not null
      and chain.depth < 16
  )
  select chain.first, ${PROFILE_COLUMNS}
  from chain
  join privity.profiles p on p.tenant_id = $1 and p.profile_id = chain.profile_id
  order by chain.first, chain.depth`

// The depth limit exceeds any valid chain: a cycle ends here.
const LOAD_CHAIN = `
  with recursive chain (profile_id, depth) as (
    select $2::uuid, 0
    union all
    select p.parent_profile, chain.depth + 1
    from chain
    join privity.profiles p on p.tenant_id = $1 and p.profile_id = chain.profile_id
    where p.parent_profile is not null
      and chain.depth < 16
  )
  select ${PROFILE_COLUMNS}
  from chain
  join privity.profiles p on p.tenant_id = $1 and p.profile_id = chain.profile_id
  order by chain.depth`
// A write under a profile completes before the profile ends, or does not happen (SP-5).
const HOLD_CHAIN = `${LOAD_CHAIN}
  for share of p`

const LOAD_VIEWS = `
  select ${VIEW_COLUMNS}
  from privity.profile_views pv
  join privity.shared_views v using (tenant_id, view_id)
  where pv.tenant_id = $1
    and pv.profile_id = $2
  order by v.view_id`

const LOAD_LINK = `
  select
    link_id as "linkId",
    allowed_actions as "allowedActions",
    rate_limits as "rateLimits",
    audit_visibility as "auditVisibility",
    watermark_policy as "watermarkPolicy",
    recipient_email as "recipientEmail",
    session_idle_seconds as "sessionIdleSeconds",
    file_request ->> 'message' as "requestMessage"
  from privity.share_links
  where tenant_id = $1
    and link_id = $2`

const LOAD_GENERATIONS = `
  select owner, generation
  from privity.generations
  where tenant_id = $1
    and owner = any ($2::text[])`

export function listProfilePolicies(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
): Promise<ProfilePolicyRow[]> {
  return tx.query(LIST_POLICIES, [tenant, owners])
}

const LIST_POLICIES = `
  select kind, policy_id as "policyId", owner, policy, created_at as "createdAt"
  from privity.session_policies
  where tenant_id = $1
    and owner = any ($2::text[])
  order by kind, owner, policy_id`

/** Passes the limits of a request to row-level security, once its profile is known. */
export async function narrowSettings(
  tx: Transaction,
  settings: { ceiling: string; floor: string | null; bound: boolean; link: string | null },
): Promise<void> {
  await tx.query(NARROW_SETTINGS, [
    settings.ceiling,
    settings.floor ?? 'none',
    settings.bound ? 'on' : 'off',
    settings.link ?? '',
  ])
}

const NARROW_SETTINGS = `
  select
    set_config('privity.ceiling', $1, true),
    set_config('privity.floor', $2, true),
    set_config('privity.bound', $3, true),
    set_config('privity.link', $4, true)`
