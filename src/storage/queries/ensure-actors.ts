import { foldName } from '../../policy/person-name.js'
import type { Transaction } from '../database.js'

/**
 * Creates the tenant, the actors and the principal's own person if they are missing; returns the actors' pseudonyms.
 */
export async function ensureActors(
  tx: Transaction,
  tenant: string,
  actors: readonly { readonly actor: string; readonly actorId: string }[],
  self: { readonly actor: string; readonly personId: string },
  now: Date,
): Promise<Map<string, string>> {
  await tx.query(ENSURE_TENANT, [tenant, now])
  for (const { actor, actorId } of actors) await tx.query(ENSURE_ACTOR, [tenant, actor, actorId, now])
  await tx.query(ENSURE_SELF, [tenant, self.personId, self.actor, now, foldName(self.actor)])
  const names = actors.map(({ actor }) => actor)
  const rows = await tx.query<{ actor: string; actorId: string }>(LOAD_ACTORS, [tenant, names])
  return new Map(rows.map(row => [row.actor, row.actorId]))
}

const ENSURE_TENANT = `
  insert into privity.tenants (tenant_id, created_at)
  values ($1, $2)
  on conflict do nothing`

const ENSURE_ACTOR = `
  insert into privity.actors (tenant_id, actor, actor_id, created_at)
  values ($1, $2, $3, $4)
  on conflict do nothing`

// The consent of the owner's own person is granted (PC-1).
const ENSURE_SELF = `
  insert into privity.people (tenant_id, person_id, owner, name, key, consent, actor, created_at, updated_at)
  values ($1, $2, $3, $3, $5, 'granted', $3, $4, $4)
  on conflict do nothing`

const LOAD_ACTORS = `
  select actor, actor_id as "actorId"
  from privity.actors
  where tenant_id = $1
    and actor = any ($2::text[])`
