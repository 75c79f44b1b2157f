import type { Database } from '../database.js'
import { BACKUP_ROLE } from '../roles.js'

/** A person of a tenant, and how many active memories they own. */
export interface StoredOwner {
  readonly tenant: string
  readonly owner: string
  readonly records: number
}

/** Who owns memories in a store. Groups and sessions, whose names have a colon, are left out. */
export function listOwners(db: Database): Promise<StoredOwner[]> {
  return db.transaction({ access: 'read', role: BACKUP_ROLE, settings: {} }, tx =>
    tx.query<StoredOwner>(LIST_OWNERS),
  )
}

const LIST_OWNERS = `
  select tenant_id as "tenant", owner as "owner", count(*)::int as "records"
  from privity.records
  where session is null
    and lifecycle = 'active'
    and expires_at is null
    and position(':' in owner) = 0
  group by tenant_id, owner
  order by tenant_id, owner`
