import { isAgentAudience, type Trust } from './subject.js'
import { type Audience, rank, SENSITIVITIES } from './vocabulary.js'

/** What a request claims about itself. A claim can only narrow (DE-3). */
export interface Claim {
  readonly maxSensitivity?: string | undefined
  readonly scopes?: readonly string[] | undefined
}

/** Limits a claim to what the credential holds (TR-2, TR-4). */
export function clampTrust(held: Trust, claim: Claim | undefined): Trust {
  return {
    maxSensitivity: lower(held.maxSensitivity, claim?.maxSensitivity),
    scopes: clampScopes(held.scopes, claim?.scopes ?? []),
    authenticated: held.authenticated,
  }
}

function lower(held: string, claimed: string | undefined): string {
  // An unknown value denies, whether it is held or claimed.
  if (claimed === undefined || Number.isNaN(rank(SENSITIVITIES, held))) return held
  return rank(SENSITIVITIES, claimed) >= rank(SENSITIVITIES, held) ? held : claimed
}

function clampScopes(held: Trust['scopes'], claimed: readonly string[]): Trust['scopes'] {
  if (claimed.length === 0) return held
  if (held === 'all') return new Set(claimed)
  return new Set(claimed.filter(scope => held.has(scope)))
}

/** An owner may ask to respect consent; for an agent audience it is always respected (PC-3). */
export function clampRespectConsent(audience: Audience, asked: boolean | undefined): boolean {
  return isAgentAudience(audience) || asked === true
}
