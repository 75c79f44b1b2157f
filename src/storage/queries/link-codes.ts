import type { Transaction } from '../database.js'

/** The code that was last sent to an address for a link. */
export interface LinkCode {
  readonly codeHash: Uint8Array
  readonly expiresAt: Date
  readonly failures: number
}

/** Keeps a new code for an address, in place of the one before, and forgets those that are over. */
export async function saveLinkCode(
  tx: Transaction,
  tenant: string,
  linkId: string,
  address: Uint8Array,
  code: Omit<LinkCode, 'failures'>,
  now: Date,
): Promise<void> {
  await tx.query(DELETE_OVER, [tenant, linkId, now])
  await tx.query(SAVE, [tenant, linkId, address, code.codeHash, code.expiresAt])
}

const DELETE_OVER = `
  delete from privity.link_codes
  where tenant_id = $1
    and link_id = $2
    and expires_at <= $3`

const SAVE = `
  insert into privity.link_codes (tenant_id, link_id, address, code_hash, expires_at)
  values ($1, $2, $3, $4, $5)
  on conflict (tenant_id, link_id, address) do update
  set code_hash = excluded.code_hash, expires_at = excluded.expires_at, failures = 0`

/** The code of an address, locked by the lock of its link. */
export async function loadLinkCode(
  tx: Transaction,
  tenant: string,
  linkId: string,
  address: Uint8Array,
): Promise<LinkCode | undefined> {
  const [row] = await tx.query<LinkCode>(LOAD, [tenant, linkId, address])
  return row
}

const LOAD = `
  select code_hash as "codeHash", expires_at as "expiresAt", failures
  from privity.link_codes
  where tenant_id = $1
    and link_id = $2
    and address = $3`

/** Counts a wrong code. */
export async function countCodeFailure(
  tx: Transaction,
  tenant: string,
  linkId: string,
  address: Uint8Array,
): Promise<void> {
  await tx.query(COUNT_FAILURE, [tenant, linkId, address])
}

const COUNT_FAILURE = `
  update privity.link_codes
  set failures = failures + 1
  where tenant_id = $1
    and link_id = $2
    and address = $3`

/** Forgets the code of an address, which opens one session; of all addresses for null. */
export async function deleteLinkCodes(
  tx: Transaction,
  tenant: string,
  linkId: string,
  address: Uint8Array | null,
): Promise<void> {
  await tx.query(DELETE, [tenant, linkId, address])
}

const DELETE = `
  delete from privity.link_codes
  where tenant_id = $1
    and link_id = $2
    and ($3::bytea is null or address = $3)`
