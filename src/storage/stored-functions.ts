import type { Transaction } from './database.js'
import { FIND_KEYS_FUNCTION } from './queries/api-keys.js'
import { APPEND_FUNCTION } from './queries/append-records.js'
import { CHANGES_FUNCTION } from './queries/changes-since.js'
import { FEED_FUNCTION } from './queries/feed.js'
import { OWNER_FACTS_FUNCTION } from './queries/load-owner-facts.js'
import { TENANT_FACTS_FUNCTION } from './queries/load-tenant-facts.js'
import { READ_FUNCTION } from './queries/read.js'
import { PURGE_SEARCH_RUNS_FUNCTION } from './queries/search-runs.js'
import { WRITE_AUDIT_FUNCTION } from './queries/write-audit.js'
import type { StoredFunction } from './stored-function.js'

/** The functions that this build calls. */
export const FUNCTIONS: readonly StoredFunction[] = [
  // One that calls another comes after it.
  CHANGES_FUNCTION,
  FEED_FUNCTION,
  READ_FUNCTION,
  FIND_KEYS_FUNCTION,
  OWNER_FACTS_FUNCTION,
  TENANT_FACTS_FUNCTION,
  APPEND_FUNCTION,
  WRITE_AUDIT_FUNCTION,
  PURGE_SEARCH_RUNS_FUNCTION,
]

const ROLES = 'privity_app, privity_writer, privity_index'

/**
 * Creates the functions that are missing, and says for each whose it is and who may call it. Those of other builds stay,
 * since their processes may still run.
 */
export async function installFunctions(tx: Transaction, functions: readonly StoredFunction[]): Promise<void> {
  if (functions.length === 0) return
  const missing = await tx.query<{ name: string }>(
    `select name from unnest($1::text[]) as name where to_regprocedure(name || '(jsonb)') is null`,
    [functions.map(({ name }) => name)],
  )
  const names = new Set(missing.map(({ name }) => name))
  // A role can be given a function only while it may create one.
  await tx.query(`grant create on schema privity to ${ROLES}`)
  for (const { name, owner, create } of functions) {
    if (names.has(name)) await tx.query(create)
    await tx.query(`alter function ${name}(jsonb) owner to ${owner}`)
    await tx.query(`revoke all on function ${name}(jsonb) from public`)
    await tx.query(`grant execute on function ${name}(jsonb) to ${ROLES}, current_user`)
  }
  await tx.query(`revoke create on schema privity from ${ROLES}`)
}
