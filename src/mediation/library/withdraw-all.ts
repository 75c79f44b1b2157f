import type { WriteRequest } from '../../runtime/request.js'
import { withdrawContributionsOf } from '../../storage/queries/library-contributions.js'

/** Takes out whatever somebody contributed; how many that was. Beside the library nothing knows its table (RC-14). */
export const withdrawAll = ({ tx, tenant, now }: WriteRequest, contributor: string) =>
  withdrawContributionsOf(tx, tenant, contributor, now)
