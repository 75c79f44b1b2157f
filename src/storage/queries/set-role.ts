import type { Transaction } from '../database.js'

/**
 * `privity_app` reads as the caller, under every policy; `privity_writer` writes what was decided, within the tenant.
 */
export type Role = 'privity_app' | 'privity_writer' | 'privity_index'

/** Switches the role for the rest of the transaction. */
export async function setRole(tx: Transaction, role: Role): Promise<void> {
  await tx.query(SET_ROLE, [role])
}

// The connecting role may take any of the three, and switching from one of them to another is still checked against
// it.
const SET_ROLE = `select set_config('role', $1, true)`
