import { PrivityError } from '../errors.js'
import { OPERATION_TABLE } from '../generated/operation-table.js'
import { API } from '../http/routes.js'
import type { OperationName } from '../operations.js'
import type { RequestOptions } from '../runtime/runtime.js'

/** The HTTP request of one operation. */
export interface OperationRequest {
  readonly method: string
  /** The path and query, relative to the server's URL. */
  readonly path: string
  readonly body: string | undefined
}

/** Builds the request of an operation: path parameters first, then the query or the body. */
export function buildRequest(name: OperationName, input: object): OperationRequest {
  const [method = '', route = ''] = OPERATION_TABLE[name].route.split(' ')
  const rest = new Map(Object.entries(input))
  const path = route.replace(/:(\w+)/g, (_, field: string) => {
    const value = rest.get(field)
    rest.delete(field)
    return pathPart(field, value)
  })
  if (method === 'GET' || method === 'DELETE')
    return { method, path: API + path + query(rest), body: undefined }
  return { method, path: API + path, body: json(Object.fromEntries(rest)) }
}

/** Request options as headers, encoded in characters that every header may contain. */
export function headersOf(options: RequestOptions): Record<string, string> {
  const {
    idempotencyKey,
    ifVersion,
    trust,
    respectConsent,
    causalParents,
    profile,
    forModel,
    as,
    requestId,
    signal,
  } = options
  if (requestId !== undefined)
    throw new PrivityError('invalid_input', 'requestId: is set by the server; leave it out')
  if (signal !== undefined)
    throw new PrivityError('invalid_input', 'signal: is an option of `connect`; leave it out here')
  return omitUndefinedHeaders({
    'idempotency-key': idempotencyKey && encodeParameter('idempotencyKey', idempotencyKey),
    'if-match': ifVersion && `"${encodeParameter('ifVersion', ifVersion)}"`,
    'privity-trust': trust && asciiJson(trust),
    'privity-respect-consent': respectConsent === undefined ? undefined : String(respectConsent),
    'privity-causal-parents': causalParents && encodeParameter('causalParents', causalParents.join()),
    'privity-profile': profile && encodeParameter('profile', profile),
    'privity-for-model': forModel === undefined ? undefined : String(forModel),
    'privity-as': as && asciiJson(as),
  })
}

export const omitUndefinedHeaders = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >

/** URLs resolve these path segments away, encoded or not, so the path would name another operation. */
const NO_PATH_PART = ['', '.', '..']

function pathPart(field: string, value: unknown): string {
  if (value === undefined) throw new PrivityError('invalid_input', `${field}: is required`)
  if (NO_PATH_PART.includes(String(value)))
    throw new PrivityError(
      'invalid_input',
      `${field}: must be a UUID, for example 3f2b8c1e-5d4a-4e6b-9c7d-1a2b3c4d5e6f`,
    )
  return encodeParameter(field, value)
}

/** A list repeats its name for each value; an empty list is its name without a value. */
function query(fields: Map<string, unknown>): string {
  const pairs = [...fields].flatMap(([field, value]) => {
    if (value === undefined) return []
    const values: unknown[] = Array.isArray(value) ? value : [value]
    return (values.length === 0 ? [''] : values).map(
      one => `${encodeParameter(field, field)}=${encodeParameter(field, one)}`,
    )
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Strings, numbers and booleans are written as they are, times in ISO 8601, and anything else as JSON. */
export function encodeParameter(field: string, value: unknown): string {
  try {
    return encodeURIComponent(plain(value))
  } catch (cause) {
    // A lone surrogate cannot be encoded.
    throw new PrivityError('invalid_input', `${field}: must be well-formed Unicode without NUL`, { cause })
  }
}

function plain(value: unknown): string {
  if (value instanceof Date) return String(value.toJSON())
  return typeof value === 'object' ? json(value) : String(value)
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw new PrivityError('invalid_input', 'must be JSON', { cause })
  }
}

const asciiJson = (value: unknown) =>
  json(value).replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
