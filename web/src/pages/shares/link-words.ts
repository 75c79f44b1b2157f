import type { OutputOf } from 'privity/client'
import type { Tone } from '../../components/badge'
import { inWords } from '../../lib/format'

export type ShareLink = NonNullable<OutputOf<'links.get'>>

export const IDENTITY_MODES = [
  { value: 'anonymous_share_token', label: 'Anybody who has the link' },
  { value: 'passcode_required', label: 'Anybody who knows a passcode' },
  { value: 'email_bound', label: 'One email address, checked by a code' },
  { value: 'host_approved_named_external', label: 'People I approve by name' },
] as const

export type IdentityMode = (typeof IDENTITY_MODES)[number]['value']

export const identityLabel = (mode: string) =>
  IDENTITY_MODES.find(({ value }) => value === mode)?.label ?? mode.replaceAll('_', ' ')

export function linkState({ revokedAt, expiresAt }: ShareLink): { label: string; tone: Tone } {
  if (revokedAt !== null) return { label: 'Revoked', tone: 'danger' }
  if (expiresAt !== null && new Date(expiresAt) <= new Date()) return { label: 'Expired', tone: 'warn' }
  return { label: 'Open', tone: 'good' }
}

/** Where the files of a request are filed. */
export const placeOf = ({ corpus, folder }: NonNullable<ShareLink['fileRequest']>) =>
  folder === null ? corpus : `${corpus} / ${folder}`

/** The fields of an effective view, in words. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  exposedSurfaces: 'What is shown',
  derivedMemorySharePolicy: 'Derived memories',
  hostAnnotationPolicy: 'Your annotations',
  visibilityClassCeiling: 'Highest visibility class',
  viewTemporalMode: 'As of when',
  snapshotAt: 'Snapshot taken',
  documentScope: 'Documents',
}

const SETTINGS: Readonly<Record<string, string>> = {
  exclude_all: 'None',
  include_all: 'All',
  include_marked_shareable: 'Those marked as shareable',
  include_only_user_marked_shareable: 'Those marked as shareable',
  include_with_provenance: 'Those whose sources are shown',
  snapshot_at_share: 'As it was when first shared',
  snapshot_at_share_with_drift_disclosure: 'As it was when first shared; says if it has changed since',
  live_view: 'As it is now',
  live_view_with_change_log: 'As it is now, with a list of changes',
  source_documents: 'Documents',
  filing_metadata: 'Metadata of filings',
  filing_relationships: 'How filings relate',
  court_rulings: 'Rulings',
  court_disposition_observations: 'Outcomes',
  public_open: 'Public',
}

/** A setting of a view, in words. */
export const settingInWords = (value: string) => SETTINGS[value] ?? inWords(value)

export const SURFACES = [
  { value: 'source_documents', label: 'Documents', byDefault: true },
  { value: 'filing_metadata', label: 'Metadata of filings', byDefault: true },
  { value: 'filing_relationships', label: 'How filings relate', byDefault: true },
  { value: 'rulings_and_outcomes', label: 'Rulings and outcomes', byDefault: true },
  { value: 'neutral_topics', label: 'Topics', byDefault: false },
  { value: 'derived_memories', label: 'Derived memories', byDefault: false },
  { value: 'host_annotations', label: 'Your annotations', byDefault: false },
  { value: 'host_strategy_notes', label: 'Your strategy notes', byDefault: false },
] as const

export const CEILINGS = [
  { value: 'public_open', label: 'Public' },
  { value: 'party_confidential', label: 'Party confidential' },
  { value: 'work_product_internal', label: 'Work product' },
  { value: 'privileged', label: 'Privileged' },
] as const
