import type { InputOf, OutputOf } from 'privity/client'
import type { Tone } from '../../components/badge'
import { count, inWords } from '../../lib/format'
import { settingInWords } from '../shares/link-words'

export type Profile = OutputOf<'profiles.list'>['profiles'][number]
export type NewProfile = InputOf<'profiles.create'>
export type SessionPolicy = OutputOf<'profiles.policies'>['policies'][number]

export const SESSION_KINDS = [
  { value: 'host_session', label: 'Your own' },
  { value: 'share_link_session', label: 'Recipients of links' },
  { value: 'subagent_session', label: 'Sub-agents' },
  { value: 'system_agent_session', label: 'System agents' },
] as const
export type SessionKind = (typeof SESSION_KINDS)[number]['value']

const ONE_OF_KIND: Readonly<Record<string, string>> = {
  host_session: 'Your own session',
  share_link_session: 'A recipient',
  subagent_session: 'A sub-agent',
  system_agent_session: 'A system agent',
}

/** Who reads in a session, as far as that is known. */
export const readerOf = ({ recipientName, recipientEmail, sessionKind }: Profile) =>
  recipientName ?? recipientEmail ?? ONE_OF_KIND[sessionKind] ?? inWords(sessionKind)

const STATES: Readonly<Record<string, { label: string; tone: Tone }>> = {
  draft: { label: 'Draft', tone: 'plain' },
  active: { label: 'Active', tone: 'good' },
  suspended: { label: 'Suspended', tone: 'warn' },
  expired: { label: 'Expired', tone: 'plain' },
  revoked: { label: 'Revoked', tone: 'danger' },
}
export const stateInWords = (state: string) =>
  STATES[state] ?? { label: inWords(state), tone: 'plain' as const }

const LIMITS = [
  ['maxQueriesPerHour', 'search an hour', 'searches an hour'],
  ['maxDocumentViewsPerHour', 'document an hour', 'documents an hour'],
  ['maxUploadsPerDay', 'upload a day', 'uploads a day'],
  ['maxResultCount', 'result a page', 'results a page'],
  ['maxContextTokens', 'token for a model', 'tokens for a model'],
  ['maxDocumentBytes', 'byte of a document', 'bytes of a document'],
] as const

/** What a session may ask for at most: `20 searches an hour`. */
export const limitsOf = (profile: Profile): readonly string[] =>
  LIMITS.flatMap(([field, one, many]) => {
    const limit = profile[field]
    return limit === null ? [] : [count(limit, one, many)]
  })

/** The field of a session that refers to a policy of each kind, and what the policy is about. */
export const POLICY_KINDS = [
  {
    kind: 'document_access_policy',
    ref: 'documentAccessPolicyRef',
    label: 'Opening documents',
    field: 'access',
    choices: [
      { value: 'list_only', label: 'Found and listed, not opened' },
      { value: 'open', label: 'Opened and read' },
    ],
  },
  {
    kind: 'document_delivery_policy',
    ref: 'documentDeliveryPolicyRef',
    label: 'Copies of documents',
    field: 'delivery',
    choices: [
      { value: 'view_only', label: 'None: documents are only read' },
      { value: 'view_and_download', label: 'May be downloaded' },
    ],
  },
  {
    kind: 'transcript_retention_policy',
    ref: 'transcriptRetentionPolicyRef',
    label: 'How long searches are kept',
    field: 'retention',
    choices: [
      { value: 'ephemeral_session_lifetime', label: 'For a day' },
      { value: 'durable_audit_1y', label: 'For a year' },
    ],
  },
  {
    kind: 'learning_capture_policy',
    ref: 'learningCapturePolicyRef',
    label: 'Feedback of readers',
    field: 'capture',
    choices: [
      { value: 'none', label: 'Stays in the session' },
      { value: 'host_reviewed', label: 'Waits for your review' },
    ],
  },
] as const
export type PolicyKind = (typeof POLICY_KINDS)[number]

export const policyLabel = (kind: string) =>
  POLICY_KINDS.find(one => one.kind === kind)?.label ?? inWords(kind.replace(/_policy$/, ''))

/** What a policy says, in words. */
export const policyInWords = ({ kind, settings }: SessionPolicy): string => {
  const known = POLICY_KINDS.find(one => one.kind === kind)
  const value = known === undefined ? undefined : settings[known.field]
  const choices: readonly { value: string; label: string }[] = known?.choices ?? []
  const said = choices.find(choice => choice.value === value)?.label
  if (said !== undefined) return said
  return Object.entries(settings)
    .filter(([, setting]) => setting !== '')
    .map(([name, setting]) => `${inWords(name.replace(/([A-Z])/g, ' $1'))}: ${wordsOf(setting)}`)
    .join('. ')
}

const wordsOf = (setting: unknown): string => {
  if (typeof setting === 'boolean') return setting ? 'yes' : 'no'
  if (Array.isArray(setting)) return setting.map(wordsOf).join(', ') || 'none'
  return typeof setting === 'string' ? settingInWords(setting).toLowerCase() : JSON.stringify(setting)
}
