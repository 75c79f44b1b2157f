import { createHash, timingSafeEqual } from 'node:crypto'
import { name } from './input.js'

/** A key as it is presented: `privity_<tenant>.<id>.<secret>`. It names its tenant, so that it is looked up there. */
export interface PresentedKey {
  readonly tenant: string
  readonly keyId: string
  readonly secret: Uint8Array
}

export const KEY_PREFIX = 'privity_'
/** What opens a share link looks alike, and is taken for no key. */
export const TOKEN_PREFIX = 'privshare_'
export const SECRET_BYTES = 32
const ID_BYTES = 16
/** The longest tenant name is 200 bytes. */
const LONGEST = 400

export function writeKey({ tenant, keyId, secret }: PresentedKey, prefix = KEY_PREFIX): string {
  const id = Buffer.from(keyId.replaceAll('-', ''), 'hex')
  const parts = [Buffer.from(tenant), id, Buffer.from(secret)].map(part => part.toString('base64url'))
  return `${prefix}${parts.join('.')}`
}

/** Null for anything that `writeKey` would not have written. */
export function readKey(presented: string, prefix = KEY_PREFIX): PresentedKey | null {
  if (!presented.startsWith(prefix) || presented.length > LONGEST) return null
  const [tenant = '', id = '', secret = '', ...more] = presented.slice(prefix.length).split('.')
  const bytes = (part: string) => Buffer.from(part, 'base64url')
  const key = { tenant: bytes(tenant).toString(), keyId: uuidOf(bytes(id)), secret: bytes(secret) }
  if (more.length > 0 || bytes(id).length !== ID_BYTES || key.secret.length !== SECRET_BYTES) return null
  if (!name.safeParse(key.tenant).success) return null
  // Decoding skips what is not base64url and mends what is not UTF-8.
  return writeKey(key, prefix) === presented ? key : null
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The secret is random and long: one round says nothing of it. */
export const hashSecret = (secret: Uint8Array): Buffer => createHash('sha256').update(secret).digest()

/** Takes as long for an unknown key as for a wrong secret. */
export function isSecretOf(hash: Uint8Array | undefined, secret: Uint8Array): boolean {
  const presented = hashSecret(secret)
  return timingSafeEqual(presented, hash ?? NO_HASH) && hash !== undefined
}
const NO_HASH = Buffer.alloc(32)
