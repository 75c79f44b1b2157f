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
  await tx.query(INTERN_COMPARTMENTS, [tenant, JSON.stringify(compartmentsToWrite(compartments))])
}

export function compartmentsToWrite(compartments: ReadonlyMap<string, PolicyTuple>): object[] {
  const sorted = [...compartments].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([id, tuple]) => ({ compartment_id: `\\x${id}`, tuple }))
}

/** `rows` is a set of rows, made of the JSON of `compartmentsToWrite`. */
export const internCompartmentsSql = (rows: string) => `
  insert into privity.compartments (tenant_id, compartment_id, tuple)
  select $1, compartment_id, tuple
  from ${rows} as row (compartment_id bytea, tuple jsonb)
  on conflict do nothing`

const INTERN_COMPARTMENTS = internCompartmentsSql('json_to_recordset($2::json)')
