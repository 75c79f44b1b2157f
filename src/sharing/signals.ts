import { isAgentAudience, isRecipient } from '../policy/subject.js'
import {
  clampSignals,
  defaultSignals,
  limitToLearning,
  meetSignals,
  SIGNAL_KINDS,
  type SignalPolicy,
} from '../policy/utility-signals.js'
import type { ReadRequest } from '../runtime/request.js'

const NOTHING: SignalPolicy = { utilitySignalCapture: 'session_local_only', captureKinds: [] }
const EVERYTHING: SignalPolicy = { utilitySignalCapture: 'host_global', captureKinds: SIGNAL_KINDS }
/** A host who works without a profile is treated as having one (SP-1). */
const PLAIN_HOST = defaultSignals('host_session', 'host_user')

/**
 * What is captured about a request: as its profile says, or else by the default of its kind. A sub-agent follows the
 * profile that spawned it; every profile above can only narrow, and nothing about an anonymous reader leaves the
 * profile (SP-8).
 */
export function signalPolicyFor({ parts }: ReadRequest): SignalPolicy {
  const { profile, caller } = parts
  if (profile === null) return plainPolicy(caller.audience)
  // The chain from its first profile to the one that the request runs under.
  const chain = [...profile.chain].reverse()
  const [first] = chain
  let policy = first?.parentProfile === null ? PLAIN_HOST : NOTHING
  let most = EVERYTHING
  for (const row of chain) {
    const named = profile.policies.of(row, 'utility_signal_policy')
    // A policy that no longer exists captures nothing (DE-2).
    if (named !== null) most = meetSignals(most, named ?? NOTHING)
    policy = meetSignals(named ?? defaultSignals(row.sessionKind, row.identityMode, policy), most)
  }
  for (const learning of profile.policies.all('learning_capture_policy'))
    policy = limitToLearning(policy, learning?.capture)
  return chain.reduce((clamped, { identityMode }) => clampSignals(clamped, identityMode), policy)
}

function plainPolicy(audience: ReadRequest['caller']['audience']): SignalPolicy {
  if (isRecipient(audience)) return NOTHING
  return isAgentAudience(audience)
    ? defaultSignals('subagent_session', 'system_agent', PLAIN_HOST)
    : PLAIN_HOST
}
