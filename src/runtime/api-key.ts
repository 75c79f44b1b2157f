import { createHash, timingSafeEqual } from 'node:crypto'
import { name } from './input.js'

/**
 * An API key as presented: `privity_<tenant>.<id>.<secret>`. It contains its tenant, which says where to look it up.
 */
export interface PresentedKey {
  readonly tenant: string
  readonly keyId: string
  readonly secret: Uint8Array
}

export const KEY_PREFIX = 'privity_'
/** Share link tokens have the same form as API keys; this prefix keeps the two apart. */
export const TOKEN_PREFIX = 'privshare_'
export const SECRET_BYTES = 32
const ID_BYTES = 16
/** The maximum length of a key in characters; a tenant name alone may have 200 bytes. */
const LONGEST = 400

export function writeKey({ tenant, keyId, secret }: PresentedKey, prefix = KEY_PREFIX): string {
  const id = Buffer.from(keyId.replaceAll('-', ''), 'hex')
  const parts = [Buffer.from(tenant), id, Buffer.from(secret)].map(part => part.toString('base64url'))
  return `${prefix}${parts.join('.')}`
}

/** Returns null for anything that `writeKey` would not have written. */
export function readKey(presented: string, prefix = KEY_PREFIX): PresentedKey | null {
  if (!presented.startsWith(prefix) || presented.length > LONGEST) return null
  const [tenant = '', id = '', secret = '', ...more] = presented.slice(prefix.length).split('.')
  const bytes = (part: string) => Buffer.from(part, 'base64url')
  const key = { tenant: bytes(tenant).toString(), keyId: uuidOf(bytes(id)), secret: bytes(secret) }
  if (more.length > 0 || bytes(id).length !== ID_BYTES || key.secret.length !== SECRET_BYTES) return null
  if (!name.safeParse(key.tenant).success) return null
  // The decoder skips characters outside base64url and repairs invalid UTF-8, so several strings decode to one key.
  return writeKey(key, prefix) === presented ? key : null
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The secret is long and random, so a single unsalted SHA-256 reveals nothing about it. */
export const hashSecret = (secret: Uint8Array): Buffer => createHash('sha256').update(secret).digest()

/** Takes as long for an unknown key as for a wrong secret. */
export function isSecretOf(hash: Uint8Array | undefined, secret: Uint8Array): boolean {
  const presented = hashSecret(secret)
  return timingSafeEqual(presented, hash ?? NO_HASH) && hash !== undefined
}
const NO_HASH = Buffer.alloc(32)
