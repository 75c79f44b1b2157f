import { randomBytes } from 'node:crypto'
import { type Mark, markLine, NUMBER_BYTES, numberFrom, visibilityFor } from '../policy/watermark.js'
import type { Clock } from '../runtime/clock.js'
import type { ReadRequest } from '../runtime/request.js'
import { findDisplayNumber } from '../storage/queries/watermarks.js'
import { provedAddress } from './recipient-address.js'

/** How the link that this request came by marks copies; null if it does not, or if there is no link. */
export const watermarkPolicyOf = ({ parts }: ReadRequest) => parts.profile?.link?.watermarkPolicy ?? null

export const newNumber = (clock: Clock): string =>
  numberFrom(clock.newSecret?.(NUMBER_BYTES) ?? randomBytes(NUMBER_BYTES))

/** What goes onto one copy that leaves by this request; null if its link does not mark copies. */
export function markFor(
  request: ReadRequest,
  target: Parameters<typeof visibilityFor>[1],
  { number, at }: { readonly number: string; readonly at: Date },
): Mark | null {
  const policy = watermarkPolicyOf(request)
  const { profile, secrets } = request.parts
  if (policy === null || profile?.link == null) return null
  const { profileId, linkId, recipientEmail: ownEmail } = profile.row
  const email = provedAddress(
    { secrets },
    { profileId, linkId, ownEmail, linkEmail: profile.link.recipientEmail },
  )
  return {
    number,
    line: markLine(policy.watermarkKind, { number, email, session: profile.row.profileId, at }),
    visibility: visibilityFor(policy, target),
  }
}

/** What goes onto everything that a session displays; null if its link does not mark copies. */
export async function displayMark(request: ReadRequest): Promise<Mark | null> {
  const { profile } = request.parts
  if (profile === null || watermarkPolicyOf(request) === null) return null
  const known = await findDisplayNumber(request.tx, request.tenant, profile.row.profileId)
  // A session that was opened before its link marked copies has no number, and its files are not displayed.
  return known === undefined ? null : markFor(request, 'displayed_content', known)
}
