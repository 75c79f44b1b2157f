import { PrivityError } from '../errors.js'
import { holdsEverything } from '../runtime/caller.js'
import type { ReadRequest } from '../runtime/request.js'

/**
 * Sharing, and ending what is shared, needs an unrestricted credential: a restricted one must not pass on more than
 * it sees, nor end what it did not begin (DE-3, WR-4).
 */
export function requireWholeCredential({ caller }: ReadRequest): void {
  if (!holdsEverything(caller))
    throw new PrivityError(
      'not_allowed',
      'this needs the full access of an owner, and this key is restricted; use an unrestricted key of the owner',
      {
        reason: 'session.audience_not_allowed',
      },
    )
}
