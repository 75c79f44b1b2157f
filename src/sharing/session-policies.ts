import { z } from 'zod'
import { GOVERNANCE_KINDS, SHARE_LINK_GOVERNANCE_ROLES } from '../policy/governance-split.js'
import { SIGNAL_KINDS, SIGNAL_ROUTES } from '../policy/utility-signals.js'
import { text } from '../runtime/input.js'

const count = z.int().min(0).max(1_000_000_000)

/** The typed policies that a profile refers to, by the field that does (SP-1). */
export const SESSION_POLICIES = {
  output_policy: z.strictObject({
    maxOutputTokens: count.optional(),
    citationsRequired: z.boolean().default(false),
  }),
  document_delivery_policy: z.strictObject({
    delivery: z.enum(['view_only', 'view_and_download']).default('view_and_download'),
  }),
  transcript_retention_policy: z.strictObject({
    retention: z
      .enum(['ephemeral_session_lifetime', 'durable_audit_1y'])
      .default('ephemeral_session_lifetime'),
  }),
  learning_capture_policy: z.strictObject({ capture: z.enum(['none', 'host_reviewed']).default('none') }),
  utility_signal_policy: z.strictObject({
    utilitySignalCapture: z.enum(SIGNAL_ROUTES),
    captureKinds: z.array(z.enum(SIGNAL_KINDS)).max(SIGNAL_KINDS.length),
  }),
  doc1_governance_split: z.strictObject({
    doc1GovernanceKind: z.enum(GOVERNANCE_KINDS),
    doc1ShareLinkGovernanceRole: z
      .enum(SHARE_LINK_GOVERNANCE_ROLES)
      .default('share_link_governance_disabled'),
  }),
  /** What is said to whom is the registry's: this says why a host chose to leave it so. */
  session_denial_message_policy: z.strictObject({ description: text(2_000).default('') }),
  document_access_policy: z.strictObject({ description: text(2_000).default('') }),
  external_upload_file_safety_controls: z.strictObject({ description: text(2_000).default('') }),
} as const
export type SessionPolicyKind = keyof typeof SESSION_POLICIES
export const SESSION_POLICY_KINDS = Object.keys(SESSION_POLICIES) as [
  SessionPolicyKind,
  ...SessionPolicyKind[],
]

/** Which kind of policy a field of a profile refers to. */
export const POLICY_OF_FIELD = {
  outputPolicyRef: 'output_policy',
  documentDeliveryPolicyRef: 'document_delivery_policy',
  transcriptRetentionPolicyRef: 'transcript_retention_policy',
  learningCapturePolicyRef: 'learning_capture_policy',
  utilitySignalPolicyRef: 'utility_signal_policy',
  doc1GovernanceSplitRef: 'doc1_governance_split',
  sessionDenialMessagePolicyRef: 'session_denial_message_policy',
  documentAccessPolicyRef: 'document_access_policy',
  externalUploadFileSafetyControlsRef: 'external_upload_file_safety_controls',
} as const satisfies Record<string, SessionPolicyKind>
