import type { Transaction } from '../database.js'

/** The digest of an actor's name, under the key of its pseudonym, as SQL over a row of `privity.actors`. */
export const actorDigest = (row: string): string => `
  sha256(${row}.digest_key || sha256(${row}.digest_key || convert_to(${row}.actor, 'UTF8')))`

/** The digest of all that a row of `privity.operations` says, as SQL. Only `audited` may change later. */
export const operationDigest = (row: string): string => `
  sha256(convert_to(
    jsonb_build_array(
      ${row}.tenant_id, ${row}.operation_id, ${row}.name, ${row}.actor_id, ${row}.for_id, ${row}.audience,
      ${row}.authenticated, to_jsonb(${row}.effects), ${row}.reversibility, to_jsonb(${row}.refs),
      to_jsonb(${row}.causal_parents), ${row}.idempotency_key, encode(${row}.request_digest, 'hex'),
      ${row}.policy_generation, extract(epoch from ${row}.created_at)::text, ${row}.label, ${row}.credential
    )::text, 'UTF8'))`

/** The digests of actors' names by their pseudonyms, in hexadecimal. An erased one has none. */
export async function loadActorDigests(
  tx: Transaction,
  tenant: string,
  actorIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ actorId: string; digest: string }>(LOAD_ACTOR_DIGESTS, [tenant, actorIds])
  return new Map(rows.map(({ actorId, digest }) => [actorId, digest]))
}

const LOAD_ACTOR_DIGESTS = `
  select a.actor_id as "actorId", encode(${actorDigest('a')}, 'hex') as "digest"
  from privity.actors a
  where a.tenant_id = $1
    and a.actor_id = any ($2::uuid[])`

/** Whether an operation is marked as audited and has no entry: it was slipped in, or its entry is gone. */
export async function hasUnrecordedOperations(tx: Transaction, tenant: string): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(HAS_UNRECORDED, [tenant])
  return row?.found === true
}

const HAS_UNRECORDED = `
  select exists (
    select
    from privity.operations o
    where o.tenant_id = $1
      and o.audited
      and not exists (
        select
        from privity.audit_entries e
        where e.tenant_id = $1
          and e.operation_id = o.operation_id)) as found`
