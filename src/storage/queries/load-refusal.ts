import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'

export interface RefusalRow {
  readonly at: Date
  readonly operation: string
  readonly outcome: string
  readonly reason: string
  readonly label: StoredLabel | null
}

/** Finds a refusal of this caller by its request id, if the reason is registered. */
export async function loadRefusal(
  tx: Transaction,
  tenant: string,
  by: { actorId: string; forId: string },
  requestId: string,
): Promise<RefusalRow | undefined> {
  const [row] = await tx.query<RefusalRow>(LOAD_REFUSAL, [tenant, requestId, by.actorId, by.forId])
  return row
}

const LOAD_REFUSAL = `
  select at, operation, outcome, reason, label
  from privity.audit_entries
  where tenant_id = $1
    and entry_id = $2
    and actor_id = $3
    and for_id = $4
    and reason is not null
  order by at desc
  limit 1`
