/**
 * The roles of a store. None can log in, owns a table or bypasses row-level security; the role that connects is a
 * member of each and takes one on for a transaction. `sql/rls.sql` says what each may do.
 */
export const ROLES = [
  'privity_app',
  'privity_writer',
  'privity_index',
  'privity_operator',
  'privity_backup',
] as const

/** The role that reads every row of every tenant, to write a backup, and can change nothing. */
export const BACKUP_ROLE = 'privity_backup' satisfies (typeof ROLES)[number]

/** The list of roles, for a statement. */
export const ROLE_LIST = ROLES.map(role => `'${role}'`).join(', ')
