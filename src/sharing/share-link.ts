import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type AddressRules, foldAddress, NO_ADDRESS_RULES } from '../policy/address-rules.js'
import { DIGESTS, HOST_EVENTS, type HostNotices } from '../policy/host-notices.js'
import { WATERMARK_KINDS, WATERMARK_TARGETS, WATERMARK_VISIBILITIES } from '../policy/watermark.js'
import { createdAt, describedAs, schemaVersion } from '../runtime/fields.js'
import { id, moment, name, text } from '../runtime/input.js'
import { pattern } from '../runtime/operations/policies.js'
import type { POLICY_OF_FIELD } from '../runtime/profile-policies.js'
import type { ReadRequest } from '../runtime/request.js'
import { sensitivity } from '../runtime/vocabulary.js'
import type { LinkRow } from '../storage/queries/share-links.js'
import { AUDIT_SCOPES, profileFields } from './profile-view.js'
import { addressOf, type Sealing } from './recipient-address.js'

/** How a recipient of a link proves who they are (ST-2). */
export const RECIPIENT_MODES = [
  'anonymous_share_token',
  'email_bound',
  'passcode_required',
  'host_approved_named_external',
] as const

/** Rate limits of a link that sets none (ST-1). */
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

/** The highest sensitivity that recipients may see, unless the link says otherwise. */
export const LINK_SENSITIVITY = 'medium'

const LOCAL_OR_DOMAIN = '[^\\s@<>()[\\],;:"\\\\]+'
export const email = text(254)
  .regex(new RegExp(`^${LOCAL_OR_DOMAIN}@${LOCAL_OR_DOMAIN}$`), { message: 'must be an e-mail address' })
  .transform(foldAddress)

/** An entry of a list of addresses. */
const addressRule = text(254)
  .regex(new RegExp(`^(?:${LOCAL_OR_DOMAIN})?@${LOCAL_OR_DOMAIN}$`), {
    message: 'must be an e-mail address, or a domain such as @example.com',
  })
  .transform(foldAddress)

const MOST_ADDRESS_RULES = 1_000
/** Whom a link bound to addresses lets in. */
export const addressRuleFields = {
  allowList: z
    .array(addressRule)
    .max(MOST_ADDRESS_RULES)
    .meta({
      description:
        'Addresses and domains (`@example.com`) that may open a link of mode `email_bound`, beside `recipientEmail`. Each proves theirs by a code.',
      example: ['@court.example'],
    }),
  denyList: z
    .array(addressRule)
    .max(MOST_ADDRESS_RULES)
    .meta({
      description: 'Addresses and domains that may not open it, whoever else is allowed.',
      example: ['intern@court.example'],
    }),
}

/** How its host is told what happens at a link. */
export const noticeFields = {
  events: z
    .array(z.enum(HOST_EVENTS))
    .max(HOST_EVENTS.length)
    .meta({ description: 'What you are told of.', example: ['opened', 'downloaded'] }),
  email: email.nullable().meta({ description: 'Where notices are mailed to as well; null for nowhere.' }),
  digest: z
    .enum(DIGESTS)
    .meta({ description: 'Whether each notice is mailed at once, or all of an hour or a day together.' }),
}

const hostNotices = z
  .strictObject({
    events: noticeFields.events.default([...HOST_EVENTS]),
    email: noticeFields.email.default(null),
    digest: noticeFields.digest.default('none'),
  })
  .meta({
    id: 'LinkNotices',
    description: 'What the host of a link is told of: in the app, by webhooks, and by mail.',
  })

/** After how many seconds without use a session ends, unless its link says otherwise. */
const IDLE_SECONDS = HOUR
export const sessionIdleSeconds = z
  .int()
  .min(60)
  .max(30 * 24 * HOUR)
  .meta({ description: 'Seconds without use after which a session ends.', example: IDLE_SECONDS })

const limit = z.int().min(0).max(1_000_000)

/** How much recipients may ask for. */
export const rateLimitFields = {
  maxQueriesPerHour: limit.meta({ description: 'Most searches per hour.', example: 50 }),
  maxDocumentViewsPerHour: limit.meta({
    description: 'Most documents opened or downloaded per hour.',
    example: 200,
  }),
  maxUploadsPerDay: limit.meta({ description: 'Most files uploaded per day.', example: 10 }),
  maxRecipientSessionsConcurrent: z
    .int()
    .min(1)
    .max(1_000)
    .meta({ description: 'Most sessions at a time.', example: 5 }),
}

const watermarkPolicy = z
  .strictObject({
    appliesTo: z
      .enum(WATERMARK_TARGETS)
      .meta({ description: 'What is marked: copies that are downloaded, what is displayed, or both.' }),
    watermarkKind: z
      .enum(WATERMARK_KINDS)
      .meta({ description: 'What the mark says beside its number.', example: 'session_id' }),
    watermarkVisibility: z
      .enum(WATERMARK_VISIBILITIES)
      .meta({ description: 'Whether the mark is seen, stands in metadata, or both.', example: 'both' }),
  })
  .meta({ id: 'WatermarkPolicy', description: 'How copies that leave by a link are marked.' })

export const newLink = z.strictObject({
  name: name
    .optional()
    .meta({ description: 'A name for it. Default: that of its first view.', example: 'Filings for Berg' }),
  views: z.array(id).min(1).max(50).meta({ description: 'Views of your own that it shares, by their ids.' }),
  hostSession: id.optional().meta({
    description: 'The host session in whose name it is granted, by its id. Default: the one that asks.',
  }),
  recipientIdentityMode: z.enum([...RECIPIENT_MODES, 'host_user', 'system_agent']).meta({
    description:
      'How a recipient proves who they are. `host_user` and `system_agent` are refused: a link is for somebody outside.',
    example: 'anonymous_share_token',
  }),
  recipientEmail: email.optional().meta({
    description:
      'The address that a link of mode `email_bound` is for. It may be left out with an `allowList`.',
    example: 'berg@example.com',
  }),
  passcode: text(200)
    .refine(value => value.length >= 8, { message: 'must have at least 8 characters' })
    .optional()
    .meta({
      description:
        'The passcode of a link of mode `passcode_required`, at least 8 characters. A link of mode `email_bound` may ask for one as well.',
      example: 'open sesame',
    }),
  approvedName: name.optional().meta({
    description: 'Whom you have in mind. You still approve each recipient by name.',
    example: 'Berg',
  }),
  documentAccessPolicyRef: name.optional().meta({
    description: 'Whether documents may be opened: a policy of kind `document_access_policy`, by its name.',
    example: 'list only',
  }),
  allowedActions: z
    .array(pattern)
    .min(1)
    .max(100)
    .default(DEFAULT_ACTIONS)
    .meta({ description: 'What recipients may do at most.' }),
  expiresAt: moment.optional().meta({ description: 'When it expires. Its sessions end then.' }),
  rateLimits: z
    .strictObject({
      maxQueriesPerHour: rateLimitFields.maxQueriesPerHour.default(DEFAULT_RATE_LIMITS.maxQueriesPerHour),
      maxDocumentViewsPerHour: rateLimitFields.maxDocumentViewsPerHour.default(
        DEFAULT_RATE_LIMITS.maxDocumentViewsPerHour,
      ),
      maxUploadsPerDay: rateLimitFields.maxUploadsPerDay.default(DEFAULT_RATE_LIMITS.maxUploadsPerDay),
      maxRecipientSessionsConcurrent: rateLimitFields.maxRecipientSessionsConcurrent.default(
        DEFAULT_RATE_LIMITS.maxRecipientSessionsConcurrent,
      ),
    })
    .prefault({})
    .meta({ description: 'How much recipients may ask for, all sessions of the link together.' }),
  watermarkDownloads: z.boolean().default(true).meta({
    description: 'Whether downloads are marked, so that a copy that is found tells where it came from.',
    example: true,
  }),
  watermarkPolicy: watermarkPolicy.optional().meta({
    description:
      'How copies are marked. Default: downloads, visibly and in metadata, with the address that the link is bound to or else the session.',
  }),
  auditVisibility: z
    .enum(AUDIT_SCOPES)
    .default('both')
    .meta({ description: 'Who may read what recipients did: the host, each session for itself, or both.' }),
  policyRefs: z
    .strictObject({
      documentDeliveryPolicyRef: describedAs(profileFields.documentDeliveryPolicyRef, name.optional()),
      outputPolicyRef: describedAs(profileFields.outputPolicyRef, name.optional()),
      transcriptRetentionPolicyRef: describedAs(profileFields.transcriptRetentionPolicyRef, name.optional()),
      learningCapturePolicyRef: describedAs(profileFields.learningCapturePolicyRef, name.optional()),
      utilitySignalPolicyRef: describedAs(profileFields.utilitySignalPolicyRef, name.optional()),
      doc1GovernanceSplitRef: describedAs(profileFields.doc1GovernanceSplitRef, name.optional()),
      externalUploadFileSafetyControlsRef: describedAs(
        profileFields.externalUploadFileSafetyControlsRef,
        name.optional(),
      ),
      sessionDenialMessagePolicyRef: describedAs(
        profileFields.sessionDenialMessagePolicyRef,
        name.optional(),
      ),
    } satisfies Partial<Record<keyof typeof POLICY_OF_FIELD, z.ZodType>>)
    .default({})
    .meta({
      description: 'Policies of yours that its sessions refer to.',
      example: { outputPolicyRef: 'short' },
    }),
  maxSensitivity: sensitivity.default(LINK_SENSITIVITY).meta({
    description: 'The highest sensitivity that recipients are trusted with, within what the views show.',
  }),
  sessionSeconds: z
    .int()
    .min(60)
    .max(30 * 24 * HOUR)
    .default(8 * HOUR)
    .meta({ description: 'Seconds that a session lasts if nobody ends it.' }),
  sessionIdleSeconds: sessionIdleSeconds.default(IDLE_SECONDS),
  allowList: addressRuleFields.allowList.optional(),
  denyList: addressRuleFields.denyList.optional(),
  agreement: text(20_000)
    .refine(value => value.trim() !== '', { message: 'must not be empty' })
    .optional()
    .meta({
      description:
        'What recipients must agree to before they are let in. Its hash is recorded with each session.',
      example: 'You keep what you read here confidential.',
    }),
  notices: hostNotices
    .prefault({})
    .meta({ description: 'What you are told of. Default: everything, in the app and by webhooks.' }),
})

// ST-5
export const linkRevocation = z
  .object({
    revocationId: z.string().meta({ description: 'The id of the revocation.' }),
    revokedAt: z.string().meta({ description: 'When it was revoked.' }),
    revokeReason: z.string().meta({ description: 'Why it was revoked.' }),
    activeSessionDisposition: z.string().meta({ description: 'What became of the sessions that were open.' }),
    activeSessionGracePeriodSeconds: z
      .int()
      .nullable()
      .meta({ description: 'Seconds that open sessions could go on; null if they ended at once.' }),
    downloadedCopiesDisposition: z
      .string()
      .meta({ description: 'Whether the recipient was asked to delete what they downloaded.' }),
    cachedResponseDisposition: z
      .string()
      .meta({ description: 'Whether answers that were kept for its sessions may be used again.' }),
  })
  .meta({ id: 'LinkRevocation', description: 'How a share link was revoked.' })

export const shareLink = z
  .object({
    link: z.string().meta({ description: 'The id of the link.' }),
    name: z.string().meta({ description: 'Its name.' }),
    views: z
      .array(z.string())
      .meta({ description: 'The views it shares, by their ids; none for one that only takes files in.' }),
    documentAccessPolicyRef: z.string().nullable().meta({
      description:
        'Whether documents may be opened: a policy of kind `document_access_policy`, by its name; null if none.',
    }),
    hostSession: z
      .string()
      .nullable()
      .meta({ description: 'The host session in whose name it was granted, by its id; null if none.' }),
    recipientIdentityMode: z.string().meta({ description: 'How a recipient proves who they are.' }),
    recipientEmail: z.string().nullable().meta({ description: 'The address it is bound to; null if none.' }),
    approvedName: z.string().nullable().meta({ description: 'Whom the host has in mind; null if nobody.' }),
    allowedActions: z.array(pattern).meta({ description: 'What recipients may do at most.' }),
    maxSensitivity: z.string().meta({
      description: 'The highest sensitivity that recipients are trusted with, within what the views show.',
    }),
    sessionSeconds: z.int().meta({ description: 'Seconds that a session lasts if nobody ends it.' }),
    rateLimits: z
      .object({
        maxQueriesPerHour: z.int().meta({ description: 'Most searches per hour.' }),
        maxDocumentViewsPerHour: z
          .int()
          .meta({ description: 'Most documents opened or downloaded per hour.' }),
        maxUploadsPerDay: z.int().meta({ description: 'Most files uploaded per day.' }),
        maxRecipientSessionsConcurrent: z.int().meta({ description: 'Most sessions at a time.' }),
      })
      .meta({ description: 'How much recipients may ask for, all sessions of the link together.' }),
    watermarkDownloads: z.boolean().meta({ description: 'Whether downloads are marked.' }),
    watermarkPolicy: watermarkPolicy
      .nullable()
      .meta({ description: 'How copies are marked; null if they are not.' }),
    auditVisibility: z
      .string()
      .meta({ description: 'Who may read what recipients did: the host, each session for itself, or both.' }),
    policyRefs: z
      .record(z.string(), z.string())
      .meta({ description: 'Policies of the host that its sessions refer to, by kind.' }),
    passcodeRequired: z.boolean().meta({ description: 'Whether recipients must enter a passcode.' }),
    allowList: z
      .array(z.string())
      .meta({ description: 'Addresses and domains that may open it, beside `recipientEmail`.' }),
    denyList: z.array(z.string()).meta({ description: 'Addresses and domains that may not open it.' }),
    agreement: z
      .object({
        text: z.string().meta({ description: 'The text.' }),
        sha256: z.string().meta({ description: 'SHA-256 of the text, in hex.' }),
      })
      .nullable()
      .meta({ description: 'What recipients must agree to before they are let in; null if nothing.' }),
    notices: z
      .object({
        events: z.array(z.string()).meta({ description: 'What the host is told of.' }),
        email: z.string().nullable().meta({ description: 'Where notices are mailed to; null for nowhere.' }),
        digest: z.string().meta({ description: 'Whether mail is sent at once, or collected.' }),
      })
      .meta({ description: 'How the host is told what happens.' }),
    sessionIdleSeconds: z
      .int()
      .nullable()
      .meta({ description: 'Seconds without use after which a session ends; null if it does not.' }),
    copyOf: z
      .string()
      .nullable()
      .meta({ description: 'The link whose terms it was granted with, by its id; null if none.' }),
    fileRequest: z
      .object({
        message: z.string().meta({ description: 'What the sender is asked for.' }),
        corpus: z.string().meta({ description: 'The collection that files are filed in.' }),
        folder: z
          .string()
          .nullable()
          .meta({ description: 'The folder of the collection that they are filed in; null for none.' }),
      })
      .nullable()
      .meta({
        description: 'What a link asks for that only takes files in; null for one that shares views.',
      }),
    createdAt,
    expiresAt: z.string().nullable().meta({ description: 'When it expires; null if it does not.' }),
    revokedAt: z.string().nullable().meta({ description: 'When it was revoked; null while it is valid.' }),
    revokeReason: z.string().nullable().meta({ description: 'Why it was revoked; null while it is valid.' }),
    revocation: linkRevocation
      .nullable()
      .meta({ description: 'How it was revoked; null while it is valid.' }),
    schemaVersion,
  })
  .meta({ id: 'ShareLink', description: 'A link by which somebody outside sees views, without its token.' })

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
    watermarkPolicy: row.watermarkPolicy,
    auditVisibility: row.auditVisibility,
    policyRefs: { ...row.policyRefs },
    passcodeRequired: row.asksPasscode,
    ...listsOf(parts, row),
    agreement: row.agreement === null ? null : { text: row.agreement, sha256: hashAgreement(row.agreement) },
    notices: openNotices(parts, row),
    sessionIdleSeconds: row.sessionIdleSeconds,
    copyOf: row.copyOf,
    fileRequest: row.fileRequest,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    revokeReason: row.revokeReason,
    revocation: row.revocation === null ? null : linkRevocation.parse(row.revocation),
    schemaVersion: 1,
  }
}

/** What stands for the text that somebody agreed to. */
export const hashAgreement = (agreed: string): string => createHash('sha256').update(agreed).digest('hex')

const rulesOf = ({ linkId }: Pick<LinkRow, 'linkId'>) => JSON.stringify(['addresses of a link', linkId])

/** The lists of addresses as they are stored: who is meant is nobody else's business. Null for empty lists. */
export function sealRules(
  { secrets }: Sealing,
  rules: AddressRules,
  link: { linkId: string },
): string | null {
  if (rules.allow.length + rules.deny.length === 0) return null
  return secrets.seal(JSON.stringify(rules), rulesOf(link))
}

export function openRules({ secrets }: Sealing, row: Pick<LinkRow, 'linkId' | 'addressRules'>): AddressRules {
  return row.addressRules === null
    ? NO_ADDRESS_RULES
    : JSON.parse(secrets.open(row.addressRules, rulesOf(row)))
}

function listsOf(parts: Sealing, row: LinkRow) {
  const { allow, deny } = openRules(parts, row)
  return { allowList: [...allow], denyList: [...deny] }
}

const noticesOf = ({ linkId }: Pick<LinkRow, 'linkId'>) => JSON.stringify(['notices of a link', linkId])

export function sealNotices(
  { secrets }: Sealing,
  notices: HostNotices,
  link: { linkId: string },
): HostNotices {
  const { email: to } = notices
  return { ...notices, email: to === null ? null : secrets.seal(to, noticesOf(link)) }
}

/** How the host is told. A link from before tells everything, in the app. */
export function openNotices({ secrets }: Sealing, row: Pick<LinkRow, 'linkId' | 'notices'>) {
  const { events = HOST_EVENTS, email: to = null, digest = 'none' } = row.notices
  return { events: [...events], email: to === null ? null : secrets.open(to, noticesOf(row)), digest }
}

/** Whether a link can be opened now: it is neither revoked nor expired. */
export const isLinkValid = (
  { revokedAt, expiresAt }: Pick<LinkRow, 'revokedAt' | 'expiresAt'>,
  now: Date,
): boolean => revokedAt === null && (expiresAt === null || expiresAt > now)
