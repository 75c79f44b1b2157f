import type { Database } from '../database.js'

/** Checks that the store responds. */
export async function probeStore(db: Database): Promise<void> {
  await db.transaction({ access: 'read', role: null, settings: {} }, tx => tx.query('select 1'))
}

/**
 * Checks that the audit can be written: by the role that writes it, into its tables, with a log that reaches the
 * disk. It has no effect: no row is inserted, and the message in the log is empty and has no reader.
 */
export async function probeAudit(db: Database): Promise<void> {
  await db.transaction({ access: 'write', role: 'privity_writer', settings: {} }, async tx => {
    await tx.query(INSERT_NO_LANE)
    await tx.query(INSERT_NO_ENTRY)
    await tx.query(`select pg_logical_emit_message(true, 'privity', '')`)
  })
}

// Postgres checks privileges and tables before it finds that there is nothing to insert.
const INSERT_NO_LANE = `insert into privity.audit_lanes (tenant_id) select null where false`
const INSERT_NO_ENTRY = `insert into privity.audit_entries (tenant_id) select null where false`
