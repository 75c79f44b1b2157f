import type { RequestCaller } from './caller.js'
import type { ReadRequest } from './request.js'

/**
 * What a cursor belongs to: this credential asking this question (NI-9). Two keys of one actor are two callers, and so
 * are two requests that hold or claim different things (NI-10).
 */
export const cursorBoundary = ({ parts }: ReadRequest, operation: string, question: unknown): string =>
  JSON.stringify([operation, parts.actorId, parts.forId, clearanceOf(parts.caller), question])

/** Everything of a caller that a decision can depend on. */
function clearanceOf(caller: RequestCaller): unknown[] {
  const { audience, key, policy, profile, ceiling, floor, trust, respectConsent } = caller
  const scopes = trust === null || trust.scopes === 'all' ? null : [...trust.scopes].sort()
  return [
    audience,
    key,
    policy,
    profile,
    ceiling,
    floor,
    trust?.maxSensitivity ?? null,
    scopes,
    respectConsent,
  ]
}
