import { rank } from './vocabulary.js'

/** 002 §7.1: what a reader does that may tell how useful a result was. */
export const SIGNAL_KINDS = [
  'click_dwell',
  'explicit_helpful',
  'explicit_not_helpful',
  'query_refinement',
  'result_share',
] as const
export type SignalKind = (typeof SIGNAL_KINDS)[number]

/** 002 §7.1: where a signal goes, from the profile alone to the host's models. */
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

/** What is captured where nobody chose. A sub-agent does as its parent does, and nothing without one. (SP-8) */
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
  return NOTHING // a kind we do not know (DE-2)
}

const NAMED_MODES: readonly string[] = ['email_bound', 'host_approved_named_external']
const OWN_MODES: readonly string[] = ['host_user', 'system_agent']

/** Whoever is neither named nor one of the host's own: a passcode says nothing of who holds it. */
function isAnonymous(identityMode: string): boolean {
  return !NAMED_MODES.includes(identityMode) && !OWN_MODES.includes(identityMode)
}

/** Where a signal goes under a policy; null when it is not captured at all. */
export function routeOf(policy: SignalPolicy, kind: string): SignalRoute | null {
  const captured = SIGNAL_KINDS.some(known => known === kind) && policy.captureKinds.includes(kind)
  return captured ? (SIGNAL_ROUTES.find(route => route === policy.utilitySignalCapture) ?? null) : null
}

/** A policy as it holds for this reader: nothing of an anonymous one leaves the profile, whatever it says. (SP-8) */
export function clampSignals(policy: SignalPolicy, identityMode: string): SignalPolicy {
  return isAnonymous(identityMode) ? { ...policy, utilitySignalCapture: 'session_local_only' } : policy
}

/** What both policies capture, and no further than both let it go. */
export function meetSignals(a: SignalPolicy, b: SignalPolicy): SignalPolicy {
  // A route that is not known captures nothing, and so does whatever it is met with (DE-2).
  const places = [a, b].map(({ utilitySignalCapture: route }) => rank(SIGNAL_ROUTES, route))
  const route = SIGNAL_ROUTES[Math.min(...places)]
  if (route === undefined) return NOTHING
  return {
    utilitySignalCapture: route,
    captureKinds: a.captureKinds.filter(kind => b.captureKinds.includes(kind)),
  }
}

/** A policy as far as a host learns from a profile at all: not, or only once it has looked. (SP-1) */
export function limitToLearning(policy: SignalPolicy, capture: string | undefined): SignalPolicy {
  const route = capture === 'host_reviewed' ? 'corpus_aggregate_review_required' : 'session_local_only'
  return meetSignals(policy, { utilitySignalCapture: route, captureKinds: SIGNAL_KINDS })
}
