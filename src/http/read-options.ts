import { PrivityError } from '../errors.js'
import type { RequestClaims } from '../runtime/caller.js'
import type { RequestOptions } from '../runtime/runtime.js'

/** The headers for request options, which accompany the input. */
export const OPTION_HEADERS = {
  idempotencyKey: 'Idempotency-Key',
  ifVersion: 'If-Match',
  trust: 'Privity-Trust',
  respectConsent: 'Privity-Respect-Consent',
  session: 'Privity-Session',
  causalParents: 'Privity-Causal-Parents',
  profile: 'Privity-Profile',
  forModel: 'Privity-For-Model',
  as: 'Privity-As',
} as const

/** Reads options from headers. The runtime validates the values and clamps the claims (DE-3). */
export function readOptions(headers: Headers): RequestOptions {
  const { idempotencyKey, ifVersion, causalParents, as } = OPTION_HEADERS
  return {
    ...readClaims(headers),
    idempotencyKey: headerOf(headers, idempotencyKey, decoded),
    ifVersion: headerOf(headers, ifVersion, tag),
    causalParents: headerOf(headers, causalParents, (value, header) => decoded(value, header).split(',')),
    as: headerOf(headers, as, json) as RequestOptions['as'],
  }
}

/** Reads the claims that narrow a request. The HTTP API, transfers and MCP read them here. */
export function readClaims(headers: Headers): RequestClaims {
  const { trust, respectConsent, profile, forModel } = OPTION_HEADERS
  return {
    trust: headerOf(headers, trust, json) as RequestClaims['trust'],
    respectConsent: headerOf(headers, respectConsent, flag),
    profile: headerOf(headers, profile, decoded),
    forModel: headerOf(headers, forModel, flag),
  }
}

function headerOf<Value>(
  headers: Headers,
  header: string,
  read: (value: string, header: string) => Value,
): Value | undefined {
  const value = headers.get(header)
  return value === null ? undefined : read(value, header)
}

/** The conversation that a request names. */
export function readConversation(headers: Headers): string | undefined {
  const value = headers.get(OPTION_HEADERS.session)
  return value === null ? undefined : decoded(value, OPTION_HEADERS.session)
}

/** Values are percent-encoded, because headers contain only ASCII. */
function decoded(value: string, header: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new PrivityError('invalid_input', `${header}: must be percent-encoded UTF-8`)
  }
}

function tag(value: string, header: string): string {
  const version = /^(?:W\/)?"([\x21\x23-\x7e]+)"$/.exec(value.trim())?.[1]
  if (version === undefined)
    throw new PrivityError('invalid_input', `${header}: must be one ETag in double quotes`)
  return version
}

function json(value: string, header: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw new PrivityError(
      'invalid_input',
      `${header}: must be a JSON object, for example {"maxSensitivity":"low"}`,
    )
  }
}

function flag(value: string, header: string): boolean {
  if (value !== 'true' && value !== 'false')
    throw new PrivityError('invalid_input', `${header}: must be true or false`)
  return value === 'true'
}
