import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  DERIVED_MEMORY_SHARE_POLICIES,
  HOST_ANNOTATION_POLICIES,
  IDENTITY_MODES,
  rank,
  SESSION_KINDS,
  UI_COMPLEXITY_TIERS,
  VISIBILITY_CLASSES,
} from '../policy/vocabulary.js'
import { id, moment, name } from '../runtime/input.js'
import { stateOf } from '../runtime/profile.js'
import type { ReadRequest } from '../runtime/request.js'
import { QUERY_INTENTS } from '../runtime/search/router/intent.js'
import type { ProfileWithViews } from '../storage/queries/profiles.js'
import type { ProfileFields, ProfileRow } from '../storage/queries/running-profile.js'

const count = z.int().min(0).max(1_000_000_000)

/** Whose audit a session is in. */
export const AUDIT_SCOPES = ['host_only', 'session_local', 'both'] as const

/** What a profile says beside its kind (SP-1). */
export const profileFields = {
  capabilityPolicyRef: name.nullable().optional(),
  documentAccessPolicyRef: name.nullable().optional(),
  sourceVisibilityFloor: z.enum(VISIBILITY_CLASSES).nullable().optional(),
  visibilityClassCeiling: z.enum(VISIBILITY_CLASSES).nullable().optional(),
  whyBlockedSurface: z.boolean().optional(),
  sessionDenialMessagePolicyRef: name.nullable().optional(),
  derivedMemorySharePolicy: z.enum(DERIVED_MEMORY_SHARE_POLICIES).nullable().optional(),
  hostAnnotationPolicy: z.enum(HOST_ANNOTATION_POLICIES).nullable().optional(),
  outputPolicyRef: name.nullable().optional(),
  documentDeliveryPolicyRef: name.nullable().optional(),
  transcriptRetentionPolicyRef: name.nullable().optional(),
  learningCapturePolicyRef: name.nullable().optional(),
  utilitySignalPolicyRef: name.nullable().optional(),
  doc1GovernanceSplitRef: name.nullable().optional(),
  maxQueriesPerHour: count.nullable().optional(),
  maxDocumentViewsPerHour: count.nullable().optional(),
  maxUploadsPerDay: count.nullable().optional(),
  maxResultCount: count.nullable().optional(),
  maxContextTokens: count.nullable().optional(),
  maxDocumentBytes: count.nullable().optional(),
  maxUiComplexityTier: z.enum(UI_COMPLEXITY_TIERS).nullable().optional(),
  expertMode: z.boolean().optional(),
  nativeSessionScopeBindingRef: id.nullable().optional(),
  externalUploadFileSafetyControlsRef: name.nullable().optional(),
  sourcePolicySnapshotRef: name.nullable().optional(),
  auditScope: z.enum(AUDIT_SCOPES).optional(),
  /** What every question is taken to be for, such as a review. */
  queryIntent: z.enum(QUERY_INTENTS).nullable().optional(),
}

export const newProfile = z.strictObject({
  sessionKind: z.enum(SESSION_KINDS).default('host_session'),
  identityMode: z.enum(IDENTITY_MODES).optional(),
  ...profileFields,
  sharedCorpusViewRefs: z.array(id).max(100).default([]),
  expiresAt: moment.optional(),
})

/** A profile as its owner reads it. */
export const sessionProfile = z.object({
  profile: z.string(),
  sessionProfileHash: z.string(),
  policyGenerationId: z.string(),
  profileVersion: z.int(),
  createdByActorRef: z.string(),
  originUserRef: z.string(),
  shareTokenId: z.string().nullable(),
  originatingShareRef: z.string().nullable(),
  /** Whom the host let in by name, and the request that it approved. */
  recipientName: z.string().nullable(),
  linkRequestRef: z.string().nullable(),
  parentProfileRef: z.string().nullable(),
  profileState: z.string(),
  identityMode: z.string(),
  sessionKind: z.string(),
  capabilityPolicyRef: z.string().nullable(),
  documentAccessPolicyRef: z.string().nullable(),
  sourceVisibilityFloor: z.string().nullable(),
  visibilityClassCeiling: z.string().nullable(),
  whyBlockedSurface: z.boolean(),
  sessionDenialMessagePolicyRef: z.string().nullable(),
  sharedCorpusViewRefs: z.array(z.string()),
  derivedMemorySharePolicy: z.string().nullable(),
  hostAnnotationPolicy: z.string().nullable(),
  outputPolicyRef: z.string().nullable(),
  documentDeliveryPolicyRef: z.string().nullable(),
  transcriptRetentionPolicyRef: z.string().nullable(),
  learningCapturePolicyRef: z.string().nullable(),
  utilitySignalPolicyRef: z.string().nullable(),
  doc1GovernanceSplitRef: z.string().nullable(),
  maxQueriesPerHour: z.int().nullable(),
  maxDocumentViewsPerHour: z.int().nullable(),
  maxUploadsPerDay: z.int().nullable(),
  maxResultCount: z.int().nullable(),
  maxContextTokens: z.int().nullable(),
  maxDocumentBytes: z.int().nullable(),
  maxUiComplexityTier: z.string().nullable(),
  effectiveUiComplexityTier: z.string(),
  expertMode: z.boolean(),
  nativeSessionScopeBindingRef: z.string().nullable(),
  externalUploadFileSafetyControlsRef: z.string().nullable(),
  sourcePolicySnapshotRef: z.string().nullable(),
  auditScope: z.string(),
  queryIntent: z.string().nullable(),
  createdAt: z.string(),
  activatedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  suspendedAt: z.string().nullable(),
  suspendedReasonCode: z.string().nullable(),
  revokedAt: z.string().nullable(),
  revokedReasonCode: z.string().nullable(),
  /** When a session ends whose link was revoked. */
  endsAt: z.string().nullable(),
  schemaVersion: z.literal(1),
})
export type SessionProfile = z.input<typeof sessionProfile>

const REFS = [
  'capabilityPolicyRef',
  'documentAccessPolicyRef',
  'sessionDenialMessagePolicyRef',
  'outputPolicyRef',
  'documentDeliveryPolicyRef',
  'transcriptRetentionPolicyRef',
  'learningCapturePolicyRef',
  'utilitySignalPolicyRef',
  'doc1GovernanceSplitRef',
  'nativeSessionScopeBindingRef',
  'externalUploadFileSafetyControlsRef',
  'sourcePolicySnapshotRef',
] as const satisfies readonly (keyof ProfileFields)[]
const OTHERS = [
  'sourceVisibilityFloor',
  'visibilityClassCeiling',
  'derivedMemorySharePolicy',
  'hostAnnotationPolicy',
  'maxUiComplexityTier',
  'queryIntent',
] as const satisfies readonly (keyof ProfileFields)[]
const NUMBERS = [
  'maxQueriesPerHour',
  'maxDocumentViewsPerHour',
  'maxUploadsPerDay',
  'maxResultCount',
  'maxContextTokens',
  'maxDocumentBytes',
] as const satisfies readonly (keyof ProfileFields)[]

/** The profile, in the state and under the policies that hold now. */
export function viewProfile(row: ProfileWithViews, { now, parts }: ReadRequest): SessionProfile {
  const { fields } = row
  const picked = <Field extends keyof ProfileFields>(names: readonly Field[]) =>
    Object.fromEntries(names.map(field => [field, fields[field] ?? null])) as {
      [K in Field]: NonNullable<ProfileFields[K]> | null
    }
  const iso = (at: Date | null) => at?.toISOString() ?? null
  const profileState = stateOf(row, now)
  // Whether or not a job has written down that its time is over.
  const isCut = profileState === 'revoked' && row.state !== 'revoked'
  return {
    profile: row.profileId,
    sessionProfileHash: row.hash,
    policyGenerationId: generationOf(row, parts.identity.tenantGeneration),
    profileVersion: row.version,
    createdByActorRef: row.createdBy,
    originUserRef: row.owner,
    shareTokenId: row.linkId,
    originatingShareRef: row.linkId,
    recipientName: row.recipientName,
    linkRequestRef: row.linkRequest,
    parentProfileRef: row.parentProfile,
    profileState,
    identityMode: row.identityMode,
    sessionKind: row.sessionKind,
    ...picked(REFS),
    ...picked(OTHERS),
    ...picked(NUMBERS),
    whyBlockedSurface: fields.whyBlockedSurface ?? false,
    sharedCorpusViewRefs: [...row.views],
    effectiveUiComplexityTier: effectiveTier(fields),
    expertMode: fields.expertMode ?? false,
    auditScope: fields.auditScope ?? 'both',
    createdAt: row.createdAt.toISOString(),
    activatedAt: iso(row.activatedAt),
    expiresAt: iso(row.expiresAt),
    suspendedAt: iso(row.suspendedAt),
    suspendedReasonCode: row.suspendedReason,
    revokedAt: iso(isCut ? row.endsAt : row.revokedAt),
    revokedReasonCode: isCut ? row.endsReason : row.revokedReasonCode,
    endsAt: iso(row.endsAt),
    schemaVersion: 1,
  }
}

/** One value for all the policies that hold under a profile: its own, its owner's and those of the tenant (SP-1). */
function generationOf(row: ProfileWithViews, ofTenant: string | null): string {
  const generations = [row.policyGeneration, row.ownerGeneration, ofTenant]
  return createHash('sha256').update(JSON.stringify(generations)).digest('base64url').slice(0, 22)
}

/** An expert sees every control, as far as the profile's most complex tier goes. */
function effectiveTier({ maxUiComplexityTier, expertMode }: ProfileFields): string {
  const wanted = expertMode ? 'tier_4_expert' : 'tier_2_standard'
  const most = maxUiComplexityTier ?? 'tier_4_expert'
  return rank(UI_COMPLEXITY_TIERS, wanted) <= rank(UI_COMPLEXITY_TIERS, most) ? wanted : most
}

/** One value for all that a profile says, whatever state it is in: equal profiles have equal hashes. */
export function hashOf(
  row: Pick<
    ProfileRow,
    'owner' | 'actor' | 'sessionKind' | 'identityMode' | 'linkId' | 'parentProfile' | 'fields' | 'expiresAt'
  > & { readonly views: readonly string[] },
): string {
  // What is not said reads like its default, and so it is one content with it.
  const fields = Object.entries({ ...row.fields, auditScope: row.fields.auditScope ?? 'both' })
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const said = [
    row.owner,
    row.actor,
    row.sessionKind,
    row.identityMode,
    row.linkId,
    row.parentProfile,
    fields,
    row.expiresAt?.toISOString() ?? null,
    [...row.views].sort(),
  ]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}
