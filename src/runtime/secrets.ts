import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { PrivityError } from '../errors.js'

/** Keyed digests and sealed cursors. The keys never leave the process. */
export interface Secrets {
  /** Cannot be guessed from the outside, and says nothing of what it was made from once that is forgotten. */
  digest(value: string): Buffer
  seal(plain: string, boundTo: string): string
  open(sealed: string, boundTo: string): string
}

const TAG = { authTagLength: 16 }

/**
 * Sealing is deterministic: the nonce is a keyed digest of the plain text and of what it is bound to, so that equal
 * answers are equal to the byte (NI-3) and no nonce is used for two different texts.
 */
export function makeSecrets(key: Uint8Array): Secrets {
  const derive = (purpose: string) => createHmac('sha256', key).update(purpose).digest()
  const keys = { digest: derive('digest'), nonce: derive('nonce'), seal: derive('seal') }
  const nonceOf = (plain: string, boundTo: string) =>
    createHmac('sha256', keys.nonce)
      .update(JSON.stringify([plain, boundTo]))
      .digest()
      .subarray(0, 12)

  return {
    digest: value => createHmac('sha256', keys.digest).update(value).digest(),
    seal(plain, boundTo) {
      const nonce = nonceOf(plain, boundTo)
      const cipher = createCipheriv('aes-256-gcm', keys.seal, nonce).setAAD(Buffer.from(boundTo))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed, boundTo) {
      const bytes = Buffer.from(sealed, 'base64url')
      try {
        // Decoding skips what is not base64url, and a tag cut short would still be compared: neither is ours.
        if (bytes.toString('base64url') !== sealed) throw new Error('not as it was sealed')
        const decipher = createDecipheriv('aes-256-gcm', keys.seal, bytes.subarray(0, 12), TAG)
          .setAAD(Buffer.from(boundTo))
          .setAuthTag(bytes.subarray(12, 28))
        return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new PrivityError('invalid_input', 'the cursor does not belong to this request')
      }
    },
  }
}
