import { ERRORS, PrivityError } from '../errors.js'
import { stringifyInSlices } from './stringify-in-slices.js'

const TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** The `Retry-After` in seconds. It is the same for everybody, whatever the server is short of. */
export const RETRY_AFTER = '1'

/** The same for whoever reached a rate limit that does not say when it ends. */
const RATE_RETRY_AFTER = '60'

/** The exit code of errors that are worth a retry. */
const COME_BACK = ERRORS.busy.exit

export async function succeed(
  data: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return new Response(await stringifyInSlices({ success: true, data }), { headers: { ...TYPE, ...headers } })
}

/** What a caller is told about a failure: the expected error, or one opaque answer for anything else. */
export function describeError(error: unknown, requestId: string) {
  const expected =
    error instanceof PrivityError ? error : new PrivityError('internal', 'something went wrong')
  const { code, message, reason, details } = expected
  return {
    code,
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    requestId: expected.requestId ?? requestId,
  }
}

export function fail(error: unknown, requestId: string): Response {
  const body = describeError(error, requestId)
  const { http, exit } = ERRORS[body.code]
  const headers = new Headers(TYPE)
  if (exit === COME_BACK) headers.set('retry-after', RETRY_AFTER)
  if (http === 429) headers.set('retry-after', String(body.details?.retryAfterSeconds ?? RATE_RETRY_AFTER))
  if (http === 401) headers.set('www-authenticate', 'Bearer')
  return new Response(JSON.stringify({ success: false, error: body }), { status: http, headers })
}
