/** The closed lists that policy speaks in. Order matters where a rank is taken from it. */

/** TR-1: from least to most restricted. */
export const SENSITIVITIES = ['public', 'low', 'medium', 'high', 'hyper'] as const
export type Sensitivity = (typeof SENSITIVITIES)[number]

/** OV-4: from least to most restricted. */
export const VISIBILITY_CLASSES = [
  'public_open',
  'party_confidential',
  'work_product_internal',
  'privileged',
  'sealed',
  'firewalled',
] as const
export type VisibilityClass = (typeof VISIBILITY_CLASSES)[number]

/** OV-4: text of these classes may be sent to a model that is not declared local; of any other, known or not, never. */
export const SENDABLE_CLASSES: readonly string[] = VISIBILITY_CLASSES.slice(
  0,
  VISIBILITY_CLASSES.indexOf('sealed'),
)

/** OV-1. `access_ceremony_required` is known only to be refused. */
export const RESTRICTIONS = [
  'none',
  'explicit_access_required',
  'preview_only',
  'redacted_only',
  'not_shareable',
  'blocked',
] as const
export type Restriction = (typeof RESTRICTIONS)[number]

/** OV-1: what an overlay or a grant may name, from farthest to closest. */
export const TARGET_KINDS = ['corpus', 'filing_unit', 'version', 'part', 'document', 'segment'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

export const VESSELS = ['user', 'shared', 'global'] as const
export type Vessel = (typeof VESSELS)[number]

/** PC-1. */
export const CONSENT_STATUSES = ['granted', 'pending', 'revoked'] as const
export type ConsentStatus = (typeof CONSENT_STATUSES)[number]

/** Who is listening. Everyone but an owner and a host is an agent audience (PC-2). */
export const AUDIENCES = ['owner', 'host', 'agent', 'recipient'] as const
export type Audience = (typeof AUDIENCES)[number]

/** The layers of memory, in the order of TR-5. */
export const MEMORY_KINDS = ['working', 'entity', 'semantic', 'competence', 'plan_graph', 'episodic'] as const

/** What a mediation session holds. */
export const MEDIATION_KINDS = [
  'user_event',
  'emotional_reading',
  'need',
  'boundary',
  'consented_content',
  'common_ground',
  'agreement',
  'micro_experiment',
  'experiment_suggestion',
  'empathy_draft',
  'empathy_attempt',
  'strategy_proposal',
] as const

export const DOCUMENT_KINDS = ['document', 'segment', 'annotation', 'note'] as const

/** Those that are a source themselves; everything else that is known of one is about it. */
export const SOURCE_KINDS = ['document', 'segment'] as const

/** RC-11, SR-12: kept, used for planning, never evidence. */
export const INTERNAL_KINDS = ['ai_synthesis', 'activity_rollup'] as const

export const KINDS = [...MEMORY_KINDS, ...MEDIATION_KINDS, ...DOCUMENT_KINDS, ...INTERNAL_KINDS] as const
export type Kind = (typeof KINDS)[number]

/** TR-8, SR-11. A forgotten record has no row, so its state is only ever read from old tuples. */
export const LIFECYCLES = ['active', 'contested', 'superseded', 'retracted', 'stale', 'forgotten'] as const
export type Lifecycle = (typeof LIFECYCLES)[number]

/** SV-1, without the alias rulings_and_outcomes, which is resolved when a view is made (SV-2). */
export const SURFACES = [
  'source_documents',
  'filing_metadata',
  'filing_relationships',
  'court_rulings',
  'court_disposition_observations',
  'host_outcome_analysis',
  'neutral_topics',
  'host_annotations',
  'host_strategy_notes',
  'host_topics',
  'derived_memories',
  'derived_outcomes_synthesis',
] as const
export type Surface = (typeof SURFACES)[number]

/** SV-1: from least to most restrictive. */
export const TEMPORAL_MODES = [
  'live_view_with_change_log',
  'live_view',
  'snapshot_at_share_with_drift_disclosure',
  'snapshot_at_share',
] as const
export type TemporalMode = (typeof TEMPORAL_MODES)[number]

/** SV-1: from least to most restrictive. */
export const DERIVED_MEMORY_SHARE_POLICIES = [
  'include_with_provenance',
  'include_only_user_marked_shareable',
  'exclude_all',
] as const
export type DerivedMemorySharePolicy = (typeof DERIVED_MEMORY_SHARE_POLICIES)[number]

/** SV-1: from least to most restrictive. */
export const HOST_ANNOTATION_POLICIES = ['include_all', 'include_marked_shareable', 'exclude_all'] as const
export type HostAnnotationPolicy = (typeof HOST_ANNOTATION_POLICIES)[number]

/** SP-4: in the order of 002 §2.4, which is no rank. A binding is of one of these kinds too. */
export const PROFILE_KINDS = [
  'host_session',
  'share_link_session',
  'subagent_session',
  'system_agent_session',
] as const
export type ProfileKind = (typeof PROFILE_KINDS)[number]

/** SP-4: in the order of 002 §2.3, which is no rank. */
export const IDENTITY_MODES = [
  'anonymous_share_token',
  'email_bound',
  'passcode_required',
  'host_approved_named_external',
  'host_user',
  'system_agent',
] as const
export type IdentityMode = (typeof IDENTITY_MODES)[number]

/** SP-1: from the fewest controls to all of them. */
export const UI_COMPLEXITY_TIERS = [
  'tier_1_minimal',
  'tier_2_standard',
  'tier_3_advanced',
  'tier_4_expert',
] as const
export type UiComplexityTier = (typeof UI_COMPLEXITY_TIERS)[number]

/** SR-10: the kinds of version of a filing unit, strongest first. */
export const VERSION_KINDS = [
  'amended',
  'corrected',
  'reissued',
  'public_redacted',
  'original_as_filed',
] as const

/** CB-2. */
export const CONTENT_TYPES = [
  'IDENTIFIED_NEED',
  'EVENT_SUMMARY',
  'EMOTIONAL_PATTERN',
  'BOUNDARY',
  'EMPATHY_DRAFT',
  'EMPATHY_ATTEMPT',
  'STRATEGY_PROPOSAL',
] as const

/** The place of a value in its list, or NaN for a value the list does not know: NaN compares false, so unknown never passes. */
export function rank(list: readonly string[], value: string | null | undefined): number {
  const at = list.indexOf(value ?? '')
  return at < 0 ? Number.NaN : at
}
