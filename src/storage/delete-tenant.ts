import { createHash } from 'node:crypto'
import { PrivityError } from '../errors.js'
import type { Database } from './database.js'
import { deleteTenantRows, loadAuditSummary, type TableRows } from './queries/delete-tenant.js'
import { listTenants } from './queries/list-tenants.js'

/** What can be shown of a tenant that is gone. It holds numbers and hashes, and no content. */
export interface DeletionCertificate {
  readonly tenant: string
  readonly deletedAt: string
  /** How many rows were deleted, in all and of each table. */
  readonly rows: number
  readonly tables: readonly TableRows[]
  /** How long the deleted audit was, and the hash of its last checkpoint, by which a kept copy of it is recognised. */
  readonly audit: { readonly entries: number; readonly checkpoint: string | null }
  /** The SHA-256 of all of the above as JSON. */
  readonly sha256: string
}

/** Requests that were under way may still write something, which is deleted as well. */
const MOST_ROUNDS = 5

export async function requireTenant(db: Database, tenant: string): Promise<void> {
  if (!(await listTenants(db)).some(known => known.tenant === tenant))
    throw new PrivityError('not_found', 'there is no tenant with this name; see `privity tenants list`')
}

/** Deletes a tenant with everything that is stored of it, in all tables, and certifies it (OP-5). */
export async function deleteTenant(db: Database, tenant: string, now: Date): Promise<DeletionCertificate> {
  await requireTenant(db, tenant)
  const audit = await loadAuditSummary(db, tenant)
  const rows = new Map<string, number>()
  for (let round = 0, isGone = false; !isGone; round++) {
    if (round === MOST_ROUNDS)
      throw new PrivityError('busy', 'the tenant is still written to; stop its servers, then delete it again')
    const deleted = await deleteTenantRows(db, tenant)
    for (const { table, rows: count } of deleted) rows.set(table, (rows.get(table) ?? 0) + count)
    isGone = deleted.length === 0
  }
  const certificate = {
    tenant,
    deletedAt: now.toISOString(),
    rows: [...rows.values()].reduce((sum, count) => sum + count, 0),
    tables: [...rows].map(([table, count]) => ({ table, rows: count })),
    audit,
  }
  return { ...certificate, sha256: createHash('sha256').update(JSON.stringify(certificate)).digest('hex') }
}
