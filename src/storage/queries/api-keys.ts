import type { StoredLabel } from '../../policy/stored-label.js'
import { parseTimestamptz } from '../column-types.js'
import type { Transaction } from '../database.js'
import { storedFunction, withParams } from '../stored-function.js'
import type { Send } from './read.js'

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

/** A key as it is to be compared with one that was presented. */
export interface FoundApiKey {
  readonly credential: unknown
  readonly secretHash: Uint8Array
  /** Whether it is valid, or opens a profile that has ended. */
  readonly stands: boolean
  /** When the passing of time may change that; null for never. */
  readonly until: Date | null
}

/** Finds keys of a tenant by one statement. Those that do not exist are left out. */
export async function findApiKeys(
  send: Send,
  tenant: string,
  keyIds: readonly string[],
  now: Date,
): Promise<Map<string, FoundApiKey>> {
  const asked = JSON.stringify({ tenant, keys: keyIds, now: now.toISOString() })
  const [row] = await send<{ found: readonly FoundRow[] }>(FIND, [asked])
  if (row === undefined) throw new Error('a function returned nothing')
  return new Map(
    row.found.map(({ keyId, secretHash, until, ...key }) => [
      keyId,
      {
        ...key,
        secretHash: Buffer.from(secretHash, 'hex'),
        until: until === null ? null : parseTimestamptz(until),
      },
    ]),
  )
}

interface FoundRow extends Pick<FoundApiKey, 'credential' | 'stands'> {
  readonly keyId: string
  readonly secretHash: string
  readonly until: string | null
}

const FIND_KEYS = `
  select
    k.key_id as "keyId",
    k.credential,
    encode(k.secret_hash, 'hex') as "secretHash",
    ${keyIsValidSql('$3')} or ${profileHasEndedSql('$3')} as stands,
    least(
      case when k.expires_at > $3 then k.expires_at end,
      case when own.expires_at > $3 then own.expires_at end,
      case when own.ends_at > $3 then own.ends_at end) as until
  from privity.api_keys k
  left join privity.profiles own on own.tenant_id = k.tenant_id and own.profile_id = k.profile_id
  where k.tenant_id = $1
    and k.key_id = any ($2)`

export const FIND_KEYS_FUNCTION = storedFunction('find_keys', {
  owner: 'privity_writer',
  volatility: 'stable',
  body: `
declare
  asked_tenant constant text := asked ->> 'tenant';
  asked_keys constant uuid[] := array(select jsonb_array_elements_text(asked -> 'keys'));
  asked_now constant timestamptz := asked ->> 'now';
begin
  perform set_config('privity.tenant', asked_tenant, true);
  return (
    select coalesce(json_agg(item), '[]')
    from (${withParams(FIND_KEYS, 'asked_tenant', 'asked_keys', 'asked_now')}) item);
end
`,
})

const FIND = `select ${FIND_KEYS_FUNCTION.name}($1::jsonb) as "found"`

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
