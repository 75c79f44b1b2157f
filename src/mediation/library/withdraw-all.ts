import type { WriteRequest } from '../../runtime/request.js'
import { withdrawContributionsOf } from '../../storage/queries/library-contributions.js'

/**
 * Withdraws everything that somebody contributed and returns the count. Only the library touches its table (RC-14).
 */
export const withdrawAll = ({ tx, tenant, now }: WriteRequest, contributor: string) =>
  withdrawContributionsOf(tx, tenant, contributor, now)
