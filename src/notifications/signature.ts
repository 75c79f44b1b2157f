import { createHmac, timingSafeEqual } from 'node:crypto'

/** How secrets are shown, so that a search for leaked ones finds them. */
const SECRET_PREFIX = 'whsec_'

/** How old a delivery may be, or how far ahead, for a receiver to take it. */
const TOLERANCE_SECONDS = 300

export const writeSecret = (secret: Uint8Array): string =>
  SECRET_PREFIX + Buffer.from(secret).toString('base64')

/** What a delivery says of itself, to be sent along as headers. */
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
 * For receivers: whether a delivery comes from the store that gave out this secret, and is no older than five minutes.
 * The body must be as it arrived, before anything has read it as JSON. The same `webhook-id` may arrive more than once.
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
  // There may be several, of several secrets.
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
