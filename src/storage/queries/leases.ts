import type { Transaction } from '../database.js'

/** The capacity of a lease class. */
export interface LeaseBounds {
  readonly total: number
  readonly perCredential: number
}

export interface LeaseKey {
  readonly leaseClass: string
  readonly leaseId: string
}

export interface LeaseRow extends LeaseKey {
  readonly holder: string
  readonly takenAt: Date
  readonly expiresAt: Date
}

/** Prevents others from taking a lease of this class until the transaction ends. */
export async function lockLeases(tx: Transaction, tenant: string, leaseClass: string): Promise<void> {
  await tx.query(LOCK, [JSON.stringify(['lease', tenant, leaseClass])])
}

const LOCK = `select pg_advisory_xact_lock(hashtextextended($1, 12))`

/** Takes a lease if there is capacity after removing expired ones; returns whether it did. Requires the lock. */
export async function insertLease(
  tx: Transaction,
  tenant: string,
  lease: LeaseRow,
  { total, perCredential }: LeaseBounds,
): Promise<boolean> {
  const { leaseClass, leaseId, holder, takenAt, expiresAt } = lease
  // This is a separate statement because it may wait for a renewal, and a renewed lease has to be counted.
  await tx.query(DELETE_EXPIRED, [tenant, leaseClass, takenAt])
  const inserted = await tx.query(INSERT, [
    tenant,
    leaseClass,
    leaseId,
    holder,
    takenAt,
    expiresAt,
    total,
    perCredential,
  ])
  return inserted.length > 0
}

const DELETE_EXPIRED = `
  delete from privity.capacity_leases
  where tenant_id = $1
    and lease_class = $2
    and expires_at <= $3`

const INSERT = `
  insert into privity.capacity_leases (tenant_id, lease_class, lease_id, holder, taken_at, expires_at)
  select $1, $2, $3, $4, $5, $6
  from (
    select
      count(*) as held,
      count(*) filter (where holder = $4) as held_by_holder
    from privity.capacity_leases
    where tenant_id = $1
      and lease_class = $2
  ) taken
  where held < $7::int
    and held_by_holder < $8::int
  returning lease_id`

/** Renews a lease, unless another holder has taken it over meanwhile. */
export async function renewLease(
  tx: Transaction,
  tenant: string,
  { leaseClass, leaseId }: LeaseKey,
  expiresAt: Date,
): Promise<void> {
  await tx.query(RENEW, [tenant, leaseClass, leaseId, expiresAt])
}

const RENEW = `
  update privity.capacity_leases
  set expires_at = $4
  where tenant_id = $1
    and lease_class = $2
    and lease_id = $3`

export async function deleteLease(
  tx: Transaction,
  tenant: string,
  { leaseClass, leaseId }: LeaseKey,
): Promise<void> {
  await tx.query(DELETE, [tenant, leaseClass, leaseId])
}

const DELETE = `
  delete from privity.capacity_leases
  where tenant_id = $1
    and lease_class = $2
    and lease_id = $3`

/** Finds a lease of this holder, expired or not. */
export async function findLease(
  tx: Transaction,
  tenant: string,
  holder: string,
  leaseId: string,
): Promise<LeaseRow | undefined> {
  const [row] = await tx.query<LeaseRow>(FIND, [tenant, holder, leaseId])
  return row
}

const FIND = `
  select
    lease_class as "leaseClass",
    lease_id as "leaseId",
    holder,
    taken_at as "takenAt",
    expires_at as "expiresAt"
  from privity.capacity_leases
  where tenant_id = $1
    and holder = $2
    and lease_id = $3`

/** Deletes a lease and returns whether this holder had it. */
export async function deleteLeaseOf(
  tx: Transaction,
  tenant: string,
  holder: string,
  leaseId: string,
): Promise<boolean> {
  const deleted = await tx.query(DELETE_OF, [tenant, holder, leaseId])
  return deleted.length > 0
}

const DELETE_OF = `
  delete from privity.capacity_leases
  where tenant_id = $1
    and holder = $2
    and lease_id = $3
  returning lease_id`
