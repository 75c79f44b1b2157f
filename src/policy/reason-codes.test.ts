import { describe, expect, it } from 'vitest'
import {
  disclose,
  findReasonCode,
  isAuditOnly,
  REASON_CODES,
  REASON_NAMESPACES,
  type ReasonCode,
} from './reason-codes.js'

const GENERIC = { text: 'Not available in this session.' }

// Copied by hand from 002, independently of the source, so that this test notices a code that is missing there. Where
// 002 builds a code from parts (capability_lifecycle_ and a state, specialist_sub_agent_spawn_blocked_ and a reason),
// every possible value is listed.
const NAMED_BY_002 = [
  // §2 sessions
  'session_state_transition_invalid',
  'session.activation_blocked_unresolved_ref',
  'session_already_activated',
  'session_activation_failed',
  'session.activation_succeeded',
  // §3 capability policies
  'unregistered_pattern',
  'denied_by_pattern',
  'allowed_by_pattern',
  'deny_all_default',
  'allow_all_default',
  'inheritance_depth_exceeded',
  // §5 share links
  'share_link_grant_blocked_host_session_not_active',
  'share_link_grant_blocked_invalid_view_ref',
  'share_token_already_revoked',
  'share_token_revoked',
  'share_token_revoked_grace',
  'share_token_revoked_grace_expired',
  // §6 native bindings
  'native_session_fork_forbidden',
  'native_session_max_spawn_depth_exceeded',
  'native_session_max_children_per_agent_exceeded',
  'native_session_child_spawn_denied',
  'native_session_child_spawn_external_denied',
  'native_session_child_spawn_not_in_allow_list',
  'session_binding_kind_mismatch',
  // §7 denial messages, uploads
  'session.capability_not_available',
  'rate_limit_exceeded',
  'calendar.not_available_in_session',
  'session.policy_internal_violation',
  'upload_safety_failed',
  'mime_type_mismatch',
  'file_size_exceeds_cap',
  'decompression_bomb_detected',
  'decompressed_size_exceeds_cap',
  'active_content_blocked',
  'active_content_detected',
  'upload_duplicate_detected',
  // §8 executing a capability
  'capability_not_registered',
  'capability_lifecycle_deprecated',
  'capability_lifecycle_retired',
  'capability_lifecycle_experimental',
  'session.capability_not_active',
  'session.capability_blocked_by_policy',
  'capacity_unavailable',
  'session.capability_capacity_blocked',
  // §11 executors
  'specialist_sub_agent_spawn_blocked_native_session_fork_forbidden',
  'specialist_sub_agent_spawn_blocked_native_session_max_spawn_depth_exceeded',
  'specialist_sub_agent_spawn_blocked_native_session_max_children_per_agent_exceeded',
  'specialist_sub_agent_spawn_blocked_native_session_child_spawn_denied',
  'specialist_sub_agent_spawn_blocked_native_session_child_spawn_external_denied',
  'specialist_sub_agent_spawn_blocked_native_session_child_spawn_not_in_allow_list',
  // §12 postures
  'posture_name_v3_legacy',
  // §15 failures of a search plan, and a session that cannot search
  'document_required_unavailable',
  'memory_only_source_unavailable',
  'scope_exceeds_session_capability',
  'index_stale_blocks_completeness',
  'policy_blocked',
  'session_profile_invalid',
  'extraction_in_flight_required_for_query',
  'session.profile_revoked',
  'session.profile_expired',
  'session.profile_suspended',
  'session.profile_not_yet_activated',
  // §16 overlays
  'blocked',
  'not_shareable_for_share_link_session',
  'explicit_access_required',
  'b1_not_yet_supported',
  // §21 worked examples
  'search.direct_lookup',
  'search.legal_citation_lookup',
  'search.derived_memory_argument_synthesis',
  'search.span_grounded_confirmation_for_synthesis',
]

const GATES_PERMIT = [
  'access.access_granted',
  'access.consent_active',
  'access.consent_not_needed',
  'access.contested',
  'access.contract_allows',
  'access.current',
  'access.evidence',
  'access.global_library',
  'access.group_vessel',
  'access.in_view',
  'access.no_overlay',
  'access.no_participants',
  'access.not_a_recipient',
  'access.one_level_above',
  'access.outside_mediation',
  'access.own_vessel',
  'access.owner_browsing',
  'access.participants_granted',
  'access.preview_only',
  'access.same_tenant',
  'access.session_member',
  'access.within_ceiling',
  'access.within_trust',
]

const GATES_REFUSE = [
  'access.above_ceiling',
  'access.beyond_preview',
  'access.blocked',
  'access.consent_missing',
  'access.consent_revoked',
  'access.contract_forbids',
  'access.contract_missing',
  'access.expired',
  'access.explicit_access_required',
  'access.forgotten',
  'access.gate_failed',
  'access.input_consent_revoked',
  'access.not_evidence',
  'access.not_in_view',
  'access.not_marked_shareable',
  'access.not_shareable',
  'access.not_your_vessel',
  'access.other_tenant',
  'access.out_of_scope',
  'access.participant_not_granted',
  'access.redacted_only',
  'access.retracted',
  'access.stale',
  'access.superseded',
  'access.surface_not_exposed',
  'access.too_sensitive',
  'access.unknown_lifecycle',
  'access.unknown_restriction',
  'access.unknown_sensitivity',
  'access.unknown_vessel',
  'access.unknown_visibility',
  'access.view_missing',
]

const OUR_OWN = [
  'session.audience_not_allowed',
  'session.key_not_standing',
  'session.trust_missing',
  'policy.generation_moved',
  'bridge_accuses',
  'bridge_already_decided',
  'bridge_attacks',
  'bridge_need_not_confirmed',
  'bridge_not_about_need',
  'bridge_nothing_to_revoke',
  'bridge_person_not_granted',
  'bridge_repeats_original',
  'bridge_request_expired',
  'bridge_text_empty',
  'bridge_text_too_long',
  'bridge_too_many_sentences',
  'session.not_active',
  'session.stage_gates_open',
  'session.stage_not_reached',
  'retrieval.asked_twice',
  'retrieval.forbidden_by_stage',
  'retrieval.not_representable',
  'retrieval.nothing_recalled',
  'retrieval.of_another_user',
  'retrieval.session_not_active',
  'retrieval.turn_already_planned',
  'search.derived_memory_lookup',
  'share_link_locked',
  'share_link_refused',
]

// Exposing a code is a decision. Add one here only if it reveals nothing that its reader cannot see.
const EXPOSED = [
  'active_content_blocked',
  'active_content_detected',
  'b1_not_yet_supported',
  'bridge_accuses',
  'bridge_already_decided',
  'bridge_attacks',
  'bridge_need_not_confirmed',
  'bridge_not_about_need',
  'bridge_nothing_to_revoke',
  'bridge_person_not_granted',
  'bridge_repeats_original',
  'bridge_request_expired',
  'bridge_text_empty',
  'bridge_text_too_long',
  'bridge_too_many_sentences',
  'session.document_copy_not_allowed',
  'session.document_not_in_full',
  'session.document_view_not_allowed',
  'session.not_active',
  'session.stage_gates_open',
  'session.stage_not_reached',
  'retrieval.asked_twice',
  'retrieval.forbidden_by_stage',
  'retrieval.not_representable',
  'retrieval.nothing_recalled',
  'retrieval.of_another_user',
  'retrieval.session_not_active',
  'retrieval.turn_already_planned',
  'capacity_unavailable',
  'cu.capture_budget_spent',
  'cu.capture_model_failed',
  'cu.capture_model_not_local',
  'cu.capture_not_configured',
  'cu.consolidation_model_failed',
  'cu.consolidation_model_not_local',
  'cu.consolidation_not_configured',
  'decompressed_size_exceeds_cap',
  'decompression_bomb_detected',
  'document_required_unavailable',
  'extraction_in_flight_required_for_query',
  'file_size_exceeds_cap',
  'index_stale_blocks_completeness',
  'memory_only_source_unavailable',
  'mime_type_mismatch',
  'posture_name_v3_legacy',
  'rate_limit_exceeded',
  'search.derived_memory_argument_synthesis',
  'search.derived_memory_lookup',
  'search.direct_lookup',
  'search.document_required_unavailable',
  'search.extraction_in_flight_required_for_query',
  'search.index_stale_blocks_completeness',
  'search.legal_citation_lookup',
  'search.memory_only_source_unavailable',
  'search.span_grounded_confirmation_for_synthesis',
  'session.activation_succeeded',
  'session.audience_not_allowed',
  'session.capability_capacity_blocked',
  'session.profile_expired',
  'session.profile_not_yet_activated',
  'session.profile_revoked',
  'session.profile_suspended',
  'session.trust_missing',
  'session_already_activated',
  'session_profile_invalid',
  'session_state_transition_invalid',
  'share.watermark_not_possible',
  'share_link_grant_blocked_host_session_not_active',
  'unregistered_pattern',
  'upload_duplicate_detected',
  'upload_safety_failed',
]

const OWNERS = ['runtime', 'policy', 'search', 'sharing', 'documents', 'storage', 'host']

// A namespace that belongs to a host; 002 §7.3 uses it as an example.
const OF_A_HOST = ['calendar']

describe('the registry', () => {
  it('[RS-1] has the sixteen namespaces of 002, each described and owned', () => {
    expect(REASON_NAMESPACES.map(({ namespace }) => namespace)).toEqual([
      'session',
      'cap',
      'search',
      'retrieval',
      'access',
      'envelope',
      'binding',
      'extraction',
      'filing',
      'cu',
      'policy',
      'share',
      'upload',
      'doc1',
      'doc25',
      'capacity',
    ])
    for (const { description, owner } of REASON_NAMESPACES) {
      expect(description).toMatch(/^[A-Z].+\.$/)
      expect(OWNERS).toContain(owner)
    }
  })

  it('[RS-1] holds no code twice', () => {
    const codes = REASON_CODES.map(({ code }) => code)
    expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([])
  })

  it('[RS-1] keeps every code that has a namespace in one of the sixteen', () => {
    const known = [...REASON_NAMESPACES.map(({ namespace }) => namespace), ...OF_A_HOST]
    const strays = REASON_CODES.filter(({ code }) => {
      const [namespace = '', ...rest] = code.split('.')
      return rest.length > 0 && (rest.length > 1 || !known.includes(namespace))
    })
    expect(strays).toEqual([])
  })

  it('[RS-1] spells codes in lower case, and describes each in a sentence that does not repeat the code', () => {
    for (const { code, description, owner } of REASON_CODES) {
      expect(code).toMatch(/^([a-z0-9]+\.)?[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
      expect(description).toMatch(/^[A-Z].+\.$/)
      if (code.includes('_')) expect(description).not.toContain(code)
      expect(OWNERS).toContain(owner)
    }
  })

  it.each([...NAMED_BY_002, ...GATES_PERMIT, ...GATES_REFUSE, ...OUR_OWN])('[RS-1] holds %s', code => {
    expect(findReasonCode(code)?.code).toBe(code)
  })

  it('[RS-1] finds every code that it lists, as it lists it', () => {
    for (const reason of REASON_CODES) expect(findReasonCode(reason.code)).toBe(reason)
  })

  it.each([
    '',
    ' ',
    '__proto__',
    'constructor',
    'toString',
    'session',
    'session.',
    'RATE_LIMIT_EXCEEDED',
    'no_such_code',
  ])('[RS-1] does not find %j', code => {
    expect(findReasonCode(code)).toBeUndefined()
  })
})

describe('what a reader is told', () => {
  it('[RS-2] says the three examples of 002 §7.3 to a recipient', () => {
    expect(disclose('rate_limit_exceeded', 'other')).toStrictEqual({
      code: 'rate_limit_exceeded',
      text: "You've hit your rate limit. Please wait.",
    })
    expect(disclose('calendar.not_available_in_session', 'other')).toStrictEqual(GENERIC)
    expect(disclose('session.policy_internal_violation', 'other')).toStrictEqual(GENERIC)
  })

  it('[RS-2] marks of those three only the internal violation for the audit', () => {
    expect(findReasonCode('rate_limit_exceeded')?.visibility).toBe('expose')
    expect(findReasonCode('calendar.not_available_in_session')?.visibility).toBe('generic_only')
    expect(findReasonCode('session.policy_internal_violation')?.visibility).toBe('audit_log_only')
    expect(isAuditOnly('rate_limit_exceeded')).toBe(false)
    expect(isAuditOnly('calendar.not_available_in_session')).toBe(false)
    expect(isAuditOnly('session.policy_internal_violation')).toBe(true)
  })

  it('[RS-2] tells a host the code and the description of every code', () => {
    for (const { code, description } of REASON_CODES) {
      expect(disclose(code, 'host')).toStrictEqual({ code, text: description })
      expect(description).not.toBe(GENERIC.text)
    }
  })

  it('[RS-2] tells others an exposed code with its description, and of all the rest one and the same', () => {
    for (const { code, description } of REASON_CODES) {
      const told = EXPOSED.includes(code) ? { code, text: description } : GENERIC
      expect(disclose(code, 'other')).toStrictEqual(told)
    }
  })

  it('[RS-2] exposes exactly the codes that were chosen for it', () => {
    const exposed = REASON_CODES.filter(({ visibility }) => visibility === 'expose')
    expect(exposed.map(({ code }) => code).sort()).toEqual([...EXPOSED].sort())
  })

  it('[RS-2] writes every refusal of a gate to the audit and says none of its verdicts to a caller', () => {
    for (const code of GATES_REFUSE) expect([code, isAuditOnly(code)]).toEqual([code, true])
    for (const code of GATES_PERMIT) expect([code, isAuditOnly(code)]).toEqual([code, false])
    const verdicts = REASON_CODES.filter(({ code }) => code.startsWith('access.'))
    for (const { code, owner } of verdicts) {
      expect(disclose(code, 'other')).toStrictEqual(GENERIC)
      expect(owner).toBe('policy')
    }
  })

  it('[RS-2] answers alike for capabilities that are unregistered, inactive or forbidden', () => {
    for (const code of ['not_available', 'not_active', 'blocked_by_policy'])
      expect(disclose(`session.capability_${code}`, 'other')).toStrictEqual(GENERIC)
  })

  it.each([
    '',
    '__proto__',
    'constructor',
    'no_such_code',
    'rate_limit_exceeded ',
  ])('[RS-2] is generic about %j, which nobody registered, and names it to a host only', code => {
    expect(disclose(code, 'other')).toStrictEqual(GENERIC)
    expect(disclose(code, 'other', new Map())).toStrictEqual(GENERIC)
    expect(disclose(code, 'host')).toStrictEqual({ code, ...GENERIC })
    expect(isAuditOnly(code)).toBe(false)
  })
})

describe('codes that a tenant registered', () => {
  const tenant = (code: string, visibility: ReasonCode['visibility']): [string, ReasonCode] => [
    code,
    { code, description: `The tenant's ${visibility}.`, visibility, owner: 'host' },
  ]
  const extra = new Map([
    tenant('doc1.closed_today', 'expose'),
    tenant('doc1.not_for_you', 'generic_only'),
    tenant('doc1.under_watch', 'audit_log_only'),
    tenant('access.other_tenant', 'expose'),
    tenant('rate_limit_exceeded', 'audit_log_only'),
  ])

  it('[RS-2] follow the same three visibilities', () => {
    expect(disclose('doc1.closed_today', 'other', extra)).toStrictEqual({
      code: 'doc1.closed_today',
      text: "The tenant's expose.",
    })
    expect(disclose('doc1.not_for_you', 'other', extra)).toStrictEqual(GENERIC)
    expect(disclose('doc1.under_watch', 'other', extra)).toStrictEqual(GENERIC)
    expect(disclose('doc1.under_watch', 'host', extra)).toStrictEqual({
      code: 'doc1.under_watch',
      text: "The tenant's audit_log_only.",
    })
    expect(isAuditOnly('doc1.under_watch', extra)).toBe(true)
    expect(isAuditOnly('doc1.not_for_you', extra)).toBe(false)
    expect(isAuditOnly('doc1.closed_today', extra)).toBe(false)
  })

  it('[RS-2] are unknown where the tenant is not given', () => {
    expect(disclose('doc1.closed_today', 'other')).toStrictEqual(GENERIC)
    expect(disclose('doc1.closed_today', 'host')).toStrictEqual({ code: 'doc1.closed_today', ...GENERIC })
    expect(isAuditOnly('doc1.under_watch')).toBe(false)
  })

  it('[RS-2] cannot open or close a built-in code', () => {
    expect(disclose('access.other_tenant', 'other', extra)).toStrictEqual(GENERIC)
    expect(disclose('access.other_tenant', 'host', extra)).toStrictEqual(
      disclose('access.other_tenant', 'host'),
    )
    expect(isAuditOnly('access.other_tenant', extra)).toBe(true)
    expect(disclose('rate_limit_exceeded', 'other', extra).code).toBe('rate_limit_exceeded')
    expect(isAuditOnly('rate_limit_exceeded', extra)).toBe(false)
  })
})
