import { PrivityError } from '../../errors.js'
import { lockOwners } from '../../storage/queries/lock.js'
import type { WriteRequest } from '../request.js'
import type { TenantFacts } from '../tenant-facts.js'

/** Facts of the tenant are changed one at a time, and read anew under the lock. */
export async function changeTenantFacts(request: WriteRequest): Promise<TenantFacts> {
  await lockOwners(request.tx, request.tenant, [''], 'exclusive')
  request.changesFactsOf('')
  return request.parts.readTenantFacts()
}

/** What these write is named by the caller, not by an id, and is the same however often it is written. */
export async function noReplay(): Promise<never> {
  throw new PrivityError('idempotency_conflict', 'this was done already; read it to see how it stands now')
}
