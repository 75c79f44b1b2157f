import { type ErrorCode, PrivityError } from '../errors.js'
import { disclose } from '../policy/reason-codes.js'
import { isAgentAudience } from '../policy/subject.js'
import type { RequestCaller } from './caller.js'

/** The registered reason behind a refusal, for the audit; what the caller reads depends on RS-2. */
const refusalReasons = new WeakMap<PrivityError, string>()

export function withReason(error: PrivityError, reason: string): PrivityError {
  refusalReasons.set(error, reason)
  return error
}

/** A caller that knew its key's secret is known, though the key no longer stands. */
export function reasonOf(error: PrivityError): string | null {
  if (error.code === 'unauthenticated') return 'session.key_not_standing'
  return refusalReasons.get(error) ?? error.reason ?? null
}

/** A refusal as far as this caller may read why; the audit has the reason itself (RS-2). */
export function refuse(
  reasonCode: string,
  caller: Pick<RequestCaller, 'audience'>,
  registered: Parameters<typeof disclose>[2],
): PrivityError {
  const shown = disclose(reasonCode, isAgentAudience(caller.audience) ? 'other' : 'host', registered)
  const code = CODE_OF[reasonCode] ?? 'not_allowed'
  const reason = shown.code === undefined ? {} : { reason: shown.code }
  return withReason(new PrivityError(code, shown.text, reason), reasonCode)
}

const CODE_OF: Readonly<Record<string, ErrorCode>> = {
  'session.capability_capacity_blocked': 'busy',
  rate_limit_exceeded: 'rate_limit_exceeded',
  'session.profile_not_yet_activated': 'session_profile_invalid',
  'session.profile_expired': 'session_profile_invalid',
  'session.profile_revoked': 'session_profile_invalid',
  'session.profile_suspended': 'session_profile_invalid',
}
