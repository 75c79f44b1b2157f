import type { Transaction } from '../database.js'

/** Marks the facts of these owners as changed. Part of the transaction that changes them (NI-7). */
export async function advanceGeneration(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  generation: string,
): Promise<void> {
  await tx.query(ADVANCE_GENERATION, [tenant, [...owners].sort(), generation])
}

const ADVANCE_GENERATION = `
  insert into privity.generations (tenant_id, owner, generation)
  select $1, owner, $3::uuid
  from unnest($2::text[]) as owner
  on conflict (tenant_id, owner) do update set generation = excluded.generation`
