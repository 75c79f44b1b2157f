import type { Transaction } from '../database.js'

/** `app` reads as the caller, under every policy; `writer` writes what was decided, inside the tenant. */
export type Role = 'privity_app' | 'privity_writer' | 'privity_index'

/** Switches the role for the rest of the transaction. */
export async function setRole(tx: Transaction, role: Role): Promise<void> {
  await tx.query(SET_ROLE, [role])
}

// The connecting role may take any of the three; a role reached from another is still checked against the connecting one.
const SET_ROLE = `select set_config('role', $1, true)`
