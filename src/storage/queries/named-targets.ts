import type { Transaction } from '../database.js'

/** Targets that the tuples of records have to name, of those that are asked about. */
export interface NamedTargets {
  /** Those that ever had an overlay. */
  readonly overlaid: ReadonlySet<string>
  /** Those that ever stood in the scope of a view. */
  readonly scoped: ReadonlySet<string>
}

export async function findNamedTargets(
  tx: Transaction,
  tenant: string,
  targets: readonly string[],
): Promise<NamedTargets> {
  const rows = await tx.query<{ target: string; scoped: boolean }>(FIND_NAMED_TARGETS, [tenant, targets])
  const those = (scoped: boolean) => new Set(rows.filter(row => row.scoped === scoped).map(row => row.target))
  return { overlaid: those(false), scoped: those(true) }
}

const FIND_NAMED_TARGETS = `
  select target, false as "scoped"
  from privity.overlaid_targets
  where tenant_id = $1
    and target = any ($2::text[])
  union all
  select target, true
  from privity.scoped_targets
  where tenant_id = $1
    and target = any ($2::text[])`
