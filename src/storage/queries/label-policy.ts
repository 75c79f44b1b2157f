import type { Transaction } from '../database.js'

export async function saveLabelPolicy(tx: Transaction, tenant: string, policy: object): Promise<void> {
  await tx.query(SAVE, [tenant, JSON.stringify(policy)])
}

const SAVE = `
  update privity.tenants
  set label_policy = $2
  where tenant_id = $1`
