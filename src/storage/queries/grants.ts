import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'

export interface GrantRow {
  readonly grantId: string
  readonly owner: string
  readonly grantee: string
  readonly targetKind: string
  readonly targetRef: string
  readonly target: string
  readonly createdAt: Date
  /** The most that its author could be shown; null counts as the strictest label (NI-10). */
  readonly label: StoredLabel | null
}

export async function insertGrant(tx: Transaction, tenant: string, grant: GrantRow): Promise<void> {
  await tx.query(INSERT_GRANT, [
    tenant,
    grant.grantId,
    grant.owner,
    grant.grantee,
    grant.targetKind,
    grant.targetRef,
    grant.target,
    grant.createdAt,
    grant.label === null ? null : JSON.stringify(grant.label),
  ])
}

const INSERT_GRANT = `
  insert into privity.grants
    (tenant_id, grant_id, owner, grantee, target_kind, target_ref, target, created_at, label)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb)`

/** The grants on records of these owners. */
export function listGrants(tx: Transaction, tenant: string, owners: readonly string[]): Promise<GrantRow[]> {
  return tx.query<GrantRow>(LIST_GRANTS, [tenant, owners])
}

const LIST_GRANTS = `
  select
    grant_id as "grantId",
    owner,
    grantee,
    target_kind as "targetKind",
    target_ref as "targetRef",
    target,
    created_at as "createdAt",
    label
  from privity.grants
  where tenant_id = $1
    and owner = any ($2::text[])
  order by created_at, grant_id`

/** Deletes these grants of these owners and returns the owner. */
export async function deleteGrant(
  tx: Transaction,
  tenant: string,
  grantIds: readonly string[],
  owners: readonly string[],
): Promise<string | undefined> {
  const [row] = await tx.query<{ owner: string }>(DELETE_GRANT, [tenant, grantIds, owners])
  return row?.owner
}

const DELETE_GRANT = `
  delete from privity.grants
  where tenant_id = $1
    and grant_id = any ($2::uuid[])
    and owner = any ($3::text[])
  returning owner`
