import { rank } from './vocabulary.js'

/** Actions of a reader that may show how useful a result was (002 §7.1). */
export const SIGNAL_KINDS = [
  'click_dwell',
  'explicit_helpful',
  'explicit_not_helpful',
  'query_refinement',
  'result_share',
] as const
export type SignalKind = (typeof SIGNAL_KINDS)[number]

/** Where a signal goes, from only the profile to the host's models (002 §7.1). */
export const SIGNAL_ROUTES = [
  'session_local_only',
  'corpus_aggregate_review_required',
  'host_global',
] as const
export type SignalRoute = (typeof SIGNAL_ROUTES)[number]

export interface SignalPolicy {
  readonly utilitySignalCapture: string
  readonly captureKinds: readonly string[]
}

const EVERYTHING: SignalPolicy = { utilitySignalCapture: 'host_global', captureKinds: SIGNAL_KINDS }
const NOTHING: SignalPolicy = { utilitySignalCapture: 'session_local_only', captureKinds: [] }
const ANONYMOUS: SignalPolicy = { utilitySignalCapture: 'session_local_only', captureKinds: ['click_dwell'] }
const NAMED: SignalPolicy = {
  utilitySignalCapture: 'corpus_aggregate_review_required',
  captureKinds: ['click_dwell', 'explicit_helpful', 'explicit_not_helpful'],
}

/** The default signals to capture. A sub-agent captures what its parent does, and nothing without a parent. (SP-8) */
export function defaultSignals(
  sessionKind: string,
  identityMode: string,
  parent: SignalPolicy | null = null,
): SignalPolicy {
  switch (sessionKind) {
    case 'host_session':
    case 'system_agent_session':
      return EVERYTHING
    case 'share_link_session':
      return isAnonymous(identityMode) ? ANONYMOUS : NAMED
    case 'subagent_session':
      return parent ?? NOTHING
  }
  return NOTHING // An unknown kind (DE-2).
}

const NAMED_MODES: readonly string[] = ['email_bound', 'host_approved_named_external']
const OWN_MODES: readonly string[] = ['host_user', 'system_agent']

/** Whether the reader is neither named nor one of the host's own. A passcode does not say who uses it. */
function isAnonymous(identityMode: string): boolean {
  return !NAMED_MODES.includes(identityMode) && !OWN_MODES.includes(identityMode)
}

/** Where a signal goes under a policy; null if it is not captured. */
export function routeOf(policy: SignalPolicy, kind: string): SignalRoute | null {
  const captured = SIGNAL_KINDS.some(known => known === kind) && policy.captureKinds.includes(kind)
  return captured ? (SIGNAL_ROUTES.find(route => route === policy.utilitySignalCapture) ?? null) : null
}

/**
 * Limits a policy for this reader: no signal of an anonymous reader leaves the profile, whatever the policy says.
 * (SP-8)
 */
export function clampSignals(policy: SignalPolicy, identityMode: string): SignalPolicy {
  return isAnonymous(identityMode) ? { ...policy, utilitySignalCapture: 'session_local_only' } : policy
}

/** What both policies capture, sent no further than both allow. */
export function meetSignals(a: SignalPolicy, b: SignalPolicy): SignalPolicy {
  // An unknown route captures nothing, whatever the other policy says (DE-2).
  const places = [a, b].map(({ utilitySignalCapture: route }) => rank(SIGNAL_ROUTES, route))
  const route = SIGNAL_ROUTES[Math.min(...places)]
  if (route === undefined) return NOTHING
  return {
    utilitySignalCapture: route,
    captureKinds: a.captureKinds.filter(kind => b.captureKinds.includes(kind)),
  }
}

/** Limits a policy to what the host may learn from a profile: nothing, or only what the host has reviewed. (SP-1) */
export function limitToLearning(policy: SignalPolicy, capture: string | undefined): SignalPolicy {
  const route = capture === 'host_reviewed' ? 'corpus_aggregate_review_required' : 'session_local_only'
  return meetSignals(policy, { utilitySignalCapture: route, captureKinds: SIGNAL_KINDS })
}
