import { PrivityError } from '../../errors.js'
import { lockOwners } from '../../storage/queries/lock.js'
import type { WriteRequest } from '../request.js'
import type { TenantFacts } from '../tenant-facts.js'

/** Locks the facts of the tenant, so that they change one request at a time, and reads them again under the lock. */
export async function changeTenantFacts(request: WriteRequest): Promise<TenantFacts> {
  await lockOwners(request.tx, request.tenant, [''], 'exclusive')
  request.changesFactsOf('')
  return request.parts.readTenantFacts()
}

/** These writes are named by the caller, not by an id, and are idempotent, so they need no replay. */
export async function noReplay(): Promise<never> {
  throw new PrivityError(
    'idempotency_conflict',
    'this was already done; read the record to see its current state',
  )
}
