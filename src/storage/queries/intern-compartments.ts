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
  await tx.query(INTERN_COMPARTMENTS, [tenant, compartmentsToWrite(compartments)])
}

export function compartmentsToWrite(compartments: ReadonlyMap<string, PolicyTuple>): string {
  const sorted = [...compartments].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(sorted.map(([id, tuple]) => ({ compartment_id: `\\x${id}`, tuple })))
}

export const internCompartmentsSql = (rows: string) => `
  insert into privity.compartments (tenant_id, compartment_id, tuple)
  select $1, compartment_id, tuple
  from json_to_recordset(${rows}::json) as row (compartment_id bytea, tuple jsonb)
  on conflict do nothing`

const INTERN_COMPARTMENTS = internCompartmentsSql('$2')
