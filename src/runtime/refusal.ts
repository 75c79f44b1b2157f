import { type ErrorCode, type ErrorDetails, PrivityError } from '../errors.js'
import { type Disclosure, disclose, NOT_AVAILABLE } from '../policy/reason-codes.js'
import { isAgentAudience } from '../policy/subject.js'
import type { Audience } from '../policy/vocabulary.js'
import type { RequestCaller } from './caller.js'
import type { Callers } from './operation.js'
import type { RunningProfile } from './profile.js'

/** The registered reason for a refusal, for the audit. What the caller is told depends on RS-2. */
const refusalReasons = new WeakMap<PrivityError, string>()

export function attachReason(error: PrivityError, reason: string): PrivityError {
  refusalReasons.set(error, reason)
  return error
}

/** A caller that knew its key's secret is identified, although the key is no longer valid. */
export function reasonOf(error: PrivityError): string | null {
  if (error.code === 'unauthenticated') return 'session.key_not_standing'
  return refusalReasons.get(error) ?? error.reason ?? null
}

type Words = Pick<RunningProfile, 'policies'> | null

/** Makes a refusal that says only as much as this caller may know; the audit has the reason itself (RS-2). */
export function refuse(
  reasonCode: string,
  caller: Pick<RequestCaller, 'audience'>,
  registered: Parameters<typeof disclose>[2],
  profile: Words = null,
  details?: ErrorDetails,
): PrivityError {
  const shown = discloseTo(reasonCode, caller, registered, profile)
  const code = CODE_OF[reasonCode] ?? 'not_allowed'
  const options = {
    ...(shown.code === undefined ? {} : { reason: shown.code }),
    ...(details === undefined ? {} : { details }),
  }
  return attachReason(new PrivityError(code, shown.text, options), reasonCode)
}

/** Refuses a caller of the wrong kind, and says who may do it and whom to ask. */
export function refuseCaller(callers: Callers, caller: Pick<RequestCaller, 'audience'>): PrivityError {
  const reason = 'session.audience_not_allowed'
  const may = callers === 'host' ? 'Only a host' : 'Only a person or a host'
  return attachReason(
    new PrivityError('not_allowed', `${may} may do this. ${WHOM_TO_ASK[caller.audience]}`, { reason }),
    reason,
  )
}

const WHOM_TO_ASK: Readonly<Record<Audience, string>> = {
  owner: 'Ask the host, who runs this server, or use a key with the audience `host`.',
  host: 'Use a key of a person.',
  agent: 'Ask the person you work for.',
  recipient: 'Ask whoever shared this with you.',
}

/** What this caller is told about a reason, in the words of its profile if that has its own. */
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

/** The refusal for every reason that is not disclosed. */
export function notAvailable(profile: Words): PrivityError {
  return new PrivityError('not_allowed', wordsFor(undefined, profile) ?? NOT_AVAILABLE)
}

/** The words of the nearest profile that has some, for a disclosed reason or for all undisclosed ones. */
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
