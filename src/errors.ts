/**
 * Every expected failure, with its HTTP status, JSON-RPC code and exit code. Messages are short, lowercase and never
 * hold content.
 */
export const ERRORS = {
  invalid_input: { http: 400, rpc: -32602, exit: 2 },
  unauthenticated: { http: 401, rpc: -32029, exit: 4 },
  trust_required: { http: 400, rpc: -32010, exit: 2 },
  too_large: { http: 413, rpc: -32011, exit: 2 },
  not_found: { http: 404, rpc: -32012, exit: 3 },
  not_allowed: { http: 403, rpc: -32013, exit: 4 },
  conflict: { http: 409, rpc: -32014, exit: 5 },
  version_conflict: { http: 412, rpc: -32030, exit: 5 },
  idempotency_conflict: { http: 409, rpc: -32015, exit: 5 },
  cyclic_derivation: { http: 409, rpc: -32016, exit: 5 },
  unregistered_pattern: { http: 422, rpc: -32017, exit: 2 },
  b1_not_yet_supported: { http: 422, rpc: -32018, exit: 2 },
  session_profile_invalid: { http: 403, rpc: -32032, exit: 4 },
  session_activation_failed: { http: 409, rpc: -32033, exit: 5 },
  session_state_transition_invalid: { http: 409, rpc: -32019, exit: 5 },
  rate_limit_exceeded: { http: 429, rpc: -32020, exit: 6 },
  timed_out: { http: 408, rpc: -32031, exit: 6 },
  busy: { http: 503, rpc: -32021, exit: 6 },
  unavailable: { http: 503, rpc: -32022, exit: 6 },
  storage_full: { http: 503, rpc: -32023, exit: 6 },
  audit_unavailable: { http: 503, rpc: -32024, exit: 6 },
  store_locked: { http: 503, rpc: -32025, exit: 7 },
  schema_newer: { http: 503, rpc: -32026, exit: 7 },
  schema_older: { http: 503, rpc: -32034, exit: 7 },
  setup_incomplete: { http: 503, rpc: -32027, exit: 7 },
  closed: { http: 503, rpc: -32028, exit: 7 },
  internal: { http: 500, rpc: -32603, exit: 1 },
} as const

export type ErrorCode = keyof typeof ERRORS

export type ErrorDetails = Readonly<Record<string, unknown>>

/** The only class of expected failures. `reason` is a registered reason code that this caller may read (RS-2). */
export class PrivityError extends Error {
  readonly code: ErrorCode
  readonly reason: string | undefined
  /** The message in machine-readable form: codes and field names, also without content. */
  readonly details: ErrorDetails | undefined
  /** The request that failed, so that a caller can ask why it was refused (DE-4). */
  requestId: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { reason?: string; details?: ErrorDetails; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'PrivityError'
    this.code = code
    this.reason = options.reason
    this.details = options.details
  }
}
