import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import {
  deleteLeaseOf,
  findLease,
  insertLease,
  type LeaseRow,
  lockLeases,
} from '../../storage/queries/leases.js'
import { saveCapability, saveCapacity } from '../../storage/queries/registrations.js'
import { id, name } from '../input.js'
import { boundsOf, capacityTotal, holderOf } from '../leases.js'
import { writeOperation } from '../operation.js'
import { refuse } from '../refusal.js'
import { absent, type WriteRequest } from '../request.js'
import { gateCaller } from '../tenant-facts.js'
import { capability, viewCapability } from './capabilities.js'
import { changeTenantFacts, noReplay } from './tenant-registrations.js'

/** Operations that never need capacity: a host that has run out could otherwise not undo it. */
const NEVER_LEASED: readonly string[] = ['capabilities.set_capacity', 'capabilities.release']

/** Limits how often a capability runs at once, for operations of this build and tools of the host (CP-3). */
export const setCapacity = writeOperation({
  name: 'capabilities.set_capacity',
  route: 'POST /capabilities/capacity',
  summary: 'Set which capacity a capability takes, and how much there is',
  sample: () => ({ capability: 'no.such', leaseClass: 'slow', limits: { total: 1 } }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['capability_capacity_set'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    capability: name.meta({
      description: 'The name of the capability, for example `memory.search`.',
      example: 'memory.search',
    }),
    leaseClass: name.nullable().meta({
      description: 'The class of capacity it takes, shared by all that name it; null for no bound.',
      example: 'ocr',
    }),
    limits: capacityTotal.optional().meta({
      description: 'How much there is of the class for this tenant. Default: what the operator gives.',
      example: { total: 8 },
    }),
  }),
  output: capability,
  async run(request, { capability: capabilityId, leaseClass, limits }) {
    const { registry } = await changeTenantFacts(request)
    const known = registry.capabilities.get(capabilityId)
    if (known === undefined) throw absent()
    if (NEVER_LEASED.includes(capabilityId))
      throw new PrivityError('conflict', 'this capability is what would give capacity back')
    if (leaseClass === null && limits !== undefined)
      throw new PrivityError('invalid_input', 'limits: need a leaseClass; name one')
    const { capacityLeaseClass: _, ...metadata } = known.metadata
    const changed = {
      ...known,
      metadata: leaseClass === null ? metadata : { ...metadata, capacityLeaseClass: leaseClass },
    }
    await saveCapability(request.tx, request.tenant, changed, request.now)
    if (leaseClass !== null && limits !== undefined)
      await saveCapacity(request.tx, request.tenant, { leaseClass, ...boundsOf(limits) })
    return { output: viewCapability(changed), refs: [] }
  },
  replay: noReplay,
})

const held = z.object({
  lease: z
    .string()
    .nullable()
    .meta({ description: 'What was taken, by its id; null if the capability takes no capacity.' }),
  leaseClass: z.string().nullable().meta({ description: 'The class of capacity; null if it takes none.' }),
  expiresAt: z
    .string()
    .nullable()
    .meta({ description: 'When it no longer counts, whether or not it was given back.' }),
})

/**
 * Admits a tool that is run elsewhere if it is registered, active, permitted and within its capacity, checked in that
 * order (CP-3). The lease is released by its id, or expires if its holder died.
 */
export const acquireCapability = writeOperation({
  name: 'capabilities.acquire',
  route: 'POST /capabilities/leases',
  summary: 'Ask to run a tool of the host, and take its capacity',
  policies: ['agent'],
  sample: world => ({ capability: world.pick(['calendar.read', 'no.such']) }),
  callers: 'anyone',
  effects: ['capability_lease_taken'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({
    capability: name.meta({ description: 'A tool of the host, by its name.', example: 'garden.water' }),
  }),
  output: held,
  async run(request, { capability: capabilityId }) {
    const { caller } = request
    const { tenantFacts, profile } = request.parts
    // Operations of this build take their capacity themselves when they run.
    if (tenantFacts.callers.has(capabilityId))
      throw new PrivityError('conflict', 'this capability is built in; call the operation instead')
    const known = tenantFacts.registry.capabilities.get(capabilityId)
    const leaseClass = known?.metadata.capacityLeaseClass
    const refusalWith = (lease: 'granted' | 'refused' | 'not_needed') => {
      const verdict = gateCaller(capabilityId, caller, tenantFacts, lease, profile)
      return verdict.permitted ? null : refuse(verdict.reasonCode, caller, tenantFacts.reasonCodes, profile)
    }
    const refusal = refusalWith(leaseClass === undefined ? 'not_needed' : 'granted')
    if (refusal !== null) throw refusal
    if (leaseClass === undefined)
      return { output: { lease: null, leaseClass: null, expiresAt: null }, refs: [] }
    const lease = await take(request, leaseClass)
    if (lease === null) throw refusalWith('refused') ?? absent()
    return { output: view(lease), refs: [lease.leaseId] }
  },
  async replay(request, [leaseId]) {
    if (leaseId === undefined) return { lease: null, leaseClass: null, expiresAt: null }
    const row = await findLease(request.tx, request.tenant, holderOf(request.caller, request.parts), leaseId)
    if (row === undefined) throw absent()
    return view(row)
  },
})

/**
 * Runs in the transaction of the request, so that no caller is admitted without a lease and no lease outlives a
 * refusal.
 */
async function take(
  { tx, tenant, now, caller, parts }: WriteRequest,
  leaseClass: string,
): Promise<LeaseRow | null> {
  const bounds = parts.capacityOf(leaseClass)
  if (bounds === null) return null
  await lockLeases(tx, tenant, leaseClass)
  const row = {
    leaseClass,
    leaseId: parts.clock.newId('lease'),
    holder: holderOf(caller, parts),
    takenAt: now,
    expiresAt: new Date(now.getTime() + bounds.seconds * 1_000),
  }
  return (await insertLease(tx, tenant, row, bounds)) ? row : null
}

const view = ({ leaseId, leaseClass, expiresAt }: LeaseRow): z.input<typeof held> => ({
  lease: leaseId,
  leaseClass,
  expiresAt: expiresAt.toISOString(),
})

/**
 * Releases a lease of the same credential. Returns false for one that no longer exists or belongs to another
 * credential.
 */
export const releaseCapability = writeOperation({
  name: 'capabilities.release',
  route: 'DELETE /capabilities/leases/:lease',
  summary: 'Release the capacity that you took for a tool',
  positional: ['lease'],
  policies: ['agent'],
  sample: world => ({ lease: world.missing() }),
  callers: 'anyone',
  effects: ['capability_lease_released'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({ lease: id.meta({ description: 'What was taken, by its id.' }) }),
  output: z.object({
    released: z.boolean().meta({ description: 'Whether it was given back; false if it no longer counted.' }),
  }),
  async run(request, { lease }) {
    const holder = holderOf(request.caller, request.parts)
    const released = await deleteLeaseOf(request.tx, request.tenant, holder, lease)
    return { output: { released }, refs: released ? [lease] : [] }
  },
  replay: async (_request, refs) => ({ released: refs.length > 0 }),
})
