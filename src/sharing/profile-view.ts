import { createHash } from 'node:crypto'
import { z } from 'zod'
import { rank, UI_COMPLEXITY_TIERS } from '../policy/vocabulary.js'
import { createdAt, describedAs, schemaVersion } from '../runtime/fields.js'
import { id, moment, name } from '../runtime/input.js'
import { stateOf } from '../runtime/profile.js'
import type { ReadRequest } from '../runtime/request.js'
import { queryIntent } from '../runtime/search/router/intent.js'
import {
  derivedMemorySharePolicy,
  hostAnnotationPolicy,
  identityMode,
  profileKind,
  uiComplexityTier,
  visibilityClass,
} from '../runtime/vocabulary.js'
import type { ProfileWithViews } from '../storage/queries/profiles.js'
import type { ProfileFields, ProfileRow } from '../storage/queries/running-profile.js'
import { provedAddress } from './recipient-address.js'

const count = z.int().min(0).max(1_000_000_000)

/** Which audit log the entries of a profile appear in. */
export const AUDIT_SCOPES = ['host_only', 'session_local', 'both'] as const

/** The fields of a profile besides its kind (SP-1). */
export const profileFields = {
  capabilityPolicyRef: name.nullable().optional().meta({
    description: 'A capability policy it is under, by its name. Default: the one you are under.',
    example: 'reading',
  }),
  documentAccessPolicyRef: name.nullable().optional().meta({
    description: 'Whether documents may be opened: a policy of kind `document_access_policy`, by its name.',
    example: 'list only',
  }),
  sourceVisibilityFloor: visibilityClass
    .nullable()
    .optional()
    .meta({ description: 'The lowest visibility class that is shown.', example: 'public_open' }),
  visibilityClassCeiling: visibilityClass
    .nullable()
    .optional()
    .meta({ description: 'The highest visibility class that is shown.', example: 'privileged' }),
  whyBlockedSurface: z.boolean().optional().meta({
    description: 'Whether an interface may show why something is not available. Host sessions only.',
    example: true,
  }),
  sessionDenialMessagePolicyRef: name.nullable().optional().meta({
    description: 'The words of refusals: a policy of kind `session_denial_message_policy`, by its name.',
    example: 'plain',
  }),
  derivedMemorySharePolicy: derivedMemorySharePolicy
    .nullable()
    .optional()
    .meta({ description: 'How much is shown of what was derived from documents.' }),
  hostAnnotationPolicy: hostAnnotationPolicy
    .nullable()
    .optional()
    .meta({ description: "How much is shown of the host's notes on documents." }),
  outputPolicyRef: name.nullable().optional().meta({
    description: 'How long a context may be: a policy of kind `output_policy`, by its name.',
    example: 'short',
  }),
  documentDeliveryPolicyRef: name.nullable().optional().meta({
    description: 'Whether copies may leave: a policy of kind `document_delivery_policy`, by its name.',
    example: 'view only',
  }),
  transcriptRetentionPolicyRef: name.nullable().optional().meta({
    description:
      'How long its searches are kept: a policy of kind `transcript_retention_policy`, by its name.',
    example: 'a year',
  }),
  learningCapturePolicyRef: name.nullable().optional().meta({
    description: 'Whether the host learns from it: a policy of kind `learning_capture_policy`, by its name.',
    example: 'none',
  }),
  utilitySignalPolicyRef: name.nullable().optional().meta({
    description: 'Where signals go: a policy of kind `utility_signal_policy`, by its name.',
    example: 'host',
  }),
  doc1GovernanceSplitRef: name.nullable().optional().meta({
    description: 'What governs it: a policy of kind `doc1_governance_split`, by its name.',
    example: 'session',
  }),
  maxQueriesPerHour: count
    .nullable()
    .optional()
    .meta({ description: 'Most searches per hour.', example: 60 }),
  maxDocumentViewsPerHour: count
    .nullable()
    .optional()
    .meta({ description: 'Most documents opened or downloaded per hour.', example: 60 }),
  maxUploadsPerDay: count
    .nullable()
    .optional()
    .meta({ description: 'Most files uploaded per day.', example: 10 }),
  maxResultCount: count.nullable().optional().meta({ description: 'Most results on a page.', example: 20 }),
  maxContextTokens: count
    .nullable()
    .optional()
    .meta({ description: 'Most tokens given to a model.', example: 4_000 }),
  maxDocumentBytes: count
    .nullable()
    .optional()
    .meta({ description: 'Most bytes shown of a document; the rest is cut off.', example: 100_000 }),
  maxUiComplexityTier: uiComplexityTier
    .nullable()
    .optional()
    .meta({ description: 'The most complex interface it may have.' }),
  expertMode: z.boolean().optional().meta({
    description: 'Whether an interface shows every control, as far as its tier goes.',
    example: true,
  }),
  nativeSessionScopeBindingRef: id
    .nullable()
    .optional()
    .meta({ description: 'The binding of the session it runs in, by its id.' }),
  externalUploadFileSafetyControlsRef: name.nullable().optional().meta({
    description:
      'How uploads are checked: a policy of kind `external_upload_file_safety_controls`, by its name.',
    example: 'strict',
  }),
  sourcePolicySnapshotRef: name.nullable().optional().meta({
    description: 'The state of the policies it is made with. Default: the current one.',
    example: 'generation-7',
  }),
  auditScope: z.enum(AUDIT_SCOPES).optional().meta({
    description: 'Who may read what it did: the host, the session itself, or both.',
    example: 'both',
  }),
  queryIntent: queryIntent
    .nullable()
    .optional()
    .meta({ description: 'What every question in it is taken for, whatever its words say.' }),
}

export const newProfile = z.strictObject({
  sessionKind: profileKind.default('host_session').meta({ description: 'What sort of session it is.' }),
  identityMode: identityMode
    .optional()
    .meta({ description: 'How whoever uses the session proves who they are.', example: 'host_user' }),
  ...profileFields,
  sharedCorpusViewRefs: z
    .array(id)
    .max(100)
    .default([])
    .meta({ description: 'The views it sees by, by their ids.' }),
  expiresAt: moment.optional().meta({ description: 'When it expires: nothing runs under it from then on.' }),
})

export const profileView = z
  .object({
    profile: z.string().meta({ description: 'The id of the profile.' }),
    sessionProfileHash: z
      .string()
      .meta({ description: 'A digest of the profile and the policies it refers to.' }),
    policyGenerationId: z
      .string()
      .meta({ description: 'The policies it was made with, by their generation.' }),
    profileVersion: z.int().meta({ description: 'The number of its version.' }),
    createdByActorRef: z.string().meta({ description: 'Who made it.' }),
    originUserRef: z.string().meta({ description: 'The person it works for.' }),
    shareTokenId: z
      .string()
      .nullable()
      .meta({ description: 'The share link it was opened by, by its id; null if none.' }),
    originatingShareRef: z
      .string()
      .nullable()
      .meta({ description: 'The share link it comes from, by its id; null if none.' }),
    recipientName: z
      .string()
      .nullable()
      .meta({ description: 'The name the host let in; null if nobody was asked by name.' }),
    recipientEmail: z
      .string()
      .nullable()
      .meta({ description: 'The address that the recipient proved; null if none.' }),
    linkRequestRef: z
      .string()
      .nullable()
      .meta({ description: 'The request that the host approved, by its id; null if none.' }),
    parentProfileRef: z
      .string()
      .nullable()
      .meta({ description: 'The profile above it, by its id; null if none.' }),
    profileState: z.string().meta({ description: 'The state of the profile.' }),
    identityMode: z.string().meta({ description: 'How whoever uses the session proves who they are.' }),
    sessionKind: z.string().meta({ description: 'What sort of session it is.' }),
    capabilityPolicyRef: describedAs(profileFields.capabilityPolicyRef, z.string().nullable()),
    documentAccessPolicyRef: describedAs(profileFields.documentAccessPolicyRef, z.string().nullable()),
    sourceVisibilityFloor: describedAs(profileFields.sourceVisibilityFloor, z.string().nullable()),
    visibilityClassCeiling: describedAs(profileFields.visibilityClassCeiling, z.string().nullable()),
    whyBlockedSurface: describedAs(profileFields.whyBlockedSurface, z.boolean()),
    sessionDenialMessagePolicyRef: describedAs(
      profileFields.sessionDenialMessagePolicyRef,
      z.string().nullable(),
    ),
    sharedCorpusViewRefs: z.array(z.string()).meta({ description: 'The views it sees by, by their ids.' }),
    derivedMemorySharePolicy: describedAs(profileFields.derivedMemorySharePolicy, z.string().nullable()),
    hostAnnotationPolicy: describedAs(profileFields.hostAnnotationPolicy, z.string().nullable()),
    outputPolicyRef: describedAs(profileFields.outputPolicyRef, z.string().nullable()),
    documentDeliveryPolicyRef: describedAs(profileFields.documentDeliveryPolicyRef, z.string().nullable()),
    transcriptRetentionPolicyRef: describedAs(
      profileFields.transcriptRetentionPolicyRef,
      z.string().nullable(),
    ),
    learningCapturePolicyRef: describedAs(profileFields.learningCapturePolicyRef, z.string().nullable()),
    utilitySignalPolicyRef: describedAs(profileFields.utilitySignalPolicyRef, z.string().nullable()),
    doc1GovernanceSplitRef: describedAs(profileFields.doc1GovernanceSplitRef, z.string().nullable()),
    maxQueriesPerHour: describedAs(profileFields.maxQueriesPerHour, z.int().nullable()),
    maxDocumentViewsPerHour: describedAs(profileFields.maxDocumentViewsPerHour, z.int().nullable()),
    maxUploadsPerDay: describedAs(profileFields.maxUploadsPerDay, z.int().nullable()),
    maxResultCount: describedAs(profileFields.maxResultCount, z.int().nullable()),
    maxContextTokens: describedAs(profileFields.maxContextTokens, z.int().nullable()),
    maxDocumentBytes: describedAs(profileFields.maxDocumentBytes, z.int().nullable()),
    maxUiComplexityTier: describedAs(profileFields.maxUiComplexityTier, z.string().nullable()),
    effectiveUiComplexityTier: z
      .string()
      .meta({ description: 'The most complex interface it may have, all told.' }),
    expertMode: describedAs(profileFields.expertMode, z.boolean()),
    nativeSessionScopeBindingRef: describedAs(
      profileFields.nativeSessionScopeBindingRef,
      z.string().nullable(),
    ),
    externalUploadFileSafetyControlsRef: describedAs(
      profileFields.externalUploadFileSafetyControlsRef,
      z.string().nullable(),
    ),
    sourcePolicySnapshotRef: describedAs(profileFields.sourcePolicySnapshotRef, z.string().nullable()),
    auditScope: describedAs(profileFields.auditScope, z.string()),
    queryIntent: describedAs(profileFields.queryIntent, z.string().nullable()),
    createdAt,
    activatedAt: z.string().nullable().meta({ description: 'When it was activated; null until then.' }),
    expiresAt: z.string().nullable().meta({ description: 'When it expires; null if it does not.' }),
    suspendedAt: z.string().nullable().meta({ description: 'When it was suspended; null if it is not.' }),
    suspendedReasonCode: z
      .string()
      .nullable()
      .meta({ description: 'Why it was suspended, as a code; null if it is not.' }),
    revokedAt: z.string().nullable().meta({ description: 'When it was revoked; null while it is valid.' }),
    revokedReasonCode: z
      .string()
      .nullable()
      .meta({ description: 'Why it was revoked, as a code; null if it was not.' }),
    endsAt: z
      .string()
      .nullable()
      .meta({ description: 'When a session whose link was revoked ends; null if it was not.' }),
    idleAt: z
      .string()
      .nullable()
      .meta({ description: 'When it expires unless it is used before; null if it does not.' }),
    agreementSha256: z.string().nullable().meta({
      description:
        'SHA-256 of what the recipient agreed to when the session was opened, at `createdAt`; null if nothing.',
    }),
    schemaVersion,
  })
  .meta({ id: 'SessionProfile', description: 'A session: who is in it, what it sees and what it may do.' })
export type ProfileView = z.input<typeof profileView>

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

/** The profile with its current state and policies. */
export function viewProfile(row: ProfileWithViews, request: ReadRequest): ProfileView {
  const { now, parts } = request
  const { fields } = row
  const picked = <Field extends keyof ProfileFields>(names: readonly Field[]) =>
    Object.fromEntries(names.map(field => [field, fields[field] ?? null])) as {
      [K in Field]: NonNullable<ProfileFields[K]> | null
    }
  const iso = (at: Date | null) => at?.toISOString() ?? null
  const profileState = stateOf(row, now)
  // The profile has ended by its time, even if no job has recorded that yet.
  const isCut = profileState === 'revoked' && row.state !== 'revoked'
  return {
    profile: row.profileId,
    sessionProfileHash: row.hash,
    policyGenerationId: generationOf(row, request),
    profileVersion: row.version,
    createdByActorRef: row.createdBy,
    originUserRef: row.owner,
    shareTokenId: row.linkId,
    originatingShareRef: row.linkId,
    recipientName: row.recipientName,
    recipientEmail: recipientAddress(row, parts),
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
    idleAt: iso(row.idleAt),
    agreementSha256: row.agreementHash,
    schemaVersion: 1,
  }
}

function recipientAddress(row: ProfileWithViews, parts: ReadRequest['parts']): string | null {
  const { profileId, linkId, recipientEmail: ownEmail } = row
  return provedAddress(parts, { profileId, linkId, ownEmail, linkEmail: null })
}

/**
 * One value for all policies that apply to a profile: its own, its owner's and the tenant's (SP-1). A caller who does not
 * see everything must not notice that facts changed which it does not see (NI-10).
 */
function generationOf(
  { policyGeneration, ownerGeneration }: ProfileWithViews,
  { parts, seesEverything }: ReadRequest,
): string {
  const ofOwner = seesEverything ? ownerGeneration : null
  const generations = [policyGeneration, ofOwner, parts.identity.tenantGeneration]
  return createHash('sha256').update(JSON.stringify(generations)).digest('base64url').slice(0, 22)
}

/** Expert mode shows every control, up to the highest tier that the profile allows. */
function effectiveTier({ maxUiComplexityTier, expertMode }: ProfileFields): string {
  const wanted = expertMode ? 'tier_4_expert' : 'tier_2_standard'
  const most = maxUiComplexityTier ?? 'tier_4_expert'
  return rank(UI_COMPLEXITY_TIERS, wanted) <= rank(UI_COMPLEXITY_TIERS, most) ? wanted : most
}

/** One value for the content of a profile, whatever its state is: equal profiles have equal hashes. */
export function hashProfile(
  row: Pick<
    ProfileRow,
    'owner' | 'actor' | 'sessionKind' | 'identityMode' | 'linkId' | 'parentProfile' | 'fields' | 'expiresAt'
  > & { readonly views: readonly string[] },
): string {
  // A missing field means its default, so both must give the same hash.
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
