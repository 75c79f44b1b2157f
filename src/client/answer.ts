import { ERRORS, type ErrorCode, PrivityError } from '../errors.js'
import type { RawAnswer } from './send.js'

export interface FailedAnswer {
  readonly error: PrivityError
  /** Whether a retry may succeed. The request may also have been done, and only its answer lost. */
  readonly passing: boolean
  /** How long the server asks to wait. */
  readonly retryAfterMs: number
}
export type ServerAnswer = { readonly data: unknown } | FailedAnswer

/** Reads the envelope of an answer: the data, or the error that the library would have thrown. */
export function readAnswer(received: RawAnswer): ServerAnswer {
  if (received instanceof PrivityError) return { error: received, passing: true, retryAfterMs: 0 }
  const { status, retryAfter } = received
  const envelope = readEnvelope(received.text)
  if (envelope?.success === true) return { data: envelope.data }
  const error = errorOf(envelope?.error, status)
  return { error, passing: isPassing(error.code, retryAfter), retryAfterMs: readRetryAfter(retryAfter) }
}

interface Envelope {
  readonly success?: unknown
  readonly data?: unknown
  readonly error?: {
    code?: unknown
    message?: unknown
    reason?: unknown
    details?: unknown
    requestId?: unknown
  }
}

function readEnvelope(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function errorOf(given: Envelope['error'], status: number): PrivityError {
  if (typeof given?.code !== 'string' || !isErrorCode(given.code)) return strangeError(status)
  const reason = typeof given.reason === 'string' ? { reason: given.reason } : {}
  const { details: said } = given
  const details = typeof said === 'object' && said !== null ? { details: { ...said } } : {}
  const error = new PrivityError(given.code, String(given.message), { ...reason, ...details })
  if (typeof given.requestId === 'string') error.requestId = given.requestId
  return error
}

/** The error if something in front of the server, such as a proxy, has answered in its place. */
function strangeError(status: number): PrivityError {
  if (status === 429) return new PrivityError('rate_limit_exceeded', 'too many requests; wait and try again')
  if ([502, 503, 504].includes(status))
    return new PrivityError('unavailable', 'the server could not be reached')
  return new PrivityError('internal', `this is no answer of a privity server (status ${status})`)
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

/**
 * Errors that are worth a retry, for the command line as well. A rate limit without `Retry-After` does not pass by
 * waiting.
 */
const isPassing = (code: ErrorCode, retryAfter: string | null) =>
  ERRORS[code].exit === ERRORS.busy.exit && (code !== 'rate_limit_exceeded' || retryAfter !== null)

/** Parses `Retry-After`, which is a number of seconds or a date. */
function readRetryAfter(value: string | null): number {
  if (value === null) return 0
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}
