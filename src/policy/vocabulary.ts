/** The closed lists of values that policies use. The order matters where a value is ranked by it. */

/** From least to most restricted (TR-1). */
export const SENSITIVITIES = ['public', 'low', 'medium', 'high', 'hyper'] as const
export type Sensitivity = (typeof SENSITIVITIES)[number]

/** From least to most restricted (OV-4). */
export const VISIBILITY_CLASSES = [
  'public_open',
  'party_confidential',
  'work_product_internal',
  'privileged',
  'sealed',
  'firewalled',
] as const
export type VisibilityClass = (typeof VISIBILITY_CLASSES)[number]

/**
 * The classes whose text may be sent to a model that is not declared local; text of any other class, known or not,
 * never is (OV-4).
 */
export const SENDABLE_CLASSES: readonly string[] = VISIBILITY_CLASSES.slice(
  0,
  VISIBILITY_CLASSES.indexOf('sealed'),
)

/** The restrictions of an overlay (OV-1). `access_ceremony_required` is listed only in order to be refused. */
export const RESTRICTIONS = [
  'none',
  'explicit_access_required',
  'preview_only',
  'redacted_only',
  'not_shareable',
  'blocked',
] as const
export type Restriction = (typeof RESTRICTIONS)[number]

/** What an overlay or a grant may name, from the widest to the narrowest (OV-1). */
export const TARGET_KINDS = ['corpus', 'filing_unit', 'version', 'part', 'document', 'segment'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

export const VESSELS = ['user', 'shared', 'global'] as const
export type Vessel = (typeof VESSELS)[number]

/** The states of a person's consent (PC-1). */
export const CONSENT_STATUSES = ['granted', 'pending', 'revoked'] as const
export type ConsentStatus = (typeof CONSENT_STATUSES)[number]

/** The kinds of callers. All but an owner and a host are agent audiences (PC-2). */
export const AUDIENCES = ['owner', 'host', 'agent', 'recipient'] as const
export type Audience = (typeof AUDIENCES)[number]

/** The layers of memory, in the order of TR-5. */
export const MEMORY_KINDS = ['working', 'entity', 'semantic', 'competence', 'plan_graph', 'episodic'] as const

/** The kinds of records in a mediation session. */
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

/** The kinds that are sources themselves. Everything else is about a source. */
export const SOURCE_KINDS = ['document', 'segment'] as const

/** Kinds that are stored and used for planning, but are never evidence (RC-11, SR-12). */
export const INTERNAL_KINDS = ['ai_synthesis', 'activity_rollup'] as const

export const KINDS = [...MEMORY_KINDS, ...MEDIATION_KINDS, ...DOCUMENT_KINDS, ...INTERNAL_KINDS] as const
export type Kind = (typeof KINDS)[number]

/**
 * The lifecycle of a record (TR-8, SR-11). A forgotten record has no row, so that state occurs only in old tuples.
 */
export const LIFECYCLES = ['active', 'contested', 'superseded', 'retracted', 'stale', 'forgotten'] as const
export type Lifecycle = (typeof LIFECYCLES)[number]

/**
 * The surfaces of a view (SV-1), without the alias rulings_and_outcomes, which is resolved when a view is made
 * (SV-2).
 */
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

/** From least to most restrictive (SV-1). */
export const TEMPORAL_MODES = [
  'live_view_with_change_log',
  'live_view',
  'snapshot_at_share_with_drift_disclosure',
  'snapshot_at_share',
] as const
export type TemporalMode = (typeof TEMPORAL_MODES)[number]

/** From least to most restrictive (SV-1). */
export const DERIVED_MEMORY_SHARE_POLICIES = [
  'include_with_provenance',
  'include_only_user_marked_shareable',
  'exclude_all',
] as const
export type DerivedMemorySharePolicy = (typeof DERIVED_MEMORY_SHARE_POLICIES)[number]

/** From least to most restrictive (SV-1). */
export const HOST_ANNOTATION_POLICIES = ['include_all', 'include_marked_shareable', 'exclude_all'] as const
export type HostAnnotationPolicy = (typeof HOST_ANNOTATION_POLICIES)[number]

/** The kinds of profiles and bindings (SP-4), in the order of 002 §2.4, which is not a ranking. */
export const PROFILE_KINDS = [
  'host_session',
  'share_link_session',
  'subagent_session',
  'system_agent_session',
] as const
export type ProfileKind = (typeof PROFILE_KINDS)[number]

/** In the order of 002 §2.3, which is not a ranking (SP-4). */
export const IDENTITY_MODES = [
  'anonymous_share_token',
  'email_bound',
  'passcode_required',
  'host_approved_named_external',
  'host_user',
  'system_agent',
] as const
export type IdentityMode = (typeof IDENTITY_MODES)[number]

/** From the fewest controls to all of them (SP-1). */
export const UI_COMPLEXITY_TIERS = [
  'tier_1_minimal',
  'tier_2_standard',
  'tier_3_advanced',
  'tier_4_expert',
] as const
export type UiComplexityTier = (typeof UI_COMPLEXITY_TIERS)[number]

/** The kinds of versions of a filing unit, highest priority first (SR-10). */
export const VERSION_KINDS = [
  'amended',
  'corrected',
  'reissued',
  'public_redacted',
  'original_as_filed',
] as const

/** The types of content that a person can be asked to share (CB-2). */
export const CONTENT_TYPES = [
  'IDENTIFIED_NEED',
  'EVENT_SUMMARY',
  'EMOTIONAL_PATTERN',
  'BOUNDARY',
  'EMPATHY_DRAFT',
  'EMPATHY_ATTEMPT',
  'STRATEGY_PROPOSAL',
] as const

/**
 * The index of a value in its list, or NaN for an unknown value: NaN compares as false, so an unknown value never
 * passes.
 */
export function rank(list: readonly string[], value: string | null | undefined): number {
  const at = list.indexOf(value ?? '')
  return at < 0 ? Number.NaN : at
}
