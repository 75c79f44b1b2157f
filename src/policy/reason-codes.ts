/**
 * All reasons that Privity gives for a verdict: what each means, who may read it, and which part is responsible for
 * it. Codes are spelled as in the specification, some with a namespace and some without. (RS-1, RS-2)
 */

/** Who may read a reason: any caller, only a host, or only a host with an entry in the audit each time. */
export type RecipientVisibility = 'expose' | 'generic_only' | 'audit_log_only'

/** The part of Privity that is responsible for a reason; `host` is an operator with rules of their own. */
export type ReasonOwner = 'runtime' | 'policy' | 'search' | 'sharing' | 'documents' | 'storage' | 'host'

export interface ReasonCode {
  readonly code: string
  readonly description: string
  readonly visibility: RecipientVisibility
  readonly owner: ReasonOwner
}

export interface ReasonNamespace {
  readonly namespace: string
  readonly description: string
  readonly owner: ReasonOwner
}

/** The text that a caller reads instead of a reason that is not meant for them. */
export const NOT_AVAILABLE = 'Not available in this session.'

export const REASON_NAMESPACES: readonly ReasonNamespace[] = [
  { namespace: 'session', description: 'Whether a session may be used, and for what.', owner: 'runtime' },
  { namespace: 'cap', description: 'What the registry of capabilities holds.', owner: 'policy' },
  { namespace: 'search', description: 'How a search was planned, or why it was not.', owner: 'search' },
  { namespace: 'retrieval', description: 'What went wrong while reading results.', owner: 'search' },
  { namespace: 'access', description: "The gates' verdicts on one record.", owner: 'policy' },
  { namespace: 'envelope', description: 'Whether an operation may enter the durable log.', owner: 'storage' },
  { namespace: 'binding', description: 'What a watched source brought in.', owner: 'documents' },
  {
    namespace: 'extraction',
    description: 'How far the text of a document has been read.',
    owner: 'documents',
  },
  { namespace: 'filing', description: 'The life of a filing unit and its versions.', owner: 'documents' },
  { namespace: 'cu', description: 'The life of a derived memory.', owner: 'runtime' },
  { namespace: 'policy', description: 'Changes of policy and what they made stale.', owner: 'policy' },
  { namespace: 'share', description: 'Granting and revoking share links.', owner: 'sharing' },
  { namespace: 'upload', description: 'Safety of files that recipients send in.', owner: 'sharing' },
  { namespace: 'doc1', description: "A host's own governance rules.", owner: 'host' },
  { namespace: 'doc25', description: 'Taking documents in.', owner: 'documents' },
  {
    namespace: 'capacity',
    description: 'Room to run, which depends on load and never on content.',
    owner: 'runtime',
  },
]

function reasons(
  owner: ReasonOwner,
  visibility: RecipientVisibility,
  descriptions: Readonly<Record<string, string>>,
): ReasonCode[] {
  return Object.entries(descriptions).map(([code, description]) => ({ code, description, visibility, owner }))
}

/**
 * A reason is exposed only if it follows from the caller's own request or session, from what the caller can see, or
 * from load. A reason about a record, an overlay, another person's consent or the details of a policy is never
 * exposed.
 */
export const REASON_CODES: readonly ReasonCode[] = [
  // session
  ...reasons('runtime', 'expose', {
    rate_limit_exceeded: "You've hit your rate limit. Please wait.",
    'session.activation_succeeded': 'The session is active.',
    'session.audience_not_allowed':
      'Your kind of caller may not do this. An agent asks the person it works for; a person asks the host, who runs the server.',
    'session.capability_capacity_blocked': 'There is no room to run this right now. Try again shortly.',
    'session.document_copy_not_allowed':
      'You may read documents here, but not download them or fetch their files. Ask whoever shared them.',
    'session.document_not_in_full':
      'Only part of this document is shown to you, so its file cannot be handed over.',
    'session.document_view_not_allowed':
      'You may search and list documents here, but not open them. Ask whoever shared them.',
    'session.profile_expired': 'This session has expired. Open a new one.',
    'session.profile_not_yet_activated': 'This session is still a draft. Activate it first.',
    'session.profile_revoked': 'This session has been revoked and cannot be resumed. Ask for a new one.',
    'session.profile_suspended': 'This session is suspended. Wait until it is resumed, or ask its host.',
    'session.trust_missing': 'The request carries no trust context. Add one with a maximum sensitivity.',
    session_already_activated: 'The session has been activated before; only a draft can be activated.',
    session_profile_invalid: 'Nothing was searched, because this session is not active.',
    session_state_transition_invalid: 'The session cannot go from its present state to the one asked for.',
  }),
  // mediation: about the reader's own stage, plan and turn (RC-8, RC-12, RC-16)
  ...reasons('runtime', 'expose', {
    'session.not_active':
      'The session is not active: somebody has not joined yet, it is paused, or it has ended.',
    'session.stage_gates_open': 'Some gates of the stage are not passed yet; stages.get lists them.',
    'session.stage_not_reached': 'This belongs to a later stage. Advance to it first.',
    'retrieval.asked_twice': 'The plan asks for this more than once.',
    'retrieval.forbidden_by_stage':
      'The contract of the stage does not allow this query, or not with these options.',
    'retrieval.not_representable': 'The query is of no known type.',
    'retrieval.nothing_recalled': 'Nothing is recalled in this turn, as its intent says.',
    'retrieval.of_another_user': "The query asks for somebody else's vessel.",
    'retrieval.session_not_active': 'The session is not active, so nothing is retrieved.',
    'retrieval.turn_already_planned': 'The turn has its plan already. Begin another turn.',
  }),
  // The three about a capability look the same to anyone but a host, so that nobody can distinguish an unregistered
  // name from a forbidden one and so discover a tenant's registry.
  ...reasons('runtime', 'generic_only', {
    'session.activation_blocked_unresolved_ref':
      'The session names something that does not exist. Correct its references.',
    'session.capability_blocked_by_policy': "The session's capability policy does not allow this.",
    'session.capability_not_active': 'The capability is registered but not active.',
    'session.capability_not_available': 'No such capability is registered.',
    'session.key_not_standing': 'The API key was revoked or has expired. Ask for a new one.',
    session_activation_failed:
      'The draft does not meet the conditions for activation; see the list of failed gates.',
    session_binding_kind_mismatch: 'The kind of the session and the kind of its native binding differ.',
  }),
  ...reasons('runtime', 'audit_log_only', {
    'session.policy_internal_violation':
      'The request broke an internal rule of the session; the audit holds the details.',
  }),
  // The specification's example of a namespace that belongs to a host.
  ...reasons('host', 'generic_only', {
    'calendar.not_available_in_session': 'The calendar is not part of this session.',
  }),

  // sub-agents of a session
  ...reasons('runtime', 'generic_only', {
    native_session_child_spawn_denied: 'This session may not start sub-agents.',
    native_session_child_spawn_external_denied: 'This session may start internal sub-agents only.',
    native_session_child_spawn_not_in_allow_list:
      'This kind of sub-agent is not on the list that the session allows.',
    native_session_fork_forbidden: 'Sessions of this kind can never start sub-agents.',
    native_session_max_children_per_agent_exceeded:
      'The session already has as many sub-agents as it may have.',
    native_session_max_spawn_depth_exceeded: 'Sub-agents are already nested as deep as the session allows.',
    specialist_sub_agent_spawn_blocked_native_session_child_spawn_denied:
      'A search specialist did not start: the session may not start sub-agents.',
    specialist_sub_agent_spawn_blocked_native_session_child_spawn_external_denied:
      'A search specialist did not start: the session may start internal sub-agents only.',
    specialist_sub_agent_spawn_blocked_native_session_child_spawn_not_in_allow_list:
      'A search specialist did not start: its kind is not on the list that the session allows.',
    specialist_sub_agent_spawn_blocked_native_session_fork_forbidden:
      'A search specialist did not start: sessions of this kind can never start sub-agents.',
    specialist_sub_agent_spawn_blocked_native_session_max_children_per_agent_exceeded:
      'A search specialist did not start: the session already has as many sub-agents as it may have.',
    specialist_sub_agent_spawn_blocked_native_session_max_spawn_depth_exceeded:
      'A search specialist did not start: sub-agents are already nested as deep as the session allows.',
  }),

  // cap
  ...reasons('policy', 'expose', {
    unregistered_pattern:
      'The policy names a capability or namespace that is not registered. Register it first.',
  }),
  ...reasons('policy', 'generic_only', {
    allow_all_default: 'Allowed, because the policy allows whatever it does not deny.',
    allowed_by_pattern: 'Allowed by a pattern of the policy.',
  }),
  ...reasons('policy', 'audit_log_only', {
    capability_lifecycle_deprecated: 'The capability is deprecated.',
    capability_lifecycle_experimental: 'The capability is still experimental.',
    capability_lifecycle_retired: 'The capability has been retired.',
    capability_not_registered: 'The capability is not in the registry.',
    denied_by_pattern: 'Denied by a pattern of the policy; a denial outweighs every permission.',
    deny_all_default: 'Denied, because the policy denies whatever it does not allow.',
    inheritance_depth_exceeded:
      'The policy inherits from too far away, or from a parent that is missing. Restructure it.',
  }),

  // cu
  ...reasons('runtime', 'expose', {
    'cu.capture_budget_spent':
      'The model for capture may not be called more often today. What waits is read later.',
    'cu.capture_model_failed': 'The model for capture gave no usable answer. Try again later.',
    'cu.capture_model_not_local': 'Sealed or firewalled turns are sent to local models only.',
    'cu.capture_not_configured': 'No model is configured for capture.',
    'cu.consolidation_model_failed': 'The model for consolidation made no summary. Try again later.',
    'cu.consolidation_model_not_local':
      'Sealed or firewalled text is among the records, and the model for consolidation is not local.',
    'cu.consolidation_not_configured': 'No model is configured for consolidation.',
  }),

  // the bridge: about a text that its reader wrote or owns (CB-4)
  ...reasons('runtime', 'expose', {
    bridge_already_decided: 'This request was decided before. Revoke the decision, or ask anew.',
    bridge_need_not_confirmed: 'The need is not confirmed by its owner. Confirm it first.',
    bridge_nothing_to_revoke: 'Nothing was shared by this decision, so there is nothing to take back.',
    bridge_person_not_granted:
      'Somebody in the original has not granted that models are told of them. Ask them, and note it.',
    bridge_request_expired: 'The request was not decided in time. Ask anew.',
    bridge_accuses: 'The text puts blame on somebody. Say what you feel or need instead.',
    bridge_attacks: 'The text holds an insult or a threat. Say what you feel or need instead.',
    bridge_not_about_need: 'The text tells of no need, feeling, wish or boundary. Name one.',
    bridge_repeats_original: 'The text repeats words of the private original. Say it in other words.',
    bridge_text_empty: 'The text has no words.',
    bridge_text_too_long: 'The text is too long. Shorten it.',
    bridge_too_many_sentences: 'The text has too many sentences. Shorten it.',
  }),

  // search: a failure is determined from what the caller can see, so naming it discloses nothing else
  ...reasons('search', 'expose', {
    document_required_unavailable:
      'The question needs a document, and you can see none that fits. Widen the scope.',
    extraction_in_flight_required_for_query: 'A document you can see is still being read. Try again shortly.',
    index_stale_blocks_completeness:
      'The index is behind, so a complete answer is not possible yet. Try again shortly.',
    memory_only_source_unavailable:
      'You can see too few source documents to support a synthesis. Widen the scope.',
    posture_name_v3_legacy: 'This is an old name of a retrieval posture. Use its present name.',
    'search.derived_memory_argument_synthesis':
      'Memories are searched, because the query asks about an argument or theme.',
    'search.derived_memory_lookup': 'Memories are searched, because the posture of the query asks for them.',
    'search.document_required_unavailable':
      'The question needs a document, and you can see none that fits. Widen the scope.',
    'search.extraction_in_flight_required_for_query':
      'A document you can see is still being read. Try again shortly.',
    'search.index_stale_blocks_completeness':
      'The index is behind, so a complete answer is not possible yet. Try again shortly.',
    'search.memory_only_source_unavailable':
      'You can see too few source documents to support a synthesis. Widen the scope.',
    'search.direct_lookup': 'What the caller can see is searched directly, as nothing calls for more.',
    'search.legal_citation_lookup': 'Citations are searched, because the query holds one.',
    'search.span_grounded_confirmation_for_synthesis':
      'Passages are searched, because each part of the answer must rest on a source.',
  }),
  ...reasons('search', 'generic_only', {
    policy_blocked: 'A policy forbids this search.',
    scope_exceeds_session_capability: 'The search needs a wider scope than the session allows.',
    'search.policy_blocked': 'A policy forbids this search.',
    'search.scope_exceeds_session_capability': 'The search needs a wider scope than the session allows.',
    'search.session_profile_invalid': 'The profile of this session cannot search.',
  }),

  // access: a caller may never ask why a record is missing; a host reads these in `explain` (DE-4)
  ...reasons('policy', 'generic_only', {
    'access.access_granted': 'The record needs explicit access, and the caller has been granted it.',
    'access.consent_active':
      'The record is shared by consent, and the consent stands, or the caller gave it.',
    'access.consent_not_needed': "The record does not depend on anybody's consent to share it.",
    'access.contested': 'The record is contested; it is shown and marked as such.',
    'access.contract_allows': 'The present stage of the mediation lets the caller read this record.',
    'access.current': 'The record is current.',
    'access.evidence': 'The record may serve as evidence.',
    'access.global_library': 'The record is in the global library, which is open to all.',
    'access.group_vessel': 'The record belongs to a group or role that the caller is in.',
    'access.in_view': 'The record is in a view that is shared with the caller.',
    'access.stood_at_share':
      'The record has been replaced since, and was current when the snapshot was taken that the caller sees.',
    'access.no_overlay': 'No restriction is set on the record.',
    'access.no_participants': 'The record is about nobody whose consent would be needed.',
    'access.not_a_recipient': 'The caller did not come by a share link, so no view limits them.',
    'access.one_level_above':
      "The record is one level more sensitive than the caller's trust; only its metadata is shown.",
    'access.outside_mediation': 'The record is not part of a mediation, so no stage limits it.',
    'access.own_vessel': 'The record belongs to the caller, or to the person they act for.',
    'access.owner_browsing':
      'An owner or host is reading, so the consent of the people in the record is not asked.',
    'access.participants_granted': 'Every person in the record has granted consent or sits in its mediation.',
    'access.preview_only': 'A restriction limits the record to its title and its beginning.',
    'access.same_tenant': "The record belongs to the caller's tenant.",
    'access.session_member': 'The caller is a member of the session that the record belongs to.',
    'access.within_ceiling': "The record's visibility class is within the ceiling.",
    'access.within_trust': "The record is no more sensitive than the caller's trust allows.",
  }),
  ...reasons('policy', 'audit_log_only', {
    'access.above_ceiling': "The record's visibility class is not within the ceiling of the session or view.",
    'access.beyond_preview':
      'A restriction limits the document to its beginning, and this piece of it lies beyond that.',
    'access.blocked': 'A restriction blocks the record for everyone.',
    'access.consent_missing': 'The record may be shared only by consent, and it names none.',
    'access.consent_revoked': 'The consent to share the record was revoked or never given.',
    'access.contract_forbids': 'The present stage of the mediation does not let the caller read this record.',
    'access.contract_missing':
      'The record can be read only within a mediation, and the caller is not in one.',
    'access.expired': 'The record has expired.',
    'access.explicit_access_required': 'A restriction asks for explicit access, and the caller has none.',
    'access.forgotten': 'The record has been forgotten.',
    'access.gate_failed': 'A gate could not decide, so it denied.',
    'access.input_consent_revoked': 'Something the record was derived from is no longer shared.',
    'access.not_evidence':
      'Records of this kind, such as a synthesis or an activity rollup, are never results.',
    'access.not_in_view':
      "The record is in no view shared with the caller, or came after the view's snapshot.",
    'access.not_marked_shareable':
      "The view's policy on host notes and derived memories leaves this record out.",
    'access.not_shareable': 'A restriction keeps the record from everyone who comes by a share link.',
    'access.not_your_vessel': 'The record belongs to somebody else and is not shared with the caller.',
    'access.other_tenant': 'The record belongs to another tenant.',
    'access.out_of_scope': "The caller's scopes do not cover the scope of the record.",
    'access.participant_not_granted': 'At least one person in the record has not granted consent.',
    // The original is refused; without a redacted twin, so is everything.
    'access.redacted_only': 'A restriction allows only the redacted version of the record.',
    'access.retracted': 'The record has been retracted.',
    'access.stale': 'The record was derived from a source that has since changed.',
    'access.superseded': 'A newer record has replaced this one.',
    'access.surface_not_exposed': 'The view does not expose the surface that the record belongs to.',
    'access.too_sensitive':
      "The record is too sensitive for the caller's trust; not even its metadata is shown.",
    'access.unknown_lifecycle': 'The state of the record is not one we know, so it is denied.',
    'access.unknown_restriction': 'The record has a restriction we do not know, so it is denied.',
    'access.unknown_sensitivity':
      'The sensitivity of the record or of the caller is not one we know, so it is denied.',
    'access.unknown_vessel': 'It is not known whom the record belongs to, so it is denied.',
    'access.unknown_visibility':
      "The record's visibility class is not one we know, or the caller has no ceiling, so it is denied.",
    'access.view_missing': 'The caller came by a share link, but its view could not be found.',
    blocked: 'Left out of a search, because a restriction blocks it.',
    explicit_access_required:
      'Left out of a search, because it needs explicit access that the session lacks.',
    not_shareable_for_share_link_session:
      'Left out of a search by a recipient, because a restriction keeps it from being shared.',
  }),
  ...reasons('policy', 'expose', {
    b1_not_yet_supported: 'An overlay cannot ask for an access ceremony yet. Choose another restriction.',
  }),

  // policy
  ...reasons('policy', 'audit_log_only', {
    'policy.generation_moved': 'Policy changed while the request ran, so it was decided again.',
  }),

  // share: for a recipient, a revoked token looks like one that never existed (ST-3)
  ...reasons('sharing', 'expose', {
    share_link_grant_blocked_host_session_not_active:
      'Your session is not active, so it cannot grant a share link.',
    'share.watermark_not_possible':
      'Copies are marked here, and this file cannot carry a watermark. Download its text instead, or ask whoever shared it.',
  }),
  ...reasons('sharing', 'generic_only', {
    share_link_grant_blocked_invalid_view_ref:
      'A view named by the grant does not exist or belongs to another session.',
    share_link_locked: 'Too many wrong passcodes were entered, so the link is locked for a while.',
    share_link_refused: 'What was presented to open the share link is wrong or has expired.',
    share_token_already_revoked: 'The share link has been revoked before; nothing changed.',
    share_token_revoked: 'The share link was revoked, and the session ended with it.',
    share_token_revoked_grace: 'The share link was revoked; the session may run to its end.',
    share_token_revoked_grace_expired:
      'The share link was revoked, and the time left to the session has run out.',
  }),

  // upload: about the caller's own file; a duplicate is reported only if the caller can see or sent the other file
  // (ST-7)
  ...reasons('sharing', 'expose', {
    active_content_blocked: 'The file holds macros or scripts. Remove them and send it again.',
    active_content_detected: 'The file holds macros or scripts; it was accepted with this warning.',
    decompressed_size_exceeds_cap: 'The archive is too large once unpacked. Split it.',
    decompression_bomb_detected: 'The archive unpacks to far more than its size. Send the files themselves.',
    file_size_exceeds_cap: 'The file is too large. Send a smaller one.',
    mime_type_mismatch:
      'The content of the file is not of the type declared. Correct the type and send it again.',
    upload_duplicate_detected: 'This document is already here.',
    upload_safety_failed: 'The file did not pass the safety checks.',
  }),

  // capacity
  ...reasons('runtime', 'expose', {
    capacity_unavailable: 'Everything that could run this is busy. Try again shortly.',
  }),
]

const byCode: ReadonlyMap<string, ReasonCode> = new Map(REASON_CODES.map(reason => [reason.code, reason]))

export function findReasonCode(code: string): ReasonCode | undefined {
  return byCode.get(code)
}

/** What one audience learns about a reason. The code is present only if the audience may read it. */
export interface Disclosure {
  readonly code?: string
  readonly text: string
}

/**
 * Returns what a reader may learn about a reason. (RS-2)
 *
 *     disclose('rate_limit_exceeded', 'other').code  // 'rate_limit_exceeded'
 *     disclose('access.other_tenant', 'other')       // { text: 'Not available in this session.' }
 *     disclose('access.other_tenant', 'host').code   // 'access.other_tenant'
 *
 * `extra` holds codes that a tenant registered. Built-in codes take precedence, so that a tenant cannot expose one.
 */
export function disclose(
  code: string,
  audience: 'host' | 'other',
  extra?: ReadonlyMap<string, ReasonCode>,
): Disclosure {
  const reason = findReasonCode(code) ?? extra?.get(code)
  if (audience === 'host') return { code, text: reason?.description ?? NOT_AVAILABLE }
  if (reason?.visibility === 'expose') return { code, text: reason.description }
  return { text: NOT_AVAILABLE }
}

/** Whether a reason must be written to the audit because only a host may read it. (RS-2) */
export function isAuditOnly(code: string, extra?: ReadonlyMap<string, ReasonCode>): boolean {
  const reason = findReasonCode(code) ?? extra?.get(code)
  return reason?.visibility === 'audit_log_only'
}
