import { isAgentAudience, isRecipient } from '../policy/subject.js'
import { clampSignals, defaultSignals, type SignalPolicy } from '../policy/utility-signals.js'
import type { ReadRequest } from '../runtime/request.js'
import type { ProfileRow } from '../storage/queries/running-profile.js'
import { resolvePolicy } from './resolve-policy.js'

const NOTHING: SignalPolicy = { utilitySignalCapture: 'session_local_only', captureKinds: [] }
/** A host's plain use is a session of its own (SP-1). */
const PLAIN_HOST = defaultSignals('host_session', 'host_user')

/**
 * What is captured of a request: as its profile says, or by default as its kind of session does. A sub-agent does as
 * whatever spawned it, and nothing of an anonymous reader anywhere above it leaves the session. (SP-8)
 */
export async function signalPolicyFor(request: ReadRequest): Promise<SignalPolicy> {
  const { profile, caller } = request.parts
  if (profile === null) return plainPolicy(caller.audience)
  // From what began the chain to what the request runs under.
  const chain = [...profile.chain].reverse()
  const [first] = chain
  let policy = first?.parentProfile === null ? PLAIN_HOST : NOTHING
  for (const row of chain) policy = await policyOf(request, row, policy)
  return chain.reduce((clamped, { identityMode }) => clampSignals(clamped, identityMode), policy)
}

function plainPolicy(audience: ReadRequest['caller']['audience']): SignalPolicy {
  if (isRecipient(audience)) return NOTHING
  return isAgentAudience(audience)
    ? defaultSignals('subagent_session', 'system_agent', PLAIN_HOST)
    : PLAIN_HOST
}

async function policyOf(
  request: ReadRequest,
  { owner, sessionKind, identityMode, fields }: ProfileRow,
  parent: SignalPolicy,
): Promise<SignalPolicy> {
  const ref = fields.utilitySignalPolicyRef ?? null
  if (ref === null) return defaultSignals(sessionKind, identityMode, parent)
  return (await resolvePolicy(request, owner, 'utility_signal_policy', ref)) ?? NOTHING
}
