import type { Privity } from '../open.js'
import { KEY_PREFIX } from '../runtime/api-key.js'
import type { Access } from '../runtime/caller.js'
import { unauthenticated } from '../runtime/facts.js'
import { type IssuerOptions, Issuers } from './issuers.js'

/** Finds whose credential came with a request, or throws. */
export type Authenticate = (authorization: string | undefined) => Promise<Access>

/** Longer than any key, and than any token worth parsing. */
const LONGEST = 16_384

/** Authenticates by the `Authorization` header: an API key, or a token of a known issuer. */
export function makeAuthenticate(
  privity: Pick<Privity, 'authenticate' | 'now'>,
  issuers: readonly IssuerOptions[] = [],
): Authenticate {
  const tokens = new Issuers(issuers, { now: () => privity.now() })
  return async authorization => {
    const presented = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1]
    if (presented === undefined || presented.length > LONGEST) throw unauthenticated()
    return presented.startsWith(KEY_PREFIX) ? privity.authenticate(presented) : tokens.authenticate(presented)
  }
}
