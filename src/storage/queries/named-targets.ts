import type { Transaction } from '../database.js'

/** Those of the given targets that the tuples of records have to name. */
export interface NamedTargets {
  /** Targets that ever had an overlay. */
  readonly overlaid: ReadonlySet<string>
  /** Targets that were ever in the scope of a view. */
  readonly scoped: ReadonlySet<string>
}

export async function findNamedTargets(
  tx: Transaction,
  tenant: string,
  targets: readonly string[],
): Promise<NamedTargets> {
  return namedTargets(await tx.query<NamedTargetRow>(FIND_NAMED_TARGETS, [tenant, targets]))
}

export interface NamedTargetRow {
  readonly target: string
  readonly scoped: boolean
}

export function namedTargets(rows: readonly NamedTargetRow[]): NamedTargets {
  const those = (scoped: boolean) => new Set(rows.filter(row => row.scoped === scoped).map(row => row.target))
  return { overlaid: those(false), scoped: those(true) }
}

export const FIND_NAMED_TARGETS = `
  select target, false as "scoped"
  from privity.overlaid_targets
  where tenant_id = $1
    and target = any ($2::text[])
  union all
  select target, true
  from privity.scoped_targets
  where tenant_id = $1
    and target = any ($2::text[])`
