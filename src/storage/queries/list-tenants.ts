import type { Database } from '../database.js'

export interface TenantRow {
  readonly tenant: string
  readonly createdAt: Date
}

/** All tenants of a store, for its operator. The role can see only their names. */
export function listTenants(db: Database): Promise<TenantRow[]> {
  return db.transaction({ access: 'read', role: 'privity_operator', settings: {} }, tx =>
    tx.query<TenantRow>(LIST_TENANTS),
  )
}

const LIST_TENANTS = `
  select
    tenant_id as "tenant",
    created_at as "createdAt"
  from privity.tenants
  order by tenant_id`
