import { createHmac, timingSafeEqual } from 'node:crypto'

/** A prefix by which secret scanners can recognize leaked secrets. */
const SECRET_PREFIX = 'whsec_'

/** How far the timestamp of a delivery may be from now for a receiver to accept it. */
const TOLERANCE_SECONDS = 300

export const writeSecret = (secret: Uint8Array): string =>
  SECRET_PREFIX + Buffer.from(secret).toString('base64')

/** The headers that identify and sign a delivery. */
export function signatureHeaders(
  secret: string,
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${sign(secret, id, timestamp, body).toString('base64')}`,
  }
}

function sign(secret: string, id: string, timestamp: string, body: string | Uint8Array): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
}

type Headers =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): unknown }

/**
 * For receivers: whether a delivery comes from the store that issued this secret, and is no older than five minutes.
 * Pass the raw body, before it is parsed as JSON. The same `webhook-id` may arrive more than once.
 *
 * @example
 * if (!verifyWebhook(secret, request.headers, body)) return respond(401)
 */
export function verifyWebhook(
  secret: string,
  headers: Headers,
  body: string | Uint8Array,
  now: Date = new Date(),
): boolean {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!secret.startsWith(SECRET_PREFIX) || id === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const expected = sign(secret, id, timestamp, body)
  // There may be several signatures, made with different secrets.
  return signatures.split(' ').some(signature => {
    const [version, ...value] = signature.split(',')
    const given = Buffer.from(value.join(','), 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

function headerOf(headers: Headers, name: string): string {
  const value =
    'get' in headers && typeof headers.get === 'function'
      ? headers.get(name)
      : (headers as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}
