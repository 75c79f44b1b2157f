import { PrivityError } from '../errors.js'

/**
 * Turns a failure of the store into the error that the caller gets. Unique and foreign key violations are left
 * unchanged, because only the caller knows what they mean. No message contains the text of the failure, which may
 * quote a value.
 */
export function storageError(e: unknown): PrivityError | Error {
  if (e instanceof PrivityError) return e
  if (e instanceof Error && (isUniqueViolation(e) || isForeignKeyViolation(e))) return e
  const code = errorCode(e)
  if (isDiskFull(e, code))
    return new PrivityError('storage_full', 'the disk is full; nothing was changed', { cause: e })
  if (isConnectionFailure(e))
    return new PrivityError(
      'unavailable',
      'the database cannot be reached; check that it runs and that the URL is right',
      { cause: e },
    )
  switch (code) {
    case '55P03':
      return new PrivityError('busy', 'a lock could not be taken in time; nothing was changed', { cause: e })
    case '57014':
      return new PrivityError('unavailable', 'the database stopped a statement that took too long', {
        cause: e,
      })
    case '40001':
    case '40P01':
      return new PrivityError('busy', 'too many requests change the same rows; nothing was changed', {
        cause: e,
      })
    default:
      return new PrivityError('internal', 'the store failed', { cause: e })
  }
}

export function isUniqueViolation(e: unknown): boolean {
  return errorCode(e) === '23505'
}

export function isForeignKeyViolation(e: unknown): boolean {
  return errorCode(e) === '23503'
}

/** Deadlocks and serialization failures: the same statements may succeed when run again. */
export function isConflict(e: unknown): boolean {
  const code = errorCode(e)
  return code === '40001' || code === '40P01'
}

/** The SQLSTATE or system error code, if there is one. */
export function errorCode(e: unknown): string | undefined {
  if (typeof e !== 'object' || e === null || !('code' in e)) return undefined
  return typeof e.code === 'string' ? e.code : undefined
}

/** True if a database answered with an error, rather than the connection to it failing. */
export function hasSqlState(e: unknown): boolean {
  return typeof e === 'object' && e !== null && 'severity' in e && /^[0-9A-Z]{5}$/.test(errorCode(e) ?? '')
}

/**
 * Copies a database error without anything that may quote a row: detail, hint, context, parameters, and the message
 * if it repeats a bad value (class 22). This matters because logs print causes.
 */
export function withoutContent(e: unknown): unknown {
  if (!(e instanceof Error) || !hasSqlState(e)) return e
  const code = errorCode(e) ?? ''
  const message = code.startsWith('22') ? 'invalid value' : e.message
  const safe = Object.entries(e).filter(([name, value]) => SAFE_FIELDS.has(name) && value !== undefined)
  return Object.assign(new Error(message), Object.fromEntries(safe))
}

const SAFE_FIELDS = new Set(['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'])

const REFUSED = new Set(['53300', '57P01', '57P02', '57P03'])
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Whether the server is shutting down, gone, full or unreachable. */
export function isConnectionFailure(e: unknown): boolean {
  const code = errorCode(e) ?? ''
  return REFUSED.has(code) || UNREACHABLE.has(code) || /^08[0-9A-Z]{3}$/.test(code)
}

function isDiskFull(e: unknown, code: string | undefined): boolean {
  if (code === '53100' || code === 'ENOSPC' || code === 'EFBIG' || code === 'EDQUOT') return true
  return e instanceof Error && /no space left on device|file too large|disk quota exceeded/i.test(e.message)
}
