import { type ErrorCode, PrivityError } from '../errors.js'
import { type Disclosure, disclose, NOT_AVAILABLE } from '../policy/reason-codes.js'
import { isAgentAudience } from '../policy/subject.js'
import type { RequestCaller } from './caller.js'
import type { RunningProfile } from './profile.js'

/** The registered reason behind a refusal, for the audit; what the caller reads depends on RS-2. */
const refusalReasons = new WeakMap<PrivityError, string>()

export function attachReason(error: PrivityError, reason: string): PrivityError {
  refusalReasons.set(error, reason)
  return error
}

/** A caller that knew its key's secret is known, though the key no longer stands. */
export function reasonOf(error: PrivityError): string | null {
  if (error.code === 'unauthenticated') return 'session.key_not_standing'
  return refusalReasons.get(error) ?? error.reason ?? null
}

type Words = Pick<RunningProfile, 'policies'> | null

/** A refusal as far as this caller may read why; the audit has the reason itself (RS-2). */
export function refuse(
  reasonCode: string,
  caller: Pick<RequestCaller, 'audience'>,
  registered: Parameters<typeof disclose>[2],
  profile: Words = null,
): PrivityError {
  const shown = discloseTo(reasonCode, caller, registered, profile)
  const code = CODE_OF[reasonCode] ?? 'not_allowed'
  const reason = shown.code === undefined ? {} : { reason: shown.code }
  return attachReason(new PrivityError(code, shown.text, reason), reasonCode)
}

/** What this caller is told of a reason, in the words of its profile where that has its own. */
export function discloseTo(
  reasonCode: string,
  { audience }: Pick<RequestCaller, 'audience'>,
  registered: Parameters<typeof disclose>[2],
  profile: Words,
): Disclosure {
  if (!isAgentAudience(audience)) return disclose(reasonCode, 'host', registered)
  const shown = disclose(reasonCode, 'other', registered)
  return { ...shown, text: wordsFor(shown.code, profile) ?? shown.text }
}

/** Nothing of why: what is said of every reason that is not told. */
export function notAvailable(profile: Words): PrivityError {
  return new PrivityError('not_allowed', wordsFor(undefined, profile) ?? NOT_AVAILABLE)
}

/** Of the nearest profile that has words for a reason that is told, or for all that are not. */
function wordsFor(code: string | undefined, profile: Words): string | undefined {
  for (const policy of profile?.policies.all('session_denial_message_policy') ?? []) {
    const words =
      code === undefined
        ? policy?.visibleText
        : policy?.messages.find(({ reasonCode }) => reasonCode === code)?.visibleText
    if (words !== undefined) return words
  }
  return undefined
}

const CODE_OF: Readonly<Record<string, ErrorCode>> = {
  'session.capability_capacity_blocked': 'busy',
  rate_limit_exceeded: 'rate_limit_exceeded',
  'session.profile_not_yet_activated': 'session_profile_invalid',
  'session.profile_expired': 'session_profile_invalid',
  'session.profile_revoked': 'session_profile_invalid',
  'session.profile_suspended': 'session_profile_invalid',
}
