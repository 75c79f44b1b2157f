import type { PolicyTuple } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'

/**
 * Stores each tuple once, under its hash. The rows are sorted, so that two writers of the same tuples cannot
 * deadlock.
 */
export async function internCompartments(
  tx: Transaction,
  tenant: string,
  compartments: ReadonlyMap<string, PolicyTuple>,
): Promise<void> {
  const sorted = [...compartments].sort(([a], [b]) => (a < b ? -1 : 1))
  await tx.query(INTERN_COMPARTMENTS, [
    tenant,
    JSON.stringify(sorted.map(([id, tuple]) => ({ compartment_id: `\\x${id}`, tuple }))),
  ])
}

const INTERN_COMPARTMENTS = `
  insert into privity.compartments (tenant_id, compartment_id, tuple)
  select $1, compartment_id, tuple
  from json_to_recordset($2::json) as row (compartment_id bytea, tuple jsonb)
  on conflict do nothing`
