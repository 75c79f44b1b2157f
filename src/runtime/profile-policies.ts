import { z } from 'zod'
import { GOVERNANCE_KINDS, SHARE_LINK_GOVERNANCE_ROLES } from '../policy/governance-split.js'
import {
  ACTIVE_CONTENT_ACTIONS,
  DEFAULT_UPLOAD_CONTROLS,
  SAFETY_FAILURE_ACTIONS,
} from '../policy/upload-controls.js'
import { SIGNAL_KINDS, SIGNAL_ROUTES } from '../policy/utility-signals.js'
import type { ProfilePolicyRow, ProfileRow } from '../storage/queries/running-profile.js'
import { name, text } from './input.js'

const count = z.int().min(0).max(1_000_000_000)

const bytes = z.int().min(1).max(1_000_000_000)

/** The typed policies that a profile may refer to, by kind (SP-1). */
export const PROFILE_POLICIES = {
  /** How long a context for a model may be. Every statement in it is cited, whether or not that is required. */
  output_policy: z.strictObject({
    maxOutputTokens: count.optional(),
    citationsRequired: z.boolean().default(false),
  }),
  /** Whether documents can be downloaded. */
  document_delivery_policy: z.strictObject({
    delivery: z.enum(['view_only', 'view_and_download']).default('view_and_download'),
  }),
  /** Whether documents can be opened, or only found and listed. */
  document_access_policy: z.strictObject({
    access: z.enum(['list_only', 'open']).default('open'),
    description: text(2_000).default(''),
  }),
  /** How long searches and their results are kept. */
  transcript_retention_policy: z.strictObject({
    retention: z
      .enum(['ephemeral_session_lifetime', 'durable_audit_1y'])
      .default('ephemeral_session_lifetime'),
  }),
  /** Whether the host may learn from what happens under a profile, and only after review. */
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
  /** The registry decides which reasons are disclosed (RS-2); this policy decides how they are worded. */
  session_denial_message_policy: z.strictObject({
    description: text(2_000).default(''),
    /** The text for every reason that is not disclosed, so that they all read alike. */
    visibleText: text(500).optional(),
    /** The texts for disclosed reasons. */
    messages: z
      .array(z.strictObject({ reasonCode: name, visibleText: text(500) }))
      .max(100)
      .default([]),
  }),
  /** What stands at nothing is as in 002 §7.4. */
  external_upload_file_safety_controls: z.strictObject({
    mimeTypeSniffing: z.boolean().default(DEFAULT_UPLOAD_CONTROLS.mimeTypeSniffing),
    maxFileSizeBytes: bytes.default(DEFAULT_UPLOAD_CONTROLS.maxFileSizeBytes),
    archiveDecompressionBombGuard: z.boolean().default(DEFAULT_UPLOAD_CONTROLS.archiveDecompressionBombGuard),
    archiveMaxDecompressionRatio: z
      .number()
      .min(1)
      .max(10_000)
      .default(DEFAULT_UPLOAD_CONTROLS.archiveMaxDecompressionRatio),
    archiveMaxDecompressedSize: bytes.default(DEFAULT_UPLOAD_CONTROLS.archiveMaxDecompressedSize),
    activeContentMacroWarning: z.boolean().default(DEFAULT_UPLOAD_CONTROLS.activeContentMacroWarning),
    activeContentBlockOrWarn: z
      .enum(ACTIVE_CONTENT_ACTIONS)
      .default(DEFAULT_UPLOAD_CONTROLS.activeContentBlockOrWarn),
    localDuplicateCheck: z.boolean().default(DEFAULT_UPLOAD_CONTROLS.localDuplicateCheck),
    onSafetyFailure: z.enum(SAFETY_FAILURE_ACTIONS).default(DEFAULT_UPLOAD_CONTROLS.onSafetyFailure),
    description: text(2_000).default(''),
  }),
} as const
export type ProfilePolicyKind = keyof typeof PROFILE_POLICIES
export type SettingsOf<Kind extends ProfilePolicyKind> = z.output<(typeof PROFILE_POLICIES)[Kind]>
export const PROFILE_POLICY_KINDS = Object.keys(PROFILE_POLICIES) as [
  ProfilePolicyKind,
  ...ProfilePolicyKind[],
]

/** The kind of policy that each field of a profile refers to. */
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
} as const satisfies Record<string, ProfilePolicyKind>
type PolicyField = keyof typeof POLICY_OF_FIELD

/** The typed policies that the profiles of a chain refer to, in one snapshot. */
export class ChainPolicies {
  readonly #chain: readonly ProfileRow[]
  readonly #rows: readonly ProfilePolicyRow[]

  constructor(chain: readonly ProfileRow[], rows: readonly ProfilePolicyRow[]) {
    this.#chain = chain
    this.#rows = rows
  }

  /** The policy that a profile refers to: null if it refers to none, undefined if that policy does not exist. */
  of<Kind extends ProfilePolicyKind>(row: ProfileRow, kind: Kind): SettingsOf<Kind> | null | undefined {
    const ref = refOf(row, kind)
    if (ref === null) return null
    const found = this.#rows.find(
      policy => policy.owner === row.owner && policy.kind === kind && policy.policyId === ref,
    )
    const read = PROFILE_POLICIES[kind].safeParse(found?.policy)
    return read.success ? (read.data as SettingsOf<Kind>) : undefined
  }

  /** The policies of the chain, nearest profile first; undefined for each one that does not exist. */
  all<Kind extends ProfilePolicyKind>(kind: Kind): readonly (SettingsOf<Kind> | undefined)[] {
    return this.#chain.flatMap(row => {
      const settings = this.of(row, kind)
      return settings === null ? [] : [settings]
    })
  }
}

function refOf({ fields }: ProfileRow, kind: ProfilePolicyKind): string | null {
  const [field] = Object.entries(POLICY_OF_FIELD).find(([, of]) => of === kind) ?? []
  return field === undefined ? null : (fields[field as PolicyField] ?? null)
}
