import { isAgentAudience, type Trust } from './subject.js'
import { type Audience, rank, SENSITIVITIES } from './vocabulary.js'

/** What a request says about itself. It can only narrow (DE-3). */
export interface Claim {
  readonly maxSensitivity?: string | undefined
  readonly scopes?: readonly string[] | undefined
}

/** TR-2, TR-4: the claim, clamped to what the credential holds. */
export function clampTrust(held: Trust, claim: Claim | undefined): Trust {
  return {
    maxSensitivity: lower(held.maxSensitivity, claim?.maxSensitivity),
    scopes: clampScopes(held.scopes, claim?.scopes ?? []),
    authenticated: held.authenticated,
  }
}

function lower(held: string, claimed: string | undefined): string {
  // What is not known denies, whichever of the two it is.
  if (claimed === undefined || Number.isNaN(rank(SENSITIVITIES, held))) return held
  return rank(SENSITIVITIES, claimed) >= rank(SENSITIVITIES, held) ? held : claimed
}

function clampScopes(held: Trust['scopes'], claimed: readonly string[]): Trust['scopes'] {
  if (claimed.length === 0) return held
  if (held === 'all') return new Set(claimed)
  return new Set(claimed.filter(scope => held.has(scope)))
}

/** PC-3: an owner may ask for the gate; an agent audience cannot be without it. */
export function clampRespectConsent(audience: Audience, asked: boolean | undefined): boolean {
  return isAgentAudience(audience) || asked === true
}
