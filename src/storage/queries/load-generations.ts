import type { Transaction } from '../database.js'

/** The generation of each owner's facts. An owner who never had facts has none. */
export async function loadGenerations(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ owner: string; generation: string }>(LOAD_GENERATIONS, [tenant, owners])
  return new Map(rows.map(row => [row.owner, row.generation]))
}

const LOAD_GENERATIONS = `
  select owner, generation
  from privity.generations
  where tenant_id = $1
    and owner = any ($2::text[])`
