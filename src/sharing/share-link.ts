import { z } from 'zod'
import { SENSITIVITIES } from '../policy/vocabulary.js'
import { id, moment, name, text } from '../runtime/input.js'
import { pattern } from '../runtime/operations/policies.js'
import type { ReadRequest } from '../runtime/request.js'
import type { POLICY_OF_FIELD } from '../runtime/session-policies.js'
import type { LinkRow } from '../storage/queries/share-links.js'
import { AUDIT_SCOPES } from './session-profile.js'

/** How whoever comes by a link shows who they are (ST-2). */
export const RECIPIENT_MODES = [
  'anonymous_share_token',
  'email_bound',
  'passcode_required',
  'host_approved_named_external',
] as const

/** ST-1. */
export const DEFAULT_RATE_LIMITS = {
  maxQueriesPerHour: 50,
  maxDocumentViewsPerHour: 200,
  maxUploadsPerDay: 10,
  maxRecipientSessionsConcurrent: 5,
}
const DEFAULT_ACTIONS = ['search', 'document_view', 'document_download'].map(
  namespace => ({ kind: 'namespace_all', namespace }) as const,
)
const HOUR = 3_600

/** What whoever comes by a link is trusted with, where the link does not say. */
export const LINK_SENSITIVITY = 'medium'

const email = text(254)
  .regex(/^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/, { message: 'must be an e-mail address' })
  .transform(value => value.toLowerCase())

const limit = z.int().min(0).max(1_000_000)

export const newLink = z.strictObject({
  name: name.optional(),
  views: z.array(id).min(1).max(50),
  /** The host session in whose name it is granted; the one that asks, unless said otherwise. */
  hostSession: id.optional(),
  recipientIdentityMode: z.enum([...RECIPIENT_MODES, 'host_user', 'system_agent']),
  recipientEmail: email.optional(),
  passcode: text(200)
    .refine(value => value.length >= 8, { message: 'must have at least 8 characters' })
    .optional(),
  /** Whom the host has in mind; whoever comes is approved by name all the same. */
  approvedName: name.optional(),
  /** A policy of the granter's, of kind `document_access_policy`; sessions by the link refer to it. */
  documentAccessPolicyRef: name.optional(),
  allowedActions: z.array(pattern).min(1).max(100).default(DEFAULT_ACTIONS),
  expiresAt: moment.optional(),
  rateLimits: z
    .strictObject({
      maxQueriesPerHour: limit.default(DEFAULT_RATE_LIMITS.maxQueriesPerHour),
      maxDocumentViewsPerHour: limit.default(DEFAULT_RATE_LIMITS.maxDocumentViewsPerHour),
      maxUploadsPerDay: limit.default(DEFAULT_RATE_LIMITS.maxUploadsPerDay),
      maxRecipientSessionsConcurrent: z
        .int()
        .min(1)
        .max(1_000)
        .default(DEFAULT_RATE_LIMITS.maxRecipientSessionsConcurrent),
    })
    .prefault({}),
  watermarkDownloads: z.boolean().default(true),
  auditVisibility: z.enum(AUDIT_SCOPES).default('both'),
  /** Typed policies of the host that sessions by it refer to, beside those of the session it is granted in. */
  policyRefs: z
    .strictObject({
      documentDeliveryPolicyRef: name.optional(),
      outputPolicyRef: name.optional(),
      transcriptRetentionPolicyRef: name.optional(),
      learningCapturePolicyRef: name.optional(),
      utilitySignalPolicyRef: name.optional(),
      doc1GovernanceSplitRef: name.optional(),
      sessionDenialMessagePolicyRef: name.optional(),
    } satisfies Partial<Record<keyof typeof POLICY_OF_FIELD, z.ZodType>>)
    .default({}),
  /** The most sensitive that recipients are trusted with, within what the views show. */
  maxSensitivity: z.enum(SENSITIVITIES).default(LINK_SENSITIVITY),
  /** How long a session lasts that nobody ends. */
  sessionSeconds: z
    .int()
    .min(60)
    .max(30 * 24 * HOUR)
    .default(8 * HOUR),
})

/** How a link was revoked: what became of its sessions, of copies and of answers that were kept (ST-5). */
export const linkRevocation = z.object({
  revocationId: z.string(),
  revokedAt: z.string(),
  revokeReason: z.string(),
  activeSessionDisposition: z.string(),
  /** How long sessions could go on, where they were left a while. */
  activeSessionGracePeriodSeconds: z.int().nullable(),
  downloadedCopiesDisposition: z.string(),
  cachedResponseDisposition: z.string(),
})

export const shareLink = z.object({
  link: z.string(),
  name: z.string(),
  views: z.array(z.string()),
  documentAccessPolicyRef: z.string().nullable(),
  hostSession: z.string().nullable(),
  recipientIdentityMode: z.string(),
  recipientEmail: z.string().nullable(),
  approvedName: z.string().nullable(),
  allowedActions: z.array(pattern),
  maxSensitivity: z.string(),
  sessionSeconds: z.int(),
  rateLimits: z.object({
    maxQueriesPerHour: z.int(),
    maxDocumentViewsPerHour: z.int(),
    maxUploadsPerDay: z.int(),
    maxRecipientSessionsConcurrent: z.int(),
  }),
  watermarkDownloads: z.boolean(),
  auditVisibility: z.string(),
  policyRefs: z.record(z.string(), z.string()),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  revokeReason: z.string().nullable(),
  revocation: linkRevocation.nullable(),
  schemaVersion: z.literal(1),
})

export function viewLink({ parts }: ReadRequest, row: LinkRow): z.input<typeof shareLink> {
  return {
    link: row.linkId,
    name: row.name,
    views: [...row.viewIds],
    documentAccessPolicyRef: row.documentAccessPolicyRef,
    hostSession: row.ownerSessionRef,
    recipientIdentityMode: row.recipientIdentityMode,
    recipientEmail:
      row.recipientEmail === null ? null : parts.secrets.open(row.recipientEmail, addressOf(row)),
    approvedName: row.approvedName,
    allowedActions: row.allowedActions as z.input<typeof pattern>[],
    maxSensitivity: row.maxSensitivity,
    sessionSeconds: row.sessionSeconds,
    rateLimits: { ...row.rateLimits },
    watermarkDownloads: row.watermarkDownloads,
    auditVisibility: row.auditVisibility,
    policyRefs: { ...row.policyRefs },
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    revokeReason: row.revokeReason,
    revocation: row.revocation === null ? null : linkRevocation.parse(row.revocation),
    schemaVersion: 1,
  }
}

/** What the sealed address of a recipient is bound to. */
export const addressOf = ({ linkId }: Pick<LinkRow, 'linkId'>) =>
  JSON.stringify(['recipient of a link', linkId])

/** Whether a link opens anything now: unless it was revoked or has expired. */
export const stands = (
  { revokedAt, expiresAt }: Pick<LinkRow, 'revokedAt' | 'expiresAt'>,
  now: Date,
): boolean => revokedAt === null && (expiresAt === null || expiresAt > now)
