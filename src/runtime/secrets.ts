import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { PrivityError } from '../errors.js'

/**
 * A keyed digest (HMAC): it cannot be guessed from outside and, once the value is forgotten, reveals nothing about
 * it.
 */
export type Digest = (value: string) => Buffer

/** Keyed digests and sealed texts. The newest key makes them, and every key of the ring can read them (OP-6). */
export interface Secrets {
  /** For names that are never compared with later ones, because another key gives another name. */
  readonly digest: Digest
  /** A digest that is stored for later comparison; it identifies its key. */
  keep(value: string): Buffer
  isKeptOf(kept: Uint8Array, value: string): boolean
  /** Encrypts a text so that only this store can read it. The result identifies its key. */
  seal(plain: string, boundTo: string): string
  open(sealed: string, boundTo: string): string
  /** Opens a sealed text and also returns the digest of its key, for digests that are stored beside the text. */
  unseal(sealed: string, boundTo: string): UnsealedText
}

export interface UnsealedText {
  readonly plain: string
  readonly digest: Digest
}

const MARK = 6
const NONCE = 12
const TAG = 16
const DIGEST = 32

interface Key {
  /** Identifies the key in what it made. All marks have the same length, so that lengths reveal nothing. */
  readonly mark: Buffer
  readonly digest: Digest
  seal(plain: string, boundTo: string): Buffer
  /** Returns null if it was sealed with another key or bound to something else. */
  open(sealed: Buffer, boundTo: string): string | null
}

/**
 * Makes the secrets from root keys, oldest first. The keys never leave the process. If a key is missing, `unknown`
 * decides what to throw, because another process may have made it.
 */
export function makeSecrets(
  rootKeys: readonly [Uint8Array, ...Uint8Array[]],
  unknown: (refusal: PrivityError) => Error = refusal => refusal,
): Secrets {
  const keys = rootKeys.map(deriveKey)
  const newest = keys.at(-1) as Key
  const markedBy = (bytes: Uint8Array) => keys.find(({ mark }) => mark.equals(bytes.subarray(0, MARK)))

  const unseal: Secrets['unseal'] = (sealed, boundTo) => {
    const bytes = Buffer.from(sealed, 'base64url')
    // The decoder skips characters outside base64url, so such a text differs from what was sealed.
    if (bytes.toString('base64url') !== sealed) throw notOurs()
    const marked = markedBy(bytes)
    const plain = marked?.open(bytes.subarray(MARK), boundTo) ?? null
    if (marked !== undefined && plain !== null) return { plain, digest: marked.digest }
    // Texts that were sealed before keys had marks.
    for (const { open, digest } of keys) {
      const unmarked = open(bytes, boundTo)
      if (unmarked !== null) return { plain: unmarked, digest }
    }
    throw marked === undefined ? unknown(notOurs()) : notOurs()
  }

  return {
    digest: newest.digest,
    keep: value => Buffer.concat([newest.mark, newest.digest(value)]),
    isKeptOf(kept, value) {
      // Digests that were stored before keys had marks.
      if (kept.length === DIGEST) return keys.some(({ digest }) => digest(value).equals(kept))
      const key = markedBy(kept)
      if (key === undefined) throw unknown(incomparable())
      return key.digest(value).equals(kept.subarray(MARK))
    },
    seal: (plain, boundTo) => Buffer.concat([newest.mark, newest.seal(plain, boundTo)]).toString('base64url'),
    open: (sealed, boundTo) => unseal(sealed, boundTo).plain,
    unseal,
  }
}

/**
 * Sealing is deterministic: the nonce is a keyed digest of the plain text and what it is bound to. Equal answers are
 * thus equal to the byte (NI-3), and no nonce is used for two different texts.
 */
function deriveKey(root: Uint8Array): Key {
  const derive = (purpose: string) => createHmac('sha256', root).update(purpose).digest()
  const keys = { digest: derive('digest'), nonce: derive('nonce'), seal: derive('seal') }
  const nonceOf = (plain: string, boundTo: string) =>
    createHmac('sha256', keys.nonce)
      .update(JSON.stringify([plain, boundTo]))
      .digest()
      .subarray(0, NONCE)

  return {
    mark: derive('mark').subarray(0, MARK),
    digest: value => createHmac('sha256', keys.digest).update(value).digest(),
    seal(plain, boundTo) {
      const nonce = nonceOf(plain, boundTo)
      const cipher = createCipheriv('aes-256-gcm', keys.seal, nonce).setAAD(Buffer.from(boundTo))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed, boundTo) {
      try {
        // The tag length is set explicitly, because otherwise a truncated tag would be accepted.
        const decipher = createDecipheriv('aes-256-gcm', keys.seal, sealed.subarray(0, NONCE), {
          authTagLength: TAG,
        })
          .setAAD(Buffer.from(boundTo))
          .setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
        return decipher.update(sealed.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}

const notOurs = () =>
  new PrivityError(
    'invalid_input',
    'cursor: is not valid for this request; ask for the first page again, without a cursor',
  )

const incomparable = () =>
  new PrivityError('idempotency_conflict', 'this idempotency key was used for another request')
