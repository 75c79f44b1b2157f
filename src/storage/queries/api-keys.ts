import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'

export interface ApiKeyRow {
  readonly keyId: string
  readonly owner: string
  readonly name: string
  readonly credential: unknown
  readonly madeWith: string | null
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  /** The most that its maker could be shown; null counts as the strictest label (NI-10). */
  readonly label: StoredLabel | null
}

const COLUMNS = `
    key_id as "keyId",
    owner,
    name,
    credential,
    made_with as "madeWith",
    created_by as "createdBy",
    created_at as "createdAt",
    expires_at as "expiresAt",
    revoked_at as "revokedAt",
    last_used_at as "lastUsedAt",
    label`

/** Returns false if the owner already has a key of this name, made with the same clearance, that is not revoked. */
export async function insertApiKey(
  tx: Transaction,
  tenant: string,
  key: Omit<ApiKeyRow, 'revokedAt' | 'lastUsedAt'> & {
    readonly secretHash: Uint8Array
    /** The digest of its maker's clearance, within which its name is unique. */
    readonly makerDigest: string
    /** The only profile that the key opens. */
    readonly profileId?: string
  },
): Promise<boolean> {
  const rows = await tx.query(INSERT, [
    tenant,
    key.keyId,
    key.owner,
    key.name,
    key.secretHash,
    JSON.stringify(key.credential),
    key.madeWith,
    key.createdBy,
    key.createdAt,
    key.expiresAt,
    key.profileId ?? null,
    key.label === null ? null : JSON.stringify(key.label),
    key.makerDigest,
  ])
  return rows.length > 0
}

const INSERT = `
  insert into privity.api_keys
    (tenant_id, key_id, owner, name, secret_hash, credential, made_with, created_by, created_at, expires_at,
     profile_id, label, maker_digest)
  values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10, $11, $12::jsonb, $13)
  on conflict (tenant_id, owner, name, maker_digest) where revoked_at is null do nothing
  returning key_id`

/** Whether a key `k` itself is valid at a given time. */
export const keyIsValidSql = (at: string) =>
  `(k.revoked_at is null and (k.expires_at is null or k.expires_at > ${at}))`

/**
 * Whether a key `k` opens a profile that has ended. Then the profile's state is reported, and nothing runs (SP-5).
 */
export const profileHasEndedSql = (at: string) => `exists (
      select
      from privity.profiles p
      where p.tenant_id = k.tenant_id
        and p.profile_id = k.profile_id
        and (p.state in ('expired', 'revoked') or p.expires_at <= ${at} or p.ends_at <= ${at}
          or (p.state = 'active' and p.idle_at <= ${at})))`

/** Finds a key: its credential, the hash of its secret, and whether it is valid or opens a profile that has ended. */
export async function findApiKey(
  tx: Transaction,
  tenant: string,
  keyId: string,
  now: Date,
): Promise<{ credential: unknown; secretHash: Uint8Array; stands: boolean } | undefined> {
  const [row] = await tx.query<{ credential: unknown; secretHash: Uint8Array; stands: boolean }>(FIND, [
    tenant,
    keyId,
    now,
  ])
  return row
}

const FIND = `
  select
    credential,
    secret_hash as "secretHash",
    ${keyIsValidSql('$3')} or ${profileHasEndedSql('$3')} as stands
  from privity.api_keys k
  where k.tenant_id = $1
    and k.key_id = $2`

/**
 * The keys of an owner, or with null of the whole tenant, newest first: those that the caller's sight covers, and the
 * one that it presented. Keys of profiles are left out.
 */
export function listApiKeys(
  tx: Transaction,
  tenant: string,
  owner: string | null,
  presented: string | null,
  before: { readonly at: Date; readonly id: string } | null,
  limit: number,
): Promise<ApiKeyRow[]> {
  return tx.query(LIST, [tenant, owner, before?.at ?? null, before?.id ?? null, limit, presented])
}

const LIST = `
  select ${COLUMNS}
  from privity.api_keys
  where tenant_id = $1
    and profile_id is null
    and (privity.sees(label) or key_id = $6::uuid)
    and ($2::text is null or owner = $2)
    and ($3::timestamptz is null or (created_at, key_id) < ($3, $4::uuid))
  order by created_at desc, key_id desc
  limit $5`

export async function loadApiKey(
  tx: Transaction,
  tenant: string,
  owner: string | null,
  keyId: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await tx.query<ApiKeyRow>(LOAD, [tenant, owner, keyId])
  return row
}

const LOAD = `
  select ${COLUMNS}
  from privity.api_keys
  where tenant_id = $1
    and ($2::text is null or owner = $2)
    and key_id = $3`

/** Prevents changes to a key until the transaction ends. Returns false if the key is revoked. */
export async function holdApiKey(tx: Transaction, tenant: string, keyId: string): Promise<boolean> {
  return (await tx.query(HOLD, [tenant, keyId])).length > 0
}

const HOLD = `
  select key_id
  from privity.api_keys
  where tenant_id = $1
    and key_id = $2
    and revoked_at is null
  for share`

/**
 * Revokes a key and every key that was made with it. A key that was revoked before keeps its time. Repeats until
 * nothing changes, because a statement only sees the keys that existed when it began and may have waited for one that
 * was being made.
 */
export async function revokeApiKey(tx: Transaction, tenant: string, keyId: string, now: Date): Promise<void> {
  while ((await tx.query(REVOKE, [tenant, keyId, now])).length > 0);
}

const REVOKE = `
  with recursive fallen (key_id) as (
    select $2::uuid
    union
    select k.key_id
    from privity.api_keys k
    join fallen f on k.made_with = f.key_id
    where k.tenant_id = $1
  )
  update privity.api_keys k
  set revoked_at = $3
  from fallen f
  where k.tenant_id = $1
    and k.key_id = f.key_id
    and k.revoked_at is null
  returning k.key_id`

/** Revokes the keys that open these profiles and every key that was made with them. */
export async function revokeKeysOfProfiles(
  tx: Transaction,
  tenant: string,
  profiles: readonly string[],
  now: Date,
): Promise<void> {
  for (const { keyId } of await tx.query<{ keyId: string }>(KEYS_OF_PROFILES, [tenant, profiles]))
    await revokeApiKey(tx, tenant, keyId, now)
}

const KEYS_OF_PROFILES = `
  select key_id as "keyId"
  from privity.api_keys
  where tenant_id = $1
    and profile_id = any ($2::uuid[])
    and revoked_at is null
  order by key_id`

export async function noteApiKeyUse(tx: Transaction, tenant: string, keyId: string, at: Date): Promise<void> {
  await tx.query(NOTE_USE, [tenant, keyId, at])
}

const NOTE_USE = `
  update privity.api_keys
  set last_used_at = $3
  where tenant_id = $1
    and key_id = $2
    and (last_used_at is null or last_used_at < $3)`
