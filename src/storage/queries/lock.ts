import type { Transaction } from '../database.js'

/**
 * Takes a shared lock to write under an owner's facts, or an exclusive lock to change them, so that an overlay and a
 * record under it cannot be written at the same time without seeing each other. Locks are taken in a fixed order to
 * avoid deadlocks, and by one statement even if there is nobody to lock, so that groups do not show in how many run.
 */
export async function lockOwners(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  mode: 'shared' | 'exclusive',
): Promise<void> {
  const keys = lockKeys(tenant, [...new Set(owners)].sort())
  await tx.query(mode === 'shared' ? LOCK_SHARED : LOCK_EXCLUSIVE, [keys])
}

/** What the locks of owners are taken by, in the same order. */
export const lockKeys = (tenant: string, owners: readonly string[]): string[] =>
  owners.map(owner => JSON.stringify([tenant, owner]))

/** Takes a shared lock for each of some keys, in their order; what follows `select` or `perform`. */
export const lockSharedSql = (keys: string) =>
  `pg_advisory_xact_lock_shared(hashtextextended(key, 7)) from unnest(${keys}) as key`

const LOCK_SHARED = `select ${lockSharedSql('$1::text[]')}`
const LOCK_EXCLUSIVE = `select pg_advisory_xact_lock(hashtextextended(key, 7)) from unnest($1::text[]) as key`

/** Locks records in id order (WR-3): shared for writes that depend on them, exclusive for writes that change them. */
export async function lockRecords(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
  mode: 'shared' | 'exclusive',
): Promise<void> {
  await tx.query(mode === 'shared' ? LOCK_RECORDS_SHARED : LOCK_RECORDS_EXCLUSIVE, [tenant, ids])
}

const lockRecordsSql = (strength: 'share' | 'update') => `
  select record_id
  from privity.records
  where tenant_id = $1
    and record_id = any ($2::uuid[])
  order by record_id
  for ${strength}`

const LOCK_RECORDS_SHARED = lockRecordsSql('share')
const LOCK_RECORDS_EXCLUSIVE = lockRecordsSql('update')
