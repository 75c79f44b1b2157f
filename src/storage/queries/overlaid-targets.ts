import type { Transaction } from '../database.js'

/** Which of these targets ever had an overlay. */
export async function findOverlaidTargets(
  tx: Transaction,
  tenant: string,
  targets: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ target: string }>(FIND_OVERLAID_TARGETS, [tenant, targets])
  return new Set(rows.map(row => row.target))
}

const FIND_OVERLAID_TARGETS = `
  select target
  from privity.overlaid_targets
  where tenant_id = $1
    and target = any ($2::text[])`
